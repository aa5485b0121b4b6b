//===- Assumption.h - A default that was used -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_ASSUMPTION_H
#define PTXPREDICT_SUPPORT_ASSUMPTION_H

#include <string>

namespace ptxpredict {

/// A default that was used, and the option that replaces it.
struct Assumption {
  std::string What;     ///< "trip count of $L__BB0_2"
  std::string Value;    ///< as printed: "64", "256x1x1"
  bool IsNumber = true; ///< Value is a number in JSON, else a string
  unsigned Line = 0;    ///< 0 without a place
  std::string Option;   ///< "--trip-count=L__BB0_2=N"
  /// Of the question rather than of the kernel, such as the device.
  bool IsOfQuestion = false;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_ASSUMPTION_H
