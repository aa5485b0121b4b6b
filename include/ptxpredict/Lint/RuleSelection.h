//===- RuleSelection.h - Which rules are asked for --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LINT_RULESELECTION_H
#define PTXPREDICT_LINT_RULESELECTION_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/GlobPattern.h"
#include <memory>
#include <string>
#include <vector>

namespace ptxpredict {

/// Globs of rules' ids in an order: one that begins with '-' takes out what it
/// matches, and the last one that matches counts. Without any, and where the
/// first takes out, the rest is wanted.
class RuleSelection {
public:
  /// Appends \p Glob. An error if it is no glob, or no rule is like it.
  Error add(StringRef Glob);

  bool wants(StringRef Rule) const;

private:
  struct Entry {
    std::shared_ptr<const std::string> Text; ///< which the pattern refers to
    llvm::GlobPattern Pattern;
    bool TakesOut;
  };
  std::vector<Entry> Entries;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LINT_RULESELECTION_H
