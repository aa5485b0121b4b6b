//===- Counters.h - What a thread of the emulator counts --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_COUNTERS_H
#define PTXPREDICT_LIB_EMULATOR_CORE_COUNTERS_H

#include "Emulator/Check/SharedMemoryCheck.h"
#include "Emulator/Memory/DeviceMemory.h"
#include "Emulator/Memory/Footprint.h"
#include "ptxpredict/Launch/Profile.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict::emulator {

struct StepCounter {
  uint64_t Executions = 0, Lanes = 0;
  uint64_t Taken = 0;     ///< lanes that a branch sent to a target
  uint64_t Jumps = 0;     ///< executions that sent a lane to a target
  uint64_t Divergent = 0; ///< executions that split a warp

  StepCounter &operator+=(const StepCounter &O) {
    Executions += O.Executions, Lanes += O.Lanes;
    Taken += O.Taken, Jumps += O.Jumps, Divergent += O.Divergent;
    return *this;
  }
};

/// Of a block in Program::CountedBlocks.
struct BlockCounter {
  uint64_t Runs = 0;
  uint64_t Entries = 0; ///< with a lane that came from an earlier block

  BlockCounter &operator+=(const BlockCounter &O) {
    Runs += O.Runs, Entries += O.Entries;
    return *this;
  }
};

/// Requests of one memory instruction. Most requests look like the one before,
/// but for where they begin: what such a shape costs is remembered.
class MemoryCounter {
public:
  void count(const WarpAccess &A, bool IsShared);

  MemoryProfile Sum;
  /// The region that the last access was in.
  const DeviceMemory::Region *LastRegion = nullptr;

private:
  struct Shape {
    bool Valid = false, IsShared = false;
    uint32_t Active = 0;
    unsigned Bytes = 0;
    uint64_t Phase = 0; ///< of the first active lane, within 128 B
    std::array<uint64_t, WarpSize> Distance{};
    MemoryProfile Costs;
  };
  std::array<Shape, 4> Shapes;
  unsigned Oldest = 0;
};

/// The counters of one thread, which runs block after block.
struct Worker {
  /// \p Accesses as Footprint takes them.
  Worker(size_t NumSteps, size_t NumBlocks, ArrayRef<uint8_t> Accesses,
         bool HasPolling)
      : Steps(NumSteps), CodeBlocks(NumBlocks), Memory(Accesses.size()),
        PollSteps(HasPolling ? NumSteps : 0),
        PollMemory(HasPolling ? Accesses.size() : 0), Touched(Accesses) {}

  std::vector<StepCounter> Steps;
  std::vector<BlockCounter> CodeBlocks; ///< as in Program::CountedBlocks
  std::vector<MemoryCounter> Memory;
  /// The same of what only polls again.
  std::vector<StepCounter> PollSteps;
  std::vector<MemoryCounter> PollMemory;
  /// Multiply-adds by step and instruction descriptor, 0 without one.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint64_t> Products;
  Footprint Touched;
  /// For blocks to come, with the memory of those that ended.
  std::vector<std::unique_ptr<SharedMemoryCheck>> SpareChecks;
  uint64_t Blocks = 0, Warps = 0, Threads = 0;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_COUNTERS_H
