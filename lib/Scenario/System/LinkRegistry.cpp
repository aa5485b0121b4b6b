//===- LinkRegistry.cpp - Links by name -----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmbeddedTexts.h"
#include "ptxpredict/Scenario/System/Link.h"
#include "ptxpredict/Support/NameLists.h"
#include <set>

using namespace ptxpredict;

bool LinkRegistry::addFile(DiagnosticEngine &Diags) {
  std::unique_ptr<Link> L = parseLink(Diags);
  if (!L)
    return true;
  std::unique_ptr<Link> &Place = Loaded[L->Name];
  if (Place)
    Replaced.push_back(std::move(Place));
  Place = std::move(L);
  return false;
}

Expected<const Link *> LinkRegistry::find(StringRef Name) {
  if (auto It = Loaded.find(Name); It != Loaded.end())
    return It->second.get();
  const std::optional<StringRef> Text = EmbeddedLinks.find(Name);
  if (!Text) {
    const std::vector<std::string> Names = names();
    return llvm::createStringError(
        "no link named '" + Name + "'" +
        meantOrListed(Name, std::vector<StringRef>(Names.begin(), Names.end()),
                      "'ptx-predict transfer'"));
  }
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(
      *Text, Name, /*RequiresNullTerminator=*/false));
  std::unique_ptr<Link> L = parseLink(Diags);
  if (!L)
    return llvm::createStringError(Name + ": " +
                                   Diags.diagnostics().front().Message);
  return (Loaded[Name.str()] = std::move(L)).get();
}

std::vector<std::string> LinkRegistry::names() const {
  std::set<std::string> Names(EmbeddedLinks.Names.begin(),
                              EmbeddedLinks.Names.end());
  for (const auto &Entry : Loaded)
    Names.insert(Entry.first);
  return {Names.begin(), Names.end()};
}
