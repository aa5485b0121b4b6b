//===- CompiledKernel.cpp - What a compiler said of a kernel --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/CompiledKernel.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Model/RegisterEstimate.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

CompiledKernel::CompiledKernel(const PtxasInfo &Log, StringRef Name,
                               StringRef Target) {
  const PtxasFunctionInfo *Info = Log.find(Name, Target);
  if (!Info)
    return;
  Code = *Info;
  for (const PtxasFunctionInfo &F : Log.Functions)
    if (F.Name == Name &&
        llvm::none_of(ByArchitecture, [&](const CompiledRegisters &C) {
          return C.ComputeCapability == F.ComputeCapability;
        }))
      ByArchitecture.push_back({F.ComputeCapability, F.Registers});
}

CompiledKernel::CompiledKernel(const InstructionGraph &G) {
  const AssembledResources &R = *G.Assembled;
  PtxasFunctionInfo &Info = Code.emplace();
  Info.Name = G.Name.str();
  Info.Target = G.Parent->Target.str();
  Info.ComputeCapability = G.Parent->targetCapability();
  Info.Registers = R.Registers;
  Info.Barriers = R.Barriers;
  Info.SharedBytes = R.SharedBytes;
  Info.StackBytes = R.StackBytes;
  Info.CodeBytes = R.CodeBytes;
  ByArchitecture.push_back({Info.ComputeCapability, Info.Registers});
}

/// What another architecture's code uses: the best guess there is, but no more.
static Estimate guess(double Registers, const Estimate &E) {
  return {Registers, Status::Estimated, std::min(Registers, E.Low),
          std::max(Registers, E.High)};
}

/// Takes over what a compiler said of the kernel for one target.
static void takeOver(const PtxasFunctionInfo &Info, KernelCharacteristics &K,
                     const Device &Representative) {
  ResourceCharacteristics &R = K.Resources;
  R.Registers = Estimate::known(Info.Registers);
  R.StaticSharedBytes = Info.SharedBytes;
  R.Barriers = Info.Barriers;
  if (Info.StackBytes)
    R.LocalBytes = *Info.StackBytes;
  R.CodeBytes = Info.CodeBytes;
  if (Info.SpillStoreBytes)
    R.SpillBytes = Estimate::known(double(*Info.SpillStoreBytes));
  if (Info.SpillLoadBytes)
    R.SpillLoadBytes = Estimate::known(double(*Info.SpillLoadBytes));
  // Old logs do not say whose they are.
  if (Info.Target.empty() ||
      Info.ComputeCapability == targetCapability(K.Code.Target))
    return;
  R.Registers =
      guess(Info.Registers, estimateRegisters(R.Demand, Representative));
  for (auto *Spilled : {&R.SpillBytes, &R.SpillLoadBytes})
    if (*Spilled)
      *Spilled = (*Spilled)->weakenedTo(Status::Estimated);
  K.Assumptions.push_back({AssumptionKind::RegistersOfLog, Info.Target,
                           std::to_string(Info.Registers),
                           /*IsNumber=*/true, /*Line=*/0,
                           "--ptxas-info=LOG with " + K.Code.Target});
}

void CompiledKernel::complete(KernelCharacteristics &K,
                              const Device &Representative) const {
  ResourceCharacteristics &R = K.Resources;
  if (Code || Registers) {
    // What was read of the kernel may be from another log.
    R.RegistersAreGiven = Registers.has_value();
    R.Compiled.clear();
    R.Refusals.clear();
    llvm::erase_if(K.Assumptions, [](const Assumption &A) {
      return A.Kind == AssumptionKind::RegistersOfLog;
    });
  }
  if (Code)
    takeOver(*Code, K, Representative);
  llvm::append_range(R.Compiled, ByArchitecture);
  llvm::append_range(R.Refusals, Refusals);
  if (Registers)
    R.Registers = Estimate::known(*Registers);
  if (SpillBytes)
    R.SpillBytes = Estimate::known(*SpillBytes);
  if (SpillLoadBytes)
    R.SpillLoadBytes = Estimate::known(*SpillLoadBytes);
}
