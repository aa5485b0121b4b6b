//===- CriticalPath.cpp - How long a warp takes by itself -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "WarpPathWalker.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::path;

/// What the instructions of a function were waited for, of \p Entries entries.
static void addWaits(const FunctionDependence &F, uint32_t Number,
                     const InOrderIssue &M, double Entries,
                     std::vector<PathWait> &Out) {
  std::vector<double> Cycles(F.Instructions.size());
  for (const auto &[N, B] : llvm::enumerate(F.Blocks))
    for (uint32_t I = B.FirstInstruction; I != B.EndInstruction; ++I)
      if (M.Waited[I] > 0 && M.Mass[N] > 0)
        Cycles[M.WaitedFor[I]] += M.Waited[I] / M.Mass[N] * B.Runs * Entries;
  for (uint32_t I = 0; I != Cycles.size(); ++I)
    if (Cycles[I] > 0)
      Out.push_back({Number, I, Cycles[I]});
}

CriticalPath ptxpredict::findCriticalPath(const DependenceSummary &S,
                                          const LatencyTable &Latencies,
                                          bool WithWaits, bool Packed) {
  StageTimer Timer(Stage::CriticalPath);
  CriticalPath Out;
  size_t Num = S.Functions.size();
  if (Num == 0)
    return Out;
  // How often each function is entered; callers stand before callees. What a
  // function calls that stands before it, or itself, takes no time there: it is
  // entered more often than it is called from before.
  std::vector<double> Entries(Num), Repeats(Num, 1);
  Entries[0] = 1;
  for (size_t N = 0; N != Num; ++N) {
    const FunctionDependence &F = S.Functions[N];
    constexpr double Rounding = 1 + 1e-9;
    if (Entries[N] > 0 && F.Entries > Entries[N] * Rounding) {
      Repeats[N] = F.Entries / Entries[N];
      Entries[N] = F.Entries;
    }
    for (const IssuedBlock &B : F.Blocks) {
      double Runs = B.Runs * Entries[N];
      for (const IssuedInstruction &I :
           ArrayRef(F.Instructions)
               .slice(B.FirstInstruction,
                      B.EndInstruction - B.FirstInstruction)) {
        Out.Instructions += Runs;
        Out.LongLoads += I.IsLongLoad ? Runs : 0;
        Out.SharedLoads += I.IsSharedLoad ? Runs : 0;
        if (I.Result != SchedClass::Call)
          continue;
        if (I.Argument > int32_t(N))
          Entries[size_t(I.Argument)] += Runs;
        else if (Runs > 0) // not seen, or a function that calls itself
          Out.IsExact = false;
      }
    }
  }
  std::vector<CallCost> Costs(Num);
  double LoadCycles = 0;
  for (size_t N = Num; N-- != 0;) {
    const FunctionDependence &F = S.Functions[N];
    WarpPathWalker Finder(F, Latencies, Costs, N == 0, WithWaits);
    Finder.M.IsPacked = Packed;
    Costs[N] = Finder.run();
    Costs[N].Cycles *= Repeats[N];
    Totals Once = std::exchange(Costs[N].Sums, Totals());
    Costs[N].Sums.add(Once, Repeats[N]);
    Out.IsExact &= Finder.IsExact;
    for (const IssuedBlock &B : F.Blocks)
      for (uint32_t I = B.FirstInstruction; I != B.EndInstruction; ++I)
        if (F.Instructions[I].IsLongLoad)
          LoadCycles +=
              B.Runs * Entries[N] * Latencies.of(F.Instructions[I].Result);
    if (WithWaits)
      addWaits(F, uint32_t(N), Finder.M, Entries[N], Out.Waits);
  }
  Out.Cycles = Costs[0].Cycles;
  Out.RoundTrips = Costs[0].Sums.RoundTrips;
  Out.SharedRoundTrips = Costs[0].Sums.SharedRoundTrips;
  if (double Busy = Costs[0].Sums.BusyCycles; Busy > 0)
    Out.LoadsInFlight = LoadCycles / Busy;
  llvm::stable_sort(Out.Waits, [](const PathWait &A, const PathWait &B) {
    return A.Cycles > B.Cycles;
  });
  return Out;
}
