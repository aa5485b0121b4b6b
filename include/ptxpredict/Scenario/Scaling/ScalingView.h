//===- ScalingView.h - Scaling as text, JSON and CSV ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SCALING_SCALINGVIEW_H
#define PTXPREDICT_SCENARIO_SCALING_SCALINGVIEW_H

#include "ptxpredict/Scenario/Scaling/ScalingRun.h"

namespace ptxpredict {

/// "schema" and "version" of the JSON.
constexpr StringRef ScalingRunSchemaName = "ptx-predict/scaling-run";
constexpr unsigned ScalingRunSchemaVersion = 1;

/// Tables of EE and EEF over n and p, or what --solve found; with \p Verbose
/// also every point with all of its terms.
void printScalingText(const ScalingReport &R, raw_ostream &OS, bool Verbose);
void printScalingJSON(const ScalingReport &R, raw_ostream &OS);
/// A heading and a row for each point or solution.
void printScalingCSV(const ScalingReport &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SCALING_SCALINGVIEW_H
