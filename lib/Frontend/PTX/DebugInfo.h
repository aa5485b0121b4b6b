//===- DebugInfo.h - Functions and types of debug information ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A reader of DWARF 2 to 5 for what names parameters and their members, as
// nvcc -G and clang -g write it. LLVM's own reader is no part of its Support
// library, to which the command is bound (docs/Architecture.md, "Linking").
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_PTX_DEBUGINFO_H
#define PTXPREDICT_LIB_FRONTEND_PTX_DEBUGINFO_H

#include "DebugSections.h"
#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

namespace ptxpredict::ptx {

/// DWARF 5, section 7.5.3, table 7.3: those that are read.
enum class DebugTag : uint8_t {
  None = 0,
  ArrayType = 0x01,
  ClassType = 0x02,
  EnumerationType = 0x04,
  FormalParameter = 0x05,
  Member = 0x0d,
  PointerType = 0x0f,
  ReferenceType = 0x10,
  StructureType = 0x13,
  Typedef = 0x16,
  UnionType = 0x17,
  Inheritance = 0x1c,
  SubrangeType = 0x21,
  BaseType = 0x24,
  ConstType = 0x26,
  Subprogram = 0x2e,
  VolatileType = 0x35,
  RestrictType = 0x37,
  RvalueReferenceType = 0x42,
  AtomicType = 0x47,
};

/// One entry of debug information, with what is needed of its attributes.
struct DebugEntry {
  static constexpr uint32_t NoParent = ~uint32_t(0);

  DebugTag Tag = DebugTag::None;
  uint8_t Encoding = 0;  ///< of a base type (section 7.8)
  bool IsLayout = true;  ///< not: a bit field, static, only declared, implied
  bool HasCount = false; ///< of a subrange
  uint32_t Parent = 0;   ///< NoParent: an entry that was not kept
  uint32_t End = 0;      ///< behind the entries within it
  uint64_t Offset = 0;   ///< in the section
  uint64_t Type = 0;     ///< the entry's offset; 0 for none
  uint64_t Origin = 0;   ///< whose attributes it shares; 0 for none
  uint64_t Bytes = 0;    ///< its size
  uint64_t Place = 0;    ///< of a member, bytes
  uint64_t Count = 0;    ///< elements of a subrange
  StringRef Name;        ///< in the source
  StringRef LinkageName; ///< in the object code
};

/// Reads all entries. Takes time linear in the sections, whatever is in them;
/// what it cannot read ends the entries.
class DebugInfo {
public:
  explicit DebugInfo(const AST &Tree);

  ArrayRef<DebugEntry> entries() const { return Entries; }
  /// The number of the entry at that place of the section; nothing for none.
  std::optional<uint32_t> at(uint64_t Offset) const;
  /// Calls \p Fn with the number of each entry right within \p Parent.
  template <typename FnT>
  void forEachChild(uint32_t Parent, FnT Fn) const {
    for (uint32_t N = Parent + 1; N < Entries[Parent].End; N = Entries[N].End)
      if (Entries[N].Parent == Parent)
        Fn(N);
  }

private:
  DebugSections Sections;
  std::vector<DebugEntry> Entries;
};

/// What kernels' parameters are in the source.
class DebugParameters {
public:
  /// \p Arena holds the results.
  DebugParameters(const AST &Tree, llvm::BumpPtrAllocator &Arena);

  /// Of each parameter of \p Kernel. Empty if nothing is known.
  std::vector<SourceParameter> of(const InstructionGraph &Kernel);

private:
  std::optional<uint32_t> typeOf(uint32_t Entry) const;
  StringRef nameOf(uint32_t Entry) const;
  const SourceType *get(uint32_t Entry);
  const SourceType *make(uint32_t Entry);
  const SourceType *makeArray(uint32_t Entry);
  void addMembers(uint32_t Entry, SourceType &To);

  DebugInfo Info;
  llvm::BumpPtrAllocator &Arena;
  unsigned AddressBytes;
  llvm::StringMap<uint32_t> Functions; ///< by name in the object code
  llvm::DenseMap<uint32_t, const SourceType *> Types;
  unsigned Depth = 0; ///< of the types that are being made
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_FRONTEND_PTX_DEBUGINFO_H
