//===- RegisterEstimate.cpp - Registers that ptxas would use --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/RegisterEstimate.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace ptxpredict;

unsigned ptxpredict::fewestRegisters(const RegisterDemand &Demand,
                                     const Device &D) {
  bool IsReordered = Demand.Scheduled != 0 &&
                     D.ComputeCapability < assembler::KeepsOrderFrom &&
                     Demand.Scheduled <= assembler::ClearGain * Demand.Packed;
  return (IsReordered ? Demand.Scheduled : Demand.Packed) +
         assembler::PackedOverhead;
}

unsigned ptxpredict::wantedRegisters(const RegisterDemand &Demand,
                                     const Device &D) {
  return std::max(Demand.Hoisted + assembler::HoistedOverhead,
                  fewestRegisters(Demand, D));
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
  Cap = std::max(Cap, assembler::FewestRegisters);

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
  if (IsBounded && Low <= FullSM && High > FullSM &&
      High <= FullSM + assembler::FullSMSlack)
    Registers = FullSM;
  // Warps take over what others give up: a thread starts with as many as the
  // launch bounds let it have.
  if (Demand.IsRedistributed && Cap < Whole(D.MaxRegistersPerThread))
    return {double(Cap), Status::Estimated, double(Cap), double(Cap)};
  if (Demand.CallsUnseen)
    Registers = std::max(Registers, assembler::WithUnseenCall);

  auto Clamp = [&](double R) {
    return std::min(std::max(R, double(assembler::FewestRegisters)),
                    double(Cap));
  };
  double Value = Clamp(Registers);
  return Estimate(Value, Status::Estimated,
                  Clamp(std::floor(std::min(Value * assembler::LowFactor,
                                            Value - assembler::LowSlack))),
                  Clamp(std::ceil(std::max(Value * assembler::HighFactor,
                                           Value + assembler::HighSlack))));
}
