//===- LaneOperation.cpp - Chooses the function of an instruction ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaneLoops.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

bool emulator::hasWideLanes() {
#if defined(__x86_64__)
  static const bool HasWide =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
      __builtin_cpu_supports("lzcnt");
  return HasWide;
#else
  return false;
#endif
}

/// The families that are there; an instruction belongs to one.
static constexpr decltype(&findLaneOperation) Families[] = {
    findApproximation, findHalfOperation, findConvertOperation};

LaneFunction emulator::findLaneOperation(ptx::Opcode Op, StringRef Modifiers,
                                         unsigned NumSources) {
  for (auto *Find : Families)
    if (LaneFunction F = Find(Op, Modifiers, NumSources))
      return F;
  return nullptr;
}
