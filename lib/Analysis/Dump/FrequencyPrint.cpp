//===- FrequencyPrint.cpp - How often code runs, as text ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "ptxpredict/Graph/PollingLoops.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

static void printLoop(const CountedFunction &F, unsigned N, raw_ostream &OS) {
  const SymbolicValues &V = F.first();
  const Cycle &L = V.controlFlow().cycles()[N];
  const LoopCounts &C = F.Counts->Loops[N];
  DumpRecord R(OS, "loop");
  R.field("line", L.Header->Line).field("header", labelOf(*L.Header));
  R.field("depth", L.Depth).field("status", toString(C.TripCount.Status));
  R.field("why", toString(C.Reason)).field("trips", C.TripCount);
  if (const PollingLoop *P = F.graph().analysis<PollingLoops>().of(N))
    R.field("waits", P->waitsFor());
  if (C.TripCount.isKnown())
    return;
  TripCountFormula S = tripCountFormula(V, N);
  std::string Text = S.Bodies ? formulaText(*S.Bodies) : std::string();
  if (!Text.empty())
    R.field("formula", (S.IsUpperBound ? "<= " : "") + Text);
}

void ptxpredict::printFrequency(const SymbolicValues &V,
                                const StaticProfile &Counts,
                                const LaunchConfig &Launch, raw_ostream &OS) {
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &F) {
    for (unsigned N = 0; N != F.Counts->Loops.size(); ++N)
      printLoop(F, N, OS);
    for (const Block *B : F.graph().Blocks) {
      const BlockCounts &C = F.Counts->Blocks[B->Number];
      DumpRecord R(OS, "block");
      R.field("line", B->Line).field("label", labelOf(*B));
      R.field("status", toString(C.Runs.Status))
          .field("why", toString(C.Reason));
      R.field("runs", perWarp(C.Runs, Launch));
      R.field("lanes", shareOf(C.Lanes, C.Runs.scaled(double(WarpSize))));
    }
  });
}
