//===- WangChuSetup.cpp - Inputs of Wang & Chu's model --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceRequests.h"
#include "EquationModel.h"
#include "ptxpredict/Model/BottleneckSetup.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/WangChu.h"
#include <cmath>

using namespace ptxpredict;

/// What one transaction moves.
static constexpr double TransactionBytes = SectorBytes;

/// Sets what the device's file says, or what is derived in its place.
static void setParameters(const Device &D, ModelParameters &P,
                          WangChuInputs &In) {
  const double MemoryMHz = *D.MemoryMHz, BoostMHz = *D.BoostMHz;
  const std::optional<double> L2 = D.L2Latency.Value,
                              DRAM = D.DRAMLatency.Value;
  In.L2Lat = P.get("l2_lat", L2);
  // The way to L2 takes core cycles, what lies behind it time.
  std::optional<double> Slope;
  if (L2 && DRAM)
    Slope = (*DRAM - *L2) * MemoryMHz / BoostMHz;
  In.DmLatSlope = P.get("dm_lat_slope", Slope);
  In.DmLatOffset = P.get("dm_lat_offset", L2);
  // An SM's share of the bandwidth; the memory's clock in place of the core's.
  const double Effective =
      *D.DRAMBandwidth * BottleneckParameters::of(D).DRAMEfficiency;
  In.DmDel = P.get("dm_del",
                   *D.NumSMs * TransactionBytes * MemoryMHz * 1e-3 / Effective);
  std::optional<double> L2Del;
  if (D.L2BytesPerCycle.Value)
    L2Del = *D.NumSMs * TransactionBytes / *D.L2BytesPerCycle.Value;
  In.L2Del = P.get("l2_del", L2Del);
  In.ShLat = P.get("sh_lat", D.SharedLatency.Value);
  In.InstCycle = P.get("inst_cycle", 1 / *D.Schedulers);
}

WangChuSetup::WangChuSetup(const KernelOnDevice &On,
                           const ModelOptions &Options,
                           double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  if (D.IsCPU)
    return;
  WangChuInputs &In = Fixed;
  ModelParameters Parameters(WangChuName, D);
  setParameters(D, Parameters, In);
  // Without a slope the service time is the same at all clocks.
  if (const auto Slope = Parameters.given("dm_del_slope")) {
    if (!Options.Published) // where it is constant
      In.DmDelSlope = *Slope;
    In.DmDelClock = Parameters.get("dm_del_clock", *D.MemoryMHz);
  }
  Derived = Parameters.Derived;
  Missing = Parameters.Missing;
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
  // Another bandwidth is as another clock of the memory.
  if (At.BandwidthGBs > 0) {
    const double By = Bandwidth * At.MemMHz / (BandwidthMHz * At.BandwidthGBs);
    In.DmDel *= By;
    In.DmDelSlope *= By;
  }
  In.SMs = std::min(double(std::max(At.ActiveSMs, 1u)), In.Blocks);
  In.ActiveWarps =
      At.WarpsPerSM > 0
          ? At.WarpsPerSM
          : In.WarpsPerBlock *
                std::min(ResidentBlocks, std::ceil(In.Blocks / In.SMs));
  return In;
}
