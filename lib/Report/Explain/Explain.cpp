//===- Explain.cpp - What the names in results mean -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Explain/Explain.h"
#include "EmbeddedPages.h"
#include "TermMeanings.h"
#include "ptxpredict/Launch/Counters.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// The page of a name, which may have dashes that the page's has not.
static const EmbeddedPage *findPage(StringRef Name) {
  std::string WithoutDashes = Name.str();
  llvm::erase(WithoutDashes, '-');
  for (const EmbeddedPage &P : embeddedPages())
    if (P.Name.equals_insensitive(Name) ||
        P.Name.equals_insensitive(WithoutDashes))
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

namespace {
struct LimiterRow {
  StringRef Name, Words, Meaning;
};
} // namespace

/// The rows of the table of limiters.
static std::vector<LimiterRow> limiters() {
  std::vector<LimiterRow> Rows;
  for (StringRef Line :
       llvm::split(section(*findPage("Reports"), "Limiters"), '\n'))
    if (Line.consume_front("| `") && Line.consume_back(" |")) {
      auto [Name, Rest] = Line.split("` | ");
      auto [Words, Meaning] = Rest.split(" | ");
      Rows.push_back({Name, Words, Meaning});
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

/// The counters that \p Is says are called so, by us or by a profiler.
static void addCounters(llvm::function_ref<bool(StringRef)> Is,
                        std::vector<Explanation> &To) {
  for (const CounterName &N : counterNames())
    if (Is(N.Name)) {
      const CounterInfo &C = infoOf(N.Of);
      std::string Text = (C.Meaning + "; " + toString(C.Unit) + ", of the " +
                          toString(C.Scope))
                             .str();
      if (N.Factor != 1)
        Text += (" (the numbers of this name, in " + toString(N.Unit) +
                 ", times " + shortNumber(N.Factor) + ")")
                    .str();
      if (const std::string How = howToCollect(N.Of); !How.empty())
        Text += "\n\n" + How;
      To.push_back(explanation(
          (N.Name + ", a counter" + (N.By ? ": " + C.Name : Twine())).str(),
          Text, "formats/Counters"));
    }
}

namespace {
/// What a word of reports means, from one of the tables.
struct WordMeaning {
  std::string Name; ///< with dashes for blanks
  StringRef Kind;   ///< "a resource of bottleneck"
  StringRef Meaning, Page;
};
} // namespace

/// "bank-conflict" of "Bank conflict" and "bank_conflict".
static std::string wordOf(StringRef Name) {
  std::string Word = Name.lower();
  for (char &C : Word)
    if (C == ' ' || C == '_')
      C = '-';
  return Word;
}

/// Adds the entries of a row of the glossary, "| **loop**, **header** | … |".
static void addGlossaryRow(StringRef Row, std::vector<WordMeaning> &To) {
  if (!Row.consume_front("| **") || !Row.consume_back(" |"))
    return;
  auto [Names, Meaning] = Row.split(" | ");
  for (StringRef Name : llvm::split(Names, ", **")) {
    Name = Name.split("**").first;
    if (!Name.empty())
      To.push_back(
          {wordOf(Name), "a word of the glossary", Meaning, "guide/Glossary"});
  }
}

static const std::vector<WordMeaning> &words() {
  static const std::vector<WordMeaning> All = [] {
    std::vector<WordMeaning> Words;
    constexpr StringRef Resource = "a resource of bottleneck";
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  Words.push_back({wordOf(NAME), Resource, MEANING, "models/Bottleneck"});     \
  if (StringRef(NAME) != WORDS)                                                \
    Words.push_back({wordOf(WORDS), Resource, MEANING, "models/Bottleneck"});
#include "ptxpredict/Model/BottleneckTerms.def"
#define REPORT_WORD(WORD, MEANING, PAGE)                                       \
  Words.push_back({WORD, "a word of reports", MEANING, PAGE});
#include "ptxpredict/Report/Explain/ReportWords.def"
#define POWER_EVENT(MEMBER, NAME, UNIT, INMLR, MEANING)                        \
  Words.push_back({wordOf(NAME), "an event of learned power",                  \
                   UNIT " a core cycle: " MEANING, "models/LearnedPower"});
#include "ptxpredict/Model/PowerEvents.def"
    for (StringRef Row : llvm::split(findPage("Glossary")->Text, '\n'))
      addGlossaryRow(Row, Words);
    return Words;
  }();
  return All;
}

/// What \p Is says is called so.
static std::vector<Explanation>
explainWhere(llvm::function_ref<bool(StringRef)> Is) {
  std::vector<Explanation> All;
  for (const Rule &R : allRules())
    if (Is(R.Id) || Is(R.Remark))
      All.push_back(explanation(
          (R.Id + ", a finding (" + toString(R.Level) + "): " + R.FiresWhen)
              .str(),
          findingSection(R.Id), "commands/Findings"));
  for (StringRef Name : modelNames())
    if (Is(Name))
      All.push_back(explanation((Name + ", a model").str(),
                                introduction(*findPage(Name)),
                                ("models/" + findPage(Name)->Name).str()));
  for (const LimiterRow &L : limiters())
    if (Is(L.Name) || Is(L.Words))
      All.push_back(explanation((L.Name + ", a limiter: " + L.Words).str(),
                                ("the kernel is bound by " + L.Meaning).str(),
                                "formats/Reports"));
  for (const TermMeaning &T : termMeanings())
    if (Is(T.Name))
      All.push_back(explainTerm(T));
  for (const WordMeaning &W : words())
    if (Is(W.Name))
      All.push_back(
          explanation((W.Name + ", " + W.Kind).str(), W.Meaning, W.Page));
  addCounters(Is, All);
  return All;
}

std::vector<Explanation> ptxpredict::explain(StringRef Name) {
  std::vector<Explanation> All =
      explainWhere([&](StringRef Known) { return Known == Name; });
  if (!All.empty())
    return All;
  const std::string Word = wordOf(Name);
  return explainWhere([&](StringRef Known) { return wordOf(Known) == Word; });
}

std::vector<NamesOfKind> ptxpredict::explainedNames() {
  std::vector<NamesOfKind> Kinds(3);
  Kinds[0].Kind = "findings";
  for (const Rule &R : allRules())
    Kinds[0].Names.push_back(R.Id);
  Kinds[1] = {"models", modelNames().vec()};
  Kinds[2].Kind = "limiters";
  for (const LimiterRow &L : limiters())
    Kinds[2].Names.push_back(L.Name);
  for (StringRef Model : modelNames()) {
    NamesOfKind &Terms = Kinds.emplace_back();
    Terms.Kind = Model;
    for (const TermMeaning &T : termMeanings())
      if (T.Model == Model)
        Terms.Names.emplace_back(T.Name);
  }
  NamesOfKind Resources{"resources", {}}, Words{"words", {}};
  for (const WordMeaning &W : words())
    (W.Page == "models/Bottleneck" ? Resources : Words)
        .Names.emplace_back(W.Name);
  Kinds.insert(Kinds.begin() + 3, std::move(Resources));
  Kinds.push_back(std::move(Words));
  NamesOfKind &Counters = Kinds.emplace_back();
  Counters.Kind = "counters";
  for (const CounterName &N : counterNames())
    if (!N.By)
      Counters.Names.push_back(N.Name);
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
