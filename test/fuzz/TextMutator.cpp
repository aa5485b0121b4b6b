//===- TextMutator.cpp - Lines and words of a language --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TextMutator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::fuzz;

static constexpr unsigned NumberKind = 0;
/// What is remembered of each kind of words, and of lines.
static constexpr size_t MaxWords = 256, MaxLines = 8192;

std::string Dice::number() {
  switch (below(4)) {
  case 0: { // a power of two, or near one
    uint64_t Power = uint64_t(1) << below(64);
    return std::to_string(Power + below(3) - 1);
  }
  case 1:
    return std::to_string(below(10));
  case 2:
    return std::to_string(below(4096));
  default:
    constexpr const char *Odd[] = {
        "-1",  "0x7fffffff", "0f3F800000", "1e308",
        "0.5", "0x10",       "4294967296", "0d8000000000000000"};
    return Odd[below(std::size(Odd))];
  }
}

TextMutator::TextMutator(Language L) : Known(std::move(L)) {
  SeenWords.resize(1 + Known.Alike.size());
  for (unsigned I = 0; I != Known.Alike.size(); ++I)
    for (StringRef Word : Known.Alike[I])
      ListOf[Word] = I;
}

static bool isWordBody(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$';
}

/// The length of the word that \p Text begins with; 0 without one.
static size_t wordLength(StringRef Text) {
  size_t N = StringRef("%@$.!#-").contains(Text.front()) ? 1 : 0;
  size_t Start = N;
  while (N != Text.size() && isWordBody(Text[N]))
    ++N;
  // A fraction, but not a modifier.
  if (N > Start && llvm::isDigit(Text[Start]) && Text.substr(N, 1) == ".")
    for (++N; N != Text.size() && isWordBody(Text[N]);)
      ++N;
  return N == Start ? 0 : N;
}

/// A number; one of a list; else a word with the same sigil and letters up to
/// the first digit.
unsigned TextMutator::kindOf(StringRef Text) {
  if (auto It = ListOf.find(Text); It != ListOf.end())
    return 1 + It->second;
  if (llvm::isDigit(Text.front()) ||
      (Text.front() == '-' && Text.size() > 1 && llvm::isDigit(Text[1])))
    return NumberKind;
  StringRef Letters = Text.take_until([](char C) { return llvm::isDigit(C); });
  // Modifiers are one kind, whatever their names.
  auto [It, IsNew] = Kinds.try_emplace(Letters.front() == '.' ? "." : Letters,
                                       unsigned(SeenWords.size()));
  if (IsNew)
    SeenWords.emplace_back();
  return It->second;
}

TextMutator::Line TextMutator::read(StringRef Text) {
  Line L;
  while (!Text.empty()) {
    size_t Length = wordLength(Text);
    if (Length == 0) {
      L.Between.back() += Text.front();
      Text = Text.drop_front();
      continue;
    }
    StringRef Word = Text.take_front(Length);
    L.Words.push_back({Word.str(), kindOf(Word)});
    L.Between.emplace_back();
    Text = Text.drop_front(Length);
  }
  return L;
}

/// Appends, or, where that is too many, takes another's place.
template <typename T>
static void keep(std::vector<T> &All, const T &New, size_t Most, Dice &D) {
  if (All.size() < Most)
    All.push_back(New);
  else
    All[D.below(Most)] = New;
}

void TextMutator::remember(const Lines &Text, Dice &D) {
  for (unsigned I = 0; I != 4; ++I) {
    const Line &L = D.anyOf(Text);
    if (L.Words.empty())
      continue;
    keep(SeenLines, L, MaxLines, D);
    for (const Word &W : L.Words)
      if (!llvm::is_contained(SeenWords[W.Kind], W.Text))
        keep(SeenWords[W.Kind], W.Text, MaxWords, D);
  }
}

std::string TextMutator::similar(const Word &W, const Lines &Text, Dice &D) {
  if (W.Kind == NumberKind && D.oneIn(2))
    return D.number();
  if (W.Kind != NumberKind && W.Kind <= Known.Alike.size())
    return D.anyOf(Known.Alike[W.Kind - 1]);
  const std::vector<std::string> &Seen = SeenWords[W.Kind];
  if (!Seen.empty() && D.oneIn(W.Text.front() == '.' ? 2 : 8))
    return D.anyOf(Seen);
  std::vector<const Word *> Here;
  for (const Line &L : Text)
    for (const Word &Other : L.Words)
      if (Other.Kind == W.Kind)
        Here.push_back(&Other);
  return Here.empty() ? W.Text : D.anyOf(Here)->Text;
}

void TextMutator::adapt(Line &L, const Lines &Text, Dice &D) {
  for (size_t I = 0; I != L.Words.size(); ++I) {
    Word &W = L.Words[I];
    bool IsGiven =
        Known.NamesOnce && I == 0 && StringRef(L.Between[1]).contains('=');
    if (IsGiven)
      W.Text = "%new" + std::to_string(D.below(100000));
    else if (StringRef("%$@").contains(W.Text.front()))
      W.Text = similar(W, Text, D);
  }
}

void TextMutator::changeWord(Lines &Text, Dice &D) {
  Line &L = Text[D.below(Text.size())];
  if (L.Words.empty())
    return;
  Word &W = L.Words[D.below(L.Words.size())];
  W.Text = similar(W, Text, D);
}

void TextMutator::swapWords(Lines &Text, Dice &D) {
  Line &L = Text[D.below(Text.size())];
  if (L.Words.size() < 2)
    return;
  Word &A = L.Words[D.below(L.Words.size())];
  std::vector<Word *> Others;
  for (Word &B : L.Words)
    if (&A != &B && A.Kind == B.Kind)
      Others.push_back(&B);
  if (!Others.empty())
    std::swap(A.Text, D.anyOf(Others)->Text);
}

void TextMutator::changeLines(Lines &Text, Dice &D) {
  const size_t From = D.below(Text.size());
  const size_t Most = D.oneIn(4) ? 12 : 2;
  const size_t To = std::min(Text.size(), From + 1 + D.below(Most));
  Lines Block(Text.begin() + ptrdiff_t(From), Text.begin() + ptrdiff_t(To));
  const unsigned What = unsigned(D.below(4));
  if (What < 2) // remove, move
    Text.erase(Text.begin() + ptrdiff_t(From), Text.begin() + ptrdiff_t(To));
  if (What == 0)
    return;
  if (What == 3) { // insert
    if (SeenLines.empty())
      return;
    Block.assign(1, D.anyOf(SeenLines));
  }
  if (What != 1)
    for (Line &L : Block)
      if (What == 3 || Known.NamesOnce || D.oneIn(2))
        adapt(L, Text, D);
  size_t At = D.below(Text.size() + 1);
  Text.insert(Text.begin() + ptrdiff_t(At), Block.begin(), Block.end());
}

void TextMutator::indent(Lines &Text, Dice &D) {
  const size_t From = D.below(Text.size());
  const size_t To = std::min(Text.size(), From + 1 + D.below(4));
  const bool Less = D.oneIn(2);
  for (size_t I = From; I != To; ++I) {
    std::string &Space = Text[I].Between.front();
    if (!Less)
      Space.insert(0, 2, ' ');
    else if (StringRef(Space).starts_with("  "))
      Space.erase(0, 2);
  }
}

std::string TextMutator::mutate(StringRef Text, Dice &D) {
  SmallVector<StringRef, 128> Parts;
  Text.split(Parts, '\n');
  Lines All;
  for (StringRef Part : Parts)
    All.push_back(read(Part));
  remember(All, D);
  do {
    switch (D.below(Known.IsIndented ? 6 : 5)) {
    case 0:
    case 1:
      changeWord(All, D);
      break;
    case 2:
      swapWords(All, D);
      break;
    case 5:
      indent(All, D);
      break;
    default:
      changeLines(All, D);
    }
  } while (!All.empty() && D.oneIn(2));

  std::string Result;
  for (const Line &L : All) {
    Result += L.Between.front();
    for (size_t I = 0; I != L.Words.size(); ++I)
      Result += L.Words[I].Text + L.Between[I + 1];
    Result += '\n';
  }
  if (!Result.empty()) // the last line had none
    Result.pop_back();
  return Result;
}

std::string fuzz::crossLines(StringRef Into, StringRef From, Dice &D) {
  auto CutAt = [&D](StringRef Text) {
    size_t End = Text.find('\n', D.below(Text.size() + 1));
    return End == StringRef::npos ? Text.size() : End + 1;
  };
  size_t A = CutAt(Into), B = CutAt(Into), C = CutAt(From), E = CutAt(From);
  std::tie(A, B) = std::minmax(A, B);
  std::tie(C, E) = std::minmax(C, E);
  return (Into.take_front(A) + From.slice(C, E) + Into.drop_front(B)).str();
}
