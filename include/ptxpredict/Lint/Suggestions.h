//===- Suggestions.h - What the throughput model advises --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LINT_SUGGESTIONS_H
#define PTXPREDICT_LINT_SUGGESTIONS_H

#include "ptxpredict/Lint/Lint.h"

namespace ptxpredict {

/// The category of a kernel on a device, and how device and launch may be set
/// (S. Hong, PhD thesis, 2012, 5.4.2 and 5.5). Texts are static.
struct DeviceSuggestions {
  std::string Device;
  unsigned Category = 0; ///< from 1 to 10
  unsigned Rank = 0;     ///< from 1, the best, to 6
  StringRef Verdict, Advice;
  std::vector<Term> Terms;              ///< the advisor's, by their names
  std::vector<std::string> Suggestions; ///< each a way by itself
};

/// For each device on which the throughput model has an answer.
std::vector<DeviceSuggestions> suggestSettings(ArrayRef<LintDevice> Devices,
                                               const ModelOptions &Options);

} // namespace ptxpredict

#endif // PTXPREDICT_LINT_SUGGESTIONS_H
