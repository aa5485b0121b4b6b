//===- BottleneckSetup.cpp - Our own model's inputs -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BottleneckSetup.h"
#include "CopyRing.h"
#include "DeviceRequests.h"
#include "ptxpredict/Analysis/Locality/HitRates.h"
#include "ptxpredict/Model/PathCache.h"
#include "ptxpredict/Model/RegisterEstimate.h"
#include "ptxpredict/Model/TensorRate.h"
#include <cmath>

using namespace ptxpredict;

using Resource = BottleneckResource;

BottleneckParameters BottleneckParameters::of(const Device &D) {
  BottleneckParameters P;
  const auto Table = D.ModelParameters.find(BottleneckName);
  const bool HasNone = Table == D.ModelParameters.end();
  auto Read = [&](StringRef Key, double &Into) {
    if (!HasNone)
      if (auto It = Table->second.find(Key);
          It != Table->second.end() && It->second) {
        Into = *It->second;
        return;
      }
    P.Defaults.push_back(Key);
  };
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  Read(KEY, P.MEMBER);
#include "ptxpredict/Device/BottleneckParameters.def"
  return P;
}

/// Warp instructions a cycle; 0 where the device's file does not say.
static double warpRate(const Device &D, const Quantity &Lanes) {
  return Lanes ? *Lanes / *D.WarpSize : 0;
}

/// What a warp's instructions ask of the pipes.
static ByResource<double> demandOf(const MachineWork &Work,
                                   const KernelCharacteristics &K,
                                   const Device &D, double Estimate::*Which) {
  ByResource<double> N{};
  N.of(Resource::Issue) = Work.instructions();
  // Integer multiplications go through the lanes of fp32, some of which can.
  N.of(Resource::IntMultiply) = Work.of(MachinePipe::IntMultiply);
  N.of(Resource::FP32) =
      Work.of(MachinePipe::FP32) + Work.of(MachinePipe::IntMultiply);
  N.of(Resource::Int) =
      Work.of(MachinePipe::Int) + 2 * Work.of(MachinePipe::HalfInt);
  N.of(Resource::FP16) =
      Work.of(MachinePipe::FP16) + 2 * Work.of(MachinePipe::FP16Swizzled);
  N.of(Resource::FP64) =
      Work.of(MachinePipe::FP64) + Work.of(MachinePipe::FP64Convert);
  // One path to both, which may take more or fewer lanes for conversions.
  N.of(Resource::SFU) =
      Work.of(MachinePipe::SFU) +
      Work.of(MachinePipe::Convert) *
          (D.SFULanes && D.ConvertLanes ? *D.SFULanes / *D.ConvertLanes : 1);
  N.of(Resource::Tensor) = tensorEquivalents(Work.TensorMACs, K, D, Which);
  N.of(Resource::Texture) = Work.of(MachinePipe::Texture) * *D.WarpSize;
  N.of(Resource::Barrier) = Work.of(MachinePipe::Barrier);
  // Values change lanes on the path of shared memory, and matrices that do not
  // lie in registers come from there.
  N.of(Resource::Shared) = Work.of(MachinePipe::Shuffle) +
                           tensorOperandCycles(Work.TensorMACs, K, D, Which);
  return N;
}

/// Adds what a warp's requests ask of the SM that it runs on.
static void addMemory(const MemoryTraffic &T, const Device &D,
                      ByResource<double> &N) {
  N.of(Resource::Shared) +=
      T.SharedCycles + (D.hasUnifiedL1() ? T.L1Cycles : 0);
  N.of(Resource::LoadStore) = T.L1Cycles;
  N.of(Resource::Texture) += T.TextureLanes;
  N.of(Resource::L2ToSM) = T.L2ReadSectors * SectorBytes;
}

void BottleneckSetup::setRates(const Device &D) {
  ByResource<double> &R = Nominal;
  R.of(Resource::Issue) = *D.Schedulers;
  R.of(Resource::IntMultiply) = warpRate(D, D.IntMultiplyLanes);
  R.of(Resource::FP32) = warpRate(D, D.FP32Lanes);
  R.of(Resource::Int) = warpRate(D, D.IntLanes);
  R.of(Resource::FP16) = warpRate(D, D.FP16Lanes);
  R.of(Resource::FP64) = warpRate(D, D.FP64Lanes);
  R.of(Resource::SFU) = warpRate(D, D.SFULanes);
  R.of(Resource::Tensor) = D.TensorMACs.Value.value_or(0);
  R.of(Resource::Texture) = D.TextureLanes.Value.value_or(0);
  R.of(Resource::L2) = D.L2BytesPerCycle.Value.value_or(0);
}

void BottleneckSetup::countMemory(const Device &D, const MemoryTraffic &T) {
  ByResource<double> &N = Fixed.Demand;
  const double Warps = Fixed.Blocks * Fixed.WarpsPerBlock;
  addMemory(T, D, N);
  N.of(Resource::L2) = (T.L2Work + T.AtomicSectors) * SectorBytes;
  N.of(Resource::DRAM) = T.DRAMSectors * SectorBytes;
  Atomics = T.Atomics;
  N.of(Resource::Dispatch) = 1 / Fixed.WarpsPerBlock;
  const double Read = T.LoadSectors + T.CopiedSectors;
  Fixed.Copied = Read > 0 && std::isfinite(Read) ? T.CopiedSectors / Read : 0;
  Fixed.L1HitRate = T.L1HitRate;
  Fixed.L2HitRate = T.L2HitRate;
  HasHits = T.HasHits;

  // Memory turns around between reads and writes.
  const double Written =
      T.DRAMSectors > 0 ? std::min(1.0, T.DRAMWrittenSectors / T.DRAMSectors)
                        : 0;
  Mixed = 4 * Written * (1 - Written);

  Counts.SharedWavefronts = T.SharedWavefronts * Warps;
  Counts.L1Sectors = T.L1Sectors * Warps;
  Counts.L2ReadSectors = T.L2ReadSectors * Warps;
  Counts.L2WriteSectors = T.L2WriteSectors * Warps;
  Counts.L2Sectors = T.l2Sectors() * Warps;
  Counts.DRAMSectors = T.DRAMSectors * Warps;
}

/// Latencies of a device's, with those of the sequences that an assembler makes
/// of divisions: an approximation and the steps after it that depend on each
/// other.
static LatencyTable machineLatenciesOf(const Device &D) {
  LatencyTable T = latenciesOf(D);
  const double Approximate = T.of(SchedClass::SFU);
  T.of(SchedClass::FP32Divide) = Approximate + 6 * T.of(SchedClass::FP32FMA);
  T.of(SchedClass::FP64Divide) = Approximate + 9 * T.of(SchedClass::FP64FMA);
  T.of(SchedClass::IntDivide) = Approximate + 2 * T.of(SchedClass::Convert) +
                                8 * T.of(SchedClass::IntMultiply);
  T.of(SchedClass::IntRemainder) =
      T.of(SchedClass::IntDivide) + 2 * T.of(SchedClass::IntMultiply);
  return T;
}

/// Registers that a load brings, in the mean over those that warps execute.
static double registersOfLoad(const KernelCharacteristics &K,
                              double Estimate::*Which) {
  double Loads = 0, Registers = 0;
  for (const MemoryCharacteristics &M : K.Memory) {
    if (M.Access != AccessKind::Load || M.Space == AddressSpace::Const)
      continue;
    const double Requests = M.Requests.*Which / M.Joined;
    Loads += Requests;
    Registers += Requests * std::max(1.0, M.BytesPerLane * M.Joined /
                                              double(RegisterBytes));
  }
  return Loads > 0 ? Registers / Loads : 1;
}

/// How far loads move up, from 0 to 1. What they bring takes registers until it
/// is used: where 1 + S loads have them, 1 + S are waited for at a time.
static double movedUp(const KernelOnDevice &On, double Estimate::*Which) {
  const RegisterDemand &R = On.Kernel.Resources.Demand;
  const double OfLoad = registersOfLoad(On.Kernel, Which);
  const double Least = fewestRegisters(R, On.Dev);
  const double Wanted = (wantedRegisters(R, On.Dev) - Least) / OfLoad;
  const double Spare = std::max(On.Registers.Value - Least, 0.0) / OfLoad;
  if (Spare >= Wanted)
    return 1;
  return 1 - (Wanted - Spare) / (Wanted * (1 + Spare));
}

/// What slower loads cost the critical path depends on what else there is to
/// do; between two latencies around those of all clocks it is taken as a line.
void BottleneckSetup::findLatencies(const Device &D, const MemoryTraffic &T,
                                    double InFlight) {
  const double DRAM = *D.DRAMLatency;
  const double L2 = std::min(D.L2Latency.Value.value_or(DRAM), DRAM);
  const double L1 = std::min(D.L1Latency.Value.value_or(L2), L2);
  const double OfL1 =
      T.LoadSectors > 0 ? T.L1HitRate * T.L1Sectors / T.LoadSectors : 0;
  const double OfDRAM = (1 - OfL1) * (1 - T.L2ReadHitRate);
  L2Cycles = L2;
  // Hits in lines that are still on their way wait as long as the miss that
  // brings them, with which they are waited for.
  const double Waited = 1 - std::min(InFlight, OfL1);
  const double PastL1 = (1 - OfL1) / Waited, PastL2 = OfDRAM / Waited;
  LatencyCycles = (1 - PastL1) * L1 + PastL1 * L2;
  LatencyUs = PastL2 * (DRAM - L2) / BoostMHz;
  const double AtBoost = LatencyCycles + LatencyUs * BoostMHz;
  // Clocks from a half to one and a half times the boost clock.
  Latencies = {LatencyCycles + 0.5 * LatencyUs * BoostMHz,
               LatencyCycles + 1.5 * LatencyUs * BoostMHz};
  if (Latencies[1] <= Latencies[0])
    Latencies = {0.5 * AtBoost, AtBoost};
}

void BottleneckSetup::findPaths(const KernelOnDevice &On, double FenceTrips,
                                double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  const double Scale = K.Instructions.Value > 0
                           ? K.Instructions.*Which / K.Instructions.Value
                           : 1;
  const bool AsPTX = Without.has(BottleneckPart::MachineCode);
  LatencyTable Table = AsPTX ? latenciesOf(D) : machineLatenciesOf(D);
  Table.of(SchedClass::Tensor) = std::max(Table.of(SchedClass::Tensor),
                                          tensorInstructionCycles(K, D, Which));
  const bool AsCode = AsPTX || K.Dependence.Machine.empty();
  const double Moved = AsCode ? 0 : movedUp(On, Which);
  auto CyclesOf = [&](PathOf Whose, const WarpPath &P) {
    double Cycles = 0;
    if (Moved > 0)
      Cycles += Moved * On.paths().cycles(Whose, P, PathOrder::Machine, Table);
    if (Moved < 1)
      Cycles += (1 - Moved) *
                On.paths().cycles(Whose, P,
                                  AsCode ? PathOrder::Code : PathOrder::Packed,
                                  Table);
    return Cycles * Scale * K.Dependence.PathShare;
  };
  // Warps that have more to do than the mean keep their block waiting.
  const std::optional<WarpPath> &Longest = K.Dependence.Longest;
  const double OverMean =
      K.Reuse && !Longest ? std::max(1.0, K.Reuse->Imbalance.Warps.*Which) : 1;
  for (unsigned I = 0; I != 2; ++I) {
    for (SchedClass L : {SchedClass::Global, SchedClass::Local,
                         SchedClass::Texture, SchedClass::GlobalAtomic,
                         SchedClass::AsyncCopy, SchedClass::BulkCopy})
      Table.of(L) = Latencies[I] * K.Dependence.WaitShare;
    if (Fixed.CopySteps > 0) // what brings them is no part of a warp's path
      Table.of(SchedClass::BulkCopy) = 0;
    // L1 answers none of these, and a fence waits for L2 several times.
    Table.of(SchedClass::GlobalAtomic) =
        std::max(Latencies[I], L2Cycles) * K.Dependence.WaitShare;
    Table.of(SchedClass::Fence) =
        std::max(Table.of(SchedClass::Fence), FenceTrips * L2Cycles);
    MeanPath.Exact[I] =
        Longest ? CyclesOf(PathOf::LongestWarps, *Longest)
                : CyclesOf(PathOf::MeanWarp, K.Dependence) * OverMean;
    if (K.Heaviest)
      HeaviestPath.Exact[I] =
          CyclesOf(PathOf::LongestOfHeaviest, K.Heaviest->Path);
  }
}

void BottleneckSetup::findWaits(const KernelOnDevice &On,
                                double Estimate::*Which) {
  const double Warps = Fixed.Blocks * Fixed.WarpsPerBlock;
  Contenders =
      std::min(Fixed.Blocks, ResidentBlocks * On.Dev.NumSMs.Value.value_or(1));
  for (const WaitCharacteristics &W : On.Kernel.Waits)
    Waits.push_back({W, W.Executions.*Which * Warps});
}

/// Finds how long blocks wait for each other. What one lets the next one do
/// reaches L2 half a round trip later, and the next one hears of it half a
/// round trip after that. Who polls asks once in a round trip, so that half of
/// one more passes; of many who want a lock one has just asked. Each request at
/// a word makes those behind it wait. Returns what a warp waits more at
/// counters of the grid, where each block adds one and asks at least once.
double BottleneckSetup::setWaits(const BottleneckParameters &Set) {
  const double Trip = L2Cycles;
  double InTurn = 0, AtCounters = 0;
  for (Wait &W : Waits) {
    const double Section =
        (W.Of.RoundTrips + W.Of.Fences * Set.FenceTrips) * Trip;
    switch (W.Of.Kind) {
    case WaitKind::Predecessor:
      W.Cycles = 1.5 * Trip + Section;
      InTurn += W.Times * W.Cycles;
      break;
    case WaitKind::Lock:
      W.Cycles = Trip + Section + (Contenders - 1) * Set.AtomicCycles;
      InTurn += W.Times * W.Cycles;
      break;
    case WaitKind::Grid:
      W.Cycles = 2 * Fixed.Blocks * Set.AtomicCycles;
      AtCounters += W.Times / Fixed.Blocks * W.Cycles;
      break;
    }
  }
  Fixed.Demand.of(Resource::Chain) =
      Without.has(BottleneckPart::Chain)
          ? 0
          : InTurn / (Fixed.Blocks * Fixed.WarpsPerBlock);
  return Without.has(BottleneckPart::Chain) ? 0 : AtCounters;
}

double BottleneckSetup::pathAt(const Path &P, double Latency) const {
  if (!std::isfinite(P.Cycles[1])) // counts without a bound
    return P.Cycles[1];
  const double Slope =
      (P.Cycles[1] - P.Cycles[0]) / (Latencies[1] - Latencies[0]);
  return std::max(0.0, P.Cycles[0] + Slope * (Latency - Latencies[0]));
}

/// What the blocks that execute the most ask of the SM.
void BottleneckSetup::addHeaviest(const KernelOnDevice &On,
                                  double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  if (!K.Heaviest || !Fixed.HasWaves)
    return;
  Fixed.HeaviestBlocks = double(K.Heaviest->Number);
  Fixed.HeaviestBefore = double(K.Heaviest->Before);
  Fixed.HeaviestDemand =
      demandOf(heaviestWork(K, D.ComputeCapability, Which), K, D, Which);
  addMemory(findHeaviestTraffic(On, Which, Without), D, Fixed.HeaviestDemand);
}

BottleneckSetup::BottleneckSetup(const KernelOnDevice &On,
                                 const BottleneckParameters &Set,
                                 BottleneckParts Without,
                                 double Estimate::*Which)
    : Without(Without) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  Fixed.HasWaves = !Without.has(BottleneckPart::Waves);
  Fixed.HasDrain = Fixed.HasWaves && !Without.has(BottleneckPart::Drain);
  Fixed.HasMeetings = !Without.has(BottleneckPart::Meetings);
  Fixed.Blocks = double(K.Launch.blocks());
  Fixed.WarpsPerBlock = double(K.Launch.warpsPerBlock());
  ResidentBlocks = On.Occ.BlocksPerSM;
  BoostMHz = *D.BoostMHz;
  MemoryMHz = *D.MemoryMHz;
  L2MHz = D.L2MHz.Value.value_or(0);
  BytesPerUs = *D.DRAMBandwidth * 1000;
  const MemoryTraffic Traffic = findMemoryTraffic(On, Which, Without);
  const MachineWork Work = Without.has(BottleneckPart::MachineCode)
                               ? ptxWork(K, Which)
                               : machineWork(K, D.ComputeCapability, Which);
  Counts.MachineInsts = Work.instructions();
  Fixed.Demand = demandOf(Work, K, D, Which);
  setRates(D);
  countMemory(D, Traffic);
  addHeaviest(On, Which);
  findLatencies(D, Traffic, K.Reuse ? hitsInFlight(*K.Reuse) : 0);
  const CopyRing Ring = findCopyRing(On, Traffic, Which);
  Fixed.CopySteps = Ring.Steps;
  Fixed.CopyStages = Ring.Stages;
  CopyCycles = Ring.Cycles;
  CopyUs = Ring.CyclesBeyondL2 / BoostMHz;
  findPaths(On, Set.FenceTrips, Which);
  findWaits(On, Which);
  for (unsigned I = 0; I != NumBottleneckResources; ++I)
    if (Without.has(BottleneckPart(I)))
      Fixed.Demand[I] = Fixed.HeaviestDemand[I] = 0;
  setParameters(Set);
}

/// Passes that the place with most of them takes one after the other: lanes of
/// one address, or the sectors of a slice.
double BottleneckSetup::atomicDemand(const BottleneckParameters &Set) const {
  double Sum = 0;
  for (const AtomicPlace &P : Atomics) {
    double Passes = P.Lanes;
    if (P.AddsFloat && Set.AtomicCycles > 0)
      Passes *= std::max(1.0, Set.AtomicFloatCycles / Set.AtomicCycles);
    const double Slices = P.Bytes / Set.AtomicSliceBytes;
    if (Set.AtomicSlices > 0)
      Passes = std::max(
          Passes,
          P.Passes / std::clamp(Slices, 1.0, std::max(1.0, Set.AtomicSlices)));
    // Loads of all slices are what the bandwidth of L2 is measured by.
    if (Set.AtomicCycles > 0 && Slices < Set.AtomicSlices)
      Passes += P.Lookups / Set.AtomicCycles / std::max(Slices, 1.0);
    Sum += Passes;
  }
  return Sum;
}

void BottleneckSetup::setParameters(const BottleneckParameters &Set) {
  ByResource<double> &R = Fixed.Rate;
  auto Inverse = [](double Cycles) { return Cycles > 0 ? 1 / Cycles : 0; };
  R = Nominal;
  R.of(Resource::Issue) *= Set.IssueEfficiency;
  for (Resource Pipe : {Resource::FP32, Resource::Int, Resource::IntMultiply,
                        Resource::FP16, Resource::SFU, Resource::Tensor})
    R.of(Pipe) *= Set.PipeEfficiency;
  R.of(Resource::FP64) *= Set.FP64Efficiency;
  R.of(Resource::Texture) *= Set.TextureEfficiency;
  R.of(Resource::LoadStore) = Set.LoadStoreEfficiency;
  R.of(Resource::Shared) = Set.SharedEfficiency;
  R.of(Resource::Barrier) = Inverse(Set.BarrierCycles);
  R.of(Resource::L2ToSM) = Set.L2ToSMBytes;
  R.of(Resource::L2) *= Set.L2Efficiency;
  R.of(Resource::Atomic) = Inverse(Set.AtomicCycles);
  Fixed.Demand.of(Resource::Atomic) =
      Without.has(BottleneckPart(unsigned(Resource::Atomic)))
          ? 0
          : atomicDemand(Set) / (Fixed.Blocks * Fixed.WarpsPerBlock);
  R.of(Resource::Latency) = R.of(Resource::Chain) = 1;
  DRAMEfficiency = Set.DRAMEfficiency;
  Refresh = Set.Refresh;
  SlowMemoryMHz = Set.SlowMemoryMHz;
  BlocksPerCycle = Set.BlocksPerCycle;
  BlocksPerUs = Set.BlocksPerUs;
  const double BlockCycles =
      Without.has(BottleneckPart::BlockStart) ? 0 : Set.BlockCycles;
  const double AtCounters = setWaits(Set);
  for (Path *P : {&MeanPath, &HeaviestPath})
    for (unsigned I = 0; I != 2; ++I)
      P->Cycles[I] = P->Exact[I] * Set.LatencyFactor + BlockCycles + AtCounters;
  Fixed.StartUs = Without.has(BottleneckPart::Start) ? 0 : Set.StartUs;
  Fixed.LaunchOverheadUs = Set.LaunchOverheadUs;
  Fixed.Exponent = Without.has(BottleneckPart::SmoothMaximum)
                       ? std::numeric_limits<double>::infinity()
                       : Set.Exponent;
  Fixed.MemoryExponent =
      Without.has(BottleneckPart::SmoothMaximum) ||
              Without.has(BottleneckPart::MemoryExponent)
          ? Fixed.Exponent
          : Set.MemoryExponent +
                Mixed * (Set.MixedMemoryExponent - Set.MemoryExponent);
}

/// What refreshing leaves of the time at a clock of memory, by what it leaves
/// at the clock that the timings are for. It comes in as short turns and takes
/// as many cycles at all clocks: the timings are those of a performance state.
double BottleneckSetup::refreshAt(double MHz) const {
  const bool IsSlow =
      SlowMemoryMHz > 0 && MHz * MHz < SlowMemoryMHz * MemoryMHz;
  const double Share =
      Refresh * (IsSlow ? SlowMemoryMHz : MemoryMHz) / std::max(MHz, 1.0);
  constexpr double Most = 0.9;
  return (1 - std::min(Share, Most)) / (1 - Refresh);
}

BottleneckInputs BottleneckSetup::inputs(const DevicePoint &P) const {
  BottleneckInputs In = Fixed;
  In.Freq = P.CoreMHz / 1000;
  In.ActiveSMs = std::min(double(std::max(P.ActiveSMs, 1u)), In.Blocks);
  In.ResidentBlocks =
      P.WarpsPerSM > 0 ? P.WarpsPerSM / In.WarpsPerBlock : ResidentBlocks;
  In.GlobalLatency = LatencyCycles + LatencyUs * P.CoreMHz;
  In.CopyLatency = In.CopySteps > 0 ? CopyCycles + CopyUs * P.CoreMHz : 0;
  if (!Without.has(BottleneckPart::Latency)) {
    In.Demand.of(Resource::Latency) = pathAt(MeanPath, In.GlobalLatency);
    In.MemoryPath = In.Demand.of(Resource::Latency) - pathAt(MeanPath, 0);
    if (In.HeaviestBlocks > 0)
      In.HeaviestDemand.of(Resource::Latency) =
          pathAt(HeaviestPath, In.GlobalLatency);
  }
  const double Bytes = P.BandwidthGBs > 0 ? P.BandwidthGBs * 1000
                                          : BytesPerUs * P.MemMHz / MemoryMHz *
                                                refreshAt(P.MemMHz);
  In.Rate.of(Resource::DRAM) = Bytes * DRAMEfficiency / P.CoreMHz;
  if (L2MHz > 0)
    In.Rate.of(Resource::L2) *= L2MHz / P.CoreMHz;
  In.Rate.of(Resource::Dispatch) =
      std::min(BlocksPerCycle, BlocksPerUs / P.CoreMHz);
  return In;
}
