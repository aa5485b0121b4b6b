//===- SourcedNumbers.cpp - Numbers of a file, with sources ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourcedNumbers.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ptxpredict;
using llvm::yaml::Node;

SourcedNumbers::Scope::Scope(SourcedNumbers &Numbers) : Numbers(Numbers) {
  Numbers.Texts.push_back({"", Numbers.Innermost});
  Numbers.Innermost = &Numbers.Texts.back();
}

SourcedNumbers::Scope::~Scope() {
  Numbers.Innermost = Numbers.Innermost->Around;
}

void SourcedNumbers::Scope::addSource(YAMLFields &Fields, std::string *Into) {
  Fields.optional(
      "source", [this, Text = Numbers.Innermost, Into](Node &N, StringRef Key) {
        const std::optional<YAMLText> T = Numbers.Nodes.text(N, Key);
        if (!T)
          return;
        Text->Text = StringRef(T->Text).trim().str();
        if (Into)
          *Into = Text->Text;
      });
}

YAMLFields::ReadFunction SourcedNumbers::into(Quantity &Into,
                                              const NumberRule &Rule) {
  return [this, &Into, Rule](Node &N, StringRef Key) {
    Into.Value = read(N, Key, Rule, Into.Source, /*IsNeeded=*/true);
  };
}

std::optional<double> SourcedNumbers::read(Node &N, StringRef Key,
                                           const NumberRule &Rule,
                                           std::string &Source) {
  return read(N, Key, Rule, Source, /*IsNeeded=*/false);
}

std::optional<double> SourcedNumbers::readPlain(Node &N, StringRef Key,
                                                const NumberRule &Rule) {
  const std::optional<YAMLText> T =
      Nodes.text(N, "'" + Key + "'", "a plain number");
  return T ? checked(*T, std::nullopt, Key, Rule) : std::nullopt;
}

/// The number in Rule.Unit, if it is as it must be.
std::optional<double>
SourcedNumbers::checked(const YAMLText &Value,
                        const std::optional<YAMLText> &Unit, StringRef Key,
                        const NumberRule &Rule) {
  std::optional<double> V = parseNumber(Value.Text);
  if (!V) {
    Nodes.error(Value.Loc,
                "'" + Key + "' must be a number, not '" + Value.Text + "'");
    return std::nullopt;
  }
  if (Unit && !Rule.OtherUnit.empty() && Unit->Text == Rule.OtherUnit)
    V = *V * Rule.OtherFactor;
  else if (Unit && !Nodes.checkUnit(*Unit, "'" + Key + "'", Rule.Unit))
    return std::nullopt;
  const bool IsLow = Rule.IsAboveLow ? *V <= Rule.Low : *V < Rule.Low;
  if (!IsLow && *V <= Rule.High && !(Rule.IsWhole && *V != std::floor(*V)))
    return V;
  const std::string Low = shortestDecimal(Rule.Low),
                    High = shortestDecimal(Rule.High);
  Nodes.error(
      Value.Loc,
      "'" + Key + "' must be " + (Rule.IsWhole ? "a whole number " : "") +
          (Rule.IsAboveLow ? "above " + Low + " and at most " + High
                           : "from " + Low + " to " + High) +
          (Rule.Unit.empty() ? "" : " " + Rule.Unit) + ", not " + Value.Text);
  return std::nullopt;
}

std::optional<double> SourcedNumbers::read(Node &N, StringRef Key,
                                           const NumberRule &Rule,
                                           std::string &Source, bool IsNeeded) {
  const SMLoc Place = Nodes.place(N);
  std::optional<YAMLText> Value, Unit;
  if (!isa<llvm::yaml::MappingNode>(&N)) {
    Value = Nodes.text(N, "'" + Key + "'",
                       "a number or {value: …, unit: …, source: …}");
  } else {
    auto Text = [this](std::optional<YAMLText> &Into) {
      return [this, &Into](Node &V, StringRef Part) {
        Into = Nodes.text(V, Part);
      };
    };
    std::optional<YAMLText> Own;
    YAMLFields Fields;
    Fields.required("value", Text(Value));
    Fields.optional("unit", Text(Unit));
    Fields.optional("source", Text(Own));
    if (!Fields.read(Nodes, N, "'" + Key + "'"))
      return std::nullopt;
    if (Own)
      Source = StringRef(Own->Text).trim().str();
  }
  if (!Value)
    return std::nullopt;
  const std::optional<double> V = checked(*Value, Unit, Key, Rule);
  if (!V)
    return std::nullopt;
  if (Source.empty())
    Open.push_back({&Source, Place, Key.str(), Innermost, IsNeeded});
  return V;
}

void SourcedNumbers::finish() {
  for (const Unsourced &U : Open) {
    const SourceText *From = U.Around;
    while (From && From->Text.empty())
      From = From->Around;
    if (From)
      *U.Source = From->Text;
    else if (U.IsNeeded)
      Nodes.error(U.Place, "'" + U.Key +
                               "' has no source; write {value: …, source: "
                               "\"…\"}, or source: once for the file");
  }
}

bool ptxpredict::checkPlainName(YAMLNodes &Nodes, const YAMLText &Text,
                                StringRef What) {
  const StringRef T = Text.Text;
  const bool IsName =
      !T.empty() && T.size() <= 100 && llvm::isAlnum(T.front()) &&
      llvm::all_of(T, [](char C) {
        return llvm::isAlnum(C) || C == '-' || C == '_' || C == '.';
      });
  if (!IsName)
    Nodes.error(Text.Loc, "the name of " + What +
                              " consists of at most 100 letters, digits, '-', "
                              "'_' and '.', a letter or a digit first");
  return IsName;
}

bool ptxpredict::checkIdentifier(YAMLNodes &Nodes, const YAMLText &Text,
                                 StringRef What) {
  const StringRef T = Text.Text;
  const bool IsName =
      !T.empty() && T.size() <= 100 && !llvm::isDigit(T.front()) &&
      llvm::all_of(T, [](char C) { return llvm::isAlnum(C) || C == '_'; });
  if (!IsName)
    Nodes.error(Text.Loc, What + " is named by at most 100 letters, digits and "
                                 "'_', no digit first: formulas may name it");
  return IsName;
}

void FileHead::addTo(YAMLFields &Fields, YAMLNodes &Nodes, StringRef What,
                     StringRef Schema, unsigned Version) {
  Fields.required("schema", [&Nodes, Schema](Node &N, StringRef Key) {
    const std::optional<YAMLText> T = Nodes.text(N, Key);
    if (T && T->Text != Schema)
      Nodes.error(T->Loc, "the schema is not '" + Schema + "'");
  });
  Fields.required("version", [&Nodes, Version](Node &N, StringRef Key) {
    const std::optional<YAMLText> T = Nodes.text(N, Key);
    if (T && T->Text != std::to_string(Version))
      Nodes.error(T->Loc, "this program reads version " + Twine(Version));
  });
  Fields.required("name", [this, &Nodes, What](Node &N, StringRef Key) {
    const std::optional<YAMLText> T = Nodes.text(N, Key);
    if (!T)
      return;
    NamePlace = T->Loc;
    if (checkPlainName(Nodes, *T, What))
      Name = T->Text;
  });
  Fields.optional("description", [this, &Nodes](Node &N, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(N, Key))
      Description = std::move(T->Text);
  });
}
