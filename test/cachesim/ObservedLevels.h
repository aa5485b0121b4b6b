//===- ObservedLevels.h - What a run's levels touch, counted ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_CACHESIM_OBSERVEDLEVELS_H
#define PTXPREDICT_TEST_CACHESIM_OBSERVEDLEVELS_H

#include "ptxpredict/Analysis/Locality/Locality.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Graph/CFG.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace ptxpredict::cachesim {

/// Locality::Levels as a run has them: what is left of an estimate's error,
/// when these take the place of the analysis', is that of the hit rates' own
/// model. Loops of called functions count as straight code of their caller.
/// Iterations without a request are left out. Loads are all requests that read.
class ObservedLevels : public EmulationObserver {
public:
  /// \p Kernel has its body. \p Blocks of the grid.
  ObservedLevels(const InstructionGraph &Kernel, uint64_t Blocks);

  void onInstruction(uint64_t Block, unsigned Warp, const Instruction &I,
                     uint32_t Active) override;
  void onRequest(uint64_t Block, unsigned Warp, const Instruction &I,
                 AddressSpace Space, const WarpAccess &A) override;

  /// Ends the run.
  std::vector<LocalityLevel> take();

private:
  using Set = llvm::DenseSet<uint64_t>;
  /// Sectors touched by all requests, and by loads.
  struct Instance {
    uint64_t Requested[2] = {0, 0};
    Set Unique[2];
    void add(const Instance &Other);
  };
  struct Sums {
    double Instances = 0, Requested[2] = {0, 0}, Unique[2] = {0, 0},
           Fresh[2] = {0, 0};
    void add(const Instance &I, const Instance *Before);
    LocalityLevel level() const;
  };
  struct WarpState {
    struct Place {
      int Loop;
      unsigned Entry, Iteration;
    };
    std::vector<Place> Nest;       ///< outer loops first
    std::vector<unsigned> Entries; ///< by loop
    Instance All;
  };
  /// Of one loop: entry and iteration.
  using Key = std::pair<unsigned, unsigned>;
  using Instances = std::map<Key, Instance>;
  struct LoopState {
    std::vector<Instances> OfWarp; ///< iterations, by warp
    Instances OfBlock;
  };

  void endBlock();
  static void endLoop(const Instances &All, Sums &Iterations, Sums &Loops);

  const InstructionGraph &Kernel;
  ControlFlow CF;
  std::vector<const Instruction *> FirstOfHeader; ///< by loop
  std::vector<WarpState> Warps;
  std::vector<LoopState> Loops;
  uint64_t CurrentBlock = 0;
  Instance WarpBefore;
  bool HasWarpBefore = false;
  struct Group {
    uint64_t Blocks = 1, InIt = 0;
    Instance Now, Before;
    bool HasBefore = false;
    Sums Sum;
  };
  std::vector<Group> Groups; ///< of 1, 2, 4, … blocks, and of the grid
  Sums WholeWarps;
  struct LoopSums {
    Sums WarpIteration, WarpLoop, BlockIteration, BlockLoop;
  };
  std::vector<LoopSums> LoopsSums;
};

} // namespace ptxpredict::cachesim

#endif // PTXPREDICT_TEST_CACHESIM_OBSERVEDLEVELS_H
