//===- TextMutator.h - Lines and words of a language -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_FUZZ_TEXTMUTATOR_H
#define PTXPREDICT_TEST_FUZZ_TEXTMUTATOR_H

#include "Mutators.h"
#include "llvm/ADT/StringMap.h"

namespace ptxpredict::fuzz {

/// What is known of a language.
struct Language {
  /// Words of a list may stand for each other.
  std::vector<std::vector<std::string>> Alike;
  /// A line "%x = ..." gives a name that no other line may give.
  bool NamesOnce = false;
  /// White space at the start of a line means something.
  bool IsIndented = false;
};

/// Changes texts of one language: it puts words of one kind for each other,
/// changes numbers, and copies, moves, removes and inserts lines. It knows the
/// lines and words of all texts that it has seen.
class TextMutator {
public:
  explicit TextMutator(Language L);
  std::string mutate(StringRef Text, Dice &D);

private:
  struct Word {
    std::string Text;
    unsigned Kind; ///< 0: a number
  };
  /// A line as its words and, before each and at the end, what is between.
  struct Line {
    std::vector<Word> Words;
    std::vector<std::string> Between{1};
  };
  using Lines = std::vector<Line>;

  Language Known;
  llvm::StringMap<unsigned> ListOf; ///< into Known.Alike
  llvm::StringMap<unsigned> Kinds;
  std::vector<std::vector<std::string>> SeenWords; ///< by kind
  Lines SeenLines;

  Line read(StringRef Text);
  unsigned kindOf(StringRef Text);
  void remember(const Lines &Text, Dice &D);
  /// A word of that kind, most often one of \p Text.
  std::string similar(const Word &W, const Lines &Text, Dice &D);
  /// Gives an inserted line words of \p Text.
  void adapt(Line &L, const Lines &Text, Dice &D);
  void changeWord(Lines &Text, Dice &D);
  void swapWords(Lines &Text, Dice &D);
  void changeLines(Lines &Text, Dice &D);
  void indent(Lines &Text, Dice &D);
};

} // namespace ptxpredict::fuzz

#endif // PTXPREDICT_TEST_FUZZ_TEXTMUTATOR_H
