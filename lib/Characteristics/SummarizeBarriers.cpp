//===- SummarizeBarriers.cpp - What is known of barriers ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SummarizeBarriers.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"

using namespace ptxpredict;

static BarrierMissCharacteristics summarizeMiss(const BarrierReach &R,
                                                const StaticProfile &Static) {
  BarrierMissCharacteristics M;
  M.Miss = R.Miss;
  M.NeedsGrid = R.NeedsGrid;
  M.Block = {R.Block.X, R.Block.Y, R.Block.Z};
  M.Threads = R.Threads;
  M.Reaching = R.Reaching;
  if (const Instruction *By = R.PartedBy) {
    M.PartedByLine = By->Line;
    if (const SourceLocation *Source = sourceOf(*By))
      M.PartedBySource = sourceText(*Source);
    const FunctionCounts *F = Static.of(*By->Parent->Parent);
    if (const GuardCounts *G = F ? F->guard(*By) : nullptr)
      M.Reason = G->Reason;
  }
  return M;
}

llvm::DenseMap<const Instruction *, BarrierCharacteristics>
ptxpredict::summarizeBarriers(const SymbolicValues &V,
                              const StaticProfile &Static,
                              const LaunchConfig &Launch) {
  llvm::DenseMap<const Instruction *, BarrierCharacteristics> Result;
  for (const BarrierReach &R : Static.Barriers)
    Result[R.I].Miss = summarizeMiss(R, Static);
  for (const BarrierDependence &D : findBarrierDependence(V, Launch))
    Result[D.Barrier].IsRedundant = D.IsRedundant;
  return Result;
}
