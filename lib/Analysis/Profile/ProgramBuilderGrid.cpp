//===- ProgramBuilderGrid.cpp - Blocks and warps that behave alike --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Ref = const Expression *;

/// The axis that a symbol is the block's index along, or -1.
static int axisOf(Ref S) {
  static constexpr Symbol::KindTy Kinds[] = {
      Symbol::KindTy::BlockX, Symbol::KindTy::BlockY, Symbol::KindTy::BlockZ};
  for (unsigned N = 0; N != 3; ++N)
    if (S->isSymbol(Kinds[N]))
      return int(N);
  return -1;
}

void ProgramBuilder::findAxes() {
  std::array<Axis, 3> &Axes = Out.Axes;
  const uint64_t Extents[] = {Launch.Grid.X, Launch.Grid.Y, Launch.Grid.Z};
  for (unsigned N = 0; N != 3; ++N)
    Axes[N].Extent = Extents[N], Axes[N].CanRun = true;
  auto Note = [&](Ref S) {
    if (int N = axisOf(S);
        N >= 0 &&
        !llvm::is_contained(Axes[unsigned(N)].Index, S->Sym->Quantity))
      Axes[unsigned(N)].Index.push_back(S->Sym->Quantity);
  };
  Out.forEachBlock([&](const PreparedBlock &P) {
    for (ArrayRef<Ref> Roots : {ArrayRef(P.Conditions), ArrayRef(P.Addresses)})
      for (Ref E : Roots)
        llvm::for_each(E->Symbols, Note);
  });
  Out.forEachBlock([&](const PreparedBlock &P) {
    for (const Access &M : P.Accesses)
      if (M.isDecided())
        for (Ref S : M.Address->Symbols)
          if (int N = axisOf(S); N >= 0)
            Axes[unsigned(N)].CanRun &=
                slopeOf(M, Axes[unsigned(N)].Index).IsLinear;
    for (const Comparison &X : P.Comparisons) {
      int First = -1; // where there are several indices the first makes runs
      for (unsigned N = 0; N != 3; ++N) {
        if (!dependsOn(*X.E, Axes[N].Index))
          continue;
        Out.BlocksDiffer = true;
        Axes[N].CanRun &=
            First < 0 && !X.IsPredicate && isMonotone(*X.E, Axes[N].Index);
        First = int(N);
      }
    }
  });
}

/// Where conditions on the thread alone tell warps apart, they do so in every
/// block and iteration; with others it must be found out there.
void ProgramBuilder::findWarps() {
  std::vector<Ref> OfThread;
  for (const auto &C : Out.Contexts)
    for (const PreparedBlock &P : C->Blocks)
      for (const Comparison &X : P.Comparisons) {
        if (X.IsKink || !(X.E->Varies & VariesInBlock))
          continue;
        if (!llvm::all_of(X.E->Symbols,
                          [](Ref S) { return isThread(*S->Sym); }))
          return;
        OfThread.push_back(X.E);
      }
  Assignment A;
  A.Block = Launch.Block;
  A.Grid = Launch.Grid;
  uint64_t Whole = Launch.threadsPerBlock() / WarpSize;
  // Many comparisons are the same expression.
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
      Out.FixedWarps.push_back(1);
    else
      ++Out.FixedWarps.back();
    Before = std::move(Here);
  }
  if (Launch.threadsPerBlock() % WarpSize != 0 || Out.FixedWarps.empty())
    Out.FixedWarps.push_back(1);
}
