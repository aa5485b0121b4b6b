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

/// Neighbouring warps of a block.
struct WarpRange {
  uint64_t First = 0, Number = 1;
};

/// "0-3,8"
std::string toString(ArrayRef<WarpRange> Warps);

/// Neighbouring warps that execute alike in all blocks of a box of the grid.
struct WarpWork {
  Dim3 FirstBlock{0, 0, 0}, Blocks;
  WarpRange Warps;
  double Instructions = 0; ///< of one of the warps
  bool IsCertain = true;   ///< these instructions
  /// Those of one of the warps for which every open condition holds; infinite
  /// where nobody knows how often it does.
  double MostInstructions = 0;
  /// Loops that they enter and that do not only wait, by a number of their own.
  SmallVector<unsigned, 2> Loops;
};

/// That of all warps of the launch; \p IsCertain: all were looked at.
WorkImbalance findImbalance(ArrayRef<WarpWork> Work, const LaunchConfig &Launch,
                            bool IsCertain);

/// Warps of one block, which stands for others that execute alike.
struct WorkClass {
  Dim3 Block{0, 0, 0};
  uint64_t NumBlocks = 1;
  /// Of these the last one's place in the order in which blocks start, from 0:
  /// along x, then y, then z.
  uint64_t LastBlock = 0;
  std::vector<WarpRange> Warps;
  /// Sums over these warps of this block.
  std::vector<std::unique_ptr<FunctionCounts>> Functions;

  uint64_t numWarps() const;
  bool has(const WarpWork &W) const;
};

/// Instructions over the mean from which blocks, or warps of a block, are a
/// class of their own.
constexpr double StandsOutFrom = 1.05;

/// Blocks that execute the most, all their warps together, if they stand out.
std::optional<WorkClass> findHeaviestBlocks(ArrayRef<WarpWork> Work,
                                            const LaunchConfig &Launch);

/// A block whose warps enter the same loops as those of the most others; \p
/// Middle if it is such a one.
Dim3 findCommonestBlock(ArrayRef<WarpWork> Work, const Dim3 &Middle);

/// Warps that enter the same loops, in those blocks of which there are the
/// most: a class for each set of loops, in the order of the first warps.
/// Nothing if all warps enter the same ones.
std::vector<WorkClass> findRoles(ArrayRef<WarpWork> Work);

/// The warps that execute the most in those blocks of which there are the most,
/// or in \p Block, if they stand out.
std::optional<WorkClass> findLongestWarps(ArrayRef<WarpWork> Work,
                                          const Dim3 *Block = nullptr);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_PROFILE_WORKCLASSES_H
