//===- RuleSelection.cpp - Which rules are asked for ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/RuleSelection.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Support/Text.h"

using namespace ptxpredict;

Error RuleSelection::add(StringRef Glob) {
  const bool TakesOut = Glob.consume_front("-");
  auto Kept = std::make_shared<const std::string>(Glob);
  StringRef Text = *Kept;
  Expected<llvm::GlobPattern> Pattern =
      llvm::GlobPattern::create(Text, /*MaxSubPatterns=*/1024);
  if (!Pattern)
    return llvm::createStringError(
        "'" + Text + "' is no glob: " + llvm::toString(Pattern.takeError()));
  std::vector<StringRef> Ids;
  bool MatchesAny = false;
  for (const Rule &R : allRules()) {
    Ids.push_back(R.Id);
    MatchesAny |= Pattern->match(R.Id);
  }
  if (!MatchesAny)
    return llvm::createStringError(
        "there is no rule '" + Text + "'" +
        didYouMean(Text, Ids, "; 'ptx-predict explain' lists them"));
  Entries.push_back({std::move(Kept), std::move(*Pattern), TakesOut});
  return Error::success();
}

bool RuleSelection::wants(StringRef Rule) const {
  bool Wanted = Entries.empty() || Entries.front().TakesOut;
  for (const Entry &E : Entries)
    if (E.Pattern.match(Rule))
      Wanted = !E.TakesOut;
  return Wanted;
}
