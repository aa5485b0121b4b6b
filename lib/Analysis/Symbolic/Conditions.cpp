//===- Conditions.cpp - Where a predicate holds, as far as is known -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/Conditions.h"
#include "BaseCanceller.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using Kind = Expression::KindTy;
using Ref = const Expression *;
using Basis = Condition::BasisTy;

/// How much a symbol says of why something is open: data, which no analysis
/// knows, before what an analysis has no form for, before what a launch gives.
static unsigned weight(const Symbol &S) {
  switch (S.Kind) {
  case Symbol::KindTy::Parameter:
    return 1;
  case Symbol::KindTy::ExitCount:
    return 2;
  case Symbol::KindTy::Opaque:
    switch (S.Reason) {
    case Symbol::ReasonTy::Loop:
    case Symbol::ReasonTy::Merge:
    case Symbol::ReasonTy::TooLarge:
    case Symbol::ReasonTy::Undefined:
    case Symbol::ReasonTy::Other:
      return 3;
    default:
      return 4;
    }
  default:
    return 0;
  }
}

const Symbol *ptxpredict::weightier(const Symbol *A, const Symbol *B) {
  return A && (!B || weight(*A) >= weight(*B)) ? A : B;
}

Decidedness
ptxpredict::decidednessOf(const Expression &X,
                          llvm::function_ref<Decidedness(const Symbol &)> Of,
                          const Symbol **Open) {
  auto Weakest = Decidedness::Decided;
  for (Ref S : X.Symbols) {
    Decidedness D = Of(*S->Sym);
    if (D == Decidedness::Open && Open)
      *Open = weightier(*Open, S->Sym);
    Weakest = std::max(Weakest, D);
  }
  return Weakest;
}

namespace {

/// Which index or counter an expression has, and what else.
struct ConditionSymbols {
  bool Index = false, Opaque = false;

  explicit ConditionSymbols(const Expression &E) {
    for (Ref S : E.Symbols)
      switch (S->Sym->Kind) {
      case Symbol::KindTy::Opaque:
        Opaque = true;
        break;
      case Symbol::KindTy::ThreadX:
      case Symbol::KindTy::ThreadY:
      case Symbol::KindTy::ThreadZ:
      case Symbol::KindTy::BlockX:
      case Symbol::KindTy::BlockY:
      case Symbol::KindTy::BlockZ:
      case Symbol::KindTy::Lane:
      case Symbol::KindTy::Warp:
      case Symbol::KindTy::Counter:
      case Symbol::KindTy::ExitCount:
        Index = true;
        break;
      default:
        break;
      }
  }
};

class BoundsBuilder {
public:
  explicit BoundsBuilder(BaseCanceller &Bases)
      : E(Bases.expressions()), Bases(Bases) {}

  Condition build(Ref Predicate, const LoopExit *Exit);

private:
  struct Bounds {
    Ref Must, May, Likely;
  };
  Bounds visit(Ref X);
  std::optional<Bounds> withoutBase(Ref X);
  std::optional<Bounds> byRange(Ref X);
  Bounds open(Ref X);

  Expressions &E;
  BaseCanceller &Bases;
  /// The loop that the whole predicate may leave, where it is Leaving or its
  /// opposite.
  std::optional<LoopExit> Exit;
  Ref Leaving = nullptr;
  llvm::DenseMap<Ref, Bounds> Known; ///< predicates share parts
  Condition::BasisTy Basis = Condition::BasisTy::Decided;
  const Symbol *Open = nullptr;
};

/// An order of numbers of which one is open, but has bounds closer than those
/// of its type: it holds where it does for all of them, and may hold where it
/// does for one.
std::optional<BoundsBuilder::Bounds> BoundsBuilder::byRange(Ref X) {
  if (X->Kind != Kind::ULess && X->Kind != Kind::SLess)
    return std::nullopt;
  const bool Signed = X->Kind == Kind::SLess;
  Ref Least[2], Most[2];
  for (unsigned N = 0; N != 2; ++N) {
    Ref Side = Least[N] = Most[N] = X->Operands[N];
    if (Bases.decidednessOf(Side) != Decidedness::Open)
      continue;
    const ValueFacts &F = Side->Facts;
    const uint64_t Range =
        Signed ? uint64_t(F.SMax) - uint64_t(F.SMin) : F.UMax - F.UMin;
    if (Range >= llvm::maskTrailingOnes<uint64_t>(Side->Width - 1u))
      return std::nullopt;
    Least[N] = E.constant(Side->Width, Signed ? uint64_t(F.SMin) : F.UMin);
    Most[N] = E.constant(Side->Width, Signed ? uint64_t(F.SMax) : F.UMax);
  }
  Ref Must = E.less(Most[0], Least[1], Signed),
      May = E.less(Least[0], Most[1], Signed);
  if (Bases.decidednessOf(Must) != Decidedness::Decided ||
      Bases.decidednessOf(May) != Decidedness::Decided)
    return std::nullopt; // another launch has other ones
  return Bounds{Must, May, May};
}

/// A predicate of which only the kind of its operands is known.
BoundsBuilder::Bounds BoundsBuilder::open(Ref X) {
  Ref Yes = E.boolean(true), No = E.boolean(false);
  if (X->Operands.size() == 2 && X->Operands[0]->Width != 1) {
    ConditionSymbols A(*X->Operands[0]), B(*X->Operands[1]);
    bool OfOne = A.Index != B.Index && !A.Opaque && !B.Opaque;
    if (OfOne && X->Kind == Kind::Equal) {
      Basis = std::max(Basis, Basis::Index);
      return {No, Yes, No};
    }
    if (OfOne && (X->Kind == Kind::ULess || X->Kind == Kind::SLess)) {
      Basis = std::max(Basis, Basis::Index);
      return {No, Yes, A.Index ? Yes : No};
    }
  }
  Basis = std::max(Basis, X->isUniform() ? Basis::Uniform : Basis::Divergent);
  return byRange(X).value_or(Bounds{No, Yes, Yes});
}

/// A comparison out of which what is open cancels.
std::optional<BoundsBuilder::Bounds> BoundsBuilder::withoutBase(Ref X) {
  if (X->Kind != Kind::Equal && X->Kind != Kind::ULess &&
      X->Kind != Kind::SLess)
    return std::nullopt;
  BaseCanceller::Result R =
      Bases.cancel(X, Exit && X == Leaving ? &*Exit : nullptr);
  if (!R.Predicate)
    return std::nullopt;
  Bounds Decided = visit(R.Predicate);
  if (R.IsExact)
    return Decided;
  Basis = std::max(Basis, Basis::Bounded);
  return Bounds{E.boolean(false), E.boolean(true), Decided.Likely};
}

BoundsBuilder::Bounds BoundsBuilder::visit(Ref X) {
  if (auto It = Known.find(X); It != Known.end())
    return It->second;
  const Symbol *Here = nullptr;
  Decidedness D = Bases.decidednessOf(X, &Here);
  Bounds R{X, X, X};
  if (D == Decidedness::Launch) {
    Basis = std::max(Basis, Basis::Launch);
    R = {E.boolean(false), E.boolean(true), X};
  } else if (D != Decidedness::Open) {
    // As it is.
  } else if (std::optional<Bounds> Decided = withoutBase(X)) {
    R = *Decided;
    if (R.Must != R.May)
      Open = weightier(Open, Here);
  } else {
    Open = weightier(Open, Here);
    switch (X->Kind) {
    case Kind::Not: {
      Bounds A = visit(X->Operands[0]);
      R = {E.bitNot(A.May), E.bitNot(A.Must), E.bitNot(A.Likely)};
      break;
    }
    case Kind::And:
    case Kind::Or: {
      R = visit(X->Operands[0]);
      for (Ref O : X->Operands.drop_front()) {
        Bounds B = visit(O);
        if (X->Kind == Kind::And)
          R = {E.bitAnd(R.Must, B.Must), E.bitAnd(R.May, B.May),
               E.bitAnd(R.Likely, B.Likely)};
        else
          R = {E.bitOr(R.Must, B.Must), E.bitOr(R.May, B.May),
               E.bitOr(R.Likely, B.Likely)};
      }
      break;
    }
    case Kind::Select: {
      Bounds C = visit(X->Operands[0]), A = visit(X->Operands[1]),
             B = visit(X->Operands[2]);
      // Holds for certain where the side that is chosen does, or both do.
      Ref Both = E.bitAnd(A.Must, B.Must), One = E.bitOr(A.May, B.May);
      R = {E.select(C.Must, A.Must, E.select(C.May, Both, B.Must)),
           E.select(C.Must, A.May, E.select(C.May, One, B.May)),
           E.select(C.Likely, A.Likely, B.Likely)};
      break;
    }
    default:
      R = open(X);
    }
  }
  Known[X] = R;
  return R;
}

Condition BoundsBuilder::build(Ref Predicate, const LoopExit *Of) {
  Condition C;
  if (!Predicate) {
    C.Basis = Basis::Divergent;
    C.Must = E.boolean(false);
    C.May = C.Likely = E.boolean(true);
    return C;
  }
  if (Of) {
    Exit = *Of;
    Leaving = Predicate;
    for (; Leaving->Kind == Kind::Not; Leaving = Leaving->Operands[0])
      Exit->StaysIf = !Exit->StaysIf;
  }
  Bounds B = visit(Predicate);
  C = {Basis, B.Must, B.May, B.Likely, Open};
  if (B.Must == B.May) { // one side decides alone
    C.Basis = Basis::Decided;
    C.Likely = B.Must;
    C.Open = nullptr;
  }
  if (C.Basis == Basis::Uniform || C.Basis == Basis::Divergent)
    C.Likely = C.May;
  return C;
}

} // namespace

Condition ptxpredict::bounds(Expressions &E, const Expression *Predicate,
                             llvm::function_ref<Decidedness(const Symbol &)> Of,
                             const LoopExit *Exit) {
  BaseCanceller Bases(E, Of);
  return bounds(Bases, Predicate, Exit);
}

Condition ptxpredict::bounds(BaseCanceller &Bases, const Expression *Predicate,
                             const LoopExit *Exit) {
  return BoundsBuilder(Bases).build(Predicate, Exit);
}
