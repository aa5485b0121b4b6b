//===- KernelPairs.h - Which kernels of two builds are one ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Kernels pair by name. Only what is left over is paired by what it does: first
// what does exactly the same, then what is most similar. Nothing is compared
// with everything.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_KERNELPAIRS_H
#define PTXPREDICT_REVIEW_KERNELPAIRS_H

#include "ptxpredict/Review/InputRecord.h"
#include <tuple>

namespace ptxpredict {

/// One side of a comparison.
struct Build {
  std::vector<InputRecord> Inputs;
  /// Of each input, where it stands in its build: its path in the folder that
  /// was named; empty for a file that was named itself.
  std::vector<std::string> Places;
};

struct KernelRef {
  size_t Input = 0, Kernel = 0;

  bool operator==(const KernelRef &O) const {
    return Input == O.Input && Kernel == O.Kernel;
  }
  bool operator<(const KernelRef &O) const {
    return std::tie(Input, Kernel) < std::tie(O.Input, O.Kernel);
  }
};

inline const KernelRecord &kernelAt(const Build &B, KernelRef R) {
  return B.Inputs[R.Input].Kernels[R.Kernel];
}

/// What two kernels have in common, the surest first.
enum class PairedBy {
  Place,     ///< file and name
  Name,      ///< the name, in another file
  Content,   ///< all counts; it was renamed
  Similarity ///< most of what is counted; it was renamed and changed
};
StringRef toString(PairedBy P); ///< "file", "name", "content", "similarity"

struct KernelPair {
  KernelRef Base, Head;
  PairedBy MatchedBy = PairedBy::Place;
  double Similarity = 1; ///< \ref similarity where that paired them, else 1
};

struct KernelPairs {
  std::vector<KernelPair> Pairs; ///< in the order of the head
  std::vector<KernelRef> Removed, Added;
};

KernelPairs pairKernels(const Build &Base, const Build &Head);

/// How much of what is counted of two kernels is the same, from 0 to 1: the
/// mean of the weighted Jaccard indices of what a warp executes by class, of
/// the memory instructions in the code, and of the number of instructions in
/// the code. (The index of two multisets is what they share over what either
/// has: the sum of the lesser counts over the sum of the greater ones.)
double similarity(const KernelRecord &A, const KernelRecord &B);

/// Kernels that are less similar are no pair. Of 157 compiled kernels of some
/// forty lines each one is that similar to another; of the same kernels built
/// for sm_75 and for sm_90a by one compiler nine of ten are, of those by two
/// compilers few.
constexpr double LeastSimilarity = 0.75;
/// A kernel that is left over is compared with at most this many on the other
/// side: those with the next numbers of instructions.
constexpr size_t MaxCandidates = 64;

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_KERNELPAIRS_H
