//===- Suppression.h - Findings to be left out ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LINT_SUPPRESSION_H
#define PTXPREDICT_LINT_SUPPRESSION_H

#include "ptxpredict/Support/LLVM.h"
#include <optional>

namespace ptxpredict {

/// `ptx-predict: ignore[GLOB, ...] REASON`, somewhere in a comment or an
/// attribute. Refers to its text.
struct Suppression {
  /// What every one begins with.
  static constexpr StringRef Marker = "ptx-predict:";

  StringRef Globs;  ///< of ids of rules, with commas between them
  StringRef Reason; ///< up to the next one or the comment's end; perhaps empty

  /// The first one in \p Text that names \p Rule.
  static std::optional<Suppression> find(StringRef Text, StringRef Rule);
  /// That of a line of source: in its comment, or in \p Before, the line before
  /// it, if that is nothing but a comment.
  static std::optional<Suppression> findOfLine(StringRef Line, StringRef Before,
                                               StringRef Rule);
};

} // namespace ptxpredict

#endif // PTXPREDICT_LINT_SUPPRESSION_H
