//===- RegisterSet.h - Registers by number, in order ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_REGISTERSET_H
#define PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_REGISTERSET_H

#include "llvm/ADT/bit.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptxpredict::path {

/// A set of registers by number, visited in ascending order. What a visit costs
/// goes by the members, not by how many numbers there are.
class RegisterSet {
public:
  explicit RegisterSet(size_t NumRegisters)
      : Words(NumRegisters / 64 + 1), Used(Words.size() / 64 + 1) {}

  void insert(uint32_t R) {
    Words[R / 64] |= uint64_t(1) << (R % 64);
    Used[R / 4096] |= uint64_t(1) << (R / 64 % 64);
  }
  size_t size() const {
    size_t Size = 0;
    for (size_t N = 0; N != Used.size(); ++N)
      for (uint64_t Left = Used[N]; Left != 0; Left &= Left - 1)
        Size += unsigned(
            llvm::popcount(Words[N * 64 + unsigned(llvm::countr_zero(Left))]));
    return Size;
  }
  /// Calls \p Keeps for each member, and drops those for which it is false.
  template <typename Function>
  void filter(Function Keeps) {
    for (size_t N = 0; N != Used.size(); ++N)
      for (uint64_t Left = Used[N]; Left != 0; Left &= Left - 1) {
        const unsigned Bit = unsigned(llvm::countr_zero(Left));
        if (filterWord(N * 64 + Bit, Keeps) == 0)
          Used[N] &= ~(uint64_t(1) << Bit);
      }
  }

private:
  template <typename Function>
  uint64_t filterWord(size_t W, Function &Keeps) {
    uint64_t Kept = Words[W];
    for (uint64_t Left = Kept; Left != 0; Left &= Left - 1) {
      const unsigned Bit = unsigned(llvm::countr_zero(Left));
      if (!Keeps(uint32_t(W * 64 + Bit)))
        Kept &= ~(uint64_t(1) << Bit);
    }
    return Words[W] = Kept;
  }

  std::vector<uint64_t> Words;
  std::vector<uint64_t> Used; ///< which words have members
};

} // namespace ptxpredict::path

#endif // PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_REGISTERSET_H
