//===- RolesPrint.cpp - Roles of warps as text ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"
#include "ptxpredict/Analysis/Profile/WarpRoles.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

static std::string numbers(const RoleSet &Roles) {
  return llvm::join(
      llvm::map_range(Roles, [](unsigned N) { return std::to_string(N); }),
      ",");
}

static void printRole(unsigned Number, const WarpRole &R, raw_ostream &OS) {
  DumpRecord Record(OS, "role");
  Record.field("number", std::to_string(Number))
      .field("warps", StringRef(toString(R.Warps)));
  if (R.Registers)
    Record.field("registers", std::to_string(R.Registers));
  Record.field("instructions", R.Instructions)
      .field("copies", R.Copies)
      .field("macs", R.TensorMACs)
      .field("stores", R.Stores);
  std::string Loops;
  for (const WarpRole::Loop &L : R.Loops)
    Loops += (Loops.empty() ? "" : ",") + std::to_string(L.Line) + ":" +
             shortestDecimal(L.Executions.Value);
  Record.field("loops", Loops);
}

static void printBarriers(unsigned Number, const MBarrierArray &A,
                          raw_ostream &OS) {
  DumpRecord Record(OS, "mbarriers");
  auto OrUnknown = [](uint64_t N) {
    return N ? std::to_string(N) : std::string("?");
  };
  Record.field("number", std::to_string(Number))
      .field("at", A.Place)
      .field("barriers", OrUnknown(A.Number))
      .field("arrivals", OrUnknown(A.Arrivals));
  if (A.Bytes)
    Record.field("bytes", std::to_string(A.Bytes));
  std::string By = A.IsOfCopies ? "copies" : "";
  if (A.IsOfMatrices)
    By += By.empty() ? "matrices" : ",matrices";
  if (!By.empty())
    Record.field("of", By);
  if (A.StartsFree)
    Record.field("free", "yes");
  if (A.IsOfCluster)
    Record.field("cluster", "yes");
  Record.field("arriving", numbers(A.Arriving))
      .field("waiting", numbers(A.Waiting));
}

void ptxpredict::printRoles(const SymbolicValues &V,
                            const StaticProfile &Counts,
                            const LaunchConfig &Launch, raw_ostream &OS) {
  // Of a block that nobody gave nothing is said.
  const WarpRoles Found = Launch.BlockIsAssumed
                              ? WarpRoles()
                              : findWarpRoles(V, Counts, findMatrixProducts(V));
  bool IsFirst = true;
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &) {
    if (!std::exchange(IsFirst, false))
      return;
    for (unsigned N = 0; N != Found.Roles.size(); ++N)
      printRole(N, Found.Roles[N], OS);
    for (unsigned N = 0; N != Found.Barriers.size(); ++N)
      printBarriers(N, Found.Barriers[N], OS);
    for (const RolePipeline &P : Found.Pipelines) {
      DumpRecord Record(OS, "pipeline");
      Record.field("from", std::to_string(P.Producer))
          .field("to", std::to_string(P.Consumer))
          .field("stages", P.Stages ? std::to_string(P.Stages) : "?")
          .field("full", std::to_string(P.Full));
      if (P.Empty)
        Record.field("empty", std::to_string(*P.Empty));
      Record.field("steps", P.Steps);
    }
  });
}
