//===- Mutators.h - Changes that leave much of an input valid ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Most inputs with a changed byte are refused where they are read, and nothing
// behind is reached. These change an input as somebody who knows its language
// would.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_FUZZ_MUTATORS_H
#define PTXPREDICT_TEST_FUZZ_MUTATORS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ptxpredict::fuzz {

/// What a mutator draws from. The same seed gives the same numbers everywhere.
class Dice {
public:
  explicit Dice(uint32_t Seed) : Engine(Seed) {}
  /// A number below \p Limit, which is not 0.
  size_t below(size_t Limit) { return Engine() % Limit; }
  bool oneIn(size_t N) { return below(N) == 0; }
  template <typename T>
  const T &anyOf(const std::vector<T> &Of) {
    return Of[below(Of.size())];
  }
  /// A number that is likely to be a limit of something, near one, or random.
  std::string number();

private:
  std::mt19937 Engine;
};

/// libFuzzer's own: changes bytes, and lets the text grow to twice its size.
using ByteMutator = llvm::function_ref<std::string(StringRef Text)>;

/// Changes \p Text.
using Mutator = std::string (*)(StringRef Text, Dice &D, ByteMutator Bytes);

/// Lines and words: PTX, and what has PTX in it; LLVM IR as text; YAML.
std::string mutatePTX(StringRef Text, Dice &D, ByteMutator Bytes);
std::string mutateIR(StringRef Text, Dice &D, ByteMutator Bytes);
std::string mutateYAML(StringRef Text, Dice &D, ByteMutator Bytes);

/// Values and keys; bytes of what is no JSON.
std::string mutateJSON(StringRef Text, Dice &D, ByteMutator Bytes);

/// The content, which is compressed again, or the compressed bytes.
std::string mutateGzip(StringRef Text, Dice &D, ByteMutator Bytes);

/// The JSON of an entry of a cache, mostly with the right hash.
std::string mutateCacheEntry(StringRef Text, Dice &D, ByteMutator Bytes);

/// Instructions of a cubin: bits of them, and others in their place.
std::string mutateCubin(StringRef Text, Dice &D, ByteMutator Bytes);

/// As a gzip file.
std::string compressed(StringRef Text);

/// The lines of \p Into with some of \p From in the middle.
std::string crossLines(StringRef Into, StringRef From, Dice &D);

} // namespace ptxpredict::fuzz

#endif // PTXPREDICT_TEST_FUZZ_MUTATORS_H
