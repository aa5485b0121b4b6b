//===- Explain.cpp - What the names in results mean -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Explain/Explain.h"
#include "EmbeddedPages.h"
#include "TermMeanings.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Model/Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

static const EmbeddedPage *findPage(StringRef Name) {
  for (const EmbeddedPage &P : embeddedPages())
    if (P.Name.equals_insensitive(Name))
      return &P;
  return nullptr;
}

/// What stands below the heading `## <Heading>` of a page.
static StringRef section(const EmbeddedPage &P, StringRef Heading) {
  const std::string Begin = ("\n## " + Heading + "\n").str();
  size_t At = P.Text.find(Begin);
  if (At == StringRef::npos)
    return {};
  StringRef Rest = P.Text.drop_front(At + Begin.size());
  return Rest.take_front(Rest.find("\n## ")).trim('\n');
}

StringRef ptxpredict::findingSection(StringRef Id) {
  return section(*findPage("Findings"), Id);
}

/// What a page says before its first section, without its title.
static StringRef introduction(const EmbeddedPage &P) {
  StringRef Text = P.Text.split('\n').second;
  return Text.take_front(Text.find("\n## ")).trim('\n');
}

/// The rows of the table of limiters: name and meaning.
static std::vector<std::pair<StringRef, StringRef>> limiters() {
  std::vector<std::pair<StringRef, StringRef>> Rows;
  for (StringRef Line :
       llvm::split(section(*findPage("Reports"), "Limiters"), '\n'))
    if (Line.consume_front("| `") && Line.consume_back(" |")) {
      auto [Name, Meaning] = Line.split("` | ");
      Rows.emplace_back(Name, Meaning);
    }
  return Rows;
}

static Explanation explanation(std::string Title, StringRef Text,
                               StringRef Page) {
  return {std::move(Title), Text.str() + "\n", ("docs/" + Page + ".md").str()};
}

static Explanation explainTerm(const TermMeaning &T) {
  std::string Title = T.Name + ", " +
                      (T.IsInput ? "an input of " : "a term of ") +
                      T.Model.str();
  std::string Text = T.Meaning;
  if (!T.Unit.empty())
    Text = T.Unit + ": " + Text;
  if (!T.Equation.empty())
    Text += " " + T.Equation.str();
  return explanation(std::move(Title), Text,
                     ("models/" + findPage(T.Model)->Name).str());
}

std::vector<Explanation> ptxpredict::explain(StringRef Name) {
  std::vector<Explanation> All;
  for (const Rule &R : allRules())
    if (Name == R.Id || Name == R.Remark)
      All.push_back(explanation(
          (R.Id + ", a finding (" + toString(R.Level) + "): " + R.FiresWhen)
              .str(),
          findingSection(R.Id), "commands/Findings"));
  if (llvm::is_contained(modelNames(), Name))
    All.push_back(explanation((Name + ", a model").str(),
                              introduction(*findPage(Name)),
                              ("models/" + findPage(Name)->Name).str()));
  for (auto [Limiter, Meaning] : limiters())
    if (Name == Limiter)
      All.push_back(explanation((Name + ", a limiter").str(),
                                ("the kernel is bound by " + Meaning).str(),
                                "formats/Reports"));
  for (const TermMeaning &T : termMeanings())
    if (Name == T.Name)
      All.push_back(explainTerm(T));
  return All;
}

std::vector<NamesOfKind> ptxpredict::explainedNames() {
  std::vector<NamesOfKind> Kinds(3);
  Kinds[0].Kind = "findings";
  for (const Rule &R : allRules())
    Kinds[0].Names.push_back(R.Id);
  Kinds[1] = {"models", modelNames().vec()};
  Kinds[2].Kind = "limiters";
  for (auto [Limiter, Meaning] : limiters())
    Kinds[2].Names.push_back(Limiter);
  for (StringRef Model : modelNames()) {
    NamesOfKind &Terms = Kinds.emplace_back();
    Terms.Kind = Model;
    for (const TermMeaning &T : termMeanings())
      if (T.Model == Model)
        Terms.Names.emplace_back(T.Name);
  }
  return Kinds;
}

std::string ptxpredict::withoutLinks(StringRef Markdown) {
  std::string Text;
  while (!Markdown.empty()) {
    auto [Before, After] = Markdown.split('[');
    Text += Before;
    Markdown = Markdown.drop_front(std::min(Before.size(), Markdown.size()));
    if (Markdown.empty())
      break;
    size_t Close = After.find("](");
    size_t End = Close == StringRef::npos ? Close : After.find(')', Close);
    // A link stands in one line, and its text has no bracket.
    if (End == StringRef::npos ||
        After.take_front(End).find_first_of("\n[") != StringRef::npos) {
      Text += '[';
      Markdown = After;
      continue;
    }
    Text += After.take_front(Close);
    Markdown = After.drop_front(End + 1);
  }
  return Text;
}
