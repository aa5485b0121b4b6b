//===- SourceType.h - What parameters are in the source ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_SOURCETYPE_H
#define PTXPREDICT_GRAPH_SOURCETYPE_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"
#include <string>

namespace ptxpredict {

struct SourceMember;

/// The type of a parameter, or of what is in it, as debug information has it.
struct SourceType {
  enum class KindTy : uint8_t {
    Number,  ///< Scalar says which
    Pointer, ///< likewise: an unsigned number
    Structure,
    Array,
    Other, ///< something of Bytes bytes
  } Kind = KindTy::Other;
  StringRef Name;   ///< "Params"; may be empty
  StringRef Scalar; ///< "u32", …: the types of launch files
  uint64_t Bytes = 0;
  ArrayRef<SourceMember> Members;      ///< of a structure
  const SourceType *Element = nullptr; ///< of an array
  uint64_t Count = 0;                  ///< of an array's elements
};

struct SourceMember {
  StringRef Name;      ///< empty: its members are also those of what it is in
  uint64_t Offset = 0; ///< bytes
  const SourceType *Type = nullptr;
};

/// Arrays of arrays of \p Element, outer ones first, one for each of \p Counts.
/// Null without an element; sizes beyond all numbers are the largest one.
const SourceType *arrayOf(const SourceType *Element, ArrayRef<uint64_t> Counts,
                          llvm::BumpPtrAllocator &Arena);

/// A parameter in the source, as debug information has it.
struct SourceParameter {
  StringRef Name;
  const SourceType *Layout = nullptr; ///< of a structure, if it is known
};

/// The codes of DWARF for what the bits of a number mean (DWARF 5, section
/// 7.8).
enum NumberEncoding : unsigned {
  EncodingBoolean = 0x02,
  EncodingFloat = 0x04,
  EncodingSigned = 0x05,
  EncodingSignedChar = 0x06,
  EncodingUnsigned = 0x07,
  EncodingUnsignedChar = 0x08,
  EncodingUTF = 0x10,
};
/// The type of launch files for such a number; empty if none is.
StringRef scalarOf(unsigned Encoding, uint64_t Bytes);
/// The same for a structure that stands for a number: "f16" for "__half".
StringRef scalarOf(StringRef Structure);

/// A part of a parameter.
struct MemberPlace {
  uint64_t Offset = 0; ///< bytes
  const SourceType *Type = nullptr;
};

/// What \p Path, such as "shape.dims[1]", is in \p Type. True if nothing; then
/// \p Why tells it.
bool findMember(const SourceType &Type, StringRef Path, MemberPlace &Result,
                std::string &Why);

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_SOURCETYPE_H
