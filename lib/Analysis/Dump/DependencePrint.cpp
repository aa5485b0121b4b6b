//===- DependencePrint.cpp - How instructions depend, as text -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/Dependence/BlockDependence.h"
#include "ptxpredict/Analysis/Dependence/Recurrence.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

static std::string rounded(double X) { return formatNumber("%.2f", X); }

/// "41:add.f32 42:mul.f32"
static std::string placesOf(const Recurrence &R) {
  std::string Text;
  for (const Instruction *I : R.Instructions)
    Text += (Text.empty() ? "" : " ") + std::to_string(I->Line) + ":" +
            I->Mnemonic.str();
  return Text;
}

/// "k.cu:7 k.cu:9", each place once; empty without debug data.
static std::string sourcesOf(const Recurrence &R) {
  std::string Text, Last;
  for (const Instruction *I : R.Instructions) {
    if (!I->Source)
      continue;
    std::string Place = printable(llvm::sys::path::filename(I->Source->File)) +
                        ":" + std::to_string(I->Source->Line);
    if (Place != Last)
      Text += (Text.empty() ? "" : " ") + Place;
    Last = Place;
  }
  return Text;
}

static void printRecurrence(const Cycle &C, StringRef Through,
                            const Recurrence &R, raw_ostream &OS) {
  if (R.Instructions.empty())
    return;
  DumpRecord(OS, "recurrence")
      .field("line", C.Header->Line)
      .field("header", labelOf(*C.Header))
      .field("through", Through)
      .field("cycles", rounded(R.perIteration()))
      .field("iterations", R.Iterations)
      .field("at", placesOf(R))
      .field("source", sourcesOf(R));
}

void ptxpredict::printDependence(const SymbolicValues &V,
                                 const StaticProfile &Counts,
                                 const LaunchConfig &Launch, raw_ostream &OS) {
  DependenceSums Sums;
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &F) {
    const ControlFlow &CF = F.first().controlFlow();
    std::vector<LoopRecurrences> Loops =
        findRecurrences(F.graph(), CF, LatencyTable::unit());
    for (auto [C, R] : llvm::zip_equal(CF.cycles(), Loops)) {
      printRecurrence(C, "registers", R.Data, OS);
      if (R.Any.perIteration() > R.Data.perIteration())
        printRecurrence(C, "branches", R.Any, OS);
    }
    std::vector<BlockDependence> Blocks = findBlockDependence(F.graph());
    for (const Block *B : F.graph().Blocks) {
      const BlockDependence &D = Blocks[B->Number];
      Estimate Runs = perWarp(F.Counts->Blocks[B->Number].Runs, Launch);
      Sums.add(D, Runs.Value);
      DumpRecord R(OS, "block");
      R.field("line", B->Line).field("label", labelOf(*B));
      R.field("instructions", D.Instructions).field("height", D.Height);
      R.field("ilp", rounded(D.ilp())).field("dep", rounded(D.dep()));
      R.field("loads", D.LongLoads).field("groups", D.LoadGroups);
      R.field("runs", Runs);
    }
  });
  DumpRecord(OS, "all")
      .field("ilp", rounded(Sums.ilp()))
      .field("mstr", rounded(Sums.mstr()))
      .field("dep", rounded(Sums.dep()));
}
