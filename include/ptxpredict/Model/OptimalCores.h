//===- OptimalCores.h - How many SMs to use, and which ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, PhD thesis, 2012, sections 3.3 and 3.5 and chapter 4. Numbers in
// parentheses are its equations; docs/models/IPP.md has the errata followed.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_OPTIMALCORES_H
#define PTXPREDICT_MODEL_OPTIMALCORES_H

#include <vector>

namespace ptxpredict {

/// How the first condition of (63) joins MWP = N and CWP = N. It is printed
/// with "or", which contradicts the published results.
enum class CoreLogic { And, Or };

/// The parallelism of warps on an SM, as MWP-CWP has it.
struct WarpParallelism {
  double MWP = 0, CWP = 0;
  double N = 0;         ///< warps
  double MWPPeakBW = 0; ///< MWP if bandwidth alone limits it, that of all SMs
};

/// (63): SMs that use up the bandwidth, all \p NumSMs where it does not limit.
/// Not rounded.
double optimalCores(const WarpParallelism &W, double NumSMs,
                    CoreLogic Logic = CoreLogic::And);

/// What a kernel takes with so many SMs.
struct CoreUse {
  double SMs = 0;
  double Seconds = 0;
  double RuntimeW = 0; ///< (48)
};

/// Shares of energy saved by \p Few in place of \p All. Not above 1; below 0
/// where it costs more.
struct EnergySaving {
  double Runtime = 0;     ///< of run-time energy
  double RuntimeIdle = 0; ///< with the idle power in both
  /// With power in proportion to the SMs that are left on: P(n) = P(all)*n/all.
  double PowerGated = 0;
};
EnergySaving energySaving(const CoreUse &All, const CoreUse &Few, double IdleW);

/// Power of \p SMs of \p NumSMs if the others could be switched off.
double powerGated(double AllW, double SMs, double NumSMs);

/// The group of SMs that share a part of the die (TPC) in which \p SM is: SM
/// modulo the number of groups, as measured on an 8800 GT (chapter 4).
unsigned groupOfSM(unsigned SM, unsigned NumSMs, unsigned SMsPerGroup);

/// The SMs, of 0 to \p NumSMs - 1 and ascending, that are best left active if
/// \p Active of them are enough: whole groups first, and those far apart. An
/// advisory: no program can choose its SMs.
std::vector<unsigned> placeActiveSMs(unsigned NumSMs, unsigned SMsPerGroup,
                                     unsigned Active);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_OPTIMALCORES_H
