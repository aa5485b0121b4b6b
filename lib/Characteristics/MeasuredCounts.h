//===- MeasuredCounts.h - Counts of a run, in place of estimates *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_MEASUREDCOUNTS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_MEASUREDCOUNTS_H

#include "CountSource.h"
#include "ptxpredict/Launch/Profile.h"
#include "llvm/ADT/StringMap.h"

namespace ptxpredict {

/// What a profile says of a kernel's instructions, blocks and loops at a
/// launch. The profile is of this kernel (\ref whyNotOf).
class MeasuredCounts : public CountSource {
public:
  MeasuredCounts(const KernelProfile &Profile, const LaunchConfig &Launch);

  /// Null for an instruction that the profile does not have.
  const InstructionProfile *find(const Instruction &I) const;
  /// Null for a block that the profile has no counts of its own for.
  const BlockProfile *find(const Block &B) const;

  Estimate executions(const Instruction &I) const override;
  Estimate active(const Instruction &I, unsigned Lanes) const override;
  Estimate frequency(const Block &B) const override;
  Estimate tripCount(const Cycle &C, unsigned Index) const override;
  void apply(const Instruction &I, unsigned Number,
             MemoryCharacteristics &Out) const override;
  void apply(const Instruction &Branch,
             BranchCharacteristics &Out) const override;

  /// Adds what a matrix instruction multiplied, with the descriptors that it
  /// had. False where the profile does not say: it never ran, or the profile is
  /// of an older version.
  bool addMatrices(const Instruction &I, KernelCharacteristics &To) const;
  FootprintCharacteristics footprint() const;
  /// "40 of 1024 blocks", and of which launch if that is another one.
  std::string description() const;
  /// What keeps the counts from being those of the launch.
  std::vector<Assumption> assumptions() const;

private:
  std::string sample() const;
  Estimate count(double Value) const;
  Estimate mean(uint64_t Sum, uint64_t Number) const;
  uint64_t runs(const Block &B, unsigned Depth = 0) const;
  uint64_t arrivals(const Block &B, const Cycle *Loop, unsigned Depth) const;
  uint64_t entries(const Cycle &C) const;
  uint64_t edge(const Block &From, size_t Successor, unsigned Depth) const;

  const KernelProfile &Profile;
  const LaunchConfig &Launch;
  ptxpredict::Status Status = Status::Known;
  bool IsOtherLaunch = false;
  /// By function, by Instruction::Id.
  llvm::StringMap<std::vector<const InstructionProfile *>> ByFunction;
  /// By function, by Block::Number.
  llvm::StringMap<llvm::DenseMap<unsigned, const BlockProfile *>> CodeBlocks;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_MEASUREDCOUNTS_H
