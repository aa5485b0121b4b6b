//===- RuleSelection.cpp - Which rules are asked for ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/RuleSelection.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Support/NameLists.h"

using namespace ptxpredict;

Expected<OwnedGlob> ptxpredict::createRuleGlob(StringRef Text) {
  Expected<OwnedGlob> Glob = OwnedGlob::create(Text);
  if (!Glob)
    return Glob.takeError();
  std::vector<StringRef> Ids;
  for (const Rule &R : allRules())
    Ids.push_back(R.Id);
  if (llvm::none_of(Ids, [&](StringRef Id) { return Glob->match(Id); }))
    return llvm::createStringError(
        "there is no rule '" + Text + "'" +
        meantOrListed(Text, Ids, "'ptx-predict explain'"));
  return Glob;
}

Error RuleSelection::add(StringRef Glob) {
  const bool TakesOut = Glob.consume_front("-");
  Expected<OwnedGlob> Rule = createRuleGlob(Glob);
  if (!Rule)
    return Rule.takeError();
  Entries.push_back({std::move(*Rule), TakesOut});
  return Error::success();
}

bool RuleSelection::wants(StringRef Rule) const {
  const ptxpredict::Rule *Known = findRule(Rule);
  bool Wanted = (Entries.empty() || Entries.front().TakesOut) &&
                !(Known && Known->Saves == RuleSaves::Energy);
  for (const Entry &E : Entries)
    if (E.Rule.match(Rule))
      Wanted = !E.TakesOut;
  return Wanted;
}
