//===- KernelVariant.cpp - A kernel without one of its defects ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/KernelVariant.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxpredict;

OpClass ptxpredict::classOf(Latency Kind) {
  switch (Kind) {
  case Latency::Int:
  case Latency::IntMultiply:
  case Latency::IntDivide:
  case Latency::IntRemainder:
    return OpClass::Int;
  case Latency::FP16:
  case Latency::FP16FMA:
    return OpClass::Fp16;
  case Latency::FP32:
  case Latency::FP32FMA:
  case Latency::FP32Divide:
    return OpClass::Fp32;
  case Latency::FP64:
  case Latency::FP64FMA:
  case Latency::FP64Divide:
    return OpClass::Fp64;
  case Latency::SFU:
    return OpClass::Sfu;
  case Latency::Tensor:
    return OpClass::Tensor;
  case Latency::Convert:
  case Latency::FP64Convert:
    return OpClass::Convert;
  case Latency::Compare:
    return OpClass::Compare;
  case Latency::Logic:
  case Latency::Shift:
    return OpClass::Logic;
  case Latency::Move:
  case Latency::CrossLane:
    return OpClass::Move;
  case Latency::Param:
  case Latency::Shared:
  case Latency::Global:
  case Latency::Local:
    return OpClass::Load;
  case Latency::Texture:
    return OpClass::Texture;
  case Latency::SharedAtomic:
  case Latency::GlobalAtomic:
    return OpClass::Atomic;
  case Latency::AsyncCopy:
    return OpClass::Async;
  case Latency::BranchTaken:
  case Latency::BranchNotTaken:
  case Latency::Call:
  case Latency::Exit:
    return OpClass::Control;
  case Latency::Barrier:
  case Latency::Fence:
    return OpClass::Barrier;
  case Latency::Store:
    return OpClass::Store;
  case Latency::Other:
    return OpClass::Other;
  }
  llvm_unreachable("all kinds are handled");
}

MemoryCharacteristics &KernelVariant::memory(size_t Number) {
  Touched.push_back(Number);
  return Now.Memory[Number];
}

/// Takes \p Num away, and of the bounds as large a share.
static void take(std::optional<Count> &C, double Num) {
  if (C && C->Value > 0)
    C = C->scaled(std::max(0.0, 1 - Num / C->Value));
}

/// Kinds that share forms as one: a form of long or constant divisors is that
/// of the quotient and of the remainder.
static Latency kindOfForms(Latency Kind) {
  return Kind == Latency::IntRemainder ? Latency::IntDivide : Kind;
}

/// Calls \p Visit for the forms that are work of \p Kind.
static void forms(KernelCharacteristics &K, Latency Kind,
                  llvm::function_ref<void(std::optional<Count> &)> Visit) {
  for (unsigned F = 0; F != NumMachineForms; ++F)
    if (kindOfForms(latencyOf(MachineForm(F))) == kindOfForms(Kind))
      for (auto *ByForm : {&K.ByForm, &K.UniformByForm})
        Visit((*ByForm)[F]);
}

void KernelVariant::removeWork(Latency Kind, double Num) {
  // As large a share of each form as of all kinds that share it.
  double All = 0;
  for (unsigned K = 0; K != NumLatencies; ++K)
    if (kindOfForms(Latency(K)) == kindOfForms(Kind) && Now.ByWork[K])
      All += Now.ByWork[K]->Value;
  if (All > 0)
    forms(Now, Kind, [&](std::optional<Count> &Form) {
      if (Form)
        take(Form, Form->Value * Num / All);
    });
  take(Now.ByWork[unsigned(Kind)], Num);
  take(Now.ByClass[unsigned(classOf(Kind))], Num);
  // As large a share of the path, too.
  if (Now.Instructions.Value > 0)
    Now.Dependence.PathShare *= std::max(0.0, 1 - Num / Now.Instructions.Value);
  std::optional<Count> Left = Now.Instructions;
  take(Left, Num);
  Now.Instructions = *Left;
}

void KernelVariant::removeBarriers(double Num) {
  removeWork(Latency::Barrier, Num);
  std::optional<Count> Barriers = Now.BlockBarriers;
  take(Barriers, Num);
  Now.BlockBarriers = *Barriers;
}

void KernelVariant::replaceWork(Latency Kind, Latency Other, double Num) {
  const double PathShare = Now.Dependence.PathShare;
  removeWork(Kind, Num);
  Now.Dependence.PathShare = PathShare;
  auto Add = [&](std::optional<Count> &C) {
    C = C.value_or(Count::known(0)) + Count::make(Num, Status::Estimated);
  };
  Add(Now.ByWork[unsigned(Other)]);
  bool IsAdded = false;
  forms(Now, Other, [&](std::optional<Count> &Form) {
    if (!std::exchange(IsAdded, true)) // the first one stands for the kind
      Add(Form);
  });
  Add(Now.ByClass[unsigned(classOf(Other))]);
  Now.Instructions += Count::make(Num, Status::Estimated);
}

void KernelVariant::scaleWork(double Factor) {
  auto Scale = [&](std::optional<Count> &C) {
    if (C)
      C = C->scaled(Factor);
  };
  Now.Instructions = Now.Instructions.scaled(Factor);
  Now.BlockBarriers = Now.BlockBarriers.scaled(Factor);
  llvm::for_each(Now.ByWork, Scale);
  llvm::for_each(Now.ByClass, Scale);
  llvm::for_each(Now.ByForm, Scale);
  llvm::for_each(Now.UniformByForm, Scale);
  Scale(Now.TensorMACs);
  for (size_t I = 0; I != Now.Memory.size(); ++I) {
    MemoryCharacteristics &M = memory(I);
    M.Requests = M.Requests.scaled(Factor);
  }
  DependenceCharacteristics &D = Now.Dependence;
  for (Count *C : {&D.RoundTrips, &D.SharedRoundTrips, &D.PathInstructions})
    *C = C->scaled(Factor);
  D.PathShare *= Factor;
}

void KernelVariant::reset() {
  Now.Launch.Grid = From.Launch.Grid;
  Now.Instructions = From.Instructions;
  Now.BlockBarriers = From.BlockBarriers;
  Now.ByClass = From.ByClass;
  Now.ByWork = From.ByWork;
  Now.ByForm = From.ByForm;
  Now.UniformByForm = From.UniformByForm;
  Now.TensorMACs = From.TensorMACs;
  for (size_t I : Touched)
    Now.Memory[I] = From.Memory[I];
  Touched.clear();
  DependenceCharacteristics &D = Now.Dependence;
  const DependenceCharacteristics &Old = From.Dependence;
  D.ILP = Old.ILP;
  D.DEP = Old.DEP;
  D.MSTR = Old.MSTR;
  D.MemoryParallelism = Old.MemoryParallelism;
  D.RoundTrips = Old.RoundTrips;
  D.SharedRoundTrips = Old.SharedRoundTrips;
  D.PathInstructions = Old.PathInstructions;
  D.PathShare = Old.PathShare;
  D.WaitShare = Old.WaitShare;
}
