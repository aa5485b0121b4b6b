//===- EstimatedCounts.h - Counts without a run -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_ESTIMATEDCOUNTS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_ESTIMATEDCOUNTS_H

#include "CountSource.h"
#include "ptxpredict/Analysis/Profile/StaticProfile.h"

namespace ptxpredict {

/// What the static analysis counted.
class EstimatedCounts : public CountSource {
public:
  /// Sums over so many warps become means.
  EstimatedCounts(ArrayRef<std::unique_ptr<FunctionCounts>> Functions,
                  double Warps);

  Estimate executions(const Instruction &I) const override;
  Estimate active(const Instruction &I, unsigned Lanes) const override;
  Estimate frequency(const Block &B) const override;
  Estimate tripCount(const Cycle &C, unsigned Index) const override;
  void apply(const Instruction &I, unsigned Number,
             MemoryCharacteristics &Out) const override;
  void apply(const Instruction &Branch,
             BranchCharacteristics &Out) const override;

private:
  const FunctionCounts *functionOf(const Block &B) const {
    return ByGraph.lookup(B.Parent);
  }
  llvm::DenseMap<const InstructionGraph *, const FunctionCounts *> ByGraph;
  double PerWarp; ///< one over the number of warps
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_ESTIMATEDCOUNTS_H
