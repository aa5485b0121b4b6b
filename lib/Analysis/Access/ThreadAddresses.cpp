//===- ThreadAddresses.cpp - Where the threads of a block access ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ThreadAddresses.h"
#include "AccessCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::KindTy;
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
      switch (S->Sym->Kind) {
      case Symbol::KindTy::Counter:
      case Symbol::KindTy::ExitCount:
      case Symbol::KindTy::Opaque:
        Open = true;
        break;
      case Symbol::KindTy::BlockExtentX:
      case Symbol::KindTy::BlockExtentY:
      case Symbol::KindTy::BlockExtentZ:
        break; // evaluated with either
      default:
        (isThread(*S->Sym) ? Thread : Fixed) = true;
      }
  }
};
} // namespace

ThreadAddressFinder::ThreadAddressFinder(Expressions &E, const LaunchConfig &L)
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
  Threads = std::max<uint64_t>(Any.Block.count(), 1);
}

const ThreadAddressFinder::Offsets &ThreadAddressFinder::offsetsOf(Ref X) {
  std::unique_ptr<const Offsets> &Entry = Known[X];
  if (Entry)
    return *Entry;
  auto New = std::make_unique<Offsets>();
  CompiledExpressions Compiled(X);
  Assignment A = Any;
  New->ByThread.reserve(Threads);
  New->Sorted.reserve(Threads);
  for (uint64_t T = 0; T != Threads; ++T) {
    if (T % WarpSize == 0) {
      A.Warp = T / WarpSize;
      Compiled.run(A);
    }
    int64_t At = llvm::SignExtend64(Compiled.lane(0, T % WarpSize), X->Width);
    New->ByThread.push_back(At);
    New->Sorted.emplace_back(At, T);
  }
  New->AreEqual = llvm::all_equal(New->ByThread);
  if (!llvm::is_sorted(New->Sorted))
    llvm::sort(New->Sorted);
  Entry = std::move(New);
  return *Entry;
}

/// Whether each thread of the block has another value, wherever the block is:
/// sums of which all threads share a part, also extended.
bool ThreadAddressFinder::isInjective(Ref X) {
  while (X->Kind == Kind::ZExt || X->Kind == Kind::SExt)
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
  if (X->Kind == Kind::Sum) {
    for (auto [O, C] : llvm::zip(X->Operands, X->Coefficients))
      if (!Add(O, C))
        return false;
  } else if (!Add(X, 1)) {
    return false;
  }
  ArrayRef<Place> Sorted = offsetsOf(Own).Sorted;
  return std::adjacent_find(Sorted.begin(), Sorted.end(),
                            [](const Place &A, const Place &B) {
                              return A.first == B.first;
                            }) == Sorted.end();
}

std::optional<ThreadAddresses>
ThreadAddressFinder::find(Ref Address, const Symbol &Base, unsigned Bytes) {
  if (Threads > MostThreads || Bytes == 0)
    return std::nullopt;
  ThreadAddresses P;
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
  if (Address->Kind == Kind::Sum) {
    for (auto [O, C] : llvm::zip(Address->Operands, Address->Coefficients))
      if (!Add(O, C))
        return std::nullopt;
    P.Constant = uint64_t(llvm::SignExtend64(Address->Addend, Width));
  } else if (!Add(Address, 1)) {
    return std::nullopt;
  }
  P.Own = Own;
  return P;
}

bool ThreadAddressFinder::mayMeet(const ThreadAddresses &A,
                                  const ThreadAddresses &B) {
  if (A.Common != B.Common || A.Mixed != B.Mixed || A.Step != B.Step)
    return true;
  const Offsets &OfA = offsetsOf(A.Own), &OfB = offsetsOf(B.Own);
  const uint64_t Shift = B.Constant - A.Constant;
  if (A.Mixed) { // multiples of a step apart, of each thread another one
    if (!OfA.AreEqual || !OfB.AreEqual)
      return true;
    const auto Most = int64_t(std::max(A.Bytes, B.Bytes));
    const auto Apart =
        int64_t(uint64_t(OfB.ByThread[0]) + Shift - uint64_t(OfA.ByThread[0]));
    return int64_t(A.Step) < Most + std::abs(Apart);
  }
  if (Threads == 1)
    return false;
  // Both in ascending order; behind the last address places begin again.
  auto From = OfA.Sorted.begin();
  int64_t Before = std::numeric_limits<int64_t>::min();
  for (const auto &[At, T] : OfB.Sorted) {
    const auto Begin = int64_t(uint64_t(At) + Shift);
    const int64_t End = Begin + int64_t(B.Bytes);
    if (Begin < Before)
      From = OfA.Sorted.begin();
    Before = Begin;
    while (From != OfA.Sorted.end() &&
           From->first < Begin - int64_t(A.Bytes) + 1)
      ++From;
    // Each entry is another thread's: of two one is not T.
    auto First = From;
    for (unsigned N = 0;
         N != 2 && First != OfA.Sorted.end() && First->first < End;
         ++N, ++First)
      if (First->second != T)
        return true;
  }
  return false;
}
