//===- RegisterEstimate.cpp - Registers that ptxas would use --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/RegisterEstimate.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace ptxpredict;

namespace {
// Calibrated on one half of the kernel families of docs/internals/Registers.md.
constexpr unsigned PackedOverhead = 3, HoistedOverhead = 7;
/// How far ptxas goes back for a full SM when fewer blocks are asked for.
constexpr unsigned Snap = 4;
/// What ptxas leaves a function that it does not see.
constexpr unsigned WithCall = 24;
/// The range about the estimate: held the truth for 80 % of the other half.
constexpr double LowFactor = 0.75, HighFactor = 1.3;
constexpr double LowSlack = 3, HighSlack = 5; ///< at least, in registers
constexpr unsigned Fewest = 4;
/// Before this compute capability ptxas reorders a block for a clear gain: at
/// most so much of what the block's own order needs.
constexpr unsigned KeepsOrderFrom = 90;
constexpr double ClearGain = 0.8;
} // namespace

unsigned ptxpredict::fewestRegisters(const RegisterDemand &Demand,
                                     const Device &D) {
  bool IsReordered = Demand.Scheduled != 0 &&
                     D.ComputeCapability < KeepsOrderFrom &&
                     Demand.Scheduled <= ClearGain * Demand.Packed;
  return (IsReordered ? Demand.Scheduled : Demand.Packed) + PackedOverhead;
}

unsigned ptxpredict::wantedRegisters(const RegisterDemand &Demand,
                                     const Device &D) {
  return std::max(Demand.Hoisted + HoistedOverhead, fewestRegisters(Demand, D));
}

Estimate ptxpredict::estimateRegisters(const RegisterDemand &Demand,
                                       const Device &D) {
  auto Whole = [](const Quantity &Q) { return unsigned(*Q); };
  unsigned WarpSize = Whole(D.WarpSize);
  unsigned Unit =
      std::max(Whole(D.RegisterAllocationUnit) / WarpSize, 1U); // per thread
  unsigned PerSM = Whole(D.RegistersPerSM);

  // What a thread may use at most.
  unsigned Cap = Whole(D.MaxRegistersPerThread);
  if (Demand.MaxThreads != 0) {
    uint64_t Blocks = std::max(Demand.MinBlocksPerSM, 1U);
    uint64_t Warps = llvm::divideCeil(Demand.MaxThreads, WarpSize);
    Cap = unsigned(std::min<uint64_t>(Cap, PerSM / Blocks / WarpSize / Warps /
                                               Unit * Unit));
  }
  if (Demand.MaxRegisters)
    Cap = std::min(Cap, *Demand.MaxRegisters);
  Cap = std::max(Cap, Fewest);

  // As many as leave the SM full of threads cost nothing; where the code says
  // how many blocks are enough, as many as leave room for these.
  unsigned FullSM = PerSM / Whole(D.MaxThreadsPerSM) / Unit * Unit;
  bool IsBounded = Demand.MaxThreads != 0 && Demand.MinBlocksPerSM != 0;
  unsigned Free = IsBounded ? std::max(FullSM, Cap) : FullSM;
  unsigned Low = fewestRegisters(Demand, D);
  unsigned High = wantedRegisters(Demand, D);
  unsigned Registers = High;
  if (Low > Free)
    Registers = std::min(High, unsigned(llvm::alignTo(Low, Unit)));
  else if (High > Free)
    Registers = Free;
  if (IsBounded && Low <= FullSM && High > FullSM && High <= FullSM + Snap)
    Registers = FullSM;
  if (Demand.CallsUnseen)
    Registers = std::max(Registers, WithCall);

  auto Clamp = [&](double R) {
    return std::min(std::max(R, double(Fewest)), double(Cap));
  };
  double Value = Clamp(Registers);
  return Estimate(
      Value, Status::Estimated,
      Clamp(std::floor(std::min(Value * LowFactor, Value - LowSlack))),
      Clamp(std::ceil(std::max(Value * HighFactor, Value + HighSlack))));
}
