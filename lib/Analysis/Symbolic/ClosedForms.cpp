//===- ClosedForms.cpp - Recurrences in closed form -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ClosedForms.h"
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = const Expression *;

/// The counter's lowest bit, as a condition.
Ref ClosedForms::isOdd() const {
  return E.equal(E.bitAnd(counter(32), E.constant(32, 1)), E.constant(32, 1));
}

/// The sum of the numbers below the counter, k * (k - 1) / 2.
Ref ClosedForms::triangle(unsigned Width) const {
  Ref K = counter(64);
  // One of both factors is even; the other one is odd already.
  Ref Half = E.lshr(K, 1);
  Ref Odd = E.bitOr(E.sub(K, E.constant(64, 1)), E.constant(64, 1));
  return E.trunc(E.mul(Half, Odd), Width);
}

/// Init plus the sum of Step over the iterations before; null unless Step is
/// invariant or grows by an invariant.
Ref ClosedForms::sum(Ref Init, Ref Step) const {
  unsigned Width = Init->Width;
  Ref K = counter(Width);
  if (isInvariant(Step))
    return E.add(Init, E.mul(Step, K));
  if (!Step->dependsOn(K))
    return nullptr;
  // Step(k) = A + B * k, if Step(k) with k = 0 and k = 1 says so.
  auto With = [&](uint64_t V) {
    Expressions::Memo Memo;
    return E.substitute(
        Step, [&](Ref S) { return S == K ? E.constant(Width, V) : S; }, Memo);
  };
  Ref A = With(0), B = E.sub(With(1), A);
  if (!isInvariant(A) || !isInvariant(B) || E.add(A, E.mul(B, K)) != Step)
    return nullptr;
  return E.add(Init, E.add(E.mul(A, K), E.mul(B, triangle(Width))));
}

/// p = m * p.
Ref ClosedForms::product(Ref Init, Ref P, Ref Next) const {
  Ref K = counter(64);
  if (Next->Kind == Kind::Sum && Next->Operands.size() == 1 &&
      Next->Operands[0] == P && Next->Addend == 0) {
    uint64_t M = Next->Coefficients[0];
    if (llvm::isPowerOf2_64(M))
      return E.shl(Init, E.scale(K, uint64_t(llvm::countr_zero(M))));
    return E.mul(Init, E.power(E.constant(Init->Width, M), K));
  }
  if (Next->Kind != Kind::Product || Next->Operands.size() != 2 ||
      (Next->Operands[0] == P) == (Next->Operands[1] == P))
    return nullptr;
  Ref M = Next->Operands[Next->Operands[0] == P ? 1 : 0];
  return isInvariant(M) ? E.mul(Init, E.power(M, K)) : nullptr;
}

/// p = a - p.
Ref ClosedForms::reflection(Ref Init, Ref P, Ref Next) const {
  Ref A = E.add(Next, P);
  if (A->dependsOn(P) || !isInvariant(A))
    return nullptr;
  return E.select(isOdd(), E.sub(A, Init), Init);
}

/// p = p >> s, p = p ^ m.
Ref ClosedForms::shift(Ref Init, Ref P, Ref Next) const {
  if (Next->Operands.size() != 2 || Next->Operands[0] != P ||
      !isInvariant(Next->Operands[1])) {
    // The mask may come first.
    if (Next->Kind != Kind::Xor || Next->Operands[1] != P ||
        !isInvariant(Next->Operands[0]))
      return nullptr;
  }
  Ref By = Next->Operands[Next->Operands[0] == P ? 1 : 0];
  Ref K = counter(64);
  switch (Next->Kind) {
  case Kind::LShr:
  case Kind::AShr: {
    if (!By->isConstant())
      return nullptr;
    Ref All = E.scale(K, By->Addend);
    return Next->Kind == Kind::LShr ? E.lshr(Init, All) : E.ashr(Init, All);
  }
  case Kind::Xor: {
    Ref Odd = E.bitAnd(counter(P->Width), E.constant(P->Width, 1));
    return E.bitXor(Init, E.mul(By, Odd));
  }
  default:
    return nullptr;
  }
}

/// p = (p + c) % m, in its forms: as a mask, as a rest, as a comparison.
Ref ClosedForms::modulo(Ref Init, Ref P, Ref Next) const {
  unsigned Width = Init->Width;
  Ref Sum = nullptr;
  uint64_t M = 0;
  ArrayRef<Ref> O = Next->Operands;
  if (Next->Kind == Kind::And && O[1]->isConstant() &&
      llvm::isMask_64(O[1]->Addend)) {
    Sum = O[0], M = O[1]->Addend + 1;
  } else if (Next->Kind == Kind::URem && O[1]->isConstant()) {
    Sum = O[0], M = O[1]->Addend;
  } else if (Next->Kind == Kind::Select) {
    // p + 1 == m ? 0 : p + 1, and p + 1 < m ? p + 1 : 0, also asked of p.
    Sum = E.add(P, E.constant(Width, 1));
    Ref Is = O[0];
    bool IsLess = Is->Kind == Kind::SLess || Is->Kind == Kind::ULess;
    bool Wraps = O[1]->isConstant(0) && O[2] == Sum;
    if (!Wraps && !(IsLess && O[2]->isConstant(0) && O[1] == Sum))
      return nullptr;
    if (Is->Kind != Kind::Equal && !IsLess)
      return nullptr;
    // Asked whether it is the number, above it or below it.
    bool IsAbove = IsLess && Is->Operands[0]->isConstant();
    Ref Asked = Is->Operands[IsAbove ? 1 : 0],
        Bound = Is->Operands[IsAbove ? 0 : 1];
    if ((Asked != P && Asked != Sum) || !Bound->isConstant() ||
        (IsLess && IsAbove != Wraps) || signedOf(Bound->Addend, Width) < 0)
      return nullptr;
    M = Bound->Addend + (Asked == P) + IsAbove;
  }
  if (!Sum || M == 0 || Init->Facts.UMax >= M)
    return nullptr;
  Ref Step = E.sub(Sum, P);
  if (!Step->isConstant() || Step->Addend > maskOf(Width) - M)
    return nullptr; // p + c could wrap
  Ref K = counter(64);
  Ref Far = E.add(E.zext(Init, 64), E.scale(K, Step->Addend % M));
  return E.trunc(E.rem(Far, E.constant(64, M), false), Width);
}

Ref ClosedForms::solve(Ref Init, Ref P, Ref Next) const {
  if (Next == P)
    return Init;
  if (isInvariant(Next)) // after the first iteration
    return E.select(E.equal(counter(64), E.constant(64, 0)), Init, Next);
  if (Init->Width == 1) // p = !p
    return Next == E.bitNot(P) ? E.bitXor(Init, isOdd()) : nullptr;
  Ref Step = E.sub(Next, P);
  if (!Step->dependsOn(P))
    return sum(Init, Step);
  if (Ref X = product(Init, P, Next))
    return X;
  if (Next->Kind == Kind::Product)
    return nullptr;
  if (Ref X = reflection(Init, P, Next))
    return X;
  if (Ref X = shift(Init, P, Next))
    return X;
  return modulo(Init, P, Next);
}
