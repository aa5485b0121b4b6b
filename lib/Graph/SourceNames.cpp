//===- SourceNames.cpp - Loops and branches by source line ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/SourceNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

bool ptxpredict::meansSourceLine(StringRef Key, StringRef Source) {
  Key.consume_front("./");
  // Reports write columns, too.
  unsigned Number;
  auto [Place, Last] = Key.rsplit(':');
  if (!Last.getAsInteger(10, Number) &&
      !Place.rsplit(':').second.getAsInteger(10, Number))
    Key = Place;
  return !Key.empty() && Source.consume_back(Key) &&
         (Source.empty() || Source.back() == '/' || Key.front() == '/');
}

static void add(const Instruction &I, std::vector<std::string> &Lines) {
  for (const SourceLocation *L = I.Source; L; L = L->InlinedAt) {
    if (L->Line == 0) // the compiler's own
      continue;
    std::string Line = L->File.str() + ":" + std::to_string(L->Line);
    if (!llvm::is_contained(Lines, Line))
      Lines.push_back(std::move(Line));
  }
}

std::vector<std::string> ptxpredict::sourceLinesOf(const Instruction &I) {
  std::vector<std::string> Lines;
  add(I, Lines);
  return Lines;
}

std::vector<std::string> ptxpredict::sourceLinesOf(const Cycle &L) {
  std::vector<std::string> Lines;
  for (const Block *Latch : L.Latches)
    if (const Instruction *I = Latch->terminator())
      add(*I, Lines);
  for (const Instruction *I : L.Header->Instructions)
    if (!I->isPseudo()) {
      add(*I, Lines);
      break;
    }
  return Lines;
}
