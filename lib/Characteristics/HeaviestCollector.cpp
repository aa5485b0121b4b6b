//===- HeaviestCollector.cpp - What the heaviest blocks do ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HeaviestCollector.h"

using namespace ptxpredict;

void ptxpredict::addTo(std::optional<Estimate> &Count,
                       const Estimate &Executions) {
  Count = Count.value_or(Estimate::known(0)) + Executions;
}

void ptxpredict::addForm(const InstructionForm &F, const Estimate &Executions,
                         KernelCharacteristics &To) {
  auto &ByForm = F.IsUniform ? To.UniformByForm : To.ByForm;
  bool IsMatrix = F.MACs != 0 && F.Form != MachineForm::MatrixGroup;
  if (F.Form != MachineForm::Folded)
    addTo(ByForm[unsigned(F.Form)],
          IsMatrix  ? Executions.scaled(F.MACs / MatrixUnitMACs)
          : F.Moves ? Executions.scaled(F.Moves)
                    : Executions);
  if (F.Compares)
    addTo(To.ByForm[unsigned(MachineForm::Compare)],
          Executions.scaled(F.Compares));
  if (F.ExtraConstants)
    addTo(To.ByForm[unsigned(MachineForm::ExtraConstant)],
          Executions.scaled(F.ExtraConstants));
}

void ptxpredict::addMatrix(const MatrixProduct &P, const Estimate &MACs,
                           KernelCharacteristics &To) {
  addTo(To.TensorMACs, MACs);
  TensorWorkCharacteristics Work;
  Work.Type = P.type();
  Work.M = P.M, Work.N = P.N, Work.K = P.K;
  Work.SMs = P.SMs;
  Work.SharedBytes = P.SharedBytes;
  auto Same = llvm::find_if(To.TensorWork,
                            [&](const auto &W) { return W.isLike(Work); });
  if (Same == To.TensorWork.end())
    Same = To.TensorWork.insert(Same, std::move(Work));
  // A type that is assumed is one of the multiply-adds, too.
  Same->MACs += P.IsAssumed ? MACs.weakenedTo(Status::Assumed) : MACs;
}

HeaviestCollector::HeaviestCollector(const WorkClass &C,
                                     const EstimatedCounts &Mean)
    : Class(C), Counts(C.Functions, double(C.numWarps())), Mean(Mean) {
  for (KernelCharacteristics *To : {&Here, &All})
    To->Instructions = To->BlockBarriers = Estimate::known(0);
}

void HeaviestCollector::addInstruction(const Instruction &I,
                                       const InstructionForm &F) {
  auto Add = [&](KernelCharacteristics &To, const Estimate &Executions) {
    To.Instructions += Executions;
    if (I.IsBlockBarrier)
      To.BlockBarriers += Executions;
    ptxpredict::addForm(F, Executions, To);
  };
  Add(Here, Counts.frequency(*I.Parent));
  Add(All, Mean.frequency(*I.Parent));
}

void HeaviestCollector::addMatrix(const Instruction &I,
                                  const MatrixProduct &P) {
  const unsigned Lanes = P.lanes();
  // One block of a pair starts what the SMs of both multiply.
  ptxpredict::addMatrix(P, Counts.active(I, Lanes).scaled(1.0 / P.SMs) * P.MACs,
                        Here);
  ptxpredict::addMatrix(P, Mean.active(I, Lanes) * P.MACs, All);
}

void HeaviestCollector::addForm(MachineForm F, const Block *B) {
  addTo(Here.ByForm[unsigned(F)],
        B ? Counts.frequency(*B) : Estimate::known(1));
  addTo(All.ByForm[unsigned(F)], B ? Mean.frequency(*B) : Estimate::known(1));
}

static double overMean(const std::optional<Estimate> &Part,
                       const std::optional<Estimate> &Whole) {
  return Part && Whole && Whole->Value > 0 ? Part->Value / Whole->Value : 0;
}

void HeaviestCollector::addMemory(const Instruction &I, unsigned Number) {
  MemoryCharacteristics Part, Whole;
  Counts.apply(I, Number, Part);
  Mean.apply(I, Number, Whole);
  Requests.push_back(overMean(Part.Requests, Whole.Requests));
}

HeaviestBlocksCharacteristics HeaviestCollector::finish() {
  HeaviestBlocksCharacteristics H;
  H.Number = Class.NumBlocks;
  H.Before = Class.LastBlock;
  H.Instructions = overMean(Here.Instructions, All.Instructions);
  H.BlockBarriers = overMean(Here.BlockBarriers, All.BlockBarriers);
  H.TensorMACs = overMean(Here.TensorMACs, All.TensorMACs);
  for (unsigned N = 0; N != NumMachineForms; ++N) {
    H.ByForm[N] = overMean(Here.ByForm[N], All.ByForm[N]);
    H.UniformByForm[N] = overMean(Here.UniformByForm[N], All.UniformByForm[N]);
  }
  H.Requests = std::move(Requests);
  return H;
}
