//===- NameLists.cpp - Names as messages list them ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace ptxpredict;

std::string ptxpredict::listNames(ArrayRef<StringRef> Names) {
  constexpr size_t MostNames = 8;
  if (Names.empty())
    return "none";
  if (Names.size() <= MostNames + 2) // no longer than the count of the rest
    return llvm::join(Names, ", ");
  return llvm::join(Names.take_front(MostNames), ", ") + " and " +
         std::to_string(Names.size() - MostNames) + " more";
}

std::string ptxpredict::meantOrListed(StringRef Name,
                                      ArrayRef<StringRef> Candidates,
                                      StringRef More) {
  return meantOrListed(Name, Candidates, Candidates, More);
}

std::string ptxpredict::meantOrListed(StringRef Name,
                                      ArrayRef<StringRef> Candidates,
                                      ArrayRef<StringRef> Listed,
                                      StringRef More) {
  std::vector<StringRef> Each;
  for (StringRef L : Listed)
    if (!L.empty() && !llvm::is_contained(Each, L))
      Each.push_back(L);
  const StringRef Near = nearestName(Name, Candidates);
  const std::string Verb = Each.size() == 1 ? "here is " : "here are ";
  std::string Text;
  if (!Near.empty())
    Text = ("; did you mean '" + Near + "'?").str();
  if (!Each.empty() && !(Each.size() == 1 && !Near.empty()))
    Text += (Near.empty() ? "; t" : " T") + Verb + listNames(Each) +
            (More.empty() ? "" : " (" + More + " lists them)").str();
  return Text;
}
