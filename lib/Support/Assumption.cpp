//===- Assumption.cpp - A default that was used ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Assumption.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

namespace {

enum class DetailTy { All, Behind };

struct KindWords {
  StringRef Words;
  DetailTy Detail;

  bool fit(StringRef Text) const {
    return Detail == DetailTy::All ? Text == Words : Text.starts_with(Words);
  }
};

} // namespace

static constexpr KindWords WordsOfKinds[] = {
#define ASSUMPTION_KIND(MEMBER, WORDS, DETAIL) {WORDS, DetailTy::DETAIL},
#include "ptxpredict/Support/AssumptionKinds.def"
};

std::string Assumption::what() const {
  return WordsOfKinds[unsigned(Kind)].Words.str() + Detail;
}

void Assumption::setWhat(StringRef Text) {
  const KindWords *Found = llvm::find_if(
      WordsOfKinds, [&](const KindWords &K) { return K.fit(Text); });
  Kind = AssumptionKind(Found - std::begin(WordsOfKinds));
  Detail = Text.drop_front(Found->Words.size()).str();
}

std::string Assumption::whatAndWhere() const {
  std::string Text = what();
  if (Line != 0 && Kind != AssumptionKind::TripCountOfLine)
    Text += " (line " + std::to_string(Line) + ")";
  return Text;
}
