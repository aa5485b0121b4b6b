//===- WarpOrder.cpp - What happens before what in a block ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WarpOrder.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cassert>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// Calls \p Do with each word that a lane of \p A touches.
template <typename Fn>
static void forEachLocation(const WarpAccess &A, bool IsShared, Fn Do) {
  const uint64_t Space = IsShared ? uint64_t(1) << 62 : 0;
  uint64_t Last = ~uint64_t(0);
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!A.isActive(L))
      continue;
    const uint64_t End = (A.Address[L] + A.BytesPerLane - 1) / 4;
    for (uint64_t W = A.Address[L] / 4; W <= End; ++W)
      if (W != Last)
        Do((Last = W) | Space);
  }
}

static bool isAcquire(MemoryOrder O) {
  return O == MemoryOrder::Acquire || O == MemoryOrder::AcquireRelease;
}

static bool isRelease(MemoryOrder O) {
  return O == MemoryOrder::Release || O == MemoryOrder::AcquireRelease;
}

void WarpOrder::reset(unsigned Warps) {
  assert(Warps <= MaxWarps && "more warps than a block can have");
  NumWarps = Warps;
  Live = Warps == 64 ? ~uint64_t(0) : (uint64_t(1) << Warps) - 1;
  Clocks.assign(Warps, {});
  Pending.assign(Warps, {});
  Fenced.assign(Warps, {});
  for (unsigned W = 0; W != Warps; ++W)
    Clocks[W][W] = 1;
  Exited = {};
  Barriers.clear();
  MBarriers.clear();
  startPhase();
}

void WarpOrder::join(VectorClock &To, const VectorClock &From) const {
  for (unsigned W = 0; W != NumWarps; ++W)
    To[W] = std::max(To[W], From[W]);
}

void WarpOrder::takePending(unsigned Warp) {
  const uint64_t Bit = uint64_t(1) << Warp;
  if (!(HasPending & Bit))
    return;
  join(Clocks[Warp], Pending[Warp]);
  Pending[Warp] = {};
  HasPending &= ~Bit;
}

/// Everyone knows all that was released, so that nothing need be kept of it.
void WarpOrder::startPhase() {
  if (++Phase == 0)
    Phase = 1;
  HasPending = HasFenced = 0;
  LocationOf.clear();
  Released.clear();
}

void WarpOrder::barrierArrive(unsigned Warp, unsigned Barrier) {
  takePending(Warp);
  join(Barriers[Barrier], Clocks[Warp]);
  ++Clocks[Warp][Warp];
}

void WarpOrder::barrierRelease(unsigned Barrier, uint64_t Waiting) {
  VectorClock &Arrived = Barriers[Barrier];
  bool IsWhole = (Waiting & Live) == Live;
  if (IsWhole)
    join(Arrived, Exited);
  for (uint64_t Rest = Waiting; Rest; Rest &= Rest - 1) {
    const unsigned W = llvm::countr_zero(Rest);
    // Lanes that diverged from those that wait may have gone on meanwhile.
    IsWhole = IsWhole && Arrived[W] + 1 == Clocks[W][W];
    join(Clocks[W], Arrived);
  }
  Arrived = {};
  if (IsWhole)
    return startPhase();
  for (uint64_t Rest = Waiting; Rest; Rest &= Rest - 1)
    fence(llvm::countr_zero(Rest));
}

void WarpOrder::exit(unsigned Warp) {
  takePending(Warp);
  join(Exited, Clocks[Warp]);
  Live &= ~(uint64_t(1) << Warp);
}

void WarpOrder::mbarrierInit(uint64_t Address) { MBarriers.erase(Address); }

void WarpOrder::mbarrierArrive(unsigned Warp, uint64_t Address) {
  takePending(Warp);
  join(MBarriers[Address].Arrived, Clocks[Warp]);
  ++Clocks[Warp][Warp];
}

void WarpOrder::mbarrierComplete(uint64_t Address) {
  MBarrier &B = MBarriers[Address];
  join(B.Completed, B.Arrived);
  B.Arrived = {};
}

void WarpOrder::mbarrierWait(unsigned Warp, uint64_t Address) {
  join(Clocks[Warp], MBarriers[Address].Completed);
  fence(Warp);
}

void WarpOrder::fence(unsigned Warp) {
  takePending(Warp);
  Fenced[Warp] = Clocks[Warp];
  HasFenced |= uint64_t(1) << Warp;
  ++Clocks[Warp][Warp];
}

void WarpOrder::acquire(unsigned Warp, const WarpAccess &A, bool IsShared,
                        MemoryOrder Order) {
  if (Order == MemoryOrder::Weak || LocationOf.empty())
    return;
  VectorClock &To = isAcquire(Order) ? Clocks[Warp] : Pending[Warp];
  forEachLocation(A, IsShared, [&](uint64_t Location) {
    const auto Found = LocationOf.find(Location);
    if (Found == LocationOf.end())
      return;
    join(To, Released[Found->second]);
    if (!isAcquire(Order))
      HasPending |= uint64_t(1) << Warp;
  });
}

void WarpOrder::release(unsigned Warp, const WarpAccess &A, bool IsShared,
                        MemoryOrder Order) {
  const bool GivesAll = isRelease(Order);
  if (Order == MemoryOrder::Weak || !A.Active ||
      (!GivesAll && !(HasFenced >> Warp & 1)))
    return;
  const VectorClock &From = GivesAll ? Clocks[Warp] : Fenced[Warp];
  forEachLocation(A, IsShared, [&](uint64_t Location) {
    const auto [Found, IsNew] =
        LocationOf.try_emplace(Location, unsigned(Released.size()));
    if (IsNew)
      Released.emplace_back();
    join(Released[Found->second], From);
  });
  if (GivesAll)
    ++Clocks[Warp][Warp];
}
