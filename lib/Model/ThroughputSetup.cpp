//===- ThroughputSetup.cpp - The throughput model's inputs ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ThroughputSetup.h"
#include "DeviceRequests.h"
#include "MWPCWPIssue.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include <cmath>

using namespace ptxpredict;

static constexpr SchedClass PlainFP[] = {
    SchedClass::FP16, SchedClass::FP32,       SchedClass::FP32Divide,
    SchedClass::FP64, SchedClass::FP64Divide, SchedClass::SFU};
static constexpr SchedClass FusedFP[] = {
    SchedClass::FP16FMA, SchedClass::FP32FMA, SchedClass::FP64FMA};
static constexpr SchedClass IntegerWork[] = {
    SchedClass::Int,          SchedClass::IntMultiply, SchedClass::IntDivide,
    SchedClass::IntRemainder, SchedClass::Compare,     SchedClass::Logic,
    SchedClass::Shift};

static double sumOf(const KernelCharacteristics &K, ArrayRef<SchedClass> Kinds,
                    EstimateMember Which) {
  double N = 0;
  for (SchedClass L : Kinds)
    if (const std::optional<Estimate> &C = K.ByWork[unsigned(L)])
      N += (*C).*Which;
  return N;
}

/// What the mean floating-point instruction takes over a fp32 one.
static double fpFactor(const KernelOnDevice &On, const IssuePricing &Pricing) {
  double Num = 0, Cycles = 0;
  auto Add = [&](ArrayRef<SchedClass> Kinds) {
    for (SchedClass L : Kinds) {
      double N = sumOf(On.Kernel, L, Pricing.Member);
      Num += N;
      Cycles += N * issueCyclesOf(On.Dev, L, Pricing);
    }
  };
  Add(PlainFP);
  Add(FusedFP);
  return Num > 0 ? Cycles / (Num * Pricing.BaseCycles) : 1;
}

/// More of these is less time.
static EstimateMember oppositeOf(EstimateMember Which) {
  if (Which == &Estimate::Low)
    return &Estimate::High;
  return Which == &Estimate::High ? &Estimate::Low : Which;
}

/// Requests, and instructions by what the model tells apart.
void ThroughputSetup::countOnGPU(const KernelOnDevice &On,
                                 const ModelOptions &Options,
                                 EstimateMember Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  ThroughputInputs &P = Fixed;
  AccessRule Rule = parseAccessRule(D.AccessRule).value_or(AccessRule::Sector);
  DeviceRequests R = sumDeviceRequests(K, Rule, Which);
  P.MemInsts = R.count();
  P.FpInsts = sumOf(K, PlainFP, Which);
  P.FpFusedInsts = sumOf(K, FusedFP, Which);
  P.IntInsts = sumOf(K, IntegerWork, Which);
  P.BrMiscInsts = std::max(0.0, K.Instructions.*Which - P.FpInsts -
                                    P.FpFusedInsts - P.IntInsts - P.MemInsts);
  double Requests = std::max(P.MemInsts, 1e-300);
  P.BytesPerThread = R.RequestedBytes / Requests / WarpSize;
  BytesPerRequest = R.Bytes / Requests;
  P.DistanceMemBytes = BytesPerRequest / WarpSize;
  // A coalesced request leaves at once.
  double Transactions =
      P.MemInsts > 0 ? (R.Coalesced + R.UncoalescedTransactions) / P.MemInsts
                     : 1;
  LaterTransactions = 1 - 1 / Transactions;

  // An SM issues one instruction of a warp at a time, so that what can issue
  // together in the code cannot on the machine.
  P.ILP = P.SSEILP = P.PeakILP = 1;
  MWPCWPSetup Issue(On, Options, Which);
  MWPCWPInputs Issued = Issue.inputs(DevicePoint::of(D));
  P.IssueCycles = Issued.IssueCycles;
  P.MFactor = Issued.MFactor;
  SharedFraction = Issue.SharedFraction;
  P.FPFactor = fpFactor(On, {P.IssueCycles, Options.Published, Which});
  // The peak is that of the mean floating-point instruction.
  PeakLanes = *D.WarpSize / (P.IssueCycles * P.FPFactor);
  VectorPeak = 2;
  // A warp that is not full leaves lanes idle.
  double Threads = double(K.Launch.threadsPerBlock());
  WarpsPerBlock = residentWarps(1, Threads);
  if (!Options.Published)
    PeakLanes *= Threads / (WarpsPerBlock * WarpSize);

  // Cycles between two transactions of an SM. Bytes take their path from L2;
  // where that is not known, each transaction takes a pass of the lanes that
  // load and store.
  if (const Quantity *Q = D.modelParameter(ThroughputName, "departure_del");
      Q && *Q) {
    DepartureDelay = **Q * Transactions;
    return;
  }
  Derived.push_back("Departure_delay");
  if (D.L2BytesPerSMCycle)
    DepartureDelay = BytesPerRequest / *D.L2BytesPerSMCycle;
  else
    DepartureDelay =
        Transactions *
        (D.LoadStoreLanes ? *D.WarpSize / *D.LoadStoreLanes : P.IssueCycles);
}

/// A core of a CPU runs threads in vectors of as many lanes as it has; what its
/// vector unit cannot do it does lane by lane.
void ThroughputSetup::countOnCPU(const KernelOnDevice &On,
                                 EstimateMember Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  ThroughputInputs &P = Fixed;
  const double Lanes = *D.WarpSize;
  Equations.SplitFused = true;
  Equations.Dependence = ThroughputOptions::DependenceMode::OneWarp;
  DeviceRequests R = sumDeviceRequests(K, AccessRule::Sector, Which);
  P.MemInsts = R.Coalesced + R.Uncoalesced * Lanes;
  P.FpVecInsts = sumOf(K, SchedClass::FP32, Which);
  P.FpVecFusedInsts = sumOf(K, SchedClass::FP32FMA, Which);
  P.FpInsts = Lanes * (sumOf(K, PlainFP, Which) - P.FpVecInsts);
  P.FpFusedInsts = Lanes * (sumOf(K, FusedFP, Which) - P.FpVecFusedInsts);
  P.IntInsts = sumOf(K, IntegerWork, Which);
  P.BrMiscInsts =
      std::max(0.0, K.Instructions.*Which - sumOf(K, PlainFP, Which) -
                        sumOf(K, FusedFP, Which) - P.IntInsts - R.count());
  double Requests = std::max(P.MemInsts, 1e-300);
  P.BytesPerThread = R.RequestedBytes / std::max(R.count(), 1e-300) / WarpSize;
  BytesPerRequest = R.Bytes * Lanes / WarpSize / Requests;
  P.DistanceMemBytes = R.Bytes / std::max(R.count(), 1e-300) / WarpSize;
  NewSectors =
      std::min(1.0, BytesPerRequest / transactionBytes(AccessRule::Sector));
  LaterTransactions = 0;

  // As many instructions at once as there are units, if the code has them.
  P.IssueCycles = P.MFactor = P.FPFactor = 1;
  P.PeakILP = *D.FP32Lanes / Lanes;
  P.ILP = P.SSEILP =
      std::min(std::max(1.0, K.Dependence.ILP.*oppositeOf(Which)), P.PeakILP);
  PeakLanes = P.PeakILP;
  VectorPeak = Lanes;
  WarpsPerBlock = std::ceil(double(K.Launch.threadsPerBlock()) / Lanes);
  DepartureDelay = P.IssueCycles;
}

/// From the kernel's reuse to the levels of the device's caches.
void ThroughputSetup::findMix(const KernelOnDevice &On,
                              EstimateMember Opposite) {
  std::optional<CacheHits> Hits = findCacheHits(On);
  if (!Hits)
    return;
  HasMix = true;
  double Loads = 0, All = 0;
  for (const MemoryCharacteristics &M : On.Kernel.Memory)
    if (M.Sectors) {
      double Moved = M.Requests.Value * M.Sectors->Value;
      All += Moved;
      Loads += looksInL1(On.Dev, M) ? Moved : 0;
    }
  if (Hits->L1 && On.Dev.L1Latency && All > 0)
    Mix.L1 = (*Hits->L1).*Opposite * Loads / All;
  // What L2 would hold without L1, L1 may have held already.
  if (Hits->L2 && On.Dev.L2Latency)
    Mix.L2 = std::max(0.0, (*Hits->L2).*Opposite - Mix.L1);
  // What is written where it was read hits, and leaves L2 in the end: device
  // memory moves no less than is read once and written once.
  const std::optional<FootprintCharacteristics> &Touched = On.Kernel.Footprint;
  double Moved = All * transactionBytes(AccessRule::Sector) * Blocks *
                 double(On.Kernel.Launch.warpsPerBlock());
  if (Touched && Moved > 0)
    Mix.WrittenBack =
        std::max(0.0, std::min(1.0, (Touched->GridReadBytes.Value +
                                     Touched->GridWrittenBytes.Value) /
                                        Moved) -
                          std::max(0.0, 1 - Mix.L1 - Mix.L2));
}

ThroughputSetup::ThroughputSetup(const KernelOnDevice &On,
                                 const ModelOptions &Options,
                                 EstimateMember Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  ThroughputInputs &P = Fixed;
  auto Parameter = [&](StringRef Key, StringRef Name) -> std::optional<double> {
    if (const Quantity *Q = D.modelParameter(ThroughputName, Key); Q && *Q)
      return **Q;
    Derived.push_back(Name);
    return std::nullopt;
  };

  if (!Options.Published) {
    Equations.Idle = ThroughputOptions::IdleMode::Clamp;
    Equations.Count = ThroughputOptions::CountMode::Requests;
    Equations.Dependence = ThroughputOptions::DependenceMode::OtherWarps;
  }
  Blocks = double(K.Launch.blocks());
  ResidentBlocks = On.Occ.BlocksPerSM;
  P.NumCores = *D.NumSMs;
  P.MSTR = std::max(1.0, K.Dependence.MSTR.*oppositeOf(Which));
  P.DEP = std::max(1.0, K.Dependence.DEP.*oppositeOf(Which));
  IsCPU = D.IsCPU;
  if (IsCPU)
    countOnCPU(On, Which);
  else
    countOnGPU(On, Options, Which);
  if (std::optional<double> Latency = Parameter("inst_latency", "Inst_Latency"))
    P.InstLatency = *Latency;
  else if (const Quantity &Q = D.FP32Latency ? D.FP32Latency : D.IntLatency)
    P.InstLatency = *Q;
  else
    Missing = "latencies.fp32 or models.throughput.inst_latency";

  BoostMHz = *D.BoostMHz;
  DRAMLatency = Parameter("mem_latency", "Mem_L").value_or(*D.DRAMLatency);
  L2Latency = std::min(D.L2Latency.Value.value_or(DRAMLatency), DRAMLatency);
  L1Latency = std::min(D.L1Latency.Value.value_or(L2Latency), L2Latency);
  Bandwidth =
      Parameter("mem_bandwidth", "Mem_Bandwidth").value_or(*D.DRAMBandwidth);
  BandwidthMHz = *D.MemoryMHz;
  findMix(On, oppositeOf(Which));
}

ThroughputInputs ThroughputSetup::inputs(const DevicePoint &At,
                                         const CacheMix &Levels) const {
  ThroughputInputs P = Fixed;
  P.Freq = At.CoreMHz / 1000;
  P.ActiveSM = std::min(double(std::max(At.ActiveSMs, 1u)), Blocks);
  if (IsCPU)
    P.N = 1;
  else if (At.WarpsPerSM > 0)
    P.N = At.WarpsPerSM;
  else
    P.N = WarpsPerBlock *
          std::min(ResidentBlocks, std::ceil(Blocks / P.ActiveSM));
  P.Rep = Blocks * WarpsPerBlock / (P.N * P.ActiveSM);
  // All work is done by the cores that are active.
  P.DevPeakFP = P.ActiveSM * PeakLanes * P.Freq;
  P.DevPeakVecFP = VectorPeak * P.DevPeakFP;
  P.MemBandwidth = At.BandwidthGBs > 0 ? At.BandwidthGBs
                                       : Bandwidth * At.MemMHz / BandwidthMHz;

  // Of the latency, what lies behind L2 takes its time in nanoseconds and the
  // way to L2 in core cycles.
  double ToL2 = L2Latency < DRAMLatency ? L2Latency : 0;
  double DRAM = ToL2 + (DRAMLatency - ToL2) * At.CoreMHz / BoostMHz;
  double OfDRAM = std::max(0.0, 1 - Levels.L1 - Levels.L2);
  // The last transaction of a request leaves when the ones before it have; and
  // what hits in L1 does not leave.
  double PastL1 = 1 - Levels.L1;
  P.DepartureDelay = DepartureDelay * PastL1;
  P.MemL = Levels.L1 * L1Latency +
           NewSectors * (Levels.L2 * L2Latency + OfDRAM * DRAM) +
           (1 - NewSectors) * PastL1 * L1Latency +
           P.DepartureDelay * LaterTransactions;
  P.LoadBytesPerWarp = BytesPerRequest * (OfDRAM + Levels.WrittenBack);
  return P;
}
