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

/// A and B if an expression of the counter k is A + B * k, both invariant.
std::optional<std::pair<Ref, Ref>> ClosedForms::linear(Ref X) const {
  Ref K = counter(X->Width);
  if (isInvariant(X))
    return std::pair(X, E.constant(X->Width, 0));
  if (!X->dependsOn(K))
    return std::nullopt;
  auto With = [&](uint64_t V) {
    Expressions::Memo Memo;
    return E.substitute(
        X, [&](Ref S) { return S == K ? E.constant(X->Width, V) : S; }, Memo);
  };
  Ref A = With(0), B = E.sub(With(1), A);
  if (!isInvariant(A) || !isInvariant(B) || E.add(A, E.mul(B, K)) != X)
    return std::nullopt;
  return std::pair(A, B);
}

/// An index that a comparison asks is taken not to wrap around.
std::optional<ClosedForms::Prefix> ClosedForms::prefixOfLess(Ref Less) const {
  auto Left = linear(Less->Operands[0]), Right = linear(Less->Operands[1]);
  if (!Left || !Right)
    return std::nullopt;
  const bool Signed = Less->Kind == Kind::SLess;
  const unsigned Width = Less->Operands[0]->Width;
  Ref Slope = E.sub(Left->second, Right->second);
  if (!Slope->isConstant() || Width == 1)
    return std::nullopt;
  const int64_t S = signedOf(Slope->Addend, Width);
  if (S == 0 || S == INT64_MIN || (S < 0 && !Signed))
    return std::nullopt;
  Ref From = E.resize(Left->first, 64, Signed),
      To = E.resize(Right->first, 64, Signed);
  Ref Zero = E.constant(64, 0);
  if (S > 0) {
    Ref Ahead = E.add(E.sub(To, From), E.constant(64, uint64_t(S) - 1));
    return Prefix{
        E.div(E.max(Ahead, Zero, true), E.constant(64, uint64_t(S)), false),
        true};
  }
  Ref Above = E.add(E.sub(From, To), E.constant(64, uint64_t(-S)));
  return Prefix{
      E.div(E.max(Above, Zero, true), E.constant(64, uint64_t(-S)), false),
      false};
}

std::optional<ClosedForms::Prefix> ClosedForms::prefixOf(Ref X) const {
  switch (X->Kind) {
  case Kind::Not: {
    auto Found = prefixOf(X->Operands[0]);
    if (Found)
      Found->Holds = !Found->Holds;
    return Found;
  }
  case Kind::And:
  case Kind::Or: {
    auto A = prefixOf(X->Operands[0]), B = prefixOf(X->Operands[1]);
    if (X->Operands.size() != 2 || !A || !B || A->Holds != B->Holds)
      return std::nullopt;
    // Both hold until the first one ends; both fail until the last one does.
    const bool First = (X->Kind == Kind::And) == A->Holds;
    return Prefix{First ? E.min(A->Until, B->Until, true)
                        : E.max(A->Until, B->Until, true),
                  A->Holds};
  }
  case Kind::SLess:
  case Kind::ULess:
    if (!isInvariant(X))
      return prefixOfLess(X);
    break;
  default:
    break;
  }
  if (!isInvariant(X))
    return std::nullopt;
  return Prefix{
      E.select(X, E.constant(64, uint64_t(INT64_MAX)), E.constant(64, 0)),
      true};
}

/// In how many iterations before this one a condition held, in 64 bits; null
/// if that cannot be told.
Ref ClosedForms::timesTrue(Ref X) const {
  Ref K = counter(64);
  if (Ref Known = Times.lookup(X))
    return Known;
  if (X->Kind == Kind::Not) {
    Ref Others = timesTrue(X->Operands[0]);
    return Others ? E.sub(K, Others) : nullptr;
  }
  if (X->Kind == Kind::Equal && X->Operands[0]->Width != 1) {
    auto Left = linear(X->Operands[0]), Right = linear(X->Operands[1]);
    if (!Left || !Right)
      return nullptr;
    Ref Slope = E.sub(Left->second, Right->second);
    Ref Distance = E.sub(Right->first, Left->first);
    if (Slope->isConstant(maskOf(Slope->Width)))
      Distance = E.neg(Distance);
    else if (!Slope->isConstant(1))
      return nullptr;
    return E.zext(E.less(E.zext(Distance, 64), K, false), 64); // once
  }
  std::optional<Prefix> Found = prefixOf(X);
  if (!Found)
    return nullptr;
  Ref Within = E.min(K, Found->Until, true);
  return Found->Holds ? Within : E.sub(K, Within);
}

/// The sum of \p Step over the iterations before; null unless its parts are
/// invariant, grow by an invariant, or are chosen by what timesTrue() knows.
Ref ClosedForms::total(Ref Step) const {
  const unsigned Width = Step->Width;
  Ref K = counter(Width);
  if (auto Line = linear(Step)) {
    Ref Sum = E.mul(Line->first, K);
    return Line->second->isConstant(0)
               ? Sum
               : E.add(Sum, E.mul(Line->second, triangle(Width)));
  }
  auto Chosen = [&](Ref Condition, Ref A, Ref B) -> Ref {
    if (!isInvariant(A) || !isInvariant(B))
      return nullptr;
    Ref Times = timesTrue(Condition);
    return Times ? E.add(E.mul(B, K),
                         E.mul(E.sub(A, B), E.resize(Times, Width, false)))
                 : nullptr;
  };
  switch (Step->Kind) {
  case Kind::Select:
    return Chosen(Step->Operands[0], Step->Operands[1], Step->Operands[2]);
  case Kind::ZExt:
  case Kind::SExt:
    return Step->Operands[0]->Width == 1
               ? Chosen(Step->Operands[0],
                        E.constant(Width, Step->Kind == Kind::ZExt
                                              ? 1
                                              : maskOf(Width)),
                        E.constant(Width, 0))
               : nullptr;
  case Kind::Sum: {
    Ref All = E.mul(E.constant(Width, Step->Addend), K);
    for (auto [O, C] : llvm::zip(Step->Operands, Step->Coefficients)) {
      Ref Part = total(O);
      if (!Part)
        return nullptr;
      All = E.add(All, E.scale(Part, C));
    }
    return All;
  }
  default:
    return nullptr;
  }
}

/// p = c ? p + a : p + b.
Ref ClosedForms::choice(Ref Init, Ref P, Ref Next) const {
  if (Next->Kind != Kind::Select || Next->Operands[0]->dependsOn(P))
    return nullptr;
  Ref A = E.sub(Next->Operands[1], P), B = E.sub(Next->Operands[2], P);
  if (A->dependsOn(P) || B->dependsOn(P))
    return nullptr;
  Ref Sum = total(E.select(Next->Operands[0], A, B));
  return Sum ? E.add(Init, Sum) : nullptr;
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

/// p = c(p) ? p + a : p, in which the condition, once it fails, does not hold
/// again: p has stopped.
Ref ClosedForms::limited(Ref Init, Ref P, Ref Next) {
  if (Next->Kind != Kind::Select)
    return nullptr;
  Ref Asked = Next->Operands[0];
  const bool IfTrue = Next->Operands[2] == P;
  Ref Step = E.sub(Next->Operands[IfTrue ? 1 : 2], P);
  if ((!IfTrue && Next->Operands[1] != P) || !isInvariant(Step))
    return nullptr;
  // What it asks as long as p has not stopped.
  Ref Moving = E.add(Init, E.mul(Step, counter(P->Width)));
  Expressions::Memo Memo;
  Ref While =
      E.substitute(Asked, [&](Ref S) { return S == P ? Moving : S; }, Memo);
  std::optional<Prefix> Found = prefixOf(IfTrue ? While : E.bitNot(While));
  if (!Found || !Found->Holds)
    return nullptr;
  Ref Moves = E.min(counter(64), Found->Until, true);
  Times[Asked] = IfTrue ? Moves : E.sub(counter(64), Moves);
  return E.add(Init, E.mul(Step, E.resize(Moves, P->Width, false)));
}

/// p = f(k), the counter's alone: what that was an iteration before.
Ref ClosedForms::delayed(Ref Init, Ref Next) const {
  auto With = [&](Ref X, llvm::function_ref<Ref(Ref)> Counter) {
    Expressions::Memo Memo;
    return E.substitute(
        X, [&](Ref S) { return S == counter(S->Width) ? Counter(S) : S; },
        Memo);
  };
  auto Zero = [&](Ref S) { return E.constant(S->Width, 0); };
  if (!isInvariant(With(Next, Zero)))
    return nullptr;
  Ref Former =
      With(Next, [&](Ref S) { return E.sub(S, E.constant(S->Width, 1)); });
  if (With(Former, Zero) == Init)
    return Former;
  return E.select(E.equal(counter(64), E.constant(64, 0)), Init, Former);
}

/// A symbol for a part of what \p P stands for.
Ref ClosedForms::partOf(Ref P, PhiSymbolBits Which, unsigned Width) const {
  Symbol S = *P->Sym;
  S.Number |= Which;
  S.Min = 0, S.Max = ~uint64_t(0), S.Align = 1;
  return E.symbol(Width, std::move(S));
}

/// p = extend(f(trunc(p))): what f makes of the narrow number, if the first one
/// is an extension too.
Ref ClosedForms::narrow(Ref Init, Ref P, Ref Next) {
  if (Next->Kind != Kind::SExt && Next->Kind != Kind::ZExt)
    return nullptr;
  const bool Signed = Next->Kind == Kind::SExt;
  const unsigned Width = Next->Operands[0]->Width, Wide = Next->Width;
  Ref First = E.trunc(Init, Width);
  if (Width == 1 || E.resize(First, Wide, Signed) != Init)
    return nullptr;
  Ref Narrow = partOf(P, NarrowBit, Width);
  Ref Extended = E.resize(Narrow, Wide, Signed);
  Expressions::Memo Memo;
  Ref Then = E.substitute(
      Next->Operands[0], [&](Ref X) { return X == P ? Extended : X; }, Memo);
  Ref Form = solve(First, Narrow, Then);
  return Form ? E.resize(Form, Wide, Signed) : nullptr;
}

/// p = f(trunc(p)) in 64 bits, of which f reads the lower 32: an int that
/// counts on in steps of a size_t, as OpenCL's indices do. They have a form of
/// their own, and p is what f made of them an iteration before.
Ref ClosedForms::lowPart(Ref Init, Ref P, Ref Next) {
  if (P->Width != 64)
    return nullptr;
  Ref Low = partOf(P, NarrowBit, 32);
  Ref High = partOf(P, UpperBit, 64);
  Ref Both = E.add(E.zext(Low, 64), E.shl(High, 32));
  auto With = [&](Ref For) {
    Expressions::Memo Memo;
    return E.substitute(Next, [&](Ref S) { return S == P ? For : S; }, Memo);
  };
  if (With(Both)->dependsOn(High))
    return nullptr;
  Ref Then = With(E.zext(Low, 64));
  Ref Form = solve(E.trunc(Init, 32), Low, E.trunc(Then, 32));
  Ref All = Form ? delayed(Init, With(E.zext(Form, 64))) : nullptr;
  if (!All || All->Kind != Kind::Select)
    return All;
  // What reads the lower bits has no choice to look at.
  return E.add(E.zext(Form, 64), E.shl(E.lshr(All, 32), 32));
}

/// Whether \p Next is \p P or \p Init, whichever way it is chosen: what is
/// computed again, as assemblers do where registers are scarce.
static bool isKept(Ref Init, Ref P, Ref Next) {
  constexpr size_t Enough = 32;
  SmallVector<Ref, 8> Leaves{Next};
  for (size_t N = 0; N != Leaves.size(); ++N) {
    Ref X = Leaves[N];
    if (X == P || X == Init)
      continue;
    if (X->Kind != Kind::Select || Leaves.size() > Enough)
      return false;
    for (Ref O : {X->Operands[1], X->Operands[2]})
      if (!llvm::is_contained(Leaves, O))
        Leaves.push_back(O);
  }
  return true;
}

Ref ClosedForms::solve(Ref Init, Ref P, Ref Next) {
  if (isKept(Init, P, Next))
    return Init;
  if (Ref X = Next->dependsOn(P) ? nullptr : delayed(Init, Next))
    return X;
  if (Init->Width == 1) // p = !p
    return Next == E.bitNot(P) ? E.bitXor(Init, isOdd()) : nullptr;
  Ref Step = E.sub(Next, P);
  if (!Step->dependsOn(P)) {
    Ref Sum = total(Step);
    return Sum ? E.add(Init, Sum) : nullptr;
  }
  if (Ref X = choice(Init, P, Next))
    return X;
  if (Ref X = limited(Init, P, Next))
    return X;
  if (Ref X = product(Init, P, Next))
    return X;
  if (Ref X = narrow(Init, P, Next))
    return X;
  if (Ref X = lowPart(Init, P, Next))
    return X;
  if (Next->Kind == Kind::Product)
    return nullptr;
  if (Ref X = reflection(Init, P, Next))
    return X;
  if (Ref X = shift(Init, P, Next))
    return X;
  return modulo(Init, P, Next);
}
