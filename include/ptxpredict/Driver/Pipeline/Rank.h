//===- Rank.h - From a tuning space to a ranking ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_RANK_H
#define PTXPREDICT_DRIVER_PIPELINE_RANK_H

#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Report/Ranking/Ranking.h"

namespace ptxpredict {

/// A file of kernels, and how they are launched.
struct RankInput {
  std::string Path;
  std::string LaunchFile; ///< empty without one
};

/// What the paths of a command line stand for, in their order: a folder for all
/// *.ptx in it, by name; a launch file for the NAME.ptx beside it, or that
/// of a shorter name before a dash. Each file is
/// there once for each of \p LaunchFiles; without any, with the NAME.yaml
/// beside NAME.ptx, if there is one. \p Problems gets what cannot be read.
std::vector<RankInput> findRankInputs(ArrayRef<std::string> Paths,
                                      ArrayRef<std::string> LaunchFiles,
                                      DiagnosticEngine &Problems);

/// Predicts every kernel of every input at every launch that its launch file
/// has for it. Inputs with errors leave the others ranked; what is wrong stands
/// in the result's Diagnostics. Of an input only the numbers that a ranking
/// needs are kept. \p Options name no launch file, profile or sweep.
Ranking rank(const DriverOptions &Options, ArrayRef<RankInput> Inputs,
             RankBy By);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_RANK_H
