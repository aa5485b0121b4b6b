//===- MeasuredCounts.h - Counts of a run, in place of estimates *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_MEASUREDCOUNTS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_MEASUREDCOUNTS_H

#include "ptxpredict/Analysis/TripCounts.h"
#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Launch/Profile.h"
#include "llvm/ADT/StringMap.h"

namespace ptxpredict {

/// What a profile says of a kernel's instructions, blocks and loops at a
/// launch. The profile is of this kernel (\ref whyNotOf).
class MeasuredCounts {
public:
  /// Without \p IsRun nobody ran anything: the counts were worked out.
  MeasuredCounts(const KernelProfile &Profile, const LaunchConfig &Launch,
                 bool IsRun = true);

  bool isRun() const { return IsRun; }

  /// Null for an instruction that the profile does not have.
  const InstructionProfile *find(const Instruction &I) const;

  /// Executions per warp.
  Count executions(const Instruction &I) const;
  Count frequency(const Block &B) const;
  /// Bodies per entry, in the mean over the entries. \p Static says where the
  /// loop is left.
  Count tripCount(const Cycle &C, const LoopTripCount &Static) const;
  /// Replaces what \p Effect of \p I has in \p Out.
  void apply(const Instruction &I, const MemoryEffect &Effect,
             MemoryCharacteristics &Out) const;
  void apply(const Instruction &Branch, BranchCharacteristics &Out) const;

  FootprintCharacteristics footprint() const;
  /// "40 of 1024 blocks", and of which launch if that is another one.
  std::string description() const;
  /// What keeps the counts from being those of the launch.
  std::vector<Assumption> assumptions() const;

private:
  std::string sample() const;
  Count count(double Value) const;
  Count mean(uint64_t Sum, uint64_t Number) const;
  uint64_t runs(const Block &B, unsigned Depth = 0) const;
  uint64_t entries(const Block &B, const Cycle *Loop, unsigned Depth) const;
  uint64_t edge(const Block &From, size_t Successor, unsigned Depth) const;

  const KernelProfile &Profile;
  const LaunchConfig &Launch;
  Status How = Status::Known;
  bool IsRun, IsOtherLaunch = false;
  /// By function, by Instruction::Id.
  llvm::StringMap<std::vector<const InstructionProfile *>> ByFunction;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_MEASUREDCOUNTS_H
