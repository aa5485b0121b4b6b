//===- BarrierAnswers.cpp - What is known of each barrier -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BarrierAnswers.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"

using namespace ptxpredict;

BarrierAnswers::BarrierAnswers(const SymbolicValues &V,
                               const StaticProfile &Static,
                               const LaunchConfig &Launch)
    : Static(Static) {
  for (const BarrierReach &R : Static.Barriers)
    Missed[R.I] = &R;
  for (const BarrierDependence &D : findBarrierDependence(V, Launch))
    IsRedundant[D.Barrier] = D.IsRedundant;
}

BarrierCharacteristics BarrierAnswers::of(const Instruction &Barrier,
                                          SourcePlace Place,
                                          const Estimate &Executions) const {
  BarrierCharacteristics B;
  B.Place = std::move(Place);
  B.Opcode = Barrier.Mnemonic.str();
  B.Executions = Executions;
  B.IsRedundant = IsRedundant.lookup(&Barrier);
  const BarrierReach *R = Missed.lookup(&Barrier);
  if (!R)
    return B;
  BarrierMissCharacteristics &M = B.Miss.emplace();
  M.Miss = R->Miss;
  M.NeedsGrid = R->NeedsGrid;
  M.Block = {R->Block.X, R->Block.Y, R->Block.Z};
  M.Threads = R->Threads;
  M.Reaching = R->Reaching;
  if (const Instruction *By = R->PartedBy) {
    M.PartedByLine = By->Line;
    if (const SourceLocation *Source = sourceOf(*By))
      M.PartedBySource = sourceText(*Source);
    const FunctionCounts *F = Static.of(*By->Parent->Parent);
    if (const GuardCounts *G = F ? F->guard(*By) : nullptr)
      M.Reason = G->Reason;
  }
  return B;
}
