//===- HalfOperations.h - Loops over f16 and bf16 ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_HALFOPERATIONS_H
#define PTXPREDICT_LIB_EMULATOR_LANES_HALFOPERATIONS_H

#include "LaneLoops.h"
#include "SmallFloats.h"

namespace ptxpredict::emulator {

/// Dest[0] = Op(Source[0], …) in both halves of each lane's 32 bits, which are
/// 64 elements one after the other.
template <class Op, class T, size_t N>
struct PackedHalfLoop {
  static void run(const LaneArguments &A) {
    runOn(A, std::make_index_sequence<N>());
  }

private:
  // The arrays are uint32_t for everyone else.
  using Element __attribute__((may_alias)) = uint16_t;

  template <size_t... I>
  static void runOn(const LaneArguments &A, std::index_sequence<I...>) {
    loop(static_cast<Element *>(A.Dest[0]),
         static_cast<const Element *>(A.Source[I])...);
  }
  template <class... S>
  static void loop(Element *__restrict Dest, const S *__restrict... Source) {
    for (unsigned I = 0; I != 2 * WarpSize; ++I)
      Dest[I] = Op::apply(T{Source[I]}...).Bits;
  }
};

template <class Op, class T, class... S>
LaneFunction halfLoop(std::index_sequence<>) {
  return laneLoop<Op, T, S...>();
}
template <class Op, class T, class... S, size_t I, size_t... Rest>
LaneFunction halfLoop(std::index_sequence<I, Rest...>) {
  return halfLoop<Op, T, S..., T>(std::index_sequence<Rest...>());
}

/// The loop over Op, of \p N operands of \p Type: f16, bf16 or a pair of them.
/// Null for other types.
template <class Op, size_t N>
LaneFunction halfFunction(StringRef Type) {
  if (Type == "f16")
    return halfLoop<Op, Half>(std::make_index_sequence<N>());
  if (Type == "bf16")
    return halfLoop<Op, BFloat>(std::make_index_sequence<N>());
  if (Type == "f16x2")
    return laneFunction<PackedHalfLoop<Op, Half, N>>();
  if (Type == "bf16x2")
    return laneFunction<PackedHalfLoop<Op, BFloat, N>>();
  return nullptr;
}

/// set and setp of f16, bf16 and pairs of them (PTX ISA 9.7.7).
LaneFunction findHalfComparison(ptx::Opcode Op, StringRef Modifiers,
                                unsigned NumSources);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_HALFOPERATIONS_H
