//===- BranchRegions.h - What split warps execute twice ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LINT_BRANCHREGIONS_H
#define PTXPREDICT_LIB_LINT_BRANCHREGIONS_H

#include "ptxpredict/Analysis/Dependence/DependenceSummary.h"

namespace ptxpredict {

/// A block that a branch decides about, and the share of its executions that
/// warps would be spared if they did not split there.
struct SparedBlock {
  uint32_t Block = 0; ///< position in its function
  double Share = 0;
};

/// The branches of one function and where their ways meet again.
class BranchRegions {
public:
  explicit BranchRegions(const FunctionDependence &F);

  /// What the branch at the end of block \p B makes warps execute for some of
  /// their lanes only. A split warp is taken to have half of its lanes on each
  /// side: each side then runs for all of its lanes as often as half of the
  /// splits. Visits at most \p Budget blocks and takes them off it; nothing
  /// where that does not suffice.
  std::vector<SparedBlock> spared(uint32_t B, size_t &Budget) const;

private:
  static constexpr uint32_t None = ~0U;
  const FunctionDependence &F;
  /// The first block that all ways from a block reach; the number of blocks is
  /// the end of the function, None where no way gets there.
  std::vector<uint32_t> Meet;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LINT_BRANCHREGIONS_H
