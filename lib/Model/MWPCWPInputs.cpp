//===- MWPCWPInputs.cpp - MWP-CWP's inputs from a kernel and a device -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "ptxpredict/Model/MWPCWP.h"
#include <cmath>

using namespace ptxpredict;

/// What one transaction moves: under the rule `sector`, and at most under the
/// older ones (CUDA C Programming Guide 5.x, G.3.2 and G.4.2).
static constexpr double SectorBytes = 32, SegmentBytes = 128;

namespace {

/// What an instruction takes of the SM's issue time, in core cycles.
class IssueCosts {
public:
  explicit IssueCosts(const Device &D) : D(D) {}

  /// Of a warp instruction on \p Lanes lanes: not less than its issue slot.
  double onLanes(double Lanes) const {
    return std::max(*D.WarpSize / Lanes, 1 / *D.Schedulers);
  }
  double base() const { return onLanes(*D.FP32Lanes); }

  /// Of an instruction of class \p C; \p BaseCycles where the device file does
  /// not say what runs it.
  double of(OpClass C, double BaseCycles) const {
    const Quantity *Lanes = pipe(C);
    return Lanes && *Lanes ? onLanes(**Lanes) : BaseCycles;
  }

  /// Of one access to shared, local or device memory.
  double access(double BaseCycles) const {
    return D.LoadStoreLanes ? onLanes(*D.LoadStoreLanes) : BaseCycles;
  }

private:
  const Quantity *pipe(OpClass C) const {
    switch (C) {
    case OpClass::Fp16:
      return &D.FP16Lanes;
    case OpClass::Fp64:
      return &D.FP64Lanes;
    case OpClass::Sfu:
      return &D.SFULanes;
    case OpClass::Convert:
      return &D.ConvertLanes;
    case OpClass::Int:
    case OpClass::Compare:
    case OpClass::Logic:
      return &D.IntLanes;
    default:
      return nullptr;
    }
  }

  const Device &D;
};

/// A kernel's requests to global, local and generic memory, summed per warp.
struct Requests {
  double Coalesced = 0, Uncoalesced = 0;
  double CoalescedBytes = 0; ///< moved by coalesced requests
  double UncoalescedTransactions = 0;
  double RequestedBytes = 0;
};

bool isDeviceMemory(AddressSpace S) {
  return S == AddressSpace::Global || S == AddressSpace::Local ||
         S == AddressSpace::Generic;
}

/// A bulk copy, which no lane makes alone, and a prefetch, which nothing waits
/// for, are no memory instructions in the model's sense.
bool isRequest(const MemoryCharacteristics &M) {
  return isDeviceMemory(M.Space) && M.Access != AccessKind::Prefetch &&
         M.BytesPerLane != 0;
}

/// Transactions of one request under the device's rule. Without an analysis of
/// the addresses every lane is taken for itself.
double transactions(const MemoryCharacteristics &M, AccessRule Rule,
                    CountMember Which) {
  if (Rule == AccessRule::Sector && M.Sectors)
    return (*M.Sectors).*Which;
  if (Rule != AccessRule::Sector && M.Transactions[unsigned(Rule)])
    return (*M.Transactions[unsigned(Rule)]).*Which;
  return M.ActiveLanes.*Which;
}

Requests sumRequests(const KernelCharacteristics &K, AccessRule Rule,
                     CountMember Which) {
  Requests R;
  for (const MemoryCharacteristics &M : K.Memory) {
    double Num = M.Requests.*Which;
    if (!isRequest(M) || Num <= 0)
      continue;
    R.RequestedBytes += Num * M.BytesPerLane * WarpLanes;
    double Trans = transactions(M, Rule, Which);
    // Means of several shapes of request: no more than rounding over the least.
    double Fewest =
        fewestTransactions(Rule, M.ActiveLanes.*Which, M.BytesPerLane);
    if (Trans <= Fewest * (1 + 1e-9)) {
      R.Coalesced += Num;
      R.CoalescedBytes +=
          Num * std::min(Trans * (Rule == AccessRule::Sector ? SectorBytes
                                                             : SegmentBytes),
                         double(M.BytesPerLane) * WarpLanes);
    } else {
      R.Uncoalesced += Num;
      R.UncoalescedTransactions += Num * Trans;
    }
  }
  return R;
}

/// Issue time of a warp's instructions.
struct IssueTime {
  double Cycles = 0; ///< of everything
  double Shared = 0; ///< of shared-memory accesses
};

IssueTime sumIssueTime(const KernelOnDevice &On, double BaseCycles,
                       CountMember Which) {
  const KernelCharacteristics &K = On.Kernel;
  IssueCosts Costs(On.Dev);
  IssueTime T;
  double Classified = 0;
  for (unsigned I = 0; I != NumOpClasses; ++I) {
    OpClass C = OpClass(I);
    double Num = K.byClass(C).*Which;
    T.Cycles += Num * Costs.of(C, BaseCycles);
    Classified += Num;
  }
  T.Cycles += std::max(0.0, K.Instructions.*Which - Classified) * BaseCycles;

  // Loads of parameters and constants cost an issue slot, which the sum above
  // has; accesses to memory occupy the load/store lanes, shared-memory ones
  // once for each wavefront.
  double Access = Costs.access(BaseCycles);
  for (const MemoryCharacteristics &M : K.Memory) {
    double Num = M.Requests.*Which;
    bool Shared = M.Space == AddressSpace::Shared;
    if (!M.BytesPerLane || !(Shared || isDeviceMemory(M.Space)))
      continue;
    double Passes =
        Shared && M.Wavefronts ? std::max(1.0, (*M.Wavefronts).*Which) : 1;
    double Cycles = Num * Access * Passes;
    // The second half of an asynchronous copy is no instruction of its own.
    bool Counted = !(Shared && M.Access == AccessKind::Async) ||
                   StringRef(M.Opcode).contains("mbarrier");
    T.Cycles += Cycles - (Counted ? Num * BaseCycles : 0);
    if (Shared)
      T.Shared += Cycles;
  }
  return T;
}

} // namespace

MWPCWPSetup::MWPCWPSetup(const KernelOnDevice &On, const ModelOptions &Options,
                         CountMember Which) {
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
  Requests R = sumRequests(K, Rule, Which);
  double MemInsts = R.Coalesced + R.Uncoalesced;
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
      Parameter("issue_cycles", "Issue_cycles").value_or(IssueCosts(D).base());
  P.MFactor = 1;
  double Instructions = K.Instructions.*Which;
  if (!Options.Published && Instructions > 0) {
    IssueTime T = sumIssueTime(On, P.IssueCycles, Which);
    P.MFactor = T.Cycles / (P.IssueCycles * Instructions);
    SharedFraction = T.Cycles > 0 ? T.Shared / T.Cycles : 0;
  }
}

MWPCWPInputs MWPCWPSetup::inputs(const DevicePoint &At) const {
  MWPCWPInputs P = Fixed;
  P.Freq = At.CoreMHz / 1000;
  P.ActiveSMs = std::min(double(std::max(At.ActiveSMs, 1u)), P.Blocks);
  P.ActiveBlocksPerSM =
      At.WarpsPerSM > 0
          ? At.WarpsPerSM / residentWarps(1, P.ThreadsPerBlock)
          : std::min(ResidentBlocks, std::ceil(P.Blocks / P.ActiveSMs));
  P.NPw = residentWarps(P.ActiveBlocksPerSM, P.ThreadsPerBlock);

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
