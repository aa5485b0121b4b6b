//===- Counted.cpp - A kernel by what profilers count ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Counted.h"
#include "Corrections.h"
#include "ptxpredict/ISA/MachineUnits.h"

using namespace ptxpredict;

/// Of shared memory: one word of each lane.
static constexpr double BytesOfPass = 4. * WarpSize;

static double warpsOf(const KernelCharacteristics &K) {
  return double(K.Launch.blocks()) * double(K.Launch.warpsPerBlock());
}

namespace {
/// Numbers of a launch by counter, as far as a file has them.
class CountedNumbers {
public:
  explicit CountedNumbers(const KernelCounters &Counters)
      : Counters(Counters) {}

  std::optional<double> of(Counter C) const {
    const CounterValue *V = Counters[C];
    return V ? std::optional(V->Value) : std::nullopt;
  }
  std::optional<double> sum(Counter A, Counter B) const {
    std::optional<double> OfA = of(A), OfB = of(B);
    return OfA && OfB ? std::optional(*OfA + *OfB) : std::nullopt;
  }
  std::optional<double> instructions(double Warps) const {
    if (std::optional<double> All = of(Counter::WarpInstructions))
      return All;
    std::optional<double> OfWarp = of(Counter::InstructionsPerWarp);
    return OfWarp ? std::optional(*OfWarp * Warps) : std::nullopt;
  }
  std::optional<double> sharedPasses() const {
    if (std::optional<double> All = of(Counter::SharedWavefronts))
      return All;
    return sum(Counter::SharedLoadWavefronts, Counter::SharedStoreWavefronts);
  }
  std::optional<double> dramSectors(std::optional<double> L2Sectors) const {
    if (std::optional<double> Both =
            sum(Counter::DRAMReadSectors, Counter::DRAMWriteSectors))
      return Both;
    if (std::optional<double> Bytes = of(Counter::DRAMBytes))
      return *Bytes / SectorBytes;
    std::optional<double> Hits = of(Counter::L2HitRate);
    return Hits && L2Sectors
               ? std::optional(*L2Sectors * std::max(0.0, 1 - *Hits))
               : std::nullopt;
  }
  std::optional<double> l2Sectors() const {
    if (std::optional<double> Both =
            sum(Counter::L2ReadSectors, Counter::L2WriteSectors))
      return Both;
    return of(Counter::L2Sectors);
  }

private:
  const KernelCounters &Counters;
};
} // namespace

/// Without anything to multiply an estimate stays what it is.
static double factorOf(double Counted, double OfWarp, double Warps) {
  const double All = OfWarp * Warps;
  return All > 0 && std::isfinite(All) ? Counted / All : 1;
}

static bool has(const KernelCharacteristics &K, AddressSpace Space) {
  return llvm::any_of(K.Memory, [&](const MemoryCharacteristics &M) {
    return M.Space == Space;
  });
}

/// Counters that would replace estimates of what \p K has.
static std::vector<Counter> missingCounters(const KernelCharacteristics &K,
                                            const KernelCounters &Counters) {
  const CountedNumbers Counted(Counters);
  std::vector<Counter> Missing;
  auto Need = [&](bool IsThere, std::initializer_list<Counter> These) {
    if (!IsThere)
      llvm::copy_if(These, std::back_inserter(Missing),
                    [&](Counter C) { return !Counters[C]; });
  };
  Need(Counted.instructions(1).has_value(), {Counter::WarpInstructions});
  if (has(K, AddressSpace::Shared))
    Need(Counted.sharedPasses().has_value(),
         {Counter::SharedLoadWavefronts, Counter::SharedStoreWavefronts});
  if (has(K, AddressSpace::Global) || has(K, AddressSpace::Generic)) {
    Need(false, {Counter::GlobalLoadSectors});
    Need(Counted.l2Sectors().has_value(),
         {Counter::L2ReadSectors, Counter::L2WriteSectors});
    Need(Counted.dramSectors(1).has_value(),
         {Counter::DRAMReadSectors, Counter::DRAMWriteSectors});
  }
  return Missing;
}

std::shared_ptr<const CounterCorrections>
ptxpredict::findCorrections(const KernelCharacteristics &K, const Device &D,
                            const KernelCounters &Counters) {
  auto Result = std::make_shared<CounterCorrections>();
  Result->Counters = Counters;
  Result->Missing = missingCounters(K, Counters);
  const CountedNumbers Counted(Counters);
  const KernelOnDevice On(K, D);
  const double Warps = warpsOf(K);
  for (auto [Which, End] : {std::pair(&Estimate::Low, &CounterFactor::Low),
                            std::pair(&Estimate::Value, &CounterFactor::Value),
                            std::pair(&Estimate::High, &CounterFactor::High)}) {
    const MemoryTraffic T = findMemoryTraffic(On, Which);
    const double Instructions =
        machineWork(K, D.ComputeCapability, Which).instructions();
    auto Set = [&, End = End](CounterFactor &F, std::optional<double> Number,
                              double OfWarp) {
      if (!Number)
        return;
      F.IsCounted = true;
      F.OfWarp = *Number / Warps;
      F.*End = factorOf(*Number, OfWarp, Warps);
    };
    Set(Result->Instructions, Counted.instructions(Warps), Instructions);
    Set(Result->SharedPasses, Counted.sharedPasses(), T.SharedWavefronts);
    Set(Result->LoadSectors, Counted.of(Counter::GlobalLoadSectors),
        T.LoadSectors);
    std::optional<double> L2 = Counted.l2Sectors();
    if (std::optional<double> Reads = Counted.of(Counter::L2ReadSectors))
      Set(Result->L2Reads, Reads, T.L2ReadSectors);
    else if (!Counted.of(Counter::L2WriteSectors))
      Set(Result->L2Reads, L2, T.l2Sectors());
    if (std::optional<double> Writes = Counted.of(Counter::L2WriteSectors))
      Set(Result->L2Writes, Writes, T.L2WriteSectors);
    else if (!Counted.of(Counter::L2ReadSectors))
      Set(Result->L2Writes, L2, T.l2Sectors());
    Set(Result->DRAM, Counted.dramSectors(L2), T.DRAMSectors);
    Set(Result->DRAMWrites, Counted.of(Counter::DRAMWriteSectors),
        T.DRAMWrittenSectors);
  }
  return Result;
}

void ptxpredict::correctTraffic(const CounterCorrections &By,
                                double Estimate::*Which, MemoryTraffic &T) {
  auto Correct = [Which](const CounterFactor &F, double &Number) {
    Number = F.apply(Number, Which);
  };
  const double L2Before = T.l2Sectors(), LoadsBefore = T.LoadSectors,
               SharedBefore = T.SharedWavefronts;
  Correct(By.SharedPasses, T.SharedWavefronts);
  Correct(By.LoadSectors, T.LoadSectors);
  Correct(By.L2Reads, T.L2ReadSectors);
  Correct(By.L2Writes, T.L2WriteSectors);
  // What belongs to them changes as they do.
  auto Follow = [](double &Number, double Before, double Now) {
    if (Before > 0 && std::isfinite(Before))
      Number *= Now / Before;
  };
  Follow(T.SharedCycles, SharedBefore, T.SharedWavefronts);
  Follow(T.L1Sectors, LoadsBefore, T.LoadSectors);
  Follow(T.L1Cycles, LoadsBefore, T.LoadSectors);
  Follow(T.L2Work, L2Before, T.l2Sectors());
  const double DRAMBefore = T.DRAMSectors;
  Correct(By.DRAM, T.DRAMSectors);
  if (By.DRAMWrites.IsCounted)
    Correct(By.DRAMWrites, T.DRAMWrittenSectors);
  else
    Follow(T.DRAMWrittenSectors, DRAMBefore, T.DRAMSectors);
  T.DRAMWrittenSectors = std::min(T.DRAMWrittenSectors, T.DRAMSectors);
  if (const CounterValue *Hits = By.Counters[Counter::L1HitRate]) {
    const double Before =
        std::exchange(T.L1HitRate, std::min(1.0, Hits->Value));
    if (!By.L2Reads.IsCounted && std::isfinite(T.L1Sectors))
      T.L2ReadSectors =
          std::max(0.0, T.L2ReadSectors + T.L1Sectors * (Before - T.L1HitRate));
  }
  if (!By.DRAM.IsCounted && !By.L2Reads.IsCounted)
    return;
  if (T.l2Sectors() > 0)
    T.L2HitRate = std::max(0.0, 1 - T.DRAMSectors / T.l2Sectors());
  if (T.L2ReadSectors > 0)
    T.L2ReadHitRate = std::max(0.0, 1 - (T.DRAMSectors - T.DRAMWrittenSectors) /
                                            T.L2ReadSectors);
}

void ptxpredict::correctWork(const CounterCorrections &By,
                             double Estimate::*Which, MachineWork &Work) {
  const double Before = Work.instructions();
  if (!(Before > 0) || !std::isfinite(Before))
    return;
  const double Share = By.Instructions.apply(Before, Which) / Before;
  for (double &N : Work.ByPipe)
    N *= Share;
}

//===----------------------------------------------------------------------===//
// What would be counted
//===----------------------------------------------------------------------===//

namespace {

class CounterPredictor {
public:
  CounterPredictor(const KernelOnDevice &On, const Prediction &P)
      : On(On), K(On.Kernel), P(P), Warps(warpsOf(K)) {}

  CounterEstimates predict() {
    addLaunch();
    addInstructions();
    addRequests();
    addTraffic();
    if (K.Counted)
      for (unsigned C = 0; C != NumCounters; ++C)
        if (const CounterValue *V = K.Counted->Counters[Counter(C)])
          Result[C] = Estimate::known(V->Value);
    return Result;
  }

private:
  void set(Counter C, const Estimate &E) { Result[size_t(C)] = E; }
  void add(Counter C, const Estimate &OfWarp) {
    std::optional<Estimate> &E = Result[size_t(C)];
    if (!E)
      E = Estimate::known(0);
    *E += OfWarp.scaled(Warps);
  }
  void addLaunch();
  void addInstructions();
  void addRequests();
  void addTraffic();

  const KernelOnDevice &On;
  const KernelCharacteristics &K;
  const Prediction &P;
  const double Warps;
  CounterEstimates Result;
};

} // namespace

void CounterPredictor::addLaunch() {
  auto OfShape = [](uint64_t N, bool IsAssumed) {
    return Estimate::make(double(N),
                          IsAssumed ? Status::Assumed : Status::Known);
  };
  set(Counter::GridSize, OfShape(K.Launch.blocks(), K.Launch.GridIsAssumed));
  set(Counter::BlockSize,
      OfShape(K.Launch.threadsPerBlock(), K.Launch.BlockIsAssumed));
  set(Counter::RegistersPerThread, On.Registers);
  set(Counter::StaticSharedBytes,
      Estimate::known(double(K.Resources.StaticSharedBytes)));
  set(Counter::DynamicSharedBytes,
      Estimate::known(double(K.Launch.DynamicSharedBytes)));
  const Status OfOccupancy = weakest(On.Registers.Status, Status::Estimated);
  set(Counter::Occupancy, Estimate::make(On.Occ.Fraction, OfOccupancy));
  set(Counter::ResidentWarps, Estimate::make(On.Occ.WarpsPerSM, OfOccupancy));
  if (P.TimeUs)
    set(Counter::Time, *P.TimeUs);
  if (P.Cycles)
    set(Counter::Cycles, *P.Cycles);
}

void CounterPredictor::addInstructions() {
  const unsigned CC = On.Dev.ComputeCapability;
  const MachineWork Value = machineWork(K, CC),
                    Low = machineWork(K, CC, &Estimate::Low),
                    High = machineWork(K, CC, &Estimate::High);
  const Status Known = weakest(K.Instructions.Status, Status::Estimated);
  const Estimate OfWarp(Value.instructions(), Known, Low.instructions(),
                        High.instructions());
  set(Counter::InstructionsPerWarp, OfWarp);
  add(Counter::WarpInstructions, OfWarp);
  add(Counter::ControlInstructions,
      {Value.of(MachinePipe::Control), Known, Low.of(MachinePipe::Control),
       High.of(MachinePipe::Control)});
  // What is no plain addition or multiplication is a multiply-add: a division
  // is a row of them.
  auto Flops = [this](const MachineWork &W, MachinePipe Pipe, SchedClass Plain,
                      double Estimate::*Which) {
    const std::optional<Estimate> &N = K.ByWork[unsigned(Plain)];
    const double Single = std::min(W.of(Pipe), N ? (*N).*Which : 0.0);
    return Single + 2 * (W.of(Pipe) - Single);
  };
  auto AddFlops = [&](Counter C, MachinePipe Pipe, SchedClass Plain) {
    add(C, Estimate(Flops(Value, Pipe, Plain, &Estimate::Value), Known,
                    Flops(Low, Pipe, Plain, &Estimate::Low),
                    Flops(High, Pipe, Plain, &Estimate::High))
               .scaled(WarpSize));
  };
  AddFlops(Counter::SingleFlops, MachinePipe::FP32, SchedClass::FP32);
  AddFlops(Counter::DoubleFlops, MachinePipe::FP64, SchedClass::FP64);
  auto Integers = [](const MachineWork &W) {
    return W.of(MachinePipe::Int) + W.of(MachinePipe::IntMultiply) +
           W.of(MachinePipe::HalfInt);
  };
  add(Counter::ThreadInteger,
      Estimate(Integers(Value), Known, Integers(Low), Integers(High))
          .scaled(WarpSize));
  for (const BranchCharacteristics &B : K.Branches)
    if (B.Divergent) {
      add(Counter::Branches, B.Executions);
      add(Counter::DivergentBranches, B.Executions * *B.Divergent);
    }
}

void CounterPredictor::addRequests() {
  for (const MemoryCharacteristics &M : K.Memory) {
    const bool IsStore = M.Access == AccessKind::Store;
    if (!IsStore && M.Access != AccessKind::Load)
      continue;
    const auto Either = [IsStore](Counter Load, Counter Store) {
      return IsStore ? Store : Load;
    };
    const bool IsLocal = M.Space == AddressSpace::Local;
    if (M.Space == AddressSpace::Shared) {
      const Estimate Requests = M.Requests.scaled(1. / M.Joined);
      add(Either(Counter::SharedLoadRequests, Counter::SharedStoreRequests),
          Requests);
      const std::optional<Estimate> &Passes =
          M.PairedWavefronts && On.Dev.SharedPairs.Value.value_or(0) != 0
              ? M.PairedWavefronts
          : M.JoinedWavefronts ? M.JoinedWavefronts
                               : M.Wavefronts;
      if (!Passes)
        continue;
      add(Either(Counter::SharedLoadWavefronts, Counter::SharedStoreWavefronts),
          Requests * *Passes);
      // Bytes that need several passes are no conflict.
      const double Needed = std::max(1.0, M.ActiveLanes.Value * M.BytesPerLane *
                                              M.Joined / BytesOfPass);
      auto More = [Needed](double N) { return std::max(0.0, N - Needed); };
      add(Counter::SharedConflicts,
          Requests * Estimate(More(Passes->Value), Passes->Status,
                              More(Passes->Low), More(Passes->High)));
    } else if (IsLocal || M.Space == AddressSpace::Global ||
               M.Space == AddressSpace::Generic) {
      add(IsLocal
              ? Either(Counter::LocalLoadRequests, Counter::LocalStoreRequests)
              : Either(Counter::GlobalLoadRequests,
                       Counter::GlobalStoreRequests),
          M.Requests);
      if (M.Sectors)
        add(IsLocal
                ? Either(Counter::LocalLoadSectors, Counter::LocalStoreSectors)
                : Either(Counter::GlobalLoadSectors,
                         Counter::GlobalStoreSectors),
            M.Requests * *M.Sectors);
    }
  }
}

void CounterPredictor::addTraffic() {
  const MemoryTraffic Value = findMemoryTraffic(On),
                      Low = findMemoryTraffic(On, &Estimate::Low),
                      High = findMemoryTraffic(On, &Estimate::High);
  const Status Known = weakest(K.Instructions.Status, Status::Estimated);
  auto Add = [&](Counter C, auto Of) {
    add(C, Estimate(Of(Value), Known, Of(Low), Of(High)));
  };
  using T = MemoryTraffic;
  Add(Counter::SharedWavefronts, [](const T &M) { return M.SharedWavefronts; });
  Add(Counter::L2ReadSectors, [](const T &M) { return M.L2ReadSectors; });
  Add(Counter::L2WriteSectors, [](const T &M) { return M.L2WriteSectors; });
  Add(Counter::L2Sectors, [](const T &M) { return M.l2Sectors(); });
  Add(Counter::DRAMReadSectors, [](const T &M) {
    return std::max(0.0, M.DRAMSectors - M.DRAMWrittenSectors);
  });
  Add(Counter::DRAMWriteSectors,
      [](const T &M) { return M.DRAMWrittenSectors; });
  Add(Counter::DRAMBytes,
      [](const T &M) { return M.DRAMSectors * SectorBytes; });
  if (!Value.HasHits)
    return;
  auto Rate = [&](Counter C, double T::*Of) {
    set(C, {Value.*Of, Known, std::min({Value.*Of, Low.*Of, High.*Of}),
            std::max({Value.*Of, Low.*Of, High.*Of})});
  };
  Rate(Counter::L1HitRate, &T::L1HitRate);
  Rate(Counter::L2HitRate, &T::L2HitRate);
}

CounterEstimates ptxpredict::predictCounters(const KernelOnDevice &On,
                                             const Prediction &P) {
  return CounterPredictor(On, P).predict();
}
