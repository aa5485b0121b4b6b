//===- KernelVariant.cpp - A kernel without one of its defects ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/KernelVariant.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>

using namespace ptxpredict;

OpClass ptxpredict::classOf(SchedClass Kind) {
  switch (Kind) {
  case SchedClass::Int:
  case SchedClass::IntMultiply:
  case SchedClass::IntDivide:
  case SchedClass::IntRemainder:
    return OpClass::Int;
  case SchedClass::FP16:
  case SchedClass::FP16FMA:
    return OpClass::Fp16;
  case SchedClass::FP32:
  case SchedClass::FP32FMA:
  case SchedClass::FP32Divide:
    return OpClass::Fp32;
  case SchedClass::FP64:
  case SchedClass::FP64FMA:
  case SchedClass::FP64Divide:
    return OpClass::Fp64;
  case SchedClass::SFU:
    return OpClass::Sfu;
  case SchedClass::Tensor:
    return OpClass::Tensor;
  case SchedClass::Convert:
  case SchedClass::FP64Convert:
    return OpClass::Convert;
  case SchedClass::Compare:
    return OpClass::Compare;
  case SchedClass::Logic:
  case SchedClass::Shift:
    return OpClass::Logic;
  case SchedClass::Move:
  case SchedClass::CrossLane:
    return OpClass::Move;
  case SchedClass::Param:
  case SchedClass::Shared:
  case SchedClass::Global:
  case SchedClass::Local:
    return OpClass::Load;
  case SchedClass::Texture:
    return OpClass::Texture;
  case SchedClass::SharedAtomic:
  case SchedClass::GlobalAtomic:
    return OpClass::Atomic;
  case SchedClass::AsyncCopy:
  case SchedClass::BulkCopy:
    return OpClass::Async;
  case SchedClass::BranchTaken:
  case SchedClass::BranchNotTaken:
  case SchedClass::Call:
  case SchedClass::Exit:
    return OpClass::Control;
  case SchedClass::Barrier:
  case SchedClass::Fence:
    return OpClass::Barrier;
  case SchedClass::Store:
    return OpClass::Store;
  case SchedClass::Other:
    return OpClass::Other;
  }
  llvm_unreachable("all kinds are handled");
}

MemoryCharacteristics &KernelVariant::memory(size_t Number) {
  Touched.push_back(Number);
  return Now.Memory[Number];
}

/// Takes \p Num away, and of the bounds as large a share.
static void take(std::optional<Estimate> &C, double Num) {
  if (C && C->Value > 0)
    C = C->scaled(std::max(0.0, 1 - Num / C->Value));
}

/// Kinds that share forms as one: a form of long or constant divisors is that
/// of the quotient and of the remainder.
static SchedClass kindOfForms(SchedClass Kind) {
  return Kind == SchedClass::IntRemainder ? SchedClass::IntDivide : Kind;
}

/// By the kind of forms.
using FormsOfKinds = std::array<SmallVector<uint16_t, 8>, NumSchedClasses>;

static FormsOfKinds findFormsOfKinds() {
  FormsOfKinds Forms;
  for (unsigned F = 0; F != NumMachineForms; ++F)
    Forms[unsigned(kindOfForms(schedClassOf(MachineForm(F))))].push_back(
        uint16_t(F));
  return Forms;
}

/// Calls \p Visit for the forms that are work of \p Kind.
static void forms(KernelCharacteristics &K, SchedClass Kind,
                  llvm::function_ref<void(std::optional<Estimate> &)> Visit) {
  static const FormsOfKinds Forms = findFormsOfKinds();
  for (uint16_t F : Forms[unsigned(kindOfForms(Kind))])
    for (auto *ByForm : {&K.ByForm, &K.UniformByForm})
      Visit((*ByForm)[F]);
}

void KernelVariant::removeWork(SchedClass Kind, double Num) {
  // As large a share of each form as of all kinds that share it.
  double All = 0;
  for (unsigned K = 0; K != NumSchedClasses; ++K)
    if (kindOfForms(SchedClass(K)) == kindOfForms(Kind) && Now.ByWork[K])
      All += Now.ByWork[K]->Value;
  if (All > 0)
    forms(Now, Kind, [&](std::optional<Estimate> &Form) {
      if (Form)
        take(Form, Form->Value * Num / All);
    });
  take(Now.ByWork[unsigned(Kind)], Num);
  take(Now.ByClass[unsigned(classOf(Kind))], Num);
  // As large a share of the path, too.
  if (Now.Instructions.Value > 0)
    Now.Dependence.PathShare *= std::max(0.0, 1 - Num / Now.Instructions.Value);
  std::optional<Estimate> Left = Now.Instructions;
  take(Left, Num);
  Now.Instructions = *Left;
}

void KernelVariant::removeBarriers(double Num) {
  removeWork(SchedClass::Barrier, Num);
  std::optional<Estimate> Barriers = Now.BlockBarriers;
  take(Barriers, Num);
  Now.BlockBarriers = *Barriers;
}

void KernelVariant::replaceWork(SchedClass Kind, SchedClass Other, double Num) {
  const double PathShare = Now.Dependence.PathShare;
  removeWork(Kind, Num);
  Now.Dependence.PathShare = PathShare;
  auto Add = [&](std::optional<Estimate> &C) {
    C = C.value_or(Estimate::known(0)) + Estimate::make(Num, Status::Estimated);
  };
  Add(Now.ByWork[unsigned(Other)]);
  bool IsAdded = false;
  forms(Now, Other, [&](std::optional<Estimate> &Form) {
    if (!std::exchange(IsAdded, true)) // the first one stands for the kind
      Add(Form);
  });
  Add(Now.ByClass[unsigned(classOf(Other))]);
  Now.Instructions += Estimate::make(Num, Status::Estimated);
}

void KernelVariant::scaleWork(double Factor) {
  auto Scale = [&](std::optional<Estimate> &C) {
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
  for (TensorWorkCharacteristics &W : Now.TensorWork)
    W.MACs = W.MACs.scaled(Factor);
  for (size_t I = 0; I != Now.Memory.size(); ++I) {
    MemoryCharacteristics &M = memory(I);
    M.Requests = M.Requests.scaled(Factor);
  }
  DependenceCharacteristics &D = Now.Dependence;
  for (Estimate *C : {&D.RoundTrips, &D.SharedRoundTrips, &D.PathInstructions})
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
  Now.TensorWork = From.TensorWork;
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
