//===- DirectedRounding.h - Lanes in other rounding modes -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_DIRECTEDROUNDING_H
#define PTXPREDICT_LIB_EMULATOR_LANES_DIRECTEDROUNDING_H

#include "LaneLoops.h"

namespace ptxpredict::emulator {

enum class Direction : uint8_t { Nearest, TowardZero, Down, Up };

/// Calls \p F with the CPU rounding in \p Toward, then to nearest again. F
/// is called through a pointer that the compiler cannot see through, so that
/// none of its arithmetic leaves the call.
void callRounded(LaneFunction F, Direction Toward, const LaneArguments &A);

/// laneLoop<Op, D, S...>() in a rounding mode. Op must be one that the compiler
/// does not rewrite into another one with the same result to nearest: a single
/// operation, and tests and selections of its operands and result.
template <class Op, class D, class... S>
LaneFunction laneLoopRounded(Direction Toward) {
  using Loop = LaneLoop<Op, D, S...>;
  switch (Toward) {
  case Direction::Nearest:
    return laneFunction<Loop>();
  case Direction::TowardZero:
    return [](const LaneArguments &A) {
      callRounded(laneFunction<Loop>(), Direction::TowardZero, A);
    };
  case Direction::Down:
    return [](const LaneArguments &A) {
      callRounded(laneFunction<Loop>(), Direction::Down, A);
    };
  case Direction::Up:
    return [](const LaneArguments &A) {
      callRounded(laneFunction<Loop>(), Direction::Up, A);
    };
  }
  return nullptr;
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_DIRECTEDROUNDING_H
