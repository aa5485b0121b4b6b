//===- MaxBIPS.h - Time and power at another core clock ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_MAXBIPS_H
#define PTXPREDICT_MODEL_MAXBIPS_H

#include "ptxpredict/Model/BestClocks.h"

namespace ptxpredict {

/// What a kernel takes at a core clock and voltage.
struct MaxBIPSMode {
  double CoreMHz = 0;
  double Voltage = 1; ///< in any unit
  double TimeUs = 0;
  double DynamicW = 0;
  double StaticW = 0;
};

/// What \p From takes in another mode (S. Song, PhD thesis, Virginia Tech,
/// 2013, Table 2.1): performance follows the clock, dynamic power clock and
/// squared voltage, static power the voltage's cube, which is called an
/// estimate there. \p AsPrinted: dynamic power follows the squared clock,
/// against (2.2).
MaxBIPSMode scaleMaxBIPS(const MaxBIPSMode &From, double CoreMHz,
                         double Voltage, bool AsPrinted = false);

struct MaxBIPSOptions {
  /// Of the power at the highest core clock, from 0 to 1. (2.1) says that the
  /// dynamic part is over 70 %.
  double StaticShare = 0.3;
  bool AsPrinted = false;
};

/// Puts in each of \p Pairs what the one with the highest core clock at its
/// memory clock takes, scaled to its core clock with a voltage in proportion to
/// that. \p BoardW: the power there where a pair has none; NaN if nobody knows.
void scalePairs(MutableArrayRef<ClockPair> Pairs, double BoardW,
                const MaxBIPSOptions &Options);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_MAXBIPS_H
