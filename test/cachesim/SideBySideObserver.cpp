//===- SideBySideObserver.cpp - Caches of blocks that run together --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SideBySideObserver.h"
#include "Sectors.h"
#include "llvm/ADT/DenseSet.h"
#include <limits>

using namespace ptxpredict;
using namespace ptxpredict::cachesim;

SideBySideObserver::Warp &SideBySideObserver::warp(uint64_t Block,
                                                   unsigned Number) {
  if (Blocks.size() <= Block)
    Blocks.resize(Block + 1);
  if (Blocks[Block].size() <= Number)
    Blocks[Block].resize(Number + 1);
  return Blocks[Block][Number];
}

void SideBySideObserver::onInstruction(uint64_t Block, unsigned Warp,
                                       const Instruction &I,
                                       uint32_t /*Active*/) {
  if (I.IsBlockBarrier)
    ++warp(Block, Warp).Barriers;
}

void SideBySideObserver::onRequest(uint64_t Block, unsigned Warp,
                                   const Instruction &I, AddressSpace Space,
                                   const WarpAccess &A) {
  if (Space != AddressSpace::Global)
    return;
  add(warp(Block, Warp), sectorsOf(A), isRead(I), isWritten(I));
}

void SideBySideObserver::onCopy(uint64_t Block, unsigned Warp,
                                const Instruction &I,
                                ArrayRef<uint64_t> Sectors) {
  add(warp(Block, Warp), Sectors, isRead(I), isWritten(I));
}

void SideBySideObserver::add(Warp &To, ArrayRef<uint64_t> Sectors, bool Reads,
                             bool Writes) {
  NumRead += Reads ? Sectors.size() : 0;
  NumWritten += Writes ? Sectors.size() : 0;
  To.Requests.push_back({To.Barriers, uint32_t(Sectors.size()), Reads, Writes});
  To.Sectors.insert(To.Sectors.end(), Sectors.begin(), Sectors.end());
}

/// A block on its way.
class SideBySideObserver::Resident {
public:
  explicit Resident(ArrayRef<Warp> Warps) : Warps(Warps), Next(Warps.size()) {}

  /// Each warp that can makes one request. False if none is left.
  bool round(Visitor See) {
    constexpr uint32_t None = std::numeric_limits<uint32_t>::max();
    uint32_t Barriers = None;
    for (size_t W = 0; W != Warps.size(); ++W)
      if (Next[W].Request != Warps[W].Requests.size())
        Barriers =
            std::min(Barriers, Warps[W].Requests[Next[W].Request].Barriers);
    if (Barriers == None)
      return false;
    for (size_t W = 0; W != Warps.size(); ++W) {
      Place &P = Next[W];
      if (P.Request == Warps[W].Requests.size() ||
          Warps[W].Requests[P.Request].Barriers != Barriers)
        continue;
      const Request &Made = Warps[W].Requests[P.Request++];
      See(Made, ArrayRef(Warps[W].Sectors).slice(P.Sector, Made.NumSectors));
      P.Sector += Made.NumSectors;
    }
    return true;
  }

private:
  struct Place {
    size_t Request = 0, Sector = 0;
  };
  ArrayRef<Warp> Warps;
  std::vector<Place> Next;
};

void SideBySideObserver::visit(size_t NumResident, Visitor See) const {
  std::vector<Resident> Running;
  size_t NextBlock = 0;
  while (NextBlock != Blocks.size() && Running.size() != NumResident)
    Running.emplace_back(Blocks[NextBlock++]);
  while (!Running.empty())
    for (size_t R = 0; R != Running.size();) {
      if (Running[R].round(See))
        ++R;
      else if (NextBlock != Blocks.size())
        Running[R] = Resident(Blocks[NextBlock++]);
      else
        Running.erase(Running.begin() + ptrdiff_t(R));
    }
}

HitCounts SideBySideObserver::replay(size_t NumResident,
                                     ArrayRef<uint64_t> Sizes) const {
  CacheCounter Cache(Sizes);
  visit(NumResident, [&](const Request & /*Made*/, ArrayRef<uint64_t> Sectors) {
    Cache.touch(Sectors);
  });
  return Cache.counts();
}

MemoryExchange SideBySideObserver::exchange(size_t NumResident,
                                            uint64_t Bytes) const {
  MemoryExchange Result;
  LruStack Stack;
  llvm::DenseSet<uint64_t>
      Dirty; // and in the cache since then, or written back
  visit(NumResident, [&](const Request &Made, ArrayRef<uint64_t> Sectors) {
    for (uint64_t S : Sectors) {
      std::optional<uint64_t> Distance = Stack.touch(S);
      if (!Distance || *Distance >= Bytes / SectorBytes) {
        Result.WrittenBack += Dirty.erase(S);
        Result.Fetched += Made.Reads;
      }
      if (Made.Writes)
        Dirty.insert(S);
    }
  });
  Result.WrittenBack += Dirty.size();
  return Result;
}
