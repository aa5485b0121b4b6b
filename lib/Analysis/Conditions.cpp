//===- Conditions.cpp - Where a predicate holds, as far as is known -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Conditions.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using Kind = Expression::Kind;
using Ref = const Expression *;
using Basis = Condition::Basis;

/// How much a symbol says of why something is open: data, which no analysis
/// knows, before what an analysis has no form for, before what a launch gives.
static unsigned weight(const Symbol &S) {
  switch (S.Which) {
  case Symbol::Kind::Parameter:
    return 1;
  case Symbol::Kind::ExitCount:
    return 2;
  case Symbol::Kind::Opaque:
    switch (S.Why) {
    case Symbol::Reason::Loop:
    case Symbol::Reason::Merge:
    case Symbol::Reason::TooLarge:
    case Symbol::Reason::Undefined:
    case Symbol::Reason::Other:
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
      switch (S->Sym->Which) {
      case Symbol::Kind::Opaque:
        Opaque = true;
        break;
      case Symbol::Kind::ThreadX:
      case Symbol::Kind::ThreadY:
      case Symbol::Kind::ThreadZ:
      case Symbol::Kind::BlockX:
      case Symbol::Kind::BlockY:
      case Symbol::Kind::BlockZ:
      case Symbol::Kind::Lane:
      case Symbol::Kind::Warp:
      case Symbol::Kind::Counter:
      case Symbol::Kind::ExitCount:
        Index = true;
        break;
      default:
        break;
      }
  }
};

class BoundsBuilder {
public:
  BoundsBuilder(Expressions &E,
                llvm::function_ref<Decidedness(const Symbol &)> Of)
      : E(E), Of(Of) {}

  Condition build(Ref Predicate);

private:
  struct Bounds {
    Ref Must, May, Likely;
  };
  Bounds visit(Ref X);
  Bounds open(Ref X);

  Expressions &E;
  llvm::function_ref<Decidedness(const Symbol &)> Of;
  llvm::DenseMap<Ref, Bounds> Known; ///< predicates share parts
  Basis Why = Basis::Decided;
  const Symbol *Open = nullptr;
};

/// A predicate of which only the kind of its operands is known.
BoundsBuilder::Bounds BoundsBuilder::open(Ref X) {
  Ref Yes = E.boolean(true), No = E.boolean(false);
  if (X->Operands.size() == 2 && X->Operands[0]->Width != 1) {
    ConditionSymbols A(*X->Operands[0]), B(*X->Operands[1]);
    bool OfOne = A.Index != B.Index && !A.Opaque && !B.Opaque;
    if (OfOne && X->Which == Kind::Equal) {
      Why = std::max(Why, Basis::Index);
      return {No, Yes, No};
    }
    if (OfOne && (X->Which == Kind::ULess || X->Which == Kind::SLess)) {
      Why = std::max(Why, Basis::Index);
      return {No, Yes, A.Index ? Yes : No};
    }
  }
  Why = std::max(Why, X->isUniform() ? Basis::Uniform : Basis::Divergent);
  return {No, Yes, Yes};
}

BoundsBuilder::Bounds BoundsBuilder::visit(Ref X) {
  if (auto It = Known.find(X); It != Known.end())
    return It->second;
  const Symbol *Here = nullptr;
  Decidedness D = decidednessOf(*X, Of, &Here);
  Bounds R{X, X, X};
  if (D == Decidedness::Launch) {
    Why = std::max(Why, Basis::Launch);
    R = {E.boolean(false), E.boolean(true), X};
  } else if (D == Decidedness::Open) {
    Open = weightier(Open, Here);
    switch (X->Which) {
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
        if (X->Which == Kind::And)
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

Condition BoundsBuilder::build(Ref Predicate) {
  Condition C;
  if (!Predicate) {
    C.Why = Basis::Divergent;
    C.Must = E.boolean(false);
    C.May = C.Likely = E.boolean(true);
    return C;
  }
  Bounds B = visit(Predicate);
  C = {Why, B.Must, B.May, B.Likely, Open};
  if (B.Must == B.May) { // one side decides alone
    C.Why = Basis::Decided;
    C.Likely = B.Must;
    C.Open = nullptr;
  }
  if (C.Why == Basis::Uniform || C.Why == Basis::Divergent)
    C.Likely = C.May;
  return C;
}

} // namespace

Condition
ptxpredict::bounds(Expressions &E, const Expression *Predicate,
                   llvm::function_ref<Decidedness(const Symbol &)> Of) {
  return BoundsBuilder(E, Of).build(Predicate);
}
