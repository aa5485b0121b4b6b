//===- ThreadPlaces.cpp - Where the threads of a block access -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ThreadPlaces.h"
#include "AccessCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::Kind;
using Ref = const Expression *;

/// More threads than devices have in a block are not looked at.
static constexpr uint64_t MostThreads = 4096;

namespace {
/// What a term of an address is made of.
struct TermSymbols {
  bool Thread = false; ///< the thread's index
  bool Fixed = false;  ///< the same in all of a block's run
  bool Open = false;   ///< anything else

  explicit TermSymbols(const Expression &X) {
    for (Ref S : X.Symbols)
      switch (S->Sym->Which) {
      case Symbol::Kind::Counter:
      case Symbol::Kind::ExitCount:
      case Symbol::Kind::Opaque:
        Open = true;
        break;
      case Symbol::Kind::BlockExtentX:
      case Symbol::Kind::BlockExtentY:
      case Symbol::Kind::BlockExtentZ:
        break; // evaluated with either
      default:
        (isThread(*S->Sym) ? Thread : Fixed) = true;
      }
  }
};
} // namespace

ThreadPlaceFinder::ThreadPlaceFinder(Expressions &E, const LaunchConfig &L)
    : E(E) {
  Any.Block = L.Block;
  Any.Grid = L.Grid;
  if (L.BlockIsAssumed) {
    uint64_t Fewer = std::max<uint64_t>(L.Block.count(), 1);
    uint64_t Times = std::max<uint64_t>(L.MaxThreadsPerBlock / Fewer, 1);
    // Along its last extent.
    (L.Block.Z > 1   ? Any.Block.Z
     : L.Block.Y > 1 ? Any.Block.Y
                     : Any.Block.X) *= Times;
  }
  Threads = Any.Block.count();
}

/// By thread, or one value where all have the same.
std::vector<int64_t> ThreadPlaceFinder::evaluateAll(Ref X) const {
  CompiledExpressions Compiled(X);
  Assignment A = Any;
  std::vector<int64_t> All;
  for (uint64_t T = 0; T != Threads; ++T) {
    if (T % WarpSize == 0) {
      A.Warp = T / WarpSize;
      Compiled.run(A);
    }
    All.push_back(llvm::SignExtend64(Compiled.lane(0, T % WarpSize), X->Width));
  }
  if (llvm::all_equal(All))
    All.resize(1);
  return All;
}

/// Whether each thread of the block has another value, wherever the block is:
/// sums of which all threads share a part, also extended.
bool ThreadPlaceFinder::isInjective(Ref X) {
  while (X->Which == Kind::ZExt || X->Which == Kind::SExt)
    X = X->Operands[0];
  Ref Own = E.constant(X->Width, 0);
  auto Add = [&](Ref Term, uint64_t By) {
    TermSymbols Of(*Term);
    if (Of.Open || (Of.Thread && Of.Fixed))
      return false;
    if (Of.Thread)
      Own = E.add(Own, E.scale(Term, By));
    return true;
  };
  if (X->Which == Kind::Sum) {
    for (auto [O, C] : llvm::zip(X->Operands, X->Coefficients))
      if (!Add(O, C))
        return false;
  } else if (!Add(X, 1)) {
    return false;
  }
  std::vector<int64_t> All = evaluateAll(Own);
  llvm::sort(All);
  return All.size() == Threads &&
         std::adjacent_find(All.begin(), All.end()) == All.end();
}

std::optional<ThreadPlaces>
ThreadPlaceFinder::find(Ref Address, const Symbol &Base, unsigned Bytes) {
  if (Threads > MostThreads || Bytes == 0)
    return std::nullopt;
  ThreadPlaces P;
  P.Bytes = Bytes;
  const unsigned Width = Address->Width;
  Ref Own = E.constant(Width, 0);
  P.Common = Own;
  auto Add = [&](Ref Term, uint64_t By) {
    if (Term->isSymbol() && Term->Sym == &Base)
      return true;
    TermSymbols Of(*Term);
    if (Of.Open)
      return false;
    if (!Of.Thread) {
      Ref &To = Of.Fixed ? P.Common : Own;
      To = E.add(To, E.scale(Term, By));
    } else if (!Of.Fixed) {
      Own = E.add(Own, E.scale(Term, By));
    } else {
      int64_t Step = llvm::SignExtend64(By, Width);
      if (P.Mixed || !isInjective(Term))
        return false;
      P.Mixed = Term;
      P.Step = Step < 0 ? 0 - uint64_t(Step) : uint64_t(Step);
    }
    return true;
  };
  if (Address->Which == Kind::Sum) {
    for (auto [O, C] : llvm::zip(Address->Operands, Address->Coefficients))
      if (!Add(O, C))
        return std::nullopt;
    Own = E.add(Own, E.constant(Width, Address->Addend));
  } else if (!Add(Address, 1)) {
    return std::nullopt;
  }
  P.Offsets = evaluateAll(Own);
  return P;
}

bool ThreadPlaceFinder::mayMeet(const ThreadPlaces &A,
                                const ThreadPlaces &B) const {
  if (A.Common != B.Common || A.Mixed != B.Mixed || A.Step != B.Step)
    return true;
  const auto Most = int64_t(std::max(A.Bytes, B.Bytes));
  if (A.Mixed) { // multiples of a step apart, of each thread another one
    if (A.Offsets.size() != 1 || B.Offsets.size() != 1)
      return true;
    const int64_t Shift = std::abs(A.Offsets[0] - B.Offsets[0]);
    return int64_t(A.Step) < Most + Shift;
  }
  if (Threads == 1)
    return false;
  using Place = std::pair<int64_t, uint64_t>; // and the thread
  std::vector<Place> Places;
  auto At = [](const ThreadPlaces &P, uint64_t T) {
    return P.Offsets[P.Offsets.size() == 1 ? 0 : T];
  };
  for (uint64_t T = 0; T != Threads; ++T)
    Places.emplace_back(At(A, T), T);
  llvm::sort(Places);
  for (uint64_t T = 0; T != Threads; ++T) {
    const int64_t Begin = At(B, T), End = Begin + int64_t(B.Bytes);
    auto First =
        llvm::lower_bound(Places, Place(Begin - int64_t(A.Bytes) + 1, 0));
    // Each entry is another thread's: of two one is not T.
    for (unsigned N = 0; N != 2 && First != Places.end() && First->first < End;
         ++N, ++First)
      if (First->second != T)
        return true;
  }
  return false;
}
