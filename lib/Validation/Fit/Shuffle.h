//===- Shuffle.h - The same order everywhere --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_VALIDATION_FIT_SHUFFLE_H
#define PTXPREDICT_LIB_VALIDATION_FIT_SHUFFLE_H

#include <random>
#include <utility>

namespace ptxpredict {

/// Fisher and Yates' shuffle; std::shuffle() does not promise which order a
/// generator gives.
template <typename Range>
void shuffle(Range &Of, std::mt19937_64 &Random) {
  for (size_t N = Of.size(); N > 1; --N)
    std::swap(Of[N - 1], Of[size_t(Random() % N)]);
}

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_VALIDATION_FIT_SHUFFLE_H
