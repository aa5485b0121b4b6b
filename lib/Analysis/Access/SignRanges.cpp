//===- SignRanges.cpp - Where conditions and addresses go straight --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SignRanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using Kind = Expression::KindTy;

__extension__ using Wide = __int128;

static uint64_t *indexOf(Assignment &A, Symbol::KindTy K) {
  switch (K) {
  case Symbol::KindTy::BlockX:
    return &A.BlockIndex.X;
  case Symbol::KindTy::BlockY:
    return &A.BlockIndex.Y;
  case Symbol::KindTy::BlockZ:
    return &A.BlockIndex.Z;
  default:
    return nullptr;
  }
}

void ptxpredict::setValue(const Quantity &Q, Assignment &A, uint64_t V) {
  for (const Expression *S : Q)
    if (uint64_t *Index = indexOf(A, S->Sym->Kind))
      *Index = V;
    else
      A.Values[S] = V;
}

uint64_t ptxpredict::valueOf(const Quantity &Q, const Assignment &A) {
  if (Q.empty())
    return 0;
  if (uint64_t *Index = indexOf(const_cast<Assignment &>(A), Q[0]->Sym->Kind))
    return *Index;
  return A.Values.lookup(Q[0]);
}

bool ptxpredict::dependsOn(const Expression &E, const Quantity &Q) {
  return llvm::any_of(Q, [&](const Expression *S) { return E.dependsOn(S); });
}

Slope ptxpredict::slopeOf(const Expression &E, const Quantity &Q) {
  if (llvm::is_contained(Q, &E))
    return {true, false, 1};
  if (!dependsOn(E, Q))
    return {};
  if (E.Kind == Kind::Sum) {
    Slope Sum;
    for (auto [O, C] : llvm::zip(E.Operands, E.Coefficients)) {
      if (!dependsOn(*O, Q))
        continue;
      Slope Part = slopeOf(*O, Q);
      Sum.IsLinear &= Part.IsLinear;
      Sum.MayWrap |= Part.MayWrap;
      Sum.Value = int64_t(uint64_t(Sum.Value) +
                          uint64_t(Part.Value) *
                              uint64_t(llvm::SignExtend64(C, E.Width)));
    }
    return Sum;
  }
  if (E.Kind == Kind::ZExt || E.Kind == Kind::SExt || E.Kind == Kind::Trunc) {
    Slope Inner = slopeOf(*E.Operands[0], Q);
    Inner.MayWrap = true;
    Inner.Value = llvm::SignExtend64(uint64_t(Inner.Value),
                                     std::min(E.Width, E.Operands[0]->Width));
    return Inner;
  }
  return {false, true, 0};
}

bool ptxpredict::isComparison(const Expression &E) {
  return (E.Kind == Kind::Equal || E.Kind == Kind::ULess ||
          E.Kind == Kind::SLess) &&
         E.Operands[0]->Width != 1;
}

void ptxpredict::forEachComparison(
    const Expression &E, llvm::function_ref<void(const Expression &)> Fn) {
  SmallVector<const Expression *, 8> Work{&E};
  llvm::SmallPtrSet<const Expression *, 8> Seen;
  while (!Work.empty()) {
    const Expression &X = *Work.pop_back_val();
    if (!Seen.insert(&X).second)
      continue;
    switch (X.Kind) {
    case Kind::Constant:
      break;
    case Kind::Equal:
      if (isComparison(X)) {
        Fn(X);
        break;
      }
      [[fallthrough]];
    case Kind::And:
    case Kind::Or:
    case Kind::Xor:
    case Kind::Not:
    case Kind::Select:
      llvm::append_range(Work, X.Operands);
      break;
    default:
      Fn(X);
    }
  }
}

bool ptxpredict::isMonotone(const Expression &Comparison, const Quantity &Q) {
  return llvm::all_of(Comparison.Operands, [&](const Expression *O) {
    return slopeOf(*O, Q).IsLinear;
  });
}

bool ptxpredict::keepsSign(const Expression &Comparison, const Quantity &Q,
                           const SideStretch &S, uint32_t Lanes) {
  const Expression &Left = *Comparison.Operands[0];
  const Expression &Right = *Comparison.Operands[1];
  const Wide LeftRise = Wide(slopeOf(Left, Q).Value) * Wide(S.Steps),
             RightRise = Wide(slopeOf(Right, Q).Value) * Wide(S.Steps);
  // Whether a value rose without wrapping around.
  auto IsStraight = [&](uint64_t From, uint64_t To, Wide Rise, bool Signed) {
    Wide A = Signed ? Wide(llvm::SignExtend64(From, Left.Width)) : Wide(From);
    Wide B = Signed ? Wide(llvm::SignExtend64(To, Left.Width)) : Wide(To);
    return B - A == Rise;
  };
  auto Sign = [&](uint64_t X, uint64_t Y, bool Signed) {
    if (Signed) {
      X ^= uint64_t(1) << (Left.Width - 1); // as if without one
      Y ^= uint64_t(1) << (Left.Width - 1);
    }
    return X < Y ? -1 : X > Y;
  };
  auto Keeps = [&](unsigned L, bool Signed) {
    return Sign(S.From.Left[L], S.From.Right[L], Signed) ==
               Sign(S.To.Left[L], S.To.Right[L], Signed) &&
           IsStraight(S.From.Left[L], S.To.Left[L], LeftRise, Signed) &&
           IsStraight(S.From.Right[L], S.To.Right[L], RightRise, Signed);
  };
  bool Signed = Comparison.Kind == Kind::SLess;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (Lanes >> L & 1 && !Keeps(L, Signed) &&
        !(Comparison.Kind == Kind::Equal && Keeps(L, true)))
      return false;
  return true;
}
