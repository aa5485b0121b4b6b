//===- MWPCWPInputs.cpp - MWP-CWP's inputs from a kernel and a device -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceRequests.h"
#include "MWPCWPIssue.h"
#include <cmath>

using namespace ptxpredict;

/// What one transaction moves under the rule `sector`.
MWPCWPSetup::MWPCWPSetup(const KernelOnDevice &On, const ModelOptions &Options,
                         EstimateMember Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  MWPCWPInputs &P = Fixed;

  /// The device file's parameter; without one its name is noted.
  auto Parameter = [&](StringRef Key, StringRef Name) -> std::optional<double> {
    if (const Quantity *Q = D.modelParameter(MWPCWPName, Key); Q && *Q)
      return **Q;
    Derived.push_back(Name);
    return std::nullopt;
  };

  P.Blocks = double(K.Launch.blocks());
  P.ThreadsPerBlock = double(K.Launch.threadsPerBlock());
  ResidentBlocks = On.Occ.BlocksPerSM;
  NumSMs = *D.NumSMs;

  // Instructions and requests.
  AccessRule Rule = parseAccessRule(D.AccessRule).value_or(AccessRule::Sector);
  DeviceRequests R = sumDeviceRequests(K, Rule, Which);
  double MemInsts = R.count();
  P.CoalMemInsts = R.Coalesced;
  P.UncoalMemInsts = R.Uncoalesced;
  P.CompInsts = std::max(0.0, K.Instructions.*Which - MemInsts);
  P.SynchInsts = K.BlockBarriers.*Which;
  P.UncoalPerMW = R.Uncoalesced ? R.UncoalescedTransactions / R.Uncoalesced : 1;
  P.LoadBytesPerWarp = MemInsts ? R.RequestedBytes / MemInsts : 0;
  CoalescedRequests = R.Coalesced;
  UncoalescedTransactions = R.UncoalescedTransactions;
  BytesPerCoalesced =
      R.Coalesced ? R.CoalescedBytes / R.Coalesced : 4 * SectorBytes;

  // Memory.
  BoostMHz = *D.BoostMHz;
  Latency = Parameter("mem_ld", "Mem_LD").value_or(*D.DRAMLatency);
  CyclesToL2 = std::min(D.L2Latency.Value.value_or(0), Latency);
  const Quantity *Published = D.modelParameter(MWPCWPName, "mem_bandwidth");
  Bandwidth = Published && *Published ? **Published : *D.DRAMBandwidth;
  BandwidthMHz = *D.MemoryMHz;
  PathBytes = D.L2BytesPerSMCycle.Value;
  DepartureDelCoal = Parameter("departure_del_coal", "Departure_del_coal");
  DepartureDelUncoal =
      Parameter("departure_del_uncoal", "Departure_del_uncoal");

  // Issue.
  P.IssueCycles =
      Parameter("issue_cycles", "Issue_cycles").value_or(baseIssueCycles(D));
  P.MFactor = 1;
  if (double Instructions = K.Instructions.*Which; Instructions > 0) {
    IssueTime T = sumIssueTime(On, {P.IssueCycles, Options.Published, Which});
    P.MFactor = T.Cycles / (P.IssueCycles * Instructions);
    SharedFraction = T.Cycles > 0 ? T.Shared / T.Cycles : 0;
  }

  // More requests at a time are less time.
  EstimateMember Opposite = Which == &Estimate::Low    ? &Estimate::High
                            : Which == &Estimate::High ? &Estimate::Low
                                                       : Which;
  RequestsAtOnce = std::max(1.0, K.Dependence.MemoryParallelism.*Opposite);
}

MWPCWPInputs MWPCWPSetup::inputs(const DevicePoint &At) const {
  MWPCWPInputs P = Fixed;
  P.Freq = At.CoreMHz / 1000;
  P.ActiveSMs = std::min(double(std::max(At.ActiveSMs, 1u)), P.Blocks);
  P.ActiveBlocksPerSM =
      At.WarpsPerSM > 0
          ? At.WarpsPerSM / residentWarps(1, P.ThreadsPerBlock)
          : std::min(ResidentBlocks, std::ceil(P.Blocks / P.ActiveSMs));
  P.NPw =
      RequestsAtOnce * residentWarps(P.ActiveBlocksPerSM, P.ThreadsPerBlock);

  // Of the latency, what lies behind L2 takes its time in nanoseconds and the
  // way to L2 in core cycles.
  P.MemLD = CyclesToL2 + (Latency - CyclesToL2) * At.CoreMHz / BoostMHz;
  P.MemBandwidth = At.BandwidthGBs > 0 ? At.BandwidthGBs
                                       : Bandwidth * At.MemMHz / BandwidthMHz;
  // Bytes that an SM gets in a core cycle: by its path to L2, and of device
  // memory as its share among the SMs that run. Where the path is not known it
  // is taken to carry the share of an SM among all, which few SMs do not
  // exceed.
  double PerCycle = P.MemBandwidth / P.Freq;
  double Path = PathBytes ? *PathBytes : PerCycle / NumSMs;
  double Share = std::min(Path, PerCycle / P.ActiveSMs);
  P.DepartureDelCoal =
      DepartureDelCoal ? *DepartureDelCoal : BytesPerCoalesced / Path;
  // (7) knows the bytes that are asked for and not the transactions that
  // uncoalesced requests move, so these must leave at the memory's pace.
  P.DepartureDelUncoal =
      DepartureDelUncoal ? *DepartureDelUncoal : SectorBytes / Share;
  return P;
}

double MWPCWPSetup::uncoalescedFraction(const MWPCWPInputs &In) const {
  double Uncoal = In.DepartureDelUncoal * UncoalescedTransactions;
  double Coal = In.DepartureDelCoal * CoalescedRequests;
  return Uncoal > 0 ? Uncoal / (Uncoal + Coal) : 0;
}
