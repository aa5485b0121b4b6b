//===- TensorMap.h - What a launch says of a tensor map ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_TENSORMAP_H
#define PTXPREDICT_LAUNCH_TENSORMAP_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ptxpredict {

/// The type of a tensor map's elements, in the order of the numbers that
/// `tensormap.replace.elemtype` takes (PTX ISA, "tensormap.replace").
enum class TensorElement : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F32Ftz,
  F64,
  BF16,
  TF32,
  TF32Ftz,
  B4x16,    ///< 16 of four bits in 8 bytes
  B4x16P64, ///< the same in 16 bytes of shared memory
  B6x16P32, ///< 16 of six bits, in 16 bytes of shared memory
};
constexpr unsigned NumTensorElements = unsigned(TensorElement::B6x16P32) + 1;

/// "f16", "b4x16_p64", …; the names of the PTX ISA.
StringRef toString(TensorElement E);
/// Bits of an element in global memory.
unsigned bitsInGlobal(TensorElement E);
/// Bits of an element in shared memory.
unsigned bitsInShared(TensorElement E);
bool isFloat(TensorElement E);
/// Bytes that a tensor's address and strides are a multiple of.
unsigned alignmentInGlobal(TensorElement E);
/// Elements that dimension 0 is a multiple of.
unsigned innerMultiple(TensorElement E);
/// Elements that dimension 0 of a box has; 0: as many as it likes.
unsigned innerBox(TensorElement E);

/// A tensor map of a launch: what cuTensorMapEncodeTiled takes (CUDA Driver
/// API, "Tensor Map Object Management"). Dimension 0 is the innermost.
struct TensorMapSpec {
  static constexpr unsigned MaxRank = 5;

  std::string Buffer; ///< whose begin the tensor's is
  TensorElement Type = TensorElement::U8;
  std::vector<uint64_t> Dims;    ///< elements, one to five
  std::vector<uint64_t> Strides; ///< bytes, of dimension 1 and up
  std::vector<uint64_t> Box;     ///< elements that a copy spans, as Dims
  /// Every so many elements are copied, as Dims.
  std::vector<uint64_t> ElementStrides;
  unsigned Swizzle = 0;  ///< 0, 32, 64 or 128 bytes
  bool FillsNaN = false; ///< what is out of bounds is NaN, otherwise zero

  unsigned rank() const { return unsigned(Dims.size()); }
  /// Elements that a copy puts into shared memory along a dimension.
  uint64_t copied(unsigned Dimension) const {
    uint64_t Step = Dimension ? ElementStrides[Dimension] : 1;
    return (Box[Dimension] + Step - 1) / Step;
  }
  /// Bytes from the tensor's begin to its end in global memory.
  uint64_t extentBytes() const;
};

using TensorMaps = std::map<std::string, TensorMapSpec, std::less<>>;

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_TENSORMAP_H
