//===- SongModel.cpp - The model song -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Corrections.h"
#include "EquationModel.h"
#include "MWPCWPIssue.h"
#include "ptxpredict/Model/MWPCWP.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/Song.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

namespace {

/// The inputs of a kernel on a device as far as they depend on neither clocks
/// nor SMs, and the rest of them for each point.
class SongSetup {
public:
  /// Takes \p Which of every count.
  SongSetup(const KernelOnDevice &On, const ModelOptions &Options,
            double Estimate::*Which = &Estimate::Value);

  SongInputs inputs(const DevicePoint &At) const;

  SongReading Reading;
  SmallVector<StringRef, 4> Derived;
  std::string Missing;

private:
  SongInputs Fixed; ///< without what the point decides
  double ResidentBlocks = 0;
  double SharedBaseOfBlock = 0, SharedConflictsOfBlock = 0;
  double Bandwidth = 0, BandwidthMHz = 0; ///< GB/s, and at which memory clock
  /// Delays are the bandwidth's where no file has them.
  bool HasInWarpDelay = false, HasOutWarpDelay = false;

  void setRequests(const KernelOnDevice &On, double Estimate::*Which);
  void takeCounted(const KernelOnDevice &On);
  void setCosts(const Device &D, ModelParameters &P);
};

} // namespace

void SongSetup::setRequests(const KernelOnDevice &On, double Estimate::*Which) {
  double SharedRequests = 0;
  for (const MemoryCharacteristics &M : On.Kernel.Memory) {
    const double Requests = M.Requests.*Which;
    if (M.Space == AddressSpace::Shared)
      SharedRequests += Requests;
    if (!isDeviceMemory(M.Space) || M.Access == AccessKind::Prefetch ||
        M.BytesPerLane == 0 || Requests <= 0)
      continue;
    const double Lines = M.Lines ? (*M.Lines).*Which : M.ActiveLanes.*Which;
    const bool IsLoad = M.Access == AccessKind::Load;
    (IsLoad ? Fixed.Loads : Fixed.Stores) += Requests;
    (IsLoad ? Fixed.LoadTransactions : Fixed.StoreTransactions) +=
        Requests * Lines;
    if (M.Space == AddressSpace::Local)
      Fixed.LocalTransactions += Requests * Lines;
  }
  const MemoryTraffic T = findMemoryTraffic(On, Which);
  SharedBaseOfBlock = SharedRequests * Fixed.WarpsPerBlock;
  SharedConflictsOfBlock =
      std::max(0.0, T.SharedWavefronts - SharedRequests) * Fixed.WarpsPerBlock;
}

/// What a profiler counted of the launch, in place of what the code says.
void SongSetup::takeCounted(const KernelOnDevice &On) {
  if (!On.Kernel.Counted)
    return;
  const KernelCounters &Counters = On.Kernel.Counted->Counters;
  const double Warps = Fixed.Blocks * Fixed.WarpsPerBlock;
  auto Of = [&](Counter C) -> std::optional<double> {
    const CounterValue *V = Counters[C];
    return V ? std::optional(V->Value / Warps) : std::nullopt;
  };
  auto Sum = [](std::optional<double> A, std::optional<double> B) {
    return A && B ? std::optional(*A + *B) : std::nullopt;
  };
  // A line of 128 B has four sectors; boards before Maxwell count
  // transactions, of a line at most, under that name.
  const double OfLine = On.Dev.ComputeCapability < 50 ? 1 : 4;
  auto Lines = [OfLine](std::optional<double> Sectors) {
    return Sectors ? std::optional(*Sectors / OfLine) : std::nullopt;
  };
  auto Take = [](double &Into, std::optional<double> First,
                 std::optional<double> Else = std::nullopt) {
    if (First || Else)
      Into = First ? *First : *Else;
  };
  const double Local = Fixed.LocalTransactions;
  Take(Fixed.Loads, Of(Counter::GlobalLoadRequests));
  Take(Fixed.LoadTransactions,
       Sum(Of(Counter::L1LoadHits), Of(Counter::L1LoadMisses)),
       Lines(Of(Counter::GlobalLoadSectors)));
  Take(Fixed.Stores, Of(Counter::GlobalStoreRequests));
  Take(Fixed.StoreTransactions, Of(Counter::GlobalStoreTransactions),
       Lines(Of(Counter::GlobalStoreSectors)));
  Take(Fixed.LocalTransactions, Lines(Sum(Of(Counter::LocalLoadSectors),
                                          Of(Counter::LocalStoreSectors))));
  // What is asked of local memory is among both; no counter of global memory
  // has it.
  if (Counters[Counter::GlobalLoadRequests] && Local > 0)
    Fixed.LoadTransactions += Local;
  Take(Fixed.TextureQueries, Of(Counter::TextureSectors));
  Take(Fixed.TextureMisses, Of(Counter::TextureMisses));
  const std::optional<double> Requests =
      Sum(Of(Counter::SharedLoadRequests), Of(Counter::SharedStoreRequests));
  if (Requests)
    SharedBaseOfBlock = *Requests * Fixed.WarpsPerBlock;
  std::optional<double> Conflicts = Of(Counter::SharedConflicts);
  if (const std::optional<double> Passes =
          Sum(Of(Counter::SharedLoadWavefronts),
              Of(Counter::SharedStoreWavefronts));
      !Conflicts && Requests && Passes)
    Conflicts = std::max(0.0, *Passes - *Requests);
  if (Conflicts)
    SharedConflictsOfBlock = *Conflicts * Fixed.WarpsPerBlock;
}

void SongSetup::setCosts(const Device &D, ModelParameters &P) {
  auto Cost = [&](const Quantity &Lanes, double Otherwise) {
    return Lanes && *Lanes > 0 ? *D.WarpSize / *Lanes : Otherwise;
  };
  Fixed.RegularCost = *D.WarpSize / *D.FP32Lanes;
  Fixed.TranscendentalCost = Cost(D.SFULanes, Fixed.RegularCost);
  Fixed.DoubleCost = Cost(D.FP64Lanes, Fixed.RegularCost);
  Fixed.LoadCycles = P.get("cyc_g_load", D.DRAMLatency.Value);
  Fixed.StoreCycles = P.get("cyc_g_store", D.L2Latency ? D.L2Latency.Value
                                                       : D.DRAMLatency.Value);
  // One access of all banks.
  const double BankBytes = *D.SharedBanks * 4;
  Fixed.SharedCycles = P.get(
      "cyc_s", BankBytes / D.SharedBytesPerCycle.Value.value_or(BankBytes));
  Fixed.RegisterCycles = P.given("cyc_r").value_or(1);
  Fixed.TextureCycles =
      P.given("cyc_t").value_or(Cost(D.TextureLanes, Fixed.RegularCost));
  Fixed.InWarpDelay = P.given("in_warp_delay").value_or(0);
  Fixed.OutWarpDelay = P.given("out_warp_delay").value_or(0);
  HasInWarpDelay = P.given("in_warp_delay").has_value();
  HasOutWarpDelay = P.given("out_warp_delay").has_value();
  if (!HasInWarpDelay)
    P.Derived.push_back("in_warp_delay");
  if (!HasOutWarpDelay)
    P.Derived.push_back("out_warp_delay");
  BandwidthMHz = *D.MemoryMHz;
  Bandwidth = P.given("mem_band").value_or(*D.DRAMBandwidth);
}

SongSetup::SongSetup(const KernelOnDevice &On, const ModelOptions &Options,
                     double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  if (D.IsCPU)
    return;
  Reading.IsLiteral = Options.Published;
  Reading.HasWholeRounds =
      ModelParameters(SongName, D).given("whole_rounds").value_or(0) != 0;
  ModelParameters P(SongName, D);
  setCosts(D, P);
  Fixed.Blocks = double(K.Launch.blocks());
  Fixed.WarpsPerBlock = residentWarps(1, double(K.Launch.threadsPerBlock()));
  setRequests(On, Which);
  const MachineWork Work = machineWork(K, D.ComputeCapability, Which);
  Fixed.Transcendental = Work.of(MachinePipe::SFU);
  Fixed.Double = Work.of(MachinePipe::FP64) + Work.of(MachinePipe::FP64Convert);
  Fixed.TextureQueries = Work.of(MachinePipe::Texture);
  takeCounted(On);
  double Accesses = 0;
  for (unsigned I = 0; I != NumMachinePipes; ++I)
    if (accessesMemory(MachinePipe(I)))
      Accesses += Work.ByPipe[I];
  Fixed.Instructions = Work.instructions();
  Fixed.Regular = std::max(0.0, Work.instructions() - Accesses -
                                    Fixed.Transcendental - Fixed.Double);
  ResidentBlocks = On.Occ.BlocksPerSM;
  Derived = P.Derived;
  Missing = P.Missing;
}

SongInputs SongSetup::inputs(const DevicePoint &At) const {
  SongInputs In = Fixed;
  In.ActiveSMs = std::min<double>(At.ActiveSMs, In.Blocks);
  In.ClockMHz = At.CoreMHz;
  // A group that the launch does not fill is as large as the launch has it.
  const double Resident =
      At.WarpsPerSM > 0 ? At.WarpsPerSM / In.WarpsPerBlock : ResidentBlocks;
  In.ActiveBlocks =
      Reading.IsLiteral
          ? Resident
          : std::min(Resident, std::ceil(In.Blocks / In.ActiveSMs));
  In.SharedBase = SharedBaseOfBlock * In.ActiveBlocks;
  In.SharedConflicts = SharedConflictsOfBlock * In.ActiveBlocks;
  const double GBs = At.BandwidthGBs > 0 ? At.BandwidthGBs
                                         : Bandwidth * At.MemMHz / BandwidthMHz;
  const double BytesPerCycle =
      songBytesPerCycle(GBs, In.ActiveSMs, In.ClockMHz);
  constexpr double LineBytes = 128;
  if (!HasInWarpDelay)
    In.InWarpDelay = LineBytes / BytesPerCycle;
  if (!HasOutWarpDelay)
    In.OutWarpDelay = LineBytes / BytesPerCycle;
  In.BytesPerCycle = Reading.IsLiteral ? 0 : BytesPerCycle;
  return In;
}

namespace {

struct SongEquations {
  static constexpr StringRef Name = SongName;
  using Inputs = SongInputs;
  using Results = SongResult;
  using Setup = SongSetup;

  static SongResult evaluate(const SongInputs &In, const Setup &S) {
    return evaluateSong(In, S.Reading);
  }
  static double cycles(const SongInputs & /*In*/, const SongResult &R) {
    return R.Cycles;
  }
  static TimeLimiter limiter(const KernelOnDevice & /*On*/, const Setup & /*S*/,
                             const SongInputs & /*In*/, const SongResult &R) {
    return R.Limiter;
  }
  static void addTerms(const SongInputs &In, const SongResult &R,
                       std::vector<Term> &Terms) {
#define SONG_INPUT(MEMBER, NAME, UNIT, MEANING)                                \
  Terms.push_back({NAME, In.MEMBER});
#define SONG_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                     \
  Terms.push_back({NAME, R.MEMBER});
#include "ptxpredict/Model/SongTerms.def"
  }
  static ArrayRef<StringRef> termNames() {
    static constexpr StringRef Names[] = {
#define SONG_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define SONG_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#include "ptxpredict/Model/SongTerms.def"
    };
    return Names;
  }
};

} // namespace

const Model &ptxpredict::songModel() {
  static const EquationModel<SongEquations> Instance;
  return Instance;
}
