//===- MemoryTraffic.cpp - What a kernel moves at each level --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MemoryTraffic.h"
#include "Corrections.h"
#include "DeviceRequests.h"
#include "MWPCWPIssue.h"
#include "OnDeviceCache.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Model/Spills.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace ptxpredict;

static constexpr double WavefrontBytes = 128;

static bool looksInL1(const Device &D, const MemoryCharacteristics &M,
                      ptx::LoadCaching Caching) {
  switch (Caching) {
  case ptx::LoadCaching::PastL1:
    return false;
  case ptx::LoadCaching::InL1:
    return true;
  case ptx::LoadCaching::ByDevice:
    return M.Space == AddressSpace::Local ||
           D.L1HoldsGlobalLoads.Value.value_or(1) != 0;
  }
  llvm_unreachable("all are handled");
}

bool ptxpredict::looksInL1(const Device &D, const MemoryCharacteristics &M) {
  return M.Access == AccessKind::Load &&
         ::looksInL1(D, M, ptx::loadCaching(M.Opcode));
}

/// That L1 looks up for a load in a cycle: hotLoads of an H100, at steps of 5,
/// 9, 17 and 33 words (test/accuracy/data/h100).
static constexpr double LinesAtOnce = 4;

/// The time of a sector that a store writes a part of, and in how many lines
/// stores that follow each other are merged: repeatedStores and pieceStores of
/// an H100 (test/accuracy/data/h100).
static constexpr double PartOfSector = 1.32;
static constexpr double MergedLines = 4;

/// The space that a bulk copy writes comes first among its modifiers.
static bool isCopyToGlobal(const MemoryCharacteristics &M) {
  return StringRef(M.Opcode).contains(".global.shared");
}

/// Of a compare and swap in L2, which brings two values: 9.29 cycles for four
/// sectors of an H100 (test/accuracy/data/h100), where a pass takes 1.447.
static constexpr double PassesOfSwap = 1.6;

static bool isSwap(const MemoryCharacteristics &M) {
  return ptx::hasModifier(M.Opcode, "cas");
}

static bool addsFloat(const MemoryCharacteristics &M) {
  return StringRef(M.Opcode).contains(".add") &&
         StringRef(M.Opcode).contains(".f");
}

/// The least time that so many bytes take through a path of so many bytes a
/// cycle; no time where the device's file does not say.
static double cyclesFor(double Bytes, const Quantity &PerCycle) {
  return PerCycle ? Bytes / *PerCycle : 0;
}

namespace {

class TrafficCounter {
public:
  /// Of a warp in the mean, or of one of \p Heaviest.
  TrafficCounter(const KernelOnDevice &On, double Estimate::*Which,
                 BottleneckParts Without,
                 const HeaviestBlocksCharacteristics *Heaviest = nullptr)
      : On(On), K(On.Kernel), D(On.Dev), Heaviest(Heaviest), Member(Which),
        Without(Without), Opposite(Which == &Estimate::Low    ? &Estimate::High
                                   : Which == &Estimate::High ? &Estimate::Low
                                                              : Which) {
    if (!Without.has(BottleneckPart::CacheHits))
      Hits = findCacheHits(On);
    if (Hits && Hits->L1)
      GlobalL1Hits = (*Hits->L1).*Opposite;
    Arrays = hitsOf(double(K.Resources.LocalBytes));
    R.HasHits = Hits && Hits->L2;
  }

  MemoryTraffic count() {
    for (size_t N = 0; N != K.Memory.size(); ++N)
      add(K.Memory[N], K.Memory[N].Requests.*Member *
                           (Heaviest ? Heaviest->Requests[N] : 1));
    const double InL1 = GlobalLoads + LocalLoads;
    const double Missed =
        missing(GlobalLoads, GlobalL1Hits) + missing(LocalLoads, Arrays.L1);
    R.L1Sectors = InL1;
    R.L1HitRate = LocalLoads > 0 && std::isfinite(InL1) ? 1 - Missed / InL1
                                                        : GlobalL1Hits;
    R.L2WriteSectors = GlobalStores + LocalStores;
    R.L2ReadSectors = PastL1 + Missed + R.CopiedSectors;
    // Some SM must get each byte for the first time.
    if (K.Footprint && !Heaviest)
      R.L2ReadSectors = std::max(
          R.L2ReadSectors, std::min(R.LoadSectors + R.CopiedSectors,
                                    sectorsOfWarp(K.Footprint->GridReadBytes)));
    countMisses();
    addSpills();
    R.L2HitRate = R.l2Sectors() > 0
                      ? std::max(0.0, 1 - R.DRAMSectors / R.l2Sectors())
                      : 0;
    R.L2ReadHitRate = readHitRate();
    addNeighbours();
    countL2Work();
    if (K.Counted)
      correctTraffic(*K.Counted, Member, R);
    return R;
  }

private:
  const KernelOnDevice &On;
  const KernelCharacteristics &K;
  const Device &D;
  const HeaviestBlocksCharacteristics *Heaviest;
  double Estimate::*Member;
  BottleneckParts Without;
  std::optional<CacheHits> Hits;
  double Estimate::*Opposite;
  MemoryTraffic R;
  double Prefetched = 0;
  double GlobalL1Hits = 0; ///< a share
  LocalHits Arrays;        ///< of local memory
  // Sectors of loads that look in L1, of others, and of stores and atomics.
  double GlobalLoads = 0, LocalLoads = 0, PastL1 = 0;
  double GlobalStores = 0, LocalStores = 0;
  /// What reads and writes take of L2 if all go there, in sectors, and the
  /// sectors of which that is.
  double ReadWork = 0, WriteWork = 0, ReadFor = 0, WriteFor = 0;
  StringRef LastLoad; ///< an opcode
  ptx::LoadCaching LastCaching = ptx::LoadCaching::ByDevice;

  /// Loads with one opcode mostly follow each other.
  ptx::LoadCaching cachingOf(const MemoryCharacteristics &M) {
    if (LastLoad != StringRef(M.Opcode)) {
      LastLoad = M.Opcode;
      LastCaching = ptx::loadCaching(M.Opcode);
    }
    return LastCaching;
  }

  LocalHits hitsOf(double BytesOfThread) const {
    return Without.has(BottleneckPart::CacheHits)
               ? LocalHits()
               : findLocalHits(On, BytesOfThread);
  }

  static double missing(double Sectors, double Hits) {
    return Hits < 1 ? Sectors * (1 - Hits) : 0;
  }

  /// Of addresses that only data decide nothing but the bounds is known: the
  /// value is the highest. Data are seldom as scattered as they could be.
  double likely(const MemoryCharacteristics &M, const Estimate &Sectors) const {
    if (!Without.has(BottleneckPart::LikelyGathers) &&
        Member == &Estimate::Value && Sectors.Status == Status::Unknown &&
        Sectors.Low > 0 && !M.LaneStrideBytes)
      return std::sqrt(Sectors.Low * Sectors.Value);
    return Sectors.*Member;
  }

  /// The grid's bytes as sectors of one of its warps.
  double sectorsOfWarp(const Estimate &GridBytes) const {
    return GridBytes.*Member / SectorBytes / double(K.Launch.blocks()) /
           double(K.Launch.warpsPerBlock());
  }

  void add(const MemoryCharacteristics &M, double Num) {
    if (!(Num > 0))
      return;
    if (M.BytesPerLane == 0)
      return addCopy(M, Num);
    if (M.Access == AccessKind::Prefetch)
      return;
    const double Lanes = M.ActiveLanes.*Member;
    const double Bytes = Lanes * M.BytesPerLane;
    if (M.Space == AddressSpace::Shared)
      return addShared(M, Num);
    if (!isDeviceMemory(M.Space))
      return;
    // Without an analysis of the addresses every lane is taken for itself.
    const double Sectors = M.Sectors ? likely(M, *M.Sectors) : Lanes;
    if (M.Access == AccessKind::Load && M.SpreadBytes && M.Lines)
      addHotLoads(M, Num * (*M.Lines).*Member);
    if (goesThroughTexture(M))
      R.TextureLanes += Num * *D.WarpSize;
    else
      R.L1Cycles += Num * std::max({1.0, cyclesFor(Bytes, D.L1BytesPerCycle),
                                    passesOfL1(M, Sectors)});
    addL2Work(M, Num, Sectors);
    switch (M.Access) {
    case AccessKind::Load:
      R.LoadSectors += Num * Sectors;
      (!::looksInL1(D, M, cachingOf(M)) ? PastL1
       : M.Space == AddressSpace::Local ? LocalLoads
                                        : GlobalLoads) += Num * Sectors;
      break;
    case AccessKind::Async:
      R.CopiedSectors += Num * Sectors;
      break;
    case AccessKind::Atomic:
      R.AtomicSectors += Num * Sectors;
      addAtomics(M, Num);
      GlobalStores += Num * Sectors;
      break;
    default:
      (M.Space == AddressSpace::Local ? LocalStores : GlobalStores) +=
          Num * Sectors;
      break;
    }
  }

  /// Cycles in which L1 looks up lines and finds banks free. Up to 6.x it looks
  /// up one line in each. From 7.0 on it has the banks of shared memory, and
  /// looks up four of a load's lines at once; stores of more than 4 bytes a
  /// lane go through it a half or quarter of the warp after the other, as
  /// on 2.x.
  double passesOfL1(const MemoryCharacteristics &M, double Sectors) const {
    const double Lines = M.Lines ? likely(M, *M.Lines) : Sectors / 4;
    if (D.ComputeCapability < 70)
      return Lines;
    if (M.Access == AccessKind::Load)
      return std::max(M.L1Wavefronts ? likely(M, *M.L1Wavefronts) : 1.0,
                      Lines / LinesAtOnce);
    const auto &OfGroups = M.Transactions[unsigned(AccessRule::CC20)];
    return M.BytesPerLane > 4 && OfGroups ? likely(M, *OfGroups) : Lines;
  }

  /// L2 looks up a line for each of a request's lines. What L1 sends there of
  /// local memory are whole lines.
  void addL2Work(const MemoryCharacteristics &M, double Num, double Sectors) {
    if (M.Access == AccessKind::Atomic)
      return;
    const bool InLines = M.Space != AddressSpace::Local && M.Lines;
    const double Lines =
        std::min(InLines ? likely(M, *M.Lines) : Sectors / 4, Sectors);
    if (M.Access == AccessKind::Load || M.Access == AccessKind::Async) {
      ReadWork +=
          Num * std::max(Sectors, Lines * D.L2ReadFloor.Value.value_or(1));
      ReadFor += Num * Sectors;
    } else {
      WriteWork += Num * writeWork(M, Sectors, Lines);
      WriteFor += Num * Sectors;
    }
  }

  double writeWork(const MemoryCharacteristics &M, double Sectors,
                   double Lines) const {
    if (!D.L2WriteSector || M.Space == AddressSpace::Local)
      return Sectors;
    const double Bytes = M.ActiveLanes.*Member * M.BytesPerLane;
    // Those at the ends of a row are few.
    const bool IsWhole = Bytes >= 0.9 * Sectors * double(SectorBytes);
    return (Sectors * *D.L2WriteSector * (IsWhole ? 1 : PartOfSector) +
            Lines * D.L2WriteLine.Value.value_or(0)) /
           mergedStores(M, Lines);
  }

  /// What a thread writes side by side leaves an SM as one request, as long as
  /// few lines are open.
  static double mergedStores(const MemoryCharacteristics &M, double Lines) {
    return M.Access == AccessKind::Store && Lines <= MergedLines
               ? M.WiderAccesses
               : 1;
  }

  /// What is written is on its way to device memory in the time of its writing,
  /// where the device's file says how long that is.
  void countL2Work() {
    auto Each = [](double Work, double Sectors) {
      return Sectors > 0 && std::isfinite(Work) ? Work / Sectors : 1;
    };
    const bool InLines = !Without.has(BottleneckPart::L2Lines);
    R.L2Work = R.L2ReadSectors * (InLines ? Each(ReadWork, ReadFor) : 1) +
               R.AtomicSectors +
               (R.L2WriteSectors - R.AtomicSectors) *
                   (InLines ? Each(WriteWork, WriteFor) : 1);
    if (!Without.has(BottleneckPart::L2Twice))
      R.L2Work += R.DRAMSectors -
                  (InLines && D.L2WriteSector ? R.DRAMWrittenSectors : 0);
  }

  /// What many ask L2 for again and again: a slice looks up one line a cycle.
  void addHotLoads(const MemoryCharacteristics &M, double Lines) {
    AtomicPlace P;
    P.Lookups =
        Lines * double(K.Launch.blocks()) * double(K.Launch.warpsPerBlock());
    P.Bytes = (*M.SpreadBytes).*Opposite;
    R.Atomics.push_back(P);
  }

  /// What meets in L2.
  void addAtomics(const MemoryCharacteristics &M, double Num) {
    AtomicPlace P;
    const double Requests =
        Num * double(K.Launch.blocks()) * double(K.Launch.warpsPerBlock());
    if (M.HottestRequests) {
      P.Lanes = (*M.HottestRequests).*Member;
      if (M.Merge != AtomicMerge::Warp)
        P.Lanes = M.HottestLanes ? (*M.HottestLanes).*Member
                  : M.Addresses  ? P.Lanes * M.ActiveLanes.Value /
                                       std::max(M.Addresses->Value, 1.0)
                                 : P.Lanes;
    }
    if (M.Merge == AtomicMerge::Warp)
      P.Passes = Requests;
    else if (M.Passes)
      P.Passes = Requests * (*M.Passes).*Member;
    if (isSwap(M))
      P.Passes *= PassesOfSwap;
    P.Bytes = M.SpreadBytes ? (*M.SpreadBytes).*Opposite
                            : std::numeric_limits<double>::infinity();
    P.AddsFloat = addsFloat(M);
    R.Atomics.push_back(P);
  }

  /// A bulk copy: between L2 and shared memory, past L1. A prefetch brings
  /// nothing to the SM.
  void addCopy(const MemoryCharacteristics &M, double Num) {
    if (M.Space != AddressSpace::Global || !M.Sectors)
      return;
    const double Moved = Num * (*M.Sectors).*Member;
    if (M.Access == AccessKind::Prefetch)
      Prefetched += Moved;
    else if (M.Access == AccessKind::Async)
      // What is reduced in L2 is read there, too, but nothing comes back.
      (isCopyToGlobal(M) ? GlobalStores : R.CopiedSectors) += Moved;
  }

  /// Compute capability 3.5 to 3.7 reads what nobody writes through the texture
  /// units, whose cache is not L1. Before there is no such load; later all
  /// loads take one path.
  bool goesThroughTexture(const MemoryCharacteristics &M) const {
    return M.Access == AccessKind::Load && D.ComputeCapability >= 35 &&
           D.ComputeCapability < 50 && ptx::hasModifier(M.Opcode, "nc");
  }

  /// Those of an atomic, of which \p Wavefronts go to different words.
  double passesOfShared(const MemoryCharacteristics &M,
                        double Wavefronts) const {
    if (M.Merge == AtomicMerge::Warp)
      return 1;
    if (M.Merge == AtomicMerge::Count && D.ComputeCapability >= 80)
      return Wavefronts;
    double Passes = M.Passes ? (*M.Passes).*Member : Wavefronts;
    // Those of two values, and with a load in front in a loop.
    if (isSwap(M))
      Passes *= 2;
    else if (addsFloat(M) ||
             (M.BytesPerLane == 8 && StringRef(M.Opcode).contains(".add")))
      Passes *= 3;
    return Passes;
  }

  void addShared(const MemoryCharacteristics &M, double Num) {
    const std::optional<Estimate> &Wavefronts =
        M.JoinedWavefronts ? M.JoinedWavefronts : M.Wavefronts;
    double Passes = Wavefronts ? (*Wavefronts).*Member : 1;
    if (M.PairedWavefronts && D.SharedPairs.Value.value_or(0) != 0)
      Passes = (*M.PairedWavefronts).*Member;
    if (M.Access == AccessKind::Atomic)
      Passes = passesOfShared(M, Passes);
    Num /= M.Joined;
    // A pass takes the path for as long as 128 bytes do, whatever it brings:
    // with 64 bytes a cycle (7.5), a conflict of two ways takes four cycles.
    R.SharedWavefronts += Num * Passes;
    R.SharedCycles += Num * std::max(Passes, cyclesFor(Passes * WavefrontBytes,
                                                       D.SharedBytesPerCycle));
  }

  /// Misses of what is read are those of loads, as if there were no L1, and at
  /// most all of device memory's.
  double readHitRate() const {
    if (!Hits || !Hits->L2Loads || !(R.L2ReadSectors > 0))
      return R.L2HitRate;
    const double Misses =
        std::min(missing(GlobalLoads + PastL1 + R.CopiedSectors,
                         (*Hits->L2Loads).*Opposite) +
                     missing(LocalLoads, Arrays.L2),
                 R.DRAMSectors);
    return std::max(0.0, 1 - Misses / R.L2ReadSectors);
  }

  /// What device memory gets of it. The rate of L2 is that without an L1, whose
  /// hits are hits of it, too.
  void countMisses() {
    const double Local = missing(LocalLoads, Arrays.L1) + LocalStores;
    const double All =
        GlobalLoads + PastL1 + R.CopiedSectors + GlobalStores + Prefetched;
    const double AtMost = R.l2Sectors() + Prefetched;
    if (!(All > 0) && !(Local > 0))
      return;
    const double Rate = Hits && Hits->L2 ? (*Hits->L2).*Opposite : 0;
    R.DRAMSectors =
        std::min(missing(All, Rate) + missing(Local, Arrays.L2), AtMost);
    // What is written where it was read hits, and leaves L2 in the end.
    if (K.Footprint && !Heaviest) {
      const double Touched = sectorsOfWarp(K.Footprint->GridReadBytes) +
                             sectorsOfWarp(K.Footprint->GridWrittenBytes);
      R.DRAMSectors = std::max(R.DRAMSectors, std::min(Touched, AtMost));
    }
    // Each of the bytes that are written leaves L2 once, or as often as stores
    // miss.
    const double Written =
        K.Footprint ? sectorsOfWarp(K.Footprint->GridWrittenBytes) : AtMost;
    if (const double Sectors = R.l2Sectors(); Sectors > 0)
      R.DRAMWrittenSectors =
          std::min(Written, R.DRAMSectors * R.L2WriteSectors / Sectors);
  }

  /// What so many blocks touch as run at a time, or all; null if nobody knows.
  const BlocksFootprint *footprintAtATime() const {
    if (!K.Reuse || K.Reuse->Blocks.empty())
      return nullptr;
    const double Resident = double(On.Occ.BlocksPerSM) * *D.NumSMs;
    for (const BlocksFootprint &F : K.Reuse->Blocks)
      if (double(F.Blocks) >= Resident)
        return &F;
    return &K.Reuse->Blocks.back();
  }

  /// Device memory moves a sector's neighbour, too, where nobody asks for it
  /// while it is in L2. A sector of which a part is written is read first.
  void addNeighbours() {
    const BlocksFootprint *F = footprintAtATime();
    if (!F || F->Spread <= 1 || !D.DRAMGranule ||
        *D.DRAMGranule <= double(SectorBytes))
      return;
    const TouchedMemory &T = F->Touched;
    const double Whole = T.WrittenSectors.Value * double(SectorBytes);
    // Those of which only a part is written are written to half, in the mean.
    const double InPart =
        Whole > 0 ? std::clamp(2 * (1 - T.WrittenBytes.Value / Whole), 0.0, 1.0)
                  : 0;
    R.DRAMSectors += InPart * R.DRAMWrittenSectors;
    R.DRAMSectors *= F->Spread;
    R.DRAMWrittenSectors *= F->Spread;
  }

  /// Registers in memory are in no instruction of the input, and lie apart from
  /// what it touches.
  void addSpills() {
    Spills S = spillsOf(K, Member);
    if (!S)
      return;
    if (Heaviest) {
      S.Stores *= Heaviest->Instructions;
      S.Loads *= Heaviest->Instructions;
    }
    const LocalHits Room = hitsOf(spilledBytes(K));
    constexpr double Sectors = WavefrontBytes / SectorBytes;
    R.L1Cycles += S.Stores + S.Loads;
    const double Read = S.Loads * Sectors * (1 - Room.L1);
    const double Written = S.Stores * Sectors * (1 - Room.L1);
    R.L2ReadSectors += Read;
    R.L2WriteSectors += Written;
    R.DRAMSectors += (Read + Written) * (1 - Room.L2);
  }
};

} // namespace

/// Of that cache, which its owner has locked.
static TrafficRange &trafficRange(OnDeviceCache &Cache,
                                  BottleneckParts Without) {
  for (auto &[Parts, Known] : Cache.Traffic)
    if (Parts == Without)
      return Known;
  return Cache.Traffic.emplace_back(Without, TrafficRange()).second;
}

MemoryTraffic ptxpredict::findMemoryTraffic(const KernelOnDevice &On,
                                            double Estimate::*Which,
                                            BottleneckParts Without) {
  OnDeviceCache &Cache = On.cache();
  std::lock_guard<std::recursive_mutex> Lock(Cache.Mutex);
  TrafficRange &R = trafficRange(Cache, Without);
  std::optional<MemoryTraffic> &Known = Which == &Estimate::Low    ? R.Low
                                        : Which == &Estimate::High ? R.High
                                                                   : R.Value;
  if (!Known) {
    StageTimer Timer(Stage::Traffic);
    Known = TrafficCounter(On, Which, Without).count();
  }
  return *Known;
}

MemoryTraffic ptxpredict::findHeaviestTraffic(const KernelOnDevice &On,
                                              double Estimate::*Which,
                                              BottleneckParts Without) {
  return TrafficCounter(On, Which, Without, &*On.Kernel.Heaviest).count();
}
