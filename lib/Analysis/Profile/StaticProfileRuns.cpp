//===- StaticProfileRuns.cpp - What may be taken together -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StaticProfileImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Ref = const Expression *;

/// Finds what expressions know of the iterations in which loops were left,
/// perhaps loops of functions that were called.
void StaticProfiler::findExitCounts() {
  for (const auto &C : Contexts)
    for (const PreparedBlock &P : C->Blocks)
      for (ArrayRef<Ref> Roots :
           {ArrayRef(P.Conditions), ArrayRef(P.Addresses)})
        for (Ref E : Roots)
          for (Ref S : E->Symbols) {
            if (!S->isSymbol(Symbol::KindTy::ExitCount))
              continue;
            CallContext *Owner = ByValues.lookup(S->Sym->Context);
            if (!Owner)
              continue;
            Quantity &Of =
                Owner->Regions[SymbolicValues::loopOf(*S->Sym)].ExitCount;
            if (!llvm::is_contained(Of, S))
              Of.push_back(S);
          }
}

/// Iterations are taken together where the loop's own conditions are monotone
/// in its counter, nothing else within knows it but addresses, and those are
/// linear in it.
void StaticProfiler::findLoopRuns(CallContext &C) {
  ArrayRef<Cycle> Cycles = C.V->controlFlow().cycles();
  // Which loops a condition or an address knows, found through its symbols.
  llvm::DenseMap<Ref, int> LoopOf;
  for (Region &R : C.Regions) {
    R.CanRun = R.Cycle >= 0 && R.IsReducible;
    for (Ref S : R.Counter)
      LoopOf[S] = R.Cycle;
  }
  for (const Block *B : C.V->graph().Blocks) {
    int In = C.cycleOf(B);
    if (In < 0)
      continue;
    const PreparedBlock &P = C.Blocks[B->Number];
    for (const Comparison &X : P.Comparisons)
      for (Ref S : X.E->Symbols) {
        auto It = LoopOf.find(S);
        if (It == LoopOf.end())
          continue;
        Region &Loop = C.Regions[size_t(It->second)];
        bool IsOwn = It->second == In;
        // What an inner loop leaves behind is not there yet when the
        // comparison is looked at ahead.
        bool HasExit = llvm::any_of(X.E->Symbols, [](Ref E) {
          return E->isSymbol(Symbol::KindTy::ExitCount);
        });
        Loop.CanRun &= IsOwn && !HasExit && !X.IsPredicate &&
                       isMonotone(*X.E, Loop.Counter);
      }
    for (const Access &M : P.Accesses)
      if (M.isDecided())
        for (Ref S : M.Address->Symbols)
          if (auto It = LoopOf.find(S); It != LoopOf.end())
            C.Regions[size_t(It->second)].CanRun &=
                slopeOf(*M.Address, C.Regions[size_t(It->second)].Counter)
                    .IsLinear;
  }
  // A callee may know the counters around the call.
  for (const Region &R : C.Regions)
    if (R.HasCalls)
      for (int N = R.Cycle; N >= 0; N = Cycles[size_t(N)].ParentIndex)
        C.Regions[size_t(N)].CanRun = false;
}

void StaticProfiler::findAxes() {
  static constexpr Symbol::KindTy Kinds[] = {
      Symbol::KindTy::BlockX, Symbol::KindTy::BlockY, Symbol::KindTy::BlockZ};
  uint64_t Extents[] = {Launch.Grid.X, Launch.Grid.Y, Launch.Grid.Z};
  for (unsigned N = 0; N != 3; ++N)
    Axes[N].Extent = Extents[N], Axes[N].CanRun = true;
  auto AxisOf = [&](Ref S) {
    for (unsigned N = 0; N != 3; ++N)
      if (S->isSymbol(Kinds[N]))
        return int(N);
    return -1;
  };
  for (const auto &C : Contexts)
    for (const PreparedBlock &P : C->Blocks)
      for (ArrayRef<Ref> Roots :
           {ArrayRef(P.Conditions), ArrayRef(P.Addresses)})
        for (Ref E : Roots)
          for (Ref S : E->Symbols)
            if (int N = AxisOf(S);
                N >= 0 && !llvm::is_contained(Axes[unsigned(N)].Index, S))
              Axes[unsigned(N)].Index.push_back(S);
  for (const auto &C : Contexts)
    for (const PreparedBlock &P : C->Blocks) {
      for (const Access &M : P.Accesses)
        if (M.isDecided())
          for (Ref S : M.Address->Symbols)
            if (int N = AxisOf(S); N >= 0)
              Axes[unsigned(N)].CanRun &=
                  slopeOf(*M.Address, Axes[unsigned(N)].Index).IsLinear;
      for (const Comparison &X : P.Comparisons) {
        int First = -1; // of several indices the first alone makes runs
        for (unsigned N = 0; N != 3; ++N) {
          if (!dependsOn(*X.E, Axes[N].Index))
            continue;
          BlocksDiffer = true;
          Axes[N].CanRun &=
              First < 0 && !X.IsPredicate && isMonotone(*X.E, Axes[N].Index);
          First = int(N);
        }
      }
    }
}

/// Where conditions on the thread alone tell warps apart, they do so in every
/// block and iteration; with others it must be found out there.
void StaticProfiler::findWarps() {
  std::vector<Ref> OfThread;
  for (const auto &C : Contexts)
    for (const PreparedBlock &P : C->Blocks)
      for (const Comparison &X : P.Comparisons) {
        if (!(X.E->Varies & VariesInBlock))
          continue;
        if (!llvm::all_of(X.E->Symbols,
                          [](Ref S) { return isThread(*S->Sym); }))
          return;
        OfThread.push_back(X.E);
      }
  uint64_t Whole = Launch.threadsPerBlock() / WarpSize;
  std::vector<bool> Differs(Whole); ///< from the warp before
  // A few expressions stand in many places.
  llvm::sort(OfThread);
  OfThread.erase(llvm::unique(OfThread), OfThread.end());
  CompiledExpressions Compiled(OfThread);
  std::vector<uint32_t> Before;
  for (uint64_t W = 0; W != Whole; ++W) {
    A.Warp = W;
    Compiled.run(A);
    std::vector<uint32_t> Here;
    for (unsigned N = 0; N != OfThread.size(); ++N) {
      uint32_t Mask = 0;
      for (unsigned L = 0; L != WarpSize; ++L)
        Mask |= uint32_t(Compiled.lane(N, L) & 1) << L;
      Here.push_back(Mask);
    }
    if (W == 0 || Here != Before)
      FixedWarps.push_back(1);
    else
      ++FixedWarps.back();
    Before = std::move(Here);
  }
  if (Launch.threadsPerBlock() % WarpSize != 0 || FixedWarps.empty())
    FixedWarps.push_back(1);
}
