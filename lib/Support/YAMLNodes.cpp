//===- YAMLNodes.cpp - Reading YAML nodes one by one ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/YAMLNodes.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

using namespace ptxpredict;
using namespace llvm::yaml;

/// A launch file nests six levels; what lies deeper than this is not walked.
static constexpr unsigned MaxDepth = 64;

/// Hands on what LLVM's parser complains about; the context is the engine.
static void reportParsing(const llvm::SMDiagnostic &D, void *Context) {
  auto &Diags = *static_cast<DiagnosticEngine *>(Context);
  // The parser copies nothing: its locations point into our buffer, but at the
  // end of the input they may stand one behind.
  StringRef Text = Diags.text();
  const char *Where = D.getLoc().getPointer();
  bool IsInside = Where && Where >= Text.begin() && Where <= Text.end();
  Diags.report(D.getKind() == llvm::SourceMgr::DK_Warning ? Severity::Warning
               : D.getKind() == llvm::SourceMgr::DK_Note  ? Severity::Note
                                                          : Severity::Error,
               IsInside ? SMLoc::getFromPointer(Where) : SMLoc(),
               D.getMessage());
}

SMLoc YAMLNodes::place(const Node &N) {
  // LLVM keeps the place behind an opening bracket and behind an alias.
  if (auto *Alias = dyn_cast<AliasNode>(&N))
    return SMLoc::getFromPointer(Alias->getName().data() - 1);
  const char *Start = N.getSourceRange().Start.getPointer();
  if (Start && isa<MappingNode, SequenceNode>(&N)) {
    StringRef Before(Diags.text().data(), size_t(Start - Diags.text().data()));
    Before = Before.rtrim();
    if (Before.ends_with("[") || Before.ends_with("{"))
      return SMLoc::getFromPointer(Before.end() - 1);
  }
  return SMLoc::getFromPointer(Start);
}

/// Walks what \p Body left out. LLVM's parser does so too, by recursion
/// without a bound, as soon as it is asked for the next node.
void YAMLNodes::drain(Node &N, unsigned Depth) {
  if (N.failed() || isa<ScalarNode>(&N) || !Visited.insert(&N).second)
    return;
  if (Depth == MaxDepth)
    return N.setError("nested too deeply", N.peekNext());
  if (auto *List = dyn_cast<SequenceNode>(&N)) {
    for (Node &Element : *List)
      drain(Element, Depth + 1);
  } else if (auto *Map = dyn_cast<MappingNode>(&N)) {
    for (KeyValueNode &Entry : *Map) {
      if (Node *Key = Entry.getKey())
        drain(*Key, Depth + 1);
      if (Node *Value = N.failed() ? nullptr : Entry.getValue())
        drain(*Value, Depth + 1);
    }
  }
}

void YAMLNodes::readDocument(llvm::function_ref<void(Node &)> Body,
                             size_t MaxBytes) {
  read(Body, MaxBytes, /*Several=*/false);
}

void YAMLNodes::readDocuments(llvm::function_ref<void(Node &)> Body,
                              size_t MaxBytes) {
  read(Body, MaxBytes, /*Several=*/true);
}

void YAMLNodes::read(llvm::function_ref<void(Node &)> Body, size_t MaxBytes,
                     bool Several) {
  StringRef Text = Diags.text();
  if (Text.size() > MaxBytes)
    return error(SMLoc(),
                 "the file has more than " + Twine(MaxBytes >> 20) + " MiB");
  // The parser takes NUL for the end of its input.
  if (size_t Nul = Text.find('\0'); Nul != StringRef::npos)
    return error(SMLoc::getFromPointer(Text.data() + Nul),
                 "not text: a byte is 0");

  llvm::SourceMgr SM;
  SM.setDiagHandler(reportParsing, &Diags);
  Stream Input(Text, SM, /*ShowColors=*/false);
  bool Seen = false;
  for (Document &D : Input) {
    Node *Root = D.getRoot();
    if (!Root || Input.failed())
      break;
    if (isa<NullNode>(Root))
      continue;
    bool Refused = Seen && !Several;
    if (Refused)
      error(place(*Root), "a second YAML document");
    else
      Body(*Root);
    drain(*Root, 0);
    if (Refused || Input.failed())
      break;
    Visited.clear(); // the next document's nodes may lie where these did
    Seen = true;
  }
  // LLVM's parser refuses some texts, such as a lone "%", without a word.
  if (!Diags.hasErrors() && (Input.failed() || !Seen))
    error(SMLoc::getFromPointer(Text.data()),
          Text.trim().empty() || !Input.failed() ? "the file is empty"
                                                 : "not valid YAML");
}

void YAMLNodes::wrongKind(Node &N, const Twine &What, StringRef Wanted) {
  if (N.failed()) // the parser has said what is wrong
    return;
  if (isa<NullNode>(&N))
    return error(LastKey.isValid() ? LastKey : place(N),
                 What + " has no value; it takes " + Wanted);
  if (isa<AliasNode>(&N))
    return error(place(N), "aliases are not read; write the value out");
  error(place(N), What + " must be " + Wanted);
}

static std::optional<YAMLText> textOf(Node &N) {
  auto *Scalar = dyn_cast<ScalarNode>(&N);
  if (!Scalar)
    return std::nullopt;
  SmallVector<char, 64> Storage;
  return YAMLText{Scalar->getValue(Storage).str(),
                  SMLoc::getFromPointer(Scalar->getRawValue().begin())};
}

bool YAMLNodes::forEachEntry(
    Node &N, const Twine &What, ArrayRef<StringRef> Known,
    llvm::function_ref<void(YAMLText &, Node &)> Body) {
  auto *Map = dyn_cast<MappingNode>(&N);
  if (!Map)
    return wrongKind(N, What, "a mapping"), false;
  Visited.insert(&N);
  llvm::StringSet<> Seen;
  bool Good = true;
  for (KeyValueNode &Entry : *Map) {
    Node *KeyNode = Entry.getKey();
    if (!KeyNode || N.failed())
      return false;
    std::optional<YAMLText> Key = textOf(*KeyNode);
    drain(*KeyNode, 0);
    Node *Value = N.failed() ? nullptr : Entry.getValue();
    if (!Value || N.failed())
      return false;
    std::string Problem;
    if (!Key) {
      Problem = "a key must be a word or a number";
    } else if (!Seen.insert(Key->Text).second) {
      Problem = "duplicate key '" + Key->Text + "'";
    } else if (!Known.empty() && !llvm::is_contained(Known, Key->Text)) {
      Problem = "unknown key '" + Key->Text + "'" +
                didYouMean(Key->Text, Known,
                           "; known are " + llvm::join(Known, ", "));
    } else {
      LastKey = Key->Loc;
      Body(*Key, *Value);
    }
    if (!Problem.empty()) {
      Good = false;
      error(Key ? Key->Loc : place(*KeyNode), Problem);
    }
    drain(*Value, 0);
  }
  return Good && !N.failed();
}

bool YAMLNodes::forEachElement(Node &N, const Twine &What,
                               llvm::function_ref<void(Node &)> Body) {
  auto *List = dyn_cast<SequenceNode>(&N);
  if (!List)
    return wrongKind(N, What, "a list"), false;
  Visited.insert(&N);
  for (Node &Element : *List) {
    if (N.failed())
      return false;
    Body(Element);
    drain(Element, 0);
  }
  return !N.failed();
}

std::optional<YAMLText> YAMLNodes::text(Node &N, const Twine &What,
                                        StringRef Wanted) {
  std::optional<YAMLText> T = textOf(N);
  if (!T)
    wrongKind(N, What, Wanted);
  return T;
}

std::optional<double> YAMLNodes::number(Node &N, const Twine &What) {
  std::optional<YAMLText> T = textOf(N);
  if (!T)
    return wrongKind(N, What, "a number"), std::nullopt;
  std::optional<double> V = parseNumber(T->Text);
  if (!V)
    error(T->Loc, What + " must be a number");
  return V;
}

std::optional<uint64_t> YAMLNodes::unsignedInteger(Node &N, const Twine &What) {
  std::optional<YAMLText> T = textOf(N);
  if (!T)
    return wrongKind(N, What, "a whole number"), std::nullopt;
  std::optional<int64_t> V = parseInteger(T->Text);
  if (V && *V >= 0)
    return uint64_t(*V);
  const bool IsLarge = !T->Text.empty() && llvm::all_of(T->Text, llvm::isDigit);
  error(T->Loc,
        What + (IsLarge ? " is too large"
                        : " must be a whole number that is not negative"));
  return std::nullopt;
}

std::optional<bool> YAMLNodes::boolean(Node &N, const Twine &What) {
  std::optional<YAMLText> T = text(N, What, "true or false");
  if (!T)
    return std::nullopt;
  if (T->Text == "true" || T->Text == "false")
    return T->Text == "true";
  error(T->Loc, What + " must be true or false");
  return std::nullopt;
}

std::optional<size_t> YAMLNodes::oneOf(Node &N, const Twine &What,
                                       ArrayRef<StringRef> Names) {
  std::optional<YAMLText> T = text(N, What);
  if (!T)
    return std::nullopt;
  const StringRef *Found = llvm::find(Names, T->Text);
  if (Found != Names.end())
    return size_t(Found - Names.begin());
  error(T->Loc, What + " is one of " + llvm::join(Names, ", ") + ", not '" +
                    T->Text + "'" + didYouMean(T->Text, Names));
  return std::nullopt;
}

std::optional<unsigned> YAMLNodes::computeCapability(Node &N,
                                                     const Twine &What) {
  std::optional<YAMLText> T = text(N, What);
  if (!T)
    return std::nullopt;
  auto [Major, Minor] = StringRef(T->Text).split('.');
  unsigned MajorNumber = 0, MinorNumber = 0;
  if (!Major.getAsInteger(10, MajorNumber) && MajorNumber >= 1 &&
      MajorNumber <= 99 && Minor.size() == 1 &&
      !Minor.getAsInteger(10, MinorNumber))
    return MajorNumber * 10 + MinorNumber;
  error(T->Loc, What + " is written MAJOR.MINOR, such as 9.0");
  return std::nullopt;
}

void YAMLNodes::checkName(const YAMLText &Name, const Twine &What) {
  if (!isPrintable(Name.Text))
    error(Name.Loc, "the name '" + Name.Text + "' of " + What +
                        " has a character that is not printable");
}

bool YAMLNodes::checkUnit(const YAMLText &Unit, const Twine &What,
                          StringRef Wanted) {
  if (Unit.Text == Wanted)
    return true;
  error(Unit.Loc,
        What + (Wanted.empty() ? " has no unit"
                               : " is in " + Wanted + ", not " + Unit.Text));
  return false;
}
