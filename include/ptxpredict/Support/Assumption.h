//===- Assumption.h - A default that was used -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_ASSUMPTION_H
#define PTXPREDICT_SUPPORT_ASSUMPTION_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <string>

namespace ptxpredict {

/// What a default was used for.
enum class AssumptionKind : uint8_t {
#define ASSUMPTION_KIND(MEMBER, WORDS, DETAIL) MEMBER,
#include "ptxpredict/Support/AssumptionKinds.def"
};

/// A default that was used, and the option that replaces it.
struct Assumption {
  AssumptionKind Kind = AssumptionKind::Other;
  std::string Detail;   ///< behind the words of its kind: "$L__BB0_2"
  std::string Value;    ///< as printed: "64", "256x1x1"
  bool IsNumber = true; ///< Value is a number in JSON, else a string
  unsigned Line = 0;    ///< 0 without a place
  std::string Option;   ///< "--trip-count=L__BB0_2=N"

  /// "trip count of $L__BB0_2"
  std::string what() const;
  /// Sets kind and detail by the text that what() gave.
  void setWhat(StringRef Text);
  /// The same with its line, where it has one: "branch taken (line 7)".
  std::string whatAndWhere() const;
  /// It is one of the question rather than of the kernel.
  bool isOfQuestion() const {
    return Kind == AssumptionKind::Device || Kind == AssumptionKind::CoreClock;
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_ASSUMPTION_H
