//===- WarpOrder.h - What happens before what in a block --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The warps of a block run one after the other here, so that time says nothing
// about their order on a GPU. Vector clocks do: an entry for each warp, which
// is how much of that warp is known to have happened before.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CHECK_WARPORDER_H
#define PTXPREDICT_LIB_EMULATOR_CHECK_WARPORDER_H

#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace ptxpredict::emulator {

/// `.weak` (no qualifier), `.relaxed` and `.volatile`, `.acquire`, `.release`,
/// `.acq_rel`. An atomic without a qualifier is relaxed.
enum class MemoryOrder : uint8_t {
  Weak,
  Relaxed,
  Acquire,
  Release,
  AcquireRelease
};

/// The synchronisation of one block's warps (PTX ISA, "Memory Consistency
/// Model"), with these simplifications, none of which invents a race:
/// - A warp is one thread: what one of its lanes does is ordered with what the
///   others do, and synchronises for all of them.
/// - Scopes are not looked at, and a fence is one of any kind.
/// - A location is a word of 4 bytes, and a store to it joins what was released
///   there before, as if it were part of the same release pattern.
class WarpOrder {
public:
  static constexpr unsigned MaxWarps = 64;

  /// Starts a block of \p NumWarps, at most MaxWarps.
  void reset(unsigned NumWarps);

  unsigned numWarps() const { return NumWarps; }
  /// Where \p Warp is in its own time; at least 1.
  uint32_t now(unsigned Warp) const { return Clocks[Warp][Warp]; }
  /// Whether what \p Earlier did at \p Time happens before what \p Warp does
  /// now. Time 0 is before all.
  bool isBefore(unsigned Earlier, uint32_t Time, unsigned Warp) const {
    return Time <= Clocks[Warp][Earlier];
  }
  /// Counts the barriers that ordered all that was done before with all that
  /// follows; never 0, and another one in each block.
  uint32_t phase() const { return Phase; }

  /// \name Barriers: `bar`, `barrier`, `barrier.cluster`.
  /// A warp that waits first arrives, and again when more of its lanes do. The
  /// release comes once the barrier is complete, with a bit for each warp that
  /// waited; one that used `bar.arrive` is not among them and learns nothing.
  /// Warps that skip a barrier neither give nor learn anything. A warp that has
  /// exited counts as arrived at every barrier that all the others wait at, as
  /// on a GPU, where such a barrier waits for the exit. Barriers are also
  /// fences.
  /// @{
  void barrierArrive(unsigned Warp, unsigned Barrier);
  void barrierRelease(unsigned Barrier, uint64_t Waiting);
  void exit(unsigned Warp);
  /// @}

  /// \name mbarrier objects, by their shared address.
  /// An arrival counts for the phase that it completes or helps to complete; a
  /// successful wait learns of all phases completed so far.
  /// @{
  void mbarrierInit(uint64_t Address);
  void mbarrierArrive(unsigned Warp, uint64_t Address);
  void mbarrierComplete(uint64_t Address);
  void mbarrierWait(unsigned Warp, uint64_t Address);
  /// @}

  /// `fence`, `membar`. With relaxed accesses on both sides it synchronises, as
  /// release and acquire patterns do.
  void fence(unsigned Warp);

  /// \name Strong accesses, shared or not.
  /// What a load learns comes before the access, what a store gives away after
  /// it; an atomic does both. MemoryOrder::Weak is nothing.
  /// @{
  void acquire(unsigned Warp, const WarpAccess &A, bool IsShared,
               MemoryOrder Order);
  void release(unsigned Warp, const WarpAccess &A, bool IsShared,
               MemoryOrder Order);
  /// @}

private:
  using VectorClock = std::array<uint32_t, MaxWarps>;
  struct MBarrier {
    VectorClock Arrived{}, Completed{};
  };

  void join(VectorClock &To, const VectorClock &From) const;
  void takePending(unsigned Warp);
  void startPhase();

  unsigned NumWarps = 0;
  uint32_t Phase = 0;
  uint64_t Live = 0;                ///< warps that have not exited
  std::vector<VectorClock> Clocks;  ///< of each warp
  std::vector<VectorClock> Pending; ///< read relaxed, learnt at a fence
  std::vector<VectorClock> Fenced;  ///< what a relaxed store gives away
  uint64_t HasPending = 0, HasFenced = 0;
  VectorClock Exited{};
  llvm::DenseMap<unsigned, VectorClock> Barriers; ///< who has arrived
  llvm::DenseMap<uint64_t, MBarrier> MBarriers;
  llvm::DenseMap<uint64_t, unsigned> LocationOf; ///< index into Released
  std::vector<VectorClock> Released;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CHECK_WARPORDER_H
