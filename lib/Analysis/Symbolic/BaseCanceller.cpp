//===- BaseCanceller.cpp - Bounds that share an unknown base --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BaseCanceller.h"
#include "ExpressionsImpl.h"
#include "llvm/ADT/DenseSet.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = const Expression *;

bool BaseCanceller::isOpen(Ref X) {
  if (X->Symbols.empty())
    return false;
  auto [It, IsNew] = Openness.try_emplace(X);
  if (IsNew)
    It->second = decidednessOf(X) == Decidedness::Open;
  return It->second;
}

/// Whether something open is in two operands of \p X or of something in it.
bool BaseCanceller::repeatsOpen(Ref X) {
  if (!X->Repeats || !isOpen(X))
    return false;
  if (auto It = Repetition.find(X); It != Repetition.end())
    return It->second;
  bool Repeats = false;
  llvm::SmallDenseSet<Ref, 16> Open;
  for (Ref O : X->Operands) {
    for (Ref S : O->Symbols)
      Repeats |= isOpen(S) && !Open.insert(S).second;
    Repeats = Repeats || repeatsOpen(O);
    if (Repeats)
      break;
  }
  return Repetition[X] = Repeats;
}

/// What is open leaves a comparison only where it stands twice.
bool BaseCanceller::mayCancel(Ref A, Ref B) {
  return repeatsOpen(A) || repeatsOpen(B) ||
         llvm::any_of(A->Symbols, [&](Ref S) {
           return llvm::is_contained(B->Symbols, S) && isOpen(S);
         });
}

BaseCanceller::Parts BaseCanceller::partsOf(Ref X) {
  if (!isOpen(X))
    return {nullptr, X};
  Ref Zero = E.constant(X->Width, 0);
  if (X->Kind != Kind::Sum)
    return {X, Zero};
  Ref Base = Zero;
  for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
    if (isOpen(Term))
      Base = E.add(Base, E.scale(Term, By));
  return {Base, E.sub(X, Base)};
}

/// The terms of Parts::Base, each with its coefficient.
BaseCanceller::TermList BaseCanceller::openTermsOf(Ref X) {
  TermList Terms;
  if (!isOpen(X))
    return Terms;
  if (X->Kind != Kind::Sum)
    Terms.emplace_back(X, 1);
  else
    for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
      if (isOpen(Term))
        Terms.emplace_back(Term, By);
  return Terms;
}

/// Nothing unless both have the same open part.
std::optional<BaseCanceller::Pair> BaseCanceller::pairOf(Ref A, Ref B,
                                                         bool Signed) {
  if (openTermsOf(A) != openTermsOf(B))
    return std::nullopt;
  Parts X = partsOf(A), Y = partsOf(B);
  if (!X.Base || X.Base != Y.Base)
    return std::nullopt;
  return Pair{X.Base, X.Rest, Y.Rest, Signed};
}

//===----------------------------------------------------------------------===//
// Whether something wraps
//===----------------------------------------------------------------------===//

namespace {
/// Start + Step * counter.
struct CounterLine {
  Ref Start = nullptr;
  Int128 Step = 0;
};
} // namespace

/// \p X as it changes with an exit's loop; no start if it does otherwise.
static CounterLine lineOf(Expressions &E, Ref X, const LoopExit &Exit) {
  CounterLine L{X, 0};
  auto Take = [&](Ref Term, uint64_t Times) {
    if (!Term->isSymbol() ||
        !llvm::is_contained(Exit.Counter, Term->Sym->Quantity))
      return;
    L.Start = E.sub(L.Start, E.scale(Term, Times));
    L.Step += signedOf(Times, X->Width);
  };
  if (X->Kind == Kind::Sum)
    for (auto [Term, Times] : llvm::zip(X->Operands, X->Coefficients))
      Take(Term, Times);
  else
    Take(X, 1);
  if (!Exit.IsInvariant(L.Start))
    L.Start = nullptr;
  return L;
}

/// Bounds of both sides where the condition is evaluated: but for the first
/// time it held one iteration before. False if they are not such lines.
bool BaseCanceller::boundByExit(const Pair &P, const LoopExit &Exit,
                                Interval &A, Interval &B) {
  CounterLine X = lineOf(E, P.A, Exit), Y = lineOf(E, P.B, Exit);
  if (!X.Start || !Y.Start || (X.Step != 0 && Y.Step != 0))
    return false;
  std::optional<Interval> FirstA = intervalOf(*X.Start),
                          FirstB = intervalOf(*Y.Start);
  if (!FirstA || !FirstB)
    return false;
  A = *FirstA, B = *FirstB;
  // A rises to B, or falls; or B does to A.
  const Int128 Beyond = Exit.StaysIf ? 1 : 0;
  if (X.Step > 0 && Exit.StaysIf)
    A.High = std::max(A.High, B.High - Beyond + X.Step);
  else if (X.Step < 0 && !Exit.StaysIf)
    A.Low = std::min(A.Low, B.Low + X.Step);
  else if (Y.Step < 0 && Exit.StaysIf)
    B.Low = std::min(B.Low, A.Low + Beyond + Y.Step);
  else if (Y.Step > 0 && !Exit.StaysIf)
    B.High = std::max(B.High, A.High + Y.Step);
  else
    return X.Step == 0 && Y.Step == 0;
  return true;
}

/// Whether both sums, wherever they are compared, are in the order of what is
/// added to the base.
bool BaseCanceller::isProven(const Pair &P, const LoopExit *Exit) {
  const unsigned Width = P.A->Width;
  std::optional<Interval> Base = intervalOf(*P.Base), A = intervalOf(*P.A),
                          B = intervalOf(*P.B);
  Interval ByExit[2];
  if (Exit && boundByExit(P, *Exit, ByExit[0], ByExit[1]))
    A = ByExit[0], B = ByExit[1];
  if (!Base || !A || !B)
    return false;
  auto OffsetOf = [&](const Interval &I) {
    return Interval{Base->Low + I.Low, Base->High + I.High}.offset(Width,
                                                                   P.Signed);
  };
  std::optional<Int128> Offset = OffsetOf(*A);
  return Offset && Offset == OffsetOf(*B) &&
         A->offset(Width, true) == Int128(0) &&
         B->offset(Width, true) == Int128(0);
}

//===----------------------------------------------------------------------===//
// What cancels
//===----------------------------------------------------------------------===//

/// An extension of a sum as a sum of extensions.
BaseCanceller::Known BaseCanceller::extend(Ref X) {
  const bool Signed = X->Kind == Kind::SExt;
  const Ref In = X->Operands[0];
  if (In->Kind != Kind::Sum)
    return {X, true};
  const Parts P = partsOf(In);
  if (!P.Base || P.Rest->isConstant(0))
    return {X, true};
  std::optional<Interval> All = intervalOf(*In), Base = intervalOf(*P.Base);
  auto Fits = [&](const std::optional<Interval> &I, bool OfSigned) {
    return I && I->offset(In->Width, OfSigned) == Int128(0);
  };
  const bool IsExact = Fits(All, Signed) && Fits(Base, Signed) &&
                       Fits(intervalOf(*P.Rest), true);
  Ref Wide = Signed ? E.sext(P.Base, X->Width) : E.zext(P.Base, X->Width);
  return {E.add(Wide, E.sext(P.Rest, X->Width)), IsExact};
}

static bool isExtremum(Ref X) {
  return X->Kind == Kind::UMin || X->Kind == Kind::UMax ||
         X->Kind == Kind::SMin || X->Kind == Kind::SMax;
}

/// Whether it keeps an open value within something decided, or perhaps does.
bool BaseCanceller::isClamp(Ref X) {
  return isExtremum(X) && isOpen(X->Operands[0]) != isOpen(X->Operands[1]);
}

/// A sum in which extrema with something decided, which keep a window within
/// its array, become their open operands: `min(v + 4, n) - max(v - 3, 0)` is
/// 7. That must be the largest size, or the least opposite of one: a maximum
/// that only raises a size is a compiler's, of a loop that runs at least once.
BaseCanceller::Known BaseCanceller::withoutClamps(Ref Sum) {
  if (Sum->Kind != Kind::Sum)
    return {Sum, true};
  if (!DropsClamps) {
    HasClamps |= llvm::any_of(Sum->Operands, [&](Ref X) { return isClamp(X); });
    return {Sum, true};
  }
  Ref Result = Sum;
  std::optional<bool> IsLargest;
  for (auto [Term, By] : llvm::zip(Sum->Operands, Sum->Coefficients)) {
    if (!isClamp(Term))
      continue;
    const int64_t Times = signedOf(By, Sum->Width);
    const bool IsMax = Term->Kind == Kind::UMax || Term->Kind == Kind::SMax;
    const bool Lowers = (Times > 0) != IsMax;
    if (IsLargest && *IsLargest != Lowers)
      return {Sum, true};
    IsLargest = Lowers;
    Ref Inside = Term->Operands[isOpen(Term->Operands[0]) ? 0 : 1];
    Result = E.add(Result, E.scale(E.sub(Inside, Term), By));
  }
  if (!IsLargest || isOpen(Result))
    return {Sum, true};
  // The size at first, whatever the iteration.
  Ref Size = Result;
  if (Result->Kind == Kind::Sum)
    for (auto [Term, By] : llvm::zip(Result->Operands, Result->Coefficients))
      if (Term->dependsOn(Symbol::KindTy::Counter) ||
          Term->dependsOn(Symbol::KindTy::ExitCount))
        Size = E.sub(Size, E.scale(Term, By));
  const bool IsSize =
      *IsLargest ? Size->Facts.SMin >= 2 : Size->Facts.SMax <= -2;
  return IsSize ? Known{Result, false} : Known{Sum, true};
}

/// A comparison, as simplify().
BaseCanceller::Known BaseCanceller::compare(Ref X, const LoopExit *Exit) {
  const Ref A = X->Operands[0], B = X->Operands[1];
  const bool IsEqual = X->Kind == Kind::Equal;
  if (std::optional<Pair> P = pairOf(A, B, X->Kind != Kind::ULess))
    return IsEqual
               ? Known{E.equal(P->A, P->B), true}
               : Known{E.less(P->A, P->B, /*Signed=*/true), isProven(*P, Exit)};
  if (!isOpen(A) || !isOpen(B))
    return {X, true};
  Known Way = withoutClamps(E.sub(A, B));
  Ref Zero = E.constant(A->Width, 0);
  if (isOpen(Way.X))
    return {X, true};
  return {IsEqual ? E.equal(Way.X, Zero) : E.less(Way.X, Zero, true), false};
}

/// \p X, whose operands are simplified already, without what cancels in it.
BaseCanceller::Known BaseCanceller::simplify(Ref X, const LoopExit *Exit) {
  switch (X->Kind) {
  case Kind::ZExt:
  case Kind::SExt:
    return extend(X);
  case Kind::Select:
    if (X->Width != 1)
      if (std::optional<Pair> P =
              pairOf(X->Operands[1], X->Operands[2], /*Signed=*/true))
        return {E.add(P->Base, E.select(X->Operands[0], P->A, P->B)), true};
    return {X, true};
  case Kind::UMin:
  case Kind::UMax:
  case Kind::SMin:
  case Kind::SMax: {
    const bool Signed = X->Kind == Kind::SMin || X->Kind == Kind::SMax;
    const bool IsMin = X->Kind == Kind::UMin || X->Kind == Kind::SMin;
    const Ref A = X->Operands[0], B = X->Operands[1];
    if (std::optional<Pair> P = pairOf(A, B, Signed)) {
      Ref Rest = IsMin ? E.min(P->A, P->B, true) : E.max(P->A, P->B, true);
      return {E.add(P->Base, Rest), isProven(*P, nullptr)};
    }
    return {X, true};
  }
  case Kind::Sum:
    return withoutClamps(X);
  case Kind::Equal:
  case Kind::ULess:
  case Kind::SLess:
    return X->Operands[0]->Width == 1 ? Known{X, true} : compare(X, Exit);
  default:
    return {X, true};
  }
}

BaseCanceller::Known BaseCanceller::visit(Ref X) {
  if (X->Operands.empty() || !isOpen(X) || (!X->ExtendsSum && !repeatsOpen(X)))
    return {X, true};
  llvm::DenseMap<Ref, Known> &Found = Seen[DropsClamps];
  if (auto It = Found.find(X); It != Found.end()) {
    HasClamps |= It->second.HasClamps;
    return It->second;
  }
  const bool HadClamps = std::exchange(HasClamps, false);
  SmallVector<Ref, 8> Operands;
  bool IsExact = true;
  for (Ref O : X->Operands) {
    Known K = visit(O);
    Operands.push_back(K.X);
    IsExact &= K.IsExact;
  }
  Ref Rebuilt = ArrayRef(Operands) == X->Operands ? X : E.rebuild(X, Operands);
  Known K = isOpen(Rebuilt) ? simplify(Rebuilt, nullptr) : Known{Rebuilt, true};
  K.IsExact &= IsExact;
  K.HasClamps = HasClamps;
  HasClamps |= HadClamps;
  return Found[X] = K;
}

void BaseCanceller::forget() {
  for (llvm::DenseMap<Ref, Known> &Found : Seen)
    Found.clear();
  Openness.clear();
  Repetition.clear();
}

BaseCanceller::Result BaseCanceller::cancel(Ref Comparison,
                                            const LoopExit *Exit) {
  if (!mayCancel(Comparison->Operands[0], Comparison->Operands[1]))
    return {};
  HasClamps = false;
  for (bool Drops : {false, true}) {
    DropsClamps = Drops;
    Known A = visit(Comparison->Operands[0]),
          B = visit(Comparison->Operands[1]);
    Ref Rebuilt = E.rebuild(Comparison, {A.X, B.X});
    Known K = isOpen(Rebuilt) ? simplify(Rebuilt, Exit) : Known{Rebuilt, true};
    if (!isOpen(K.X))
      return {K.X, K.IsExact && A.IsExact && B.IsExact};
    if (!HasClamps) // nothing else would come of it
      break;
  }
  return {};
}
