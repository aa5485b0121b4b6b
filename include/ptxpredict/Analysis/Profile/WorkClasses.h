//===- WorkClasses.h - Warps and blocks that execute more ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Counts are means over the launch. Where one block of 25 does all the work,
// the launch takes as long as that block, and a block as long as its longest
// warp: these are classes of their own.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_PROFILE_WORKCLASSES_H
#define PTXPREDICT_ANALYSIS_PROFILE_WORKCLASSES_H

#include "ptxpredict/Analysis/Access/ProfileCounts.h"
#include "ptxpredict/Analysis/Locality/Locality.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include <memory>

namespace ptxpredict {

/// Neighbouring warps that execute alike in all blocks of a box of the grid.
struct WarpWork {
  Dim3 FirstBlock{0, 0, 0}, Blocks;
  uint64_t FirstWarp = 0, NumWarps = 1; ///< of each of the blocks
  double Instructions = 0;              ///< of one of the warps
  bool IsCertain = true;                ///< these instructions
};

/// That of all warps of the launch; \p IsCertain: all were looked at.
WorkImbalance findImbalance(ArrayRef<WarpWork> Work, const LaunchConfig &Launch,
                            bool IsCertain);

/// Warps of one block, which stands for others that execute as much.
struct WorkClass {
  Dim3 Block{0, 0, 0};
  uint64_t NumBlocks = 1; ///< that execute as much as this one
  /// Of these the last one's place in the order in which blocks start, from 0:
  /// along x, then y, then z.
  uint64_t LastBlock = 0;
  uint64_t FirstWarp = 0, NumWarps = 1;
  /// Sums over these warps of this block.
  std::vector<std::unique_ptr<FunctionCounts>> Functions;
};

/// Instructions over the mean from which blocks, or warps of a block, are a
/// class of their own.
constexpr double StandsOutFrom = 1.05;

/// Blocks that execute the most, all their warps together, if they stand out.
std::optional<WorkClass> findHeaviestBlocks(ArrayRef<WarpWork> Work,
                                            const LaunchConfig &Launch);

/// The warps that execute the most in those blocks of which there are the most,
/// or in \p Block, if they stand out.
std::optional<WorkClass> findLongestWarps(ArrayRef<WarpWork> Work,
                                          const Dim3 *Block = nullptr);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_PROFILE_WORKCLASSES_H
