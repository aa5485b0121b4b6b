//===- LineCosts.h - What lines of the code cost ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_PREDICTION_LINECOSTS_H
#define PTXPREDICT_REPORT_PREDICTION_LINECOSTS_H

#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

/// A line of the source, or of the input where no source is known, and its
/// share of the time.
struct LineCost {
  std::string Source;     ///< "matmul.cu:28"; empty where it is not known
  unsigned InputLine = 0; ///< of the instruction there that costs most
  std::string What;       ///< that instruction: "ld.global.f32"; may be empty
  double Share = 0;       ///< of the time, from 0 to 1
};

/// The lines that most of the time of \p P goes to, most first, at most \p Max:
/// each resource's share is divided among the lines by what they ask of it.
/// Requests are divided by their sectors and wavefronts, waiting by the
/// critical path, and what instructions take (issue slots, arithmetic) by how
/// often they run. What no line is known of, such as the start of blocks, is
/// left out. Empty for a model without shares.
std::vector<LineCost> hottestLines(const KernelReport &K, const Prediction &P,
                                   size_t Max);

/// hottestLines() needs KernelReport::Lines: much of the time is for what
/// instructions take.
bool needsLineCounts(const Prediction &P);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_PREDICTION_LINECOSTS_H
