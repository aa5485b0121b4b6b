//===- TensorMap.h - Tensor maps as they lie in memory ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MEMORY_TENSORMAP_H
#define PTXPREDICT_LIB_EMULATOR_MEMORY_TENSORMAP_H

#include "ptxpredict/Launch/TensorMap.h"

namespace ptxpredict::emulator {

/// The 128 bytes of a tensor map, whose format PTX leaves open. The fields are
/// those that `tensormap.replace` writes, in its encoding.
struct TensorMapObject {
  static constexpr unsigned Bytes = 128, Align = 64;

  uint64_t Address = 0;     ///< of the tensor
  uint64_t Strides[4] = {}; ///< bytes, of dimension 1 and up
  uint32_t Dims[5] = {};    ///< 0 for 2^32
  uint32_t Box[5] = {};
  uint32_t ElementStrides[5] = {};
  uint8_t RankMinusOne = 0;
  uint8_t Element = 0;    ///< TensorElement
  uint8_t Interleave = 0; ///< 0: none
  uint8_t Swizzle = 0;    ///< 0: none, then 32, 64 and 128 bytes
  uint8_t Fill = 0;       ///< 1: NaN
  uint8_t Atomicity = 0;  ///< of the swizzle; 0: 16 bytes

  static TensorMapObject of(const TensorMapSpec &Spec, uint64_t Address);
  /// What it says; why it says nothing that makes sense in \p Why.
  std::optional<TensorMapSpec> spec(std::string &Why) const;
};
static_assert(sizeof(TensorMapObject) <= TensorMapObject::Bytes);

/// Where the byte at \p Address of shared memory lies with a swizzle of
/// \p Span bytes: the address bits from 4 on, as many as chunks of 16 bytes fit
/// in the span, are exclusive-ored with those from 7 on (PTX ISA, "Swizzling
/// modes").
inline uint64_t swizzled(uint64_t Address, unsigned Span) {
  uint64_t Mask = Span / 16 ? Span / 16 - 1 : 0;
  return Address ^ (Address >> 7 & Mask) << 4;
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MEMORY_TENSORMAP_H
