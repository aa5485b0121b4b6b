//===- RedundantBarrier.cpp - Barriers that order nothing -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

void ptxpredict::checkRedundantBarrier(const Rule &R, LintContext &C) {
  // What a compiler made of one barrier must be redundant everywhere.
  llvm::MapVector<StringRef, std::vector<const BarrierCharacteristics *>>
      ByPlace;
  std::vector<std::vector<const BarrierCharacteristics *>> Places;
  for (const BarrierCharacteristics &B : C.kernel().Barriers)
    if (B.Place.Source.empty())
      Places.push_back({&B});
    else
      ByPlace[B.Place.Source].push_back(&B);
  for (auto &[Source, Barriers] : ByPlace)
    Places.push_back(std::move(Barriers));

  std::vector<PricedFinding> Found;
  for (const auto &Barriers : Places) {
    Estimate Executions = Estimate::known(0);
    for (const BarrierCharacteristics *B : Barriers)
      Executions += B->Executions;
    if (Executions.Value <= 0 ||
        !llvm::all_of(Barriers, [](const auto *B) { return B->IsRedundant; }))
      continue;
    PricedFinding P;
    P.Found = C.start(R, Barriers.front()->Place);
    P.Found.Message = "no two accesses that this barrier keeps apart touch the "
                      "same bytes from different threads; warps wait here " +
                      countText(Executions) + " " +
                      nounAfter(Executions.Value, "time");
    P.Found.add("executions", Executions.Value);
    P.Found.Help = "take it out, with pointer arguments that do not overlap; "
                   "where lanes of a warp wait for each other __syncwarp() "
                   "does";
    P.Weight = Executions.Value;
    P.TakeOut = [N = Executions.Value](KernelVariant &V) {
      V.removeBarriers(N);
    };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));
}
