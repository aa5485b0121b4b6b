//===- FrequencyPrint.cpp - How often code runs, as text ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/StaticCountsPrint.h"
#include "ptxpredict/Analysis/SymbolicForms.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

static void printLoop(const CountedFunction &F, unsigned N, raw_ostream &OS) {
  const Values &V = F.first();
  const Cycle &L = V.controlFlow().cycles()[N];
  const LoopCounts &C = F.Counts->Loops[N];
  DumpRecord R(OS, "loop");
  R.field("line", L.Header->Line).field("header", labelOf(*L.Header));
  R.field("depth", L.Depth).field("status", toString(C.TripCount.How));
  R.field("why", C.Why).field("trips", C.TripCount);
  if (C.TripCount.isKnown())
    return;
  SymbolicCount S = symbolicTripCount(V, N);
  std::string Text = S.Bodies ? symbolicText(*S.Bodies) : std::string();
  if (!Text.empty())
    R.field("formula", (S.IsUpperBound ? "<= " : "") + Text);
}

void ptxpredict::printFrequency(const Values &V, const StaticCounts &Counts,
                                const LaunchConfig &Launch, raw_ostream &OS) {
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &F) {
    for (unsigned N = 0; N != F.Counts->Loops.size(); ++N)
      printLoop(F, N, OS);
    for (const Block *B : F.graph().Blocks) {
      const BlockCounts &C = F.Counts->Blocks[B->Number];
      DumpRecord R(OS, "block");
      R.field("line", B->Line).field("label", labelOf(*B));
      R.field("status", toString(C.Runs.How)).field("why", C.Why);
      R.field("runs", perWarp(C.Runs, Launch));
      R.field("lanes", shareOf(C.Lanes, C.Runs.scaled(double(WarpSize))));
    }
  });
}
