//===- WangChuSetup.cpp - Inputs of Wang & Chu's model --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceRequests.h"
#include "ptxpredict/Model/BottleneckSetup.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/WangChu.h"
#include <cmath>

using namespace ptxpredict;

/// What one transaction moves.
static constexpr double TransactionBytes = SectorBytes;

namespace {

/// Gives parameters of the model from the device's file, or derives them.
class WangChuParameters {
public:
  WangChuParameters(const Device &D, WangChuSetup &Out) : D(D), Out(Out) {}

  void fill(WangChuInputs &In);
  /// As WangChuSetup has them.
  double DelaySlope = 0, DelayMHz = 1;

private:
  /// That of the file; else \p Otherwise, if there is such a number.
  double get(StringRef Key, std::optional<double> Otherwise);

  const Device &D;
  WangChuSetup &Out;
};

} // namespace

double WangChuParameters::get(StringRef Key, std::optional<double> Otherwise) {
  if (const Quantity *Q = D.modelParameter(WangChuName, Key); Q && *Q)
    return **Q;
  if (Otherwise && std::isfinite(*Otherwise)) {
    Out.Derived.push_back(Key);
    return *Otherwise;
  }
  if (Out.Missing.empty())
    Out.Missing = ("models: {wang-chu: {" + Key + ": …}}").str();
  return 0;
}

void WangChuParameters::fill(WangChuInputs &In) {
  const double MemoryMHz = *D.MemoryMHz, BoostMHz = *D.BoostMHz;
  const std::optional<double> L2 = D.L2Latency.Value,
                              DRAM = D.DRAMLatency.Value;
  In.L2Lat = get("l2_lat", L2);
  // The way to L2 takes core cycles, what lies behind it time.
  std::optional<double> Slope;
  if (L2 && DRAM)
    Slope = (*DRAM - *L2) * MemoryMHz / BoostMHz;
  In.DmLatSlope = get("dm_lat_slope", Slope);
  In.DmLatOffset = get("dm_lat_offset", L2);
  // An SM's share of the bandwidth; the memory's clock in place of the core's.
  const double Effective =
      *D.DRAMBandwidth * BottleneckParameters::of(D).DRAMEfficiency;
  In.DmDel = get("dm_del",
                 *D.NumSMs * TransactionBytes * MemoryMHz * 1e-3 / Effective);
  // Without a slope it is the same at all clocks.
  if (const Quantity *Q = D.modelParameter(WangChuName, "dm_del_slope");
      Q && *Q) {
    DelaySlope = **Q;
    DelayMHz = get("dm_del_clock", MemoryMHz);
  }
  std::optional<double> L2Del;
  if (D.L2BytesPerCycle.Value)
    L2Del = *D.NumSMs * TransactionBytes / *D.L2BytesPerCycle.Value;
  In.L2Del = get("l2_del", L2Del);
  In.ShLat = get("sh_lat", D.SharedLatency.Value);
  In.InstCycle = get("inst_cycle", 1 / *D.Schedulers);
}

WangChuSetup::WangChuSetup(const KernelOnDevice &On,
                           const ModelOptions &Options,
                           double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  if (D.IsCPU)
    return;
  WangChuInputs &In = Fixed;
  WangChuParameters Parameters(D, *this);
  Parameters.fill(In);
  DelaySlope = Parameters.DelaySlope;
  DelayMHz = Parameters.DelayMHz;
  if (!Missing.empty())
    return;
  Equations.HasPhases = Options.Published;
  In.WarpsPerBlock = residentWarps(1, double(K.Launch.threadsPerBlock()));
  In.Blocks = double(K.Launch.blocks());
  ResidentBlocks = On.Occ.BlocksPerSM;
  Bandwidth = *D.DRAMBandwidth;
  BandwidthMHz = *D.MemoryMHz;

  const MemoryTraffic T = findMemoryTraffic(On, Which);
  const AccessRule Rule =
      parseAccessRule(D.AccessRule).value_or(AccessRule::Sector);
  const double All = sumDeviceRequests(K, Rule, Which).count();
  const double Instructions =
      machineWork(K, D.ComputeCapability, Which).instructions();
  Transactions = T.l2Sectors();
  // What L1 answers is neither waited for nor served.
  Requests = All * (T.L1Sectors > 0 ? 1 - T.L1HitRate : 1);
  In.L2HitRate = T.L2HitRate;
  In.CompInst = std::max(0.0, Instructions - All);
  In.SharedWavefronts = T.SharedWavefronts;
  if (Transactions <= 0 || Requests <= 0)
    return;
  // More requests at a time are less time.
  double Estimate::*Opposite = Which == &Estimate::Low    ? &Estimate::High
                               : Which == &Estimate::High ? &Estimate::Low
                                                          : Which;
  const double AtOnce = std::max(1.0, K.Dependence.MemoryParallelism.*Opposite);
  In.OItrs =
      Options.Published ? Transactions : std::max(1.0, Requests / AtOnce);
  In.GldTrans = Transactions / In.OItrs;
  if (T.SharedWavefronts > 0)
    In.IItrs = K.Dependence.SharedRoundTrips.*Which / In.OItrs;
}

WangChuInputs WangChuSetup::inputs(const DevicePoint &At) const {
  WangChuInputs In = Fixed;
  In.CoreF = At.CoreMHz;
  In.MemF = At.MemMHz;
  if (DelaySlope > 0 && !Equations.HasPhases) // constant as published
    In.DmDel = std::max(In.DmDel + DelaySlope * (DelayMHz / At.MemMHz - 1),
                        In.DmDel / 2);
  // Another bandwidth is as another clock of the memory.
  if (At.BandwidthGBs > 0)
    In.DmDel *= Bandwidth * At.MemMHz / (BandwidthMHz * At.BandwidthGBs);
  In.SMs = std::min(double(std::max(At.ActiveSMs, 1u)), In.Blocks);
  In.ActiveWarps =
      At.WarpsPerSM > 0
          ? At.WarpsPerSM
          : In.WarpsPerBlock *
                std::min(ResidentBlocks, std::ceil(In.Blocks / In.SMs));
  return In;
}
