//===- LaneOperation.cpp - Chooses the function of an instruction ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DirectedRounding.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

using namespace ptxpredict;
using namespace ptxpredict::emulator;

bool &emulator::wideLanes() {
#if defined(__x86_64__)
  static bool HasWide =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
      __builtin_cpu_supports("lzcnt");
#else
  static bool HasWide = false;
#endif
  return HasWide;
}

void emulator::callRounded(LaneFunction F, Direction Toward,
                           const LaneArguments &A) {
  // A compiler knows nothing of what the assembly gives back.
  asm volatile("" : "+r"(F) : : "memory");
#if defined(__x86_64__)
  // Only vectors' rounding counts, which is faster to change than the x87's.
  constexpr unsigned Modes[] = {_MM_ROUND_NEAREST, _MM_ROUND_TOWARD_ZERO,
                                _MM_ROUND_DOWN, _MM_ROUND_UP};
  unsigned Before = _mm_getcsr();
  _mm_setcsr((Before & ~unsigned(_MM_ROUND_MASK)) | Modes[unsigned(Toward)]);
  F(A);
  _mm_setcsr(Before);
#else
  constexpr int Modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(Modes[unsigned(Toward)]);
  F(A);
  std::fesetround(FE_TONEAREST);
#endif
}

/// The families that are there; an instruction belongs to one.
static constexpr decltype(&findLaneOperation) Families[] = {
    findIntegerOperation, findFloatOperation,   findLogicOperation,
    findCompareOperation, findConvertOperation, findHalfOperation,
    findApproximation,    findVideoOperation};

LaneFunction emulator::findLaneOperation(ptx::Opcode Op, StringRef Modifiers,
                                         unsigned NumSources) {
  for (auto *Find : Families)
    if (LaneFunction F = Find(Op, Modifiers, NumSources))
      return F;
  return nullptr;
}
