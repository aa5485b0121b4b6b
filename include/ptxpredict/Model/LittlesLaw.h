//===- LittlesLaw.h - The equations of Gajger's model -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// T. Gajger, MSc thesis, Gdansk University of Technology, 2017, chapter 4.
// Numbers in parentheses are the thesis's equations; docs/models/LittlesLaw.md
// has them all, with the errata followed.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_LITTLESLAW_H
#define PTXPREDICT_MODEL_LITTLESLAW_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model's name: of --model, of device files and in reports.
constexpr StringRef LittlesLawName = "littles-law";

/// What the equations take. Units and meanings: LittlesLawTerms.def. A unit
/// that an SM has none of, 0 lanes or bytes a cycle, takes no time.
struct LittlesLawInputs {
#define LITTLESLAW_INPUT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/LittlesLawTerms.def"
};

/// What they give.
struct LittlesLawResult {
#define LITTLESLAW_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)               \
  double MEMBER = 0;
#include "ptxpredict/Model/LittlesLawTerms.def"
  TimeLimiter Limiter = TimeLimiter::None;
};

/// (4.1) to (4.6).
LittlesLawResult evaluateLittlesLaw(const LittlesLawInputs &In);

/// (4.7): bytes that each of \p SMs gets in a cycle of \p CoreMHz, of a memory
/// with so many bits and \p DataRate transfers on each in a cycle of \p MemMHz.
double globalBandwidth(double MemMHz, double BusBits, double DataRate,
                       double SMs, double CoreMHz);

/// How often a loop runs when its issue takes as long as memory: the kernel
/// issues \p Once instructions, and \p Each in each iteration.
double crossoverTrips(double CyclesOfMemory, double Schedulers, double Once,
                      double Each);

/// The model as the registry holds it.
const Model &littlesLawModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_LITTLESLAW_H
