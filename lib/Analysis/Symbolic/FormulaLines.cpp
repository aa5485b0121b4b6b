//===- FormulaLines.cpp - Expressions as lines ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FormulaLines.h"
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;

/// \p X in more bits. Nothing wraps: a sum's terms can be extended.
LineFinder::Ref LineFinder::extend(Ref X, unsigned Width, bool Signed) const {
  if (X->Kind == Kind::Sum) {
    Ref R = E.constant(Width, uint64_t(signedOf(X->Addend, X->Width)));
    for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
      R = E.add(R, E.scale(extend(Term, Width, Signed),
                           uint64_t(signedOf(By, X->Width))));
    return R;
  }
  if (X->Kind == Kind::Product) {
    Ref R = E.constant(Width, 1);
    for (Ref Factor : X->Operands)
      R = E.mul(R, extend(Factor, Width, Signed));
    return R;
  }
  return Signed ? E.sext(X, Width) : E.zext(X, Width);
}

/// c - max(a, b) is min(c - a, c - b), c + max(a, b) likewise.
LineFinder::Ref LineFinder::intoExtremum(Ref X) {
  if (X->Kind != Kind::Sum || X->Operands.size() != 1)
    return X;
  Ref T = X->Operands[0];
  bool IsMax = T->Kind == Kind::SMax;
  int64_t By = signedOf(X->Coefficients[0], X->Width);
  if ((!IsMax && T->Kind != Kind::SMin) || (By != 1 && By != -1))
    return X;
  auto Part = [&](Ref P) {
    return E.add(E.constant(X->Width, X->Addend), E.scale(P, uint64_t(By)));
  };
  Ref A = Part(T->Operands[0]), B = Part(T->Operands[1]);
  return IsMax == (By == 1) ? E.max(A, B, /*Signed=*/true)
                            : E.min(A, B, /*Signed=*/true);
}

LineFinder::Ref LineFinder::withoutClamp(Ref X, int64_t Least) {
  if (!DropsClamps)
    return X;
  auto Replaced = [&](Ref T) -> Ref {
    if (T->Kind != Kind::UMax && T->Kind != Kind::SMax)
      return nullptr;
    Ref Rest = E.sub(X, T);
    for (unsigned I : {0u, 1u}) {
      Ref Bound = E.add(Rest, T->Operands[I]);
      if (Bound->isConstant() && signedOf(Bound->Addend, X->Width) <= Least)
        return flat(E.add(Rest, T->Operands[1 - I]));
    }
    return nullptr;
  };
  if (Ref R = Replaced(X))
    return R;
  if (X->Kind == Kind::Sum)
    for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
      if (By == 1)
        if (Ref R = Replaced(Term))
          return R;
  return X;
}

/// A sum whose parts are multiples of 2^Bits, divided by that; null otherwise.
LineFinder::Ref LineFinder::exactQuotient(Ref X, int Bits) const {
  auto IsMultiple = [&](uint64_t N) { return llvm::countr_zero(N) >= Bits; };
  if (X->Kind != Kind::Sum || !IsMultiple(X->Addend) ||
      !llvm::all_of(X->Coefficients, IsMultiple))
    return nullptr;
  auto Divided = [&](uint64_t N) {
    return uint64_t(signedOf(N, X->Width) >> Bits);
  };
  Ref R = E.constant(X->Width, Divided(X->Addend));
  for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
    R = E.add(R, E.scale(Term, Divided(By)));
  return R;
}

/// A count of at least one, n or `(n - 1 >> k) + 1`, without such a bound of n.
LineFinder::Ref LineFinder::countWithoutClamp(Ref X) {
  constexpr uint64_t MostBits = 16;
  if (Ref R = withoutClamp(X, 1); R != X || !DropsClamps)
    return R;
  const bool IsSum = X->Kind == Kind::Sum && X->Operands.size() == 1 &&
                     X->Coefficients[0] == 1 && X->Addend == 1;
  Ref Shift = IsSum ? X->Operands[0] : X;
  if ((Shift->Kind != Kind::LShr && Shift->Kind != Kind::AShr) ||
      !Shift->Operands[1]->isConstant() ||
      Shift->Operands[1]->Addend > MostBits)
    return X;
  const int64_t Unit = int64_t(1) << Shift->Operands[1]->Addend;
  Ref Of =
      withoutClamp(flat(Shift->Operands[0]), (IsSum ? Unit : 2 * Unit) - 1);
  return E.add(E.lshr(Of, Shift->Operands[1]), E.constant(X->Width, IsSum));
}

/// \p X with the extensions of sums as sums of extensions.
LineFinder::Ref LineFinder::flat(Ref X) {
  switch (X->Kind) {
  case Kind::Sum: {
    Ref R = E.constant(X->Width, X->Addend);
    for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
      R = E.add(R, E.scale(flat(Term), By));
    return intoExtremum(R);
  }
  case Kind::And: {
    // The rest of a count, or the bits of n - 1 that decide it.
    if (!X->Operands[1]->isConstant() ||
        !llvm::isShiftedMask_64(X->Operands[1]->Addend))
      return X;
    const int Low = llvm::countr_zero(X->Operands[1]->Addend);
    Ref Of = flat(X->Operands[0]);
    if (Ref Part = exactQuotient(Of, Low); Part && Low != 0)
      return E.scale(E.bitAnd(countWithoutClamp(Part),
                              E.lshr(X->Operands[1], uint64_t(Low))),
                     uint64_t(1) << Low);
    return E.bitAnd(Low == 0 ? countWithoutClamp(Of)
                             : withoutClamp(Of, (int64_t(1) << Low) - 1),
                    X->Operands[1]);
  }
  case Kind::Product: {
    Ref R = E.constant(X->Width, 1);
    for (Ref Factor : X->Operands)
      R = E.mul(R, flat(Factor));
    return R;
  }
  case Kind::Select: {
    // Asked for again where choices nest.
    if (Ref Known = Choices.lookup(X))
      return Known;
    Ref R = withoutChoice(X);
    Choices[X] = R;
    return R;
  }
  case Kind::ZExt:
  case Kind::SExt:
    return X->Operands[0]->Width == 1
               ? X
               : extend(flat(X->Operands[0]), X->Width, X->Kind == Kind::SExt);
  default:
    return X;
  }
}

/// As `R == 1`, also where this was asked of the bits that R - 1 is made of.
RestEquals LineFinder::restEquals(Ref Condition) {
  if (Condition->Kind != Kind::Equal)
    return {};
  Ref X = Condition->Operands[0], Value = Condition->Operands[1];
  if (!Value->isConstant())
    std::swap(X, Value);
  X = flat(X);
  if (!Value->isConstant() || X->Kind != Kind::And ||
      !X->Operands[1]->isConstant())
    return {};
  uint64_t Mask = X->Operands[1]->Addend;
  if (llvm::isMask_64(Mask))
    return {X, Mask, Value->Addend};
  if (!llvm::isShiftedMask_64(Mask))
    return {};
  unsigned By = unsigned(llvm::countr_zero(Mask)), Width = X->Width;
  Mask >>= By;
  Ref Next = E.add(E.lshr(X->Operands[0], uint64_t(By)), E.constant(Width, 1));
  return {E.bitAnd(Next, E.constant(Width, Mask)), Mask,
          ((Value->Addend >> By) + 1) & Mask};
}

/// Whether \p Condition asks if the rest \p R is zero, perhaps of the bits that
/// it is made of: of y with R = ((y >> k) + 1) & m, whether y & (m << k) has
/// all of them.
bool LineFinder::asksForZero(Ref Condition, Ref R) {
  if (R->Kind != Kind::And || !R->Operands[1]->isConstant())
    return false;
  if (RestEquals Is = restEquals(Condition); Is.Rest == R)
    return Is.Value == 0;
  Ref Q = R->Operands[0];
  if (Q->Kind != Kind::Sum || Q->Operands.size() != 1 || Q->Addend != 1 ||
      Q->Coefficients[0] != 1 || Q->Operands[0]->Kind != Kind::LShr ||
      !Q->Operands[0]->Operands[1]->isConstant())
    return false;
  Ref Shift = Q->Operands[0];
  Ref Mask = E.shl(R->Operands[1], Shift->Operands[1]);
  return Condition == E.equal(E.bitAnd(Shift->Operands[0], Mask), Mask);
}

/// Where a loop that was unrolled begins, behind the iterations that its copies
/// do not have: `R == 0 ? a : a + c*R`, or one number after the other.
LineFinder::Ref LineFinder::withoutChoice(Ref X) {
  constexpr size_t MaxChoices = 16;
  if (Ref Step = E.sub(flat(X->Operands[2]), flat(X->Operands[1]));
      Step->Kind == Kind::And ||
      (Step->Kind == Kind::Sum && Step->Operands.size() == 1 &&
       Step->Addend == 0)) {
    Ref R = Step->Kind == Kind::And ? Step : Step->Operands[0];
    if (asksForZero(X->Operands[0], R))
      return flat(X->Operands[2]);
  }
  SmallVector<Ref, 4> Values;
  RestEquals First;
  Ref Tail = X;
  for (; Tail->Kind == Kind::Select && Values.size() != MaxChoices;
       Tail = Tail->Operands[2]) {
    RestEquals Is = restEquals(Tail->Operands[0]);
    if (Is && Values.empty() && Is.Mask == 1 && Is.Value == 1) {
      // One or the other.
      First = Is;
      Values.push_back(flat(Tail->Operands[2]));
      Tail = Tail->Operands[1];
      break;
    }
    if (!Is || Is.Value != Values.size() || (First && Is.Rest != First.Rest))
      break;
    if (!First)
      First = Is;
    Values.push_back(flat(Tail->Operands[1]));
  }
  if (!First || First.Rest->Width != X->Width || Values.size() != First.Mask)
    return X;
  Values.push_back(flat(Tail));
  Ref Step = E.sub(Values[1], Values[0]);
  for (size_t N = 1; N != Values.size(); ++N)
    if (E.sub(Values[N], Values[N - 1]) != Step)
      return X;
  return Step->isConstant()
             ? E.add(Values[0], E.scale(First.Rest, Step->Addend))
             : X;
}

/// A product in which one factor changes.
Line LineFinder::product(Ref X) {
  Ref Others = E.constant(X->Width, 1);
  Line Moving;
  for (Ref Factor : X->Operands) {
    if (isStill(Factor)) {
      Others = E.mul(Others, flat(Factor));
      continue;
    }
    if (Moving)
      return {};
    Moving = of(Factor);
    if (!Moving)
      return {};
  }
  return {E.mul(Moving.Start, Others), E.mul(Moving.Step, Others)};
}

/// One of two that change alike.
Line LineFinder::choice(Ref X) {
  if (!isStill(X->Operands[0]))
    return {};
  Line A = of(X->Operands[1]), B = of(X->Operands[2]);
  if (!A || !B || A.Step != B.Step)
    return {};
  return {E.select(X->Operands[0], A.Start, B.Start), A.Step};
}

Line LineFinder::of(Ref X) {
  unsigned Width = X->Width;
  if (isStill(X))
    return {flat(X), E.constant(Width, 0)};
  switch (X->Kind) {
  case Kind::Symbol:
    if (MotionOf(X) != Motion::ByOne)
      return {};
    return {StartsAtZero ? E.constant(Width, 0) : X, E.constant(Width, 1)};
  case Kind::Sum: {
    Line R = {E.constant(Width, X->Addend), E.constant(Width, 0)};
    for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients)) {
      Line L = of(Term);
      if (!L)
        return {};
      R.Start = E.add(R.Start, E.scale(L.Start, By));
      R.Step = E.add(R.Step, E.scale(L.Step, By));
    }
    return R;
  }
  case Kind::Product:
    return product(X);
  case Kind::Shl: {
    if (!isStill(X->Operands[1]))
      return {};
    Line L = of(X->Operands[0]);
    if (!L)
      return {};
    return {E.shl(L.Start, X->Operands[1]), E.shl(L.Step, X->Operands[1])};
  }
  case Kind::Select:
    return choice(X);
  case Kind::ZExt:
  case Kind::SExt:
  case Kind::Trunc: {
    if (X->Operands[0]->Width == 1)
      return {};
    Line L = of(X->Operands[0]);
    if (!L)
      return {};
    if (X->Kind == Kind::Trunc)
      return {E.trunc(L.Start, Width), E.trunc(L.Step, Width)};
    return {extend(L.Start, Width, X->Kind == Kind::SExt),
            extend(L.Step, Width, /*Signed=*/true)};
  }
  default:
    return {};
  }
}
