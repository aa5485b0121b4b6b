//===- LocalityPrint.cpp - What a launch touches, as text -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"
#include "ptxpredict/Analysis/Locality/Locality.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;

static void printTouched(StringRef Of, uint64_t Blocks, const TouchedMemory &T,
                         raw_ostream &OS) {
  DumpRecord R(OS, "footprint");
  R.field("of", Of);
  if (Blocks)
    R.field("blocks", std::to_string(Blocks));
  R.field("bytes", T.Bytes).field("read", T.ReadBytes);
  R.field("written", T.WrittenBytes).field("sectors", T.Sectors);
  R.field("read_sectors", T.ReadSectors);
  R.field("written_sectors", T.WrittenSectors);
}

static void printLevel(const LocalityLevel &L, raw_ostream &OS) {
  DumpRecord R(OS, "level");
  R.field("of", toString(L.Scope)).field("what", toString(L.Kind));
  if (L.Kind != LocalityLevel::KindTy::Whole)
    R.field("line", L.Line).field("header", L.Header).field("depth", L.Depth);
  else if (L.Scope == LocalityLevel::ScopeTy::Blocks)
    R.field("blocks", std::to_string(L.NumBlocks));
  R.field("instances", L.Instances).field("requested", L.All.Requested);
  R.field("unique", L.All.Unique).field("fresh", L.All.Fresh);
  R.field("load_requested", L.Loads.Requested);
  R.field("load_unique", L.Loads.Unique).field("load_fresh", L.Loads.Fresh);
}

static void printAccess(const AccessLocality &A, raw_ostream &OS) {
  DumpRecord R(OS, "access");
  R.field("line", A.I->Line).field("opcode", A.I->Mnemonic);
  static constexpr StringRef Axes[] = {"x", "y", "z"};
  for (unsigned N = 0; N != 3; ++N)
    if (A.BlockStrideBytes[N])
      R.field(("block_" + Axes[N]).str(),
              std::to_string(*A.BlockStrideBytes[N]));
  if (A.WarpStrideBytes)
    R.field("warp", std::to_string(*A.WarpStrideBytes));
  if (A.Addresses)
    R.field("addresses", *A.Addresses);
  if (A.HottestRequests)
    R.field("hottest", *A.HottestRequests);
  if (A.HottestLanes)
    R.field("hottest_lanes", *A.HottestLanes);
  if (A.SpreadBytes)
    R.field("spread", *A.SpreadBytes);
}

void ptxpredict::printLocality(const SymbolicValues &V,
                               const StaticProfile &Counts,
                               const LaunchConfig &Launch, raw_ostream &OS) {
  Locality L = findLocality(*Counts.Records, Launch);
  L.Imbalance = findImbalance(Counts.Work, Launch, !Counts.IsSampled);
  bool IsFirst = true;
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &F) {
    for (const AccessLocality &A : L.Accesses)
      if (A.I->Parent->Parent == &F.graph())
        printAccess(A, OS);
    if (!std::exchange(IsFirst, false))
      return;
    printTouched("warp", 0, L.Warp, OS);
    printTouched("block", 0, L.Block, OS);
    for (const BlocksFootprint &B : L.Blocks)
      printTouched("blocks", B.Blocks, B.Touched, OS);
    for (const LocalityLevel &Level : L.Levels)
      printLevel(Level, OS);
    DumpRecord(OS, "imbalance")
        .field("warps", L.Imbalance.Warps)
        .field("blocks", L.Imbalance.Blocks);
  });
}
