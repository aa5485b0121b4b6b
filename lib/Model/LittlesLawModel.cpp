//===- LittlesLawModel.cpp - The model littles-law ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceRequests.h"
#include "EquationModel.h"
#include "LatencyParameters.h"
#include "ptxpredict/Model/LittlesLaw.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/PathCache.h"
#include <cmath>

using namespace ptxpredict;

namespace {

/// The inputs of a kernel on a device as far as they depend on neither clocks
/// nor SMs, and the rest of them for each point.
class LittlesLawSetup {
public:
  /// Takes \p Which of every count.
  LittlesLawSetup(const KernelOnDevice &On, const ModelOptions &Options,
                  double Estimate::*Which = &Estimate::Value);

  LittlesLawInputs inputs(const DevicePoint &At) const;

  SmallVector<StringRef, 4> Derived;
  std::string Missing;

private:
  LittlesLawInputs Fixed; ///< without what the point decides
  double ResidentBlocks = 0;
  double Bandwidth = 0, BandwidthMHz = 0; ///< GB/s, and at which memory clock
  double L2BytesPerCycle = 0;             ///< of the GPU; 0: not asked
  bool FillsSMs = false; ///< occupancy is that of full SMs, as published

  void setMachine(const KernelOnDevice &On, const ModelOptions &Options,
                  ModelParameters &P);
  void setCounts(const KernelOnDevice &On, bool IsPublished,
                 double Estimate::*Which);
};

} // namespace

void LittlesLawSetup::setMachine(const KernelOnDevice &On,
                                 const ModelOptions &Options,
                                 ModelParameters &P) {
  const Device &D = On.Dev;
  LittlesLawInputs &In = Fixed;
  In.WarpSize = *D.WarpSize;
  In.CudaCores = *D.FP32Lanes;
  In.Schedulers = *D.Schedulers;
  In.Lambda = P.lambda(Options.Lambda);
  In.LaunchUs = P.given("launch").value_or(0);
  Bandwidth = *D.DRAMBandwidth;
  BandwidthMHz = *D.MemoryMHz;
  if (Options.Published)
    return;
  if (D.ComputeCapability >= 70) // integers have lanes of their own
    In.CudaCores += D.IntLanes.Value.value_or(0);
  In.SFUs = D.SFULanes.Value.value_or(0);
  In.FP64Units = D.FP64Lanes.Value.value_or(0);
  L2BytesPerCycle = D.L2BytesPerCycle.Value.value_or(0);
}

void LittlesLawSetup::setCounts(const KernelOnDevice &On, bool IsPublished,
                                double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  LittlesLawInputs &In = Fixed;
  const MemoryTraffic T = findMemoryTraffic(On, Which);
  const MachineWork Work = machineWork(K, D.ComputeCapability, Which);
  const AccessRule Rule =
      parseAccessRule(D.AccessRule).value_or(AccessRule::Sector);
  const double Requests = sumDeviceRequests(K, Rule, Which).count();
  In.InsCuda = std::max(0.0, Work.instructions() - Requests);
  // A request that takes several passes issues again for each but the first: by
  // lines of 128 bytes, or by what the banks of shared memory take.
  constexpr double SectorsOfLine = 4;
  double SharedRequests = 0;
  for (const MemoryCharacteristics &M : K.Memory)
    if (M.Space == AddressSpace::Shared)
      SharedRequests += M.Requests.*Which;
  const double Asked = T.LoadSectors + T.L2WriteSectors;
  In.InsIssued = Work.instructions() +
                 std::max(0.0, Asked / SectorsOfLine - Requests) +
                 std::max(0.0, T.SharedWavefronts - SharedRequests);
  In.GMemBytes = (IsPublished ? Asked : T.DRAMSectors) * SectorBytes;
  if (IsPublished)
    return;
  In.InsSFU = Work.of(MachinePipe::SFU);
  In.InsFP64 = Work.of(MachinePipe::FP64);
  In.SharedCycles = T.SharedCycles;
  In.L2Bytes = T.l2Sectors() * SectorBytes;
}

LittlesLawSetup::LittlesLawSetup(const KernelOnDevice &On,
                                 const ModelOptions &Options,
                                 double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  if (On.Dev.IsCPU)
    return;
  const bool IsPublished = Options.Published;
  ModelParameters P(LittlesLawName, On.Dev);
  setMachine(On, Options, P);
  setCounts(On, IsPublished, Which);
  LatencyTable Latencies = thesisLatencies(On.Dev, P);
  if (!IsPublished)
    useHitRates(On, P, Which, Latencies);
  // The thesis reads machine code: the order is that of the machine.
  const double Path = On.paths().cycles(PathOf::MeanWarp, K.Dependence,
                                        PathOrder::Machine, Latencies);
  // The path is that of the mean; the ends run more or fewer instructions.
  const double Share = K.Instructions.*Which / K.Instructions.Value;
  Fixed.LatencyBound = Path * (std::isfinite(Share) ? Share : 1) +
                       P.get("block_replacement", DefaultReplacement);
  Fixed.GridSize = double(K.Launch.blocks());
  Fixed.WarpsPerBlock = residentWarps(1, double(K.Launch.threadsPerBlock()));
  ResidentBlocks = On.Occ.BlocksPerSM;
  FillsSMs = IsPublished;
  Derived = P.Derived;
  Missing = P.Missing;
}

LittlesLawInputs LittlesLawSetup::inputs(const DevicePoint &At) const {
  LittlesLawInputs In = Fixed;
  In.SMs =
      FillsSMs ? At.ActiveSMs : std::min<double>(At.ActiveSMs, In.GridSize);
  In.ClockMHz = At.CoreMHz;
  const double GBs = At.BandwidthGBs > 0 ? At.BandwidthGBs
                                         : Bandwidth * At.MemMHz / BandwidthMHz;
  constexpr double MHzOfGB = 1e3;
  In.GMemBandwidth = GBs * MHzOfGB / (In.SMs * At.CoreMHz);
  In.L2Bandwidth = L2BytesPerCycle / In.SMs;
  const double Blocks =
      FillsSMs ? ResidentBlocks
               : std::min(ResidentBlocks, std::ceil(In.GridSize / In.SMs));
  In.Occupancy = At.WarpsPerSM > 0 ? At.WarpsPerSM : In.WarpsPerBlock * Blocks;
  return In;
}

namespace {

struct LittlesLawEquations {
  static constexpr StringRef Name = LittlesLawName;
  using Inputs = LittlesLawInputs;
  using Results = LittlesLawResult;
  using Setup = LittlesLawSetup;

  static LittlesLawResult evaluate(const LittlesLawInputs &In,
                                   const Setup & /*S*/) {
    return evaluateLittlesLaw(In);
  }
  static double cycles(const LittlesLawInputs &In, const LittlesLawResult &R) {
    return R.TimeUs * In.ClockMHz;
  }
  static TimeLimiter limiter(const KernelOnDevice & /*On*/, const Setup & /*S*/,
                             const LittlesLawInputs & /*In*/,
                             const LittlesLawResult &R) {
    return R.Limiter;
  }
  static void addTerms(const LittlesLawInputs &In, const LittlesLawResult &R,
                       std::vector<Term> &Terms) {
#define LITTLESLAW_INPUT(MEMBER, NAME, UNIT, MEANING)                          \
  Terms.push_back({NAME, In.MEMBER});
#define LITTLESLAW_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)               \
  Terms.push_back({NAME, R.MEMBER});
#include "ptxpredict/Model/LittlesLawTerms.def"
  }
  static ArrayRef<StringRef> termNames() {
    static constexpr StringRef Names[] = {
#define LITTLESLAW_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define LITTLESLAW_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#include "ptxpredict/Model/LittlesLawTerms.def"
    };
    return Names;
  }
};

} // namespace

const Model &ptxpredict::littlesLawModel() {
  static const EquationModel<LittlesLawEquations> Instance;
  return Instance;
}
