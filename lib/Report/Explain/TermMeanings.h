//===- TermMeanings.h - What the terms of models are ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_EXPLAIN_TERMMEANINGS_H
#define PTXPREDICT_LIB_REPORT_EXPLAIN_TERMMEANINGS_H

#include "ptxpredict/Support/LLVM.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// A term of a model.
struct TermMeaning {
  std::string Name;
  StringRef Model;
  bool IsInput = false;
  std::string Unit;   ///< empty for a number without one
  StringRef Equation; ///< "(13)"; empty without one
  std::string Meaning;
};

/// The terms of all models, one model after the other.
const std::vector<TermMeaning> &termMeanings();

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_EXPLAIN_TERMMEANINGS_H
