//===- ExpressionsArithmetic.cpp - Division, comparison, width ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = Expressions::Ref;

/// Rules that go down into operands look at small expressions only, so that
/// each step takes bounded time.
static constexpr unsigned SmallSize = 64;

static Int128 floorDivision(Int128 A, Int128 B) {
  return A / B - (A % B < 0 ? 1 : 0);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// `(By * h + l) / By` is `h + l / By` where nothing wraps; rounded down. Null
/// if nothing can be taken out.
Ref Expressions::divideSum(Ref A, uint64_t By, bool Signed) {
  if (A->Kind != Kind::Sum)
    return nullptr;
  unsigned Width = A->Width;
  std::optional<Interval> All = intervalOf(*A);
  std::optional<Int128> Offset =
      All ? All->offset(Width, Signed) : std::nullopt;
  if (!Offset)
    return nullptr;
  auto IsMultiple = [&](size_t I) {
    return signedOf(A->Coefficients[I], Width) % Int128(By) == 0;
  };
  std::optional<Interval> Low =
      intervalOfTerms(*A, [&](size_t I) { return !IsMultiple(I); });
  if (!Low)
    return nullptr;
  // The low part, made positive by multiples of By.
  Int128 Addend = signedOf(A->Addend, Width) + *Offset;
  Int128 Taken = floorDivision(Low->Low + Addend, By);
  Int128 Rest = Addend - Taken * Int128(By);
  if (Low->High + Rest > Int128(maskOf(Width)))
    return nullptr;
  Terms High, Lower;
  High.Addend = uint64_t(Taken);
  Lower.Addend = uint64_t(Rest);
  for (size_t I = 0; I != A->Operands.size(); ++I) {
    if (IsMultiple(I))
      High.add(A->Operands[I],
               uint64_t(signedOf(A->Coefficients[I], Width) / Int128(By)));
    else
      Lower.add(A->Operands[I], A->Coefficients[I]);
  }
  if (High.List.empty() && Taken == 0)
    return nullptr;
  Ref L = sum(Width, Lower);
  High.add(llvm::isPowerOf2_64(By) ? lshr(L, unsigned(llvm::countr_zero(By)))
                                   : div(L, constant(Width, By), false),
           1);
  return sum(Width, High);
}

/// A without the terms that are multiples of \p Of, where nothing wraps: the
/// rest of an unsigned division stays. Null if there is none.
Ref Expressions::dropMultiples(Ref A, uint64_t Of) {
  if (A->Kind != Kind::Sum)
    return nullptr;
  unsigned Width = A->Width;
  std::optional<Interval> All = intervalOf(*A);
  std::optional<Int128> Offset = All ? All->offset(Width, false) : std::nullopt;
  if (!Offset)
    return nullptr;
  auto Stays = [&](size_t I) {
    return signedOf(A->Coefficients[I], Width) % Int128(Of) != 0;
  };
  std::optional<Interval> Low = intervalOfTerms(*A, Stays);
  if (!Low)
    return nullptr;
  Int128 Addend = signedOf(A->Addend, Width) + *Offset;
  Int128 Taken = floorDivision(Low->Low + Addend, Of);
  Int128 Rest = Addend - Taken * Int128(Of);
  if (Low->High + Rest > Int128(maskOf(Width)))
    return nullptr;
  Terms Lower;
  Lower.Addend = uint64_t(Rest);
  for (size_t I = 0; I != A->Operands.size(); ++I)
    if (Stays(I))
      Lower.add(A->Operands[I], A->Coefficients[I]);
  if (Lower.List.size() == A->Operands.size() && Taken == 0)
    return nullptr;
  return sum(Width, Lower);
}

Ref Expressions::div(Ref A, Ref B, bool Signed) {
  unsigned Width = A->Width;
  if (Signed && A->Facts.SMin >= 0 && B->Facts.SMin >= 0)
    Signed = false;
  if (B->isConstant(1))
    return A;
  if (Signed)
    return make(Kind::SDiv, Width, {A, B});
  if (B->isConstant() && B->Addend != 0 && !A->isConstant()) {
    if (llvm::isPowerOf2_64(B->Addend))
      return lshr(A, unsigned(llvm::countr_zero(B->Addend)));
    if (A->Kind == Kind::ZExt) {
      Ref In = A->Operands[0];
      if (B->Addend > maskOf(In->Width))
        return constant(Width, 0);
      return zext(div(In, constant(In->Width, B->Addend), false), Width);
    }
    if (A->Kind == Kind::UDiv && A->Operands[1]->isConstant() &&
        A->Operands[1]->Addend != 0) {
      UInt128 Both = UInt128(B->Addend) * A->Operands[1]->Addend;
      if (Both > maskOf(Width))
        return constant(Width, 0);
      return div(A->Operands[0], constant(Width, uint64_t(Both)), false);
    }
    if (Ref Quotient = divideSum(A, B->Addend, false))
      return Quotient;
  }
  return make(Kind::UDiv, Width, {A, B});
}

Ref Expressions::rem(Ref A, Ref B, bool Signed) {
  unsigned Width = A->Width;
  if (Signed && A->Facts.SMin >= 0 && B->Facts.SMin >= 0)
    Signed = false;
  if (B->isConstant(1))
    return constant(Width, 0);
  if (Signed)
    return make(Kind::SRem, Width, {A, B});
  if (A->Facts.UMax < B->Facts.UMin)
    return A;
  if (B->isConstant() && B->Addend != 0 && !A->isConstant()) {
    if (llvm::isPowerOf2_64(B->Addend))
      return bitAnd(A, constant(Width, B->Addend - 1));
    if (A->Kind == Kind::ZExt && B->Addend <= maskOf(A->Operands[0]->Width)) {
      Ref In = A->Operands[0];
      return zext(rem(In, constant(In->Width, B->Addend), false), Width);
    }
    if (Ref Rest = dropMultiples(A, B->Addend))
      return rem(Rest, B, false);
  }
  return make(Kind::URem, Width, {A, B});
}

Ref Expressions::mulHigh(Ref A, Ref B, bool Signed) {
  unsigned Width = A->Width;
  if (Width == 64)
    return make(Signed ? Kind::SMulHi : Kind::UMulHi, Width,
                {A->Id < B->Id ? A : B, A->Id < B->Id ? B : A});
  Ref Whole = mul(resize(A, 2 * Width, Signed), resize(B, 2 * Width, Signed));
  return trunc(lshr(Whole, Width), Width);
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

/// Whether A < B, from the difference of sums that do not wrap.
std::optional<bool> Expressions::compareSums(Ref A, Ref B, bool Signed) {
  if (A->Kind != Kind::Sum && B->Kind != Kind::Sum)
    return std::nullopt;
  unsigned Width = A->Width;
  SmallVector<std::pair<Ref, Int128>, 16> Difference;
  Int128 Low = 0;
  for (Ref E : {A, B}) {
    std::optional<Interval> I = intervalOf(*E);
    std::optional<Int128> Offset = I ? I->offset(Width, Signed) : std::nullopt;
    if (!Offset)
      return std::nullopt;
    Int128 Sign = E == A ? 1 : -1;
    Low += Sign * *Offset;
    Terms T;
    T.add(E, 1);
    Low += Sign * signedOf(T.Addend & maskOf(Width), Width);
    for (auto [Term, By] : T.List)
      Difference.emplace_back(Term, Sign * signedOf(By & maskOf(Width), Width));
  }
  llvm::sort(Difference, [](const auto &X, const auto &Y) {
    return X.first->Id < Y.first->Id;
  });
  Int128 High = Low;
  for (size_t I = 0; I != Difference.size();) {
    Ref Term = Difference[I].first;
    Int128 By = 0;
    for (; I != Difference.size() && Difference[I].first == Term; ++I)
      By += Difference[I].second;
    const ValueFacts &F = Term->Facts;
    Int128 X = isBetterSigned(*Term) ? Int128(F.SMin) : Int128(F.UMin);
    Int128 Y = isBetterSigned(*Term) ? Int128(F.SMax) : Int128(F.UMax);
    if (__builtin_mul_overflow(X, By, &X) || __builtin_mul_overflow(Y, By, &Y))
      return std::nullopt;
    if (__builtin_add_overflow(Low, std::min(X, Y), &Low) ||
        __builtin_add_overflow(High, std::max(X, Y), &High))
      return std::nullopt;
  }
  if (High < 0)
    return true;
  if (Low >= 0)
    return false;
  return std::nullopt;
}

/// A thread's or block's index and the extent that it is below.
static bool isBelowExtent(Ref Index, Ref Extent) {
  constexpr auto First = unsigned(Symbol::KindTy::BlockExtentX);
  return Index->isSymbol() && Extent->isSymbol() &&
         Index->Sym->Kind <= Symbol::KindTy::BlockZ &&
         unsigned(Extent->Sym->Kind) == unsigned(Index->Sym->Kind) + First;
}

Ref Expressions::less(Ref A, Ref B, bool Signed) {
  if (A == B || isBelowExtent(B, A))
    return boolean(false);
  if (isBelowExtent(A, B))
    return boolean(true);
  const ValueFacts &X = A->Facts, &Y = B->Facts;
  if (Signed ? X.SMax < Y.SMin : X.UMax < Y.UMin)
    return boolean(true);
  if (Signed ? X.SMin >= Y.SMax : X.UMin >= Y.UMax)
    return boolean(false);
  if (std::optional<bool> Known = compareSums(A, B, Signed))
    return boolean(*Known);
  // Extensions keep the order.
  auto Inner = [](Ref E, Kind K) {
    return E->Kind == K ? E->Operands[0] : nullptr;
  };
  if (Ref In = Inner(A, Kind::ZExt)) {
    Ref Other = Inner(B, Kind::ZExt);
    if (!Other && B->isConstant() && B->Addend <= maskOf(In->Width))
      Other = constant(In->Width, B->Addend);
    if (Other && Other->Width == In->Width)
      return less(In, Other, false);
  } else if (Ref Other = Inner(B, Kind::ZExt);
             Other && A->isConstant() && A->Addend <= maskOf(Other->Width)) {
    return less(constant(Other->Width, A->Addend), Other, false);
  }
  if (Ref In = Inner(A, Kind::SExt)) {
    Ref Other = Inner(B, Kind::SExt);
    if (!Other && B->isConstant() &&
        signedOf(B->Addend & maskOf(In->Width), In->Width) ==
            signedOf(B->Addend, B->Width))
      Other = constant(In->Width, B->Addend);
    if (Other && Other->Width == In->Width)
      return less(In, Other, Signed);
  }
  if (Signed && X.SMin >= 0 && Y.SMin >= 0)
    Signed = false;
  if (!Signed && B->isConstant(1))
    return equal(A, constant(A->Width, 0));
  if (!Signed && A->isConstant(0))
    return bitNot(equal(B, A));
  return make(Signed ? Kind::SLess : Kind::ULess, 1, {A, B});
}

Ref Expressions::equal(Ref A, Ref B) {
  if (A->isConstant() || (!B->isConstant() && A->Id > B->Id))
    std::swap(A, B);
  if (A->Width == 1)
    return bitNot(bitXor(A, B));
  const ValueFacts &X = A->Facts, &Y = B->Facts;
  if (X.UMax < Y.UMin || Y.UMax < X.UMin || X.SMax < Y.SMin ||
      Y.SMax < X.SMin || (X.Zeros & Y.Ones) || (X.Ones & Y.Zeros))
    return boolean(false);
  if (Ref Difference = sub(A, B); Difference->isConstant())
    return boolean(Difference->Addend == 0);
  if (B->isConstant()) {
    if (A->Kind == Kind::Sum && A->Addend != 0)
      return equal(sub(A, constant(A->Width, A->Addend)),
                   constant(A->Width, B->Addend - A->Addend));
    if (B->Addend == 0 && A->Kind == Kind::Or)
      return bitAnd(equal(A->Operands[0], B), equal(A->Operands[1], B));
    if (A->Kind == Kind::ZExt) // else the bounds said no
      return equal(A->Operands[0], constant(A->Operands[0]->Width, B->Addend));
    if (A->Kind == Kind::Select && A->Operands[1]->isConstant() &&
        A->Operands[2]->isConstant()) {
      bool IfTrue = A->Operands[1] == B, IfFalse = A->Operands[2] == B;
      return IfTrue    ? A->Operands[0]
             : IfFalse ? bitNot(A->Operands[0])
                       : boolean(false);
    }
  } else if (A->Kind == B->Kind &&
             (A->Kind == Kind::ZExt || A->Kind == Kind::SExt) &&
             A->Operands[0]->Width == B->Operands[0]->Width) {
    return equal(A->Operands[0], B->Operands[0]);
  }
  return make(Kind::Equal, 1, {A, B});
}

Ref Expressions::minMax(Kind K, Ref A, Ref B) {
  bool Signed = K == Kind::SMin || K == Kind::SMax;
  bool IsMin = K == Kind::UMin || K == Kind::SMin;
  if (A == B)
    return A;
  Ref Less = less(A, B, Signed);
  if (Less->isConstant())
    return (Less->Addend != 0) == IsMin ? A : B;
  if (Less = less(B, A, Signed); Less->isConstant())
    return (Less->Addend != 0) == IsMin ? B : A;
  if (A->isConstant() || (!B->isConstant() && A->Id > B->Id))
    std::swap(A, B);
  return make(K, A->Width, {A, B});
}
Ref Expressions::min(Ref A, Ref B, bool Signed) {
  return minMax(Signed ? Kind::SMin : Kind::UMin, A, B);
}
Ref Expressions::max(Ref A, Ref B, bool Signed) {
  return minMax(Signed ? Kind::SMax : Kind::UMax, A, B);
}

Ref Expressions::select(Ref C, Ref A, Ref B) {
  if (C->Kind == Kind::Not) {
    C = C->Operands[0];
    std::swap(A, B);
  }
  if (C->isConstant())
    return C->Addend ? A : B;
  // The same question again has the same answer.
  if (A->Kind == Kind::Select && A->Operands[0] == C)
    A = A->Operands[1];
  if (B->Kind == Kind::Select && B->Operands[0] == C)
    B = B->Operands[2];
  if (A == B)
    return A;
  unsigned Width = A->Width;
  if (Width == 1) {
    if (A->isConstant())
      return A->Addend ? bitOr(C, B) : bitAnd(bitNot(C), B);
    if (B->isConstant())
      return B->Addend ? bitOr(bitNot(C), A) : bitAnd(C, A);
    return make(Kind::Select, 1, {C, A, B});
  }
  if (B->isConstant(0) && A->isConstant(1))
    return zext(C, Width);
  if (B->isConstant(0) && A->isConstant(maskOf(Width)))
    return sext(C, Width);
  if (A->isConstant(0) && B->isConstant(1))
    return zext(bitNot(C), Width);
  if ((C->Kind == Kind::ULess || C->Kind == Kind::SLess) &&
      C->Operands[0]->Width == Width) {
    bool Signed = C->Kind == Kind::SLess;
    if (C->Operands[0] == A && C->Operands[1] == B)
      return min(A, B, Signed);
    if (C->Operands[0] == B && C->Operands[1] == A)
      return max(A, B, Signed);
  }
  return make(Kind::Select, Width, {C, A, B});
}

//===----------------------------------------------------------------------===//
// Width
//===----------------------------------------------------------------------===//

/// The sum of extended terms, if the sum does not wrap; null otherwise.
Ref Expressions::extendSum(Ref A, unsigned Width, bool Signed) {
  if (A->Kind != Kind::Sum)
    return nullptr;
  std::optional<Interval> I = intervalOf(*A);
  std::optional<Int128> Offset = I ? I->offset(A->Width, Signed) : std::nullopt;
  if (!Offset)
    return nullptr;
  Terms T;
  T.Addend = uint64_t(signedOf(A->Addend, A->Width) + *Offset);
  for (size_t N = 0; N != A->Operands.size(); ++N) {
    Ref Term = A->Operands[N];
    T.add(resize(Term, Width, isBetterSigned(*Term)),
          uint64_t(signedOf(A->Coefficients[N], A->Width)));
  }
  return sum(Width, T);
}

static bool isCounter(Ref E) {
  return E->isSymbol(Symbol::KindTy::Counter) ||
         E->isSymbol(Symbol::KindTy::ExitCount);
}

Ref Expressions::zext(Ref A, unsigned Width) {
  if (A->Width == Width)
    return A;
  if (A->isConstant())
    return constant(Width, A->Addend);
  uint64_t Mask = maskOf(A->Width);
  switch (A->Kind) {
  case Kind::ZExt:
    return zext(A->Operands[0], Width);
  case Kind::Trunc: {
    Ref In = A->Operands[0];
    if (In->Facts.UMax <= Mask)
      return resize(In, Width, false);
    return resize(bitAnd(In, constant(In->Width, Mask)), Width, false);
  }
  case Kind::Product: {
    if (A->Size > SmallSize)
      break;
    UInt128 Most = 1;
    for (Ref F : A->Operands)
      if ((Most *= F->Facts.UMax) > Mask)
        break;
    if (Most > Mask)
      break;
    Ref P = zext(A->Operands[0], Width);
    for (Ref F : A->Operands.drop_front())
      P = mul(P, zext(F, Width));
    return P;
  }
  case Kind::Symbol:
    if (isCounter(A) && A->Sym->Max <= Mask)
      return symbol(Width, *A->Sym);
    break;
  default:
    break;
  }
  if (Ref S = extendSum(A, Width, false))
    return S;
  return make(Kind::ZExt, Width, A);
}

Ref Expressions::sext(Ref A, unsigned Width) {
  if (A->Width == Width)
    return A;
  if (A->isConstant())
    return constant(Width, uint64_t(signedOf(A->Addend, A->Width)));
  if (A->Facts.SMin >= 0)
    return zext(A, Width);
  int64_t Most = int64_t(maskOf(A->Width - 1u));
  switch (A->Kind) {
  case Kind::SExt:
    return sext(A->Operands[0], Width);
  case Kind::Trunc: {
    const ValueFacts &F = A->Operands[0]->Facts;
    if (F.SMin >= -Most - 1 && F.SMax <= Most)
      return resize(A->Operands[0], Width, true);
    break;
  }
  case Kind::Product: {
    if (A->Size > SmallSize || A->Operands.size() != 2)
      break;
    const ValueFacts &X = A->Operands[0]->Facts, &Y = A->Operands[1]->Facts;
    Int128 Corners[] = {Int128(X.SMin) * Y.SMin, Int128(X.SMin) * Y.SMax,
                        Int128(X.SMax) * Y.SMin, Int128(X.SMax) * Y.SMax};
    if (llvm::all_of(Corners, [&](Int128 C) {
          return C >= -Int128(Most) - 1 && C <= Most;
        }))
      return mul(sext(A->Operands[0], Width), sext(A->Operands[1], Width));
    break;
  }
  default:
    break;
  }
  if (Ref S = extendSum(A, Width, true))
    return S;
  return make(Kind::SExt, Width, A);
}

Ref Expressions::trunc(Ref A, unsigned Width) {
  if (A->Width == Width)
    return A;
  if (A->isConstant())
    return constant(Width, A->Addend);
  ArrayRef<Ref> O = A->Operands;
  bool IsSmall = A->Size <= SmallSize;
  switch (A->Kind) {
  case Kind::ZExt:
  case Kind::SExt:
    return resize(O[0], Width, A->Kind == Kind::SExt);
  case Kind::Trunc:
    return trunc(O[0], Width);
  case Kind::Sum: {
    Terms T;
    T.Addend = A->Addend;
    for (size_t I = 0; I != O.size(); ++I)
      // A term that the coefficient shifts out is not looked at.
      if ((A->Coefficients[I] & maskOf(Width)) != 0)
        T.add(trunc(O[I], Width), A->Coefficients[I]);
    return sum(Width, T);
  }
  case Kind::Product:
    if (IsSmall) {
      Ref P = trunc(O[0], Width);
      for (Ref F : O.drop_front())
        P = mul(P, trunc(F, Width));
      return P;
    }
    break;
  case Kind::And:
    if (IsSmall)
      return bitAnd(trunc(O[0], Width), trunc(O[1], Width));
    break;
  case Kind::Or:
    if (IsSmall)
      return bitOr(trunc(O[0], Width), trunc(O[1], Width));
    break;
  case Kind::Xor:
    if (IsSmall)
      return bitXor(trunc(O[0], Width), trunc(O[1], Width));
    break;
  case Kind::Shl:
    if (IsSmall)
      return shl(trunc(O[0], Width), O[1]);
    break;
  case Kind::Power:
    return power(trunc(O[0], Width), O[1]);
  case Kind::Select:
    if (IsSmall)
      return select(O[0], trunc(O[1], Width), trunc(O[2], Width));
    break;
  case Kind::LShr:
    // lshr() takes a Trunc node outwards.
    if (O[0]->Facts.UMax <= maskOf(Width))
      if (Ref In = trunc(O[0], Width); In->Kind != Kind::Trunc)
        return lshr(In, O[1]);
    break;
  case Kind::Symbol:
    if (isCounter(A))
      return symbol(Width, *A->Sym);
    break;
  default:
    break;
  }
  return make(Kind::Trunc, Width, A);
}

Ref Expressions::resize(Ref A, unsigned Width, bool Signed) {
  return Width < A->Width ? trunc(A, Width)
         : Signed         ? sext(A, Width)
                          : zext(A, Width);
}
