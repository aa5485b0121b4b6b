//===- RuleSelection.h - Which rules are asked for --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LINT_RULESELECTION_H
#define PTXPREDICT_LINT_RULESELECTION_H

#include "ptxpredict/Support/OwnedGlob.h"
#include <vector>

namespace ptxpredict {

/// \p Text as a glob of rules' ids. An error if it is no glob, or no rule is
/// like it.
Expected<OwnedGlob> createRuleGlob(StringRef Text);

/// Globs of rules' ids in an order: one that begins with '-' takes out what it
/// matches, and the last one that matches counts. Without any, and where the
/// first takes out, the rest is wanted, but for rules that save energy and no
/// time.
class RuleSelection {
public:
  /// Appends \p Glob. Errors are createRuleGlob's.
  Error add(StringRef Glob);

  bool wants(StringRef Rule) const;

private:
  struct Entry {
    OwnedGlob Rule;
    bool TakesOut;
  };
  std::vector<Entry> Entries;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LINT_RULESELECTION_H
