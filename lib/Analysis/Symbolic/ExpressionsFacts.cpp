//===- ExpressionsFacts.cpp - Bits and bounds of expressions --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "ptxpredict/Launch/BufferContents.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;

//===----------------------------------------------------------------------===//
// Intervals of sums
//===----------------------------------------------------------------------===//

bool expressions::isBetterSigned(const Expression &Term) {
  const ValueFacts &F = Term.Facts;
  return F.SMin < 0 && uint64_t(F.SMax) - uint64_t(F.SMin) < F.UMax - F.UMin;
}

std::optional<Int128> Interval::offset(unsigned Width, bool Signed) const {
  Int128 Period = Int128(1) << Width;
  Int128 Shift = Signed ? Period / 2 : 0;
  // Division that rounds down.
  auto Period0 = [&](Int128 V) { return (V + Shift) >> Width; };
  if (Period0(Low) != Period0(High))
    return std::nullopt;
  return -Period0(Low) * Period;
}

static Interval valuesOf(const Expression &Term) {
  const ValueFacts &F = Term.Facts;
  return isBetterSigned(Term) ? Interval{F.SMin, F.SMax}
                              : Interval{F.UMin, F.UMax};
}

/// Nothing above this is looked at, so that nothing overflows.
static constexpr Int128 Limit = Int128(1) << 120;

std::optional<Interval>
expressions::intervalOfTerms(const Expression &Sum,
                             llvm::function_ref<bool(size_t Index)> Only) {
  Interval All;
  for (size_t I = 0; I != Sum.Operands.size(); ++I) {
    if (!Only(I))
      continue;
    Interval T = valuesOf(*Sum.Operands[I]);
    Int128 By = signedOf(Sum.Coefficients[I], Sum.Width);
    if (__builtin_mul_overflow(T.Low, By, &T.Low) ||
        __builtin_mul_overflow(T.High, By, &T.High))
      return std::nullopt;
    All.Low += std::min(T.Low, T.High);
    All.High += std::max(T.Low, T.High);
    if (All.Low < -Limit || All.High > Limit)
      return std::nullopt;
  }
  return All;
}

std::optional<Interval> expressions::intervalOf(const Expression &E) {
  if (E.isConstant()) {
    Int128 V = signedOf(E.Addend, E.Width);
    return Interval{V, V};
  }
  if (E.Kind != Kind::Sum)
    return valuesOf(E);
  std::optional<Interval> I = intervalOfTerms(E, [](size_t) { return true; });
  if (!I)
    return std::nullopt;
  I->Low += signedOf(E.Addend, E.Width);
  I->High += signedOf(E.Addend, E.Width);
  return I;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

namespace {
/// The bits of a number that are known; those above its width are not set.
struct Bits {
  uint64_t Zeros = 0, Ones = 0;

  static Bits ofConstant(uint64_t V, uint64_t Mask) {
    return {~V & Mask, V & Mask};
  }
};
} // namespace

static Bits bitsOf(const Expression &E) {
  return {E.Facts.Zeros & maskOf(E.Width), E.Facts.Ones};
}

static void setBits(ValueFacts &F, const Bits &B) {
  if (B.Zeros & B.Ones) // of code that never runs
    return;
  F.Zeros = B.Zeros;
  F.Ones = B.Ones;
}

/// A carry into a bit is known where the least and the largest sum agree.
static Bits sumOf(const Bits &A, const Bits &B, uint64_t Mask) {
  uint64_t Most = (~A.Zeros & Mask) + (~B.Zeros & Mask),
           Least = A.Ones + B.Ones;
  uint64_t CarryIsZero = ~(Most ^ A.Zeros ^ B.Zeros);
  uint64_t CarryIsOne = Least ^ A.Ones ^ B.Ones;
  uint64_t Known = (A.Zeros | A.Ones) & (B.Zeros | B.Ones) &
                   (CarryIsZero | CarryIsOne) & Mask;
  return {~Most & Known, Least & Known};
}

/// Leading zeros by the largest product; trailing bits as far as both have
/// them: what is not known comes in above, moved up by the other's zeros.
static Bits productOf(const Bits &A, const Bits &B, uint64_t Mask) {
  uint64_t MostA = ~A.Zeros & Mask, MostB = ~B.Zeros & Mask;
  UInt128 Most = UInt128(MostA) * MostB;
  Bits R;
  if (Most == 0)
    return {Mask, 0};
  if (Most <= Mask)
    R.Zeros = Mask & ~maskOf(64 - unsigned(llvm::countl_zero(uint64_t(Most))));
  auto Known = [](const Bits &X) {
    return unsigned(llvm::countr_one(X.Zeros | X.Ones));
  };
  auto Trailing = [](const Bits &X) {
    return unsigned(llvm::countr_one(X.Zeros));
  };
  unsigned Certain = std::min(Known(A) - Trailing(A), Known(B) - Trailing(B)) +
                     Trailing(A) + Trailing(B);
  uint64_t Low = maskOf(std::min(Certain, 64u)) & Mask;
  uint64_t P = (A.Ones & maskOf(Known(A))) * (B.Ones & maskOf(Known(B)));
  R.Zeros |= ~P & Low;
  R.Ones = P & Low;
  return R;
}

void expressions::refine(ValueFacts &F, unsigned Width) {
  uint64_t Mask = maskOf(Width), Top = uint64_t(1) << (Width - 1);
  F.Zeros &= Mask;
  F.UMax = std::min(F.UMax, Mask);
  F.SMin = std::max(F.SMin, signedOf(Top, Width));
  F.SMax = std::min(F.SMax, int64_t(Top - 1));
  for (int Round = 0; Round != 2; ++Round) {
    F.UMin = std::max(F.UMin, F.Ones);
    F.UMax = std::min(F.UMax, ~F.Zeros & Mask);
    // Numbers of one sign have the same order either way.
    if ((F.UMin & Top) == (F.UMax & Top)) {
      F.SMin = std::max(F.SMin, signedOf(F.UMin, Width));
      F.SMax = std::min(F.SMax, signedOf(F.UMax, Width));
    }
    if (F.SMin >= 0 || F.SMax < 0) {
      F.UMin = std::max(F.UMin, uint64_t(F.SMin) & Mask);
      F.UMax = std::min(F.UMax, uint64_t(F.SMax) & Mask);
    }
    // The bits above the highest one in which the bounds differ are theirs.
    uint64_t Differ = F.UMin ^ F.UMax;
    uint64_t Same =
        Mask & ~maskOf(Differ ? 64 - unsigned(llvm::countl_zero(Differ)) : 0);
    F.Ones |= F.UMin & Same;
    F.Zeros |= ~F.UMin & Same;
  }
  // Bounds that contradict each other are those of code that never runs.
  if (F.UMin > F.UMax || F.SMin > F.SMax || (F.Zeros & F.Ones)) {
    F = ValueFacts();
    F.UMax = Mask;
    F.SMin = signedOf(Top, Width);
    F.SMax = int64_t(Top - 1);
  }
}

/// The larger bounds of both.
static void unite(ValueFacts &F, const ValueFacts &O) {
  F.Zeros &= O.Zeros;
  F.Ones &= O.Ones;
  F.UMin = std::min(F.UMin, O.UMin);
  F.UMax = std::max(F.UMax, O.UMax);
  F.SMin = std::min(F.SMin, O.SMin);
  F.SMax = std::max(F.SMax, O.SMax);
}

static void setSum(ValueFacts &F, const Expression &E) {
  uint64_t Mask = maskOf(E.Width);
  Bits Sum = Bits::ofConstant(E.Addend, Mask);
  for (size_t I = 0; I != E.Operands.size(); ++I) {
    Bits By = Bits::ofConstant(E.Coefficients[I], Mask);
    Sum = sumOf(Sum, productOf(bitsOf(*E.Operands[I]), By, Mask), Mask);
  }
  setBits(F, Sum);
  std::optional<Interval> I = intervalOf(E);
  if (!I)
    return;
  if (std::optional<Int128> By = I->offset(E.Width, false))
    F.UMin = uint64_t(I->Low + *By), F.UMax = uint64_t(I->High + *By);
  if (std::optional<Int128> By = I->offset(E.Width, true))
    F.SMin = int64_t(I->Low + *By), F.SMax = int64_t(I->High + *By);
}

static void setProduct(ValueFacts &F, const Expression &E) {
  uint64_t Mask = maskOf(E.Width);
  UInt128 Low = 1, High = 1;
  bool Fits = true;
  Bits P = Bits::ofConstant(1, Mask);
  for (const Expression *O : E.Operands) {
    P = productOf(P, bitsOf(*O), Mask);
    if (!Fits)
      continue;
    Low *= O->Facts.UMin; // below 2^128 while the larger bound fits
    High *= O->Facts.UMax;
    Fits = High <= Mask;
  }
  setBits(F, P);
  if (Fits) {
    F.UMin = uint64_t(Low), F.UMax = uint64_t(High);
    return;
  }
  // The signs of two factors.
  if (E.Operands.size() != 2)
    return;
  const ValueFacts &A = E.Operands[0]->Facts, &B = E.Operands[1]->Facts;
  Int128 Corners[] = {Int128(A.SMin) * B.SMin, Int128(A.SMin) * B.SMax,
                      Int128(A.SMax) * B.SMin, Int128(A.SMax) * B.SMax};
  Int128 Least = *std::min_element(Corners, Corners + 4);
  Int128 Most = *std::max_element(Corners, Corners + 4);
  if (Least >= F.SMin && Most <= F.SMax)
    F.SMin = int64_t(Least), F.SMax = int64_t(Most);
}

static void setShift(ValueFacts &F, const Expression &E) {
  const ValueFacts &A = E.Operands[0]->Facts, &By = E.Operands[1]->Facts;
  unsigned Width = E.Width;
  unsigned Least = unsigned(std::min<uint64_t>(By.UMin, Width)),
           Most = unsigned(std::min<uint64_t>(By.UMax, Width));
  auto Shifted = [](uint64_t V, unsigned N) { return N < 64 ? V >> N : 0; };
  switch (E.Kind) {
  case Kind::Shl:
    F.Zeros = maskOf(std::min(Width, Least + trailingZeros(*E.Operands[0])));
    return;
  case Kind::LShr:
    F.UMin = Shifted(A.UMin, Most);
    F.UMax = Shifted(A.UMax, Least);
    if (Least == Most && Least < Width) {
      F.Zeros = (A.Zeros >> Least) | ~(maskOf(Width) >> Least);
      F.Ones = A.Ones >> Least;
    }
    return;
  default: {
    unsigned L = std::min(Least, 63u), M = std::min(Most, 63u);
    F.SMin = A.SMin >> (A.SMin < 0 ? L : M);
    F.SMax = A.SMax >> (A.SMax < 0 ? M : L);
    return;
  }
  }
}

static void setDivision(ValueFacts &F, const Expression &E) {
  const ValueFacts &A = E.Operands[0]->Facts, &B = E.Operands[1]->Facts;
  switch (E.Kind) {
  case Kind::UDiv:
    if (B.UMin != 0)
      F.UMin = A.UMin / B.UMax, F.UMax = A.UMax / B.UMin;
    return;
  case Kind::URem:
    F.UMax = A.UMax;
    if (B.UMin != 0)
      F.UMax = std::min(A.UMax, B.UMax - 1);
    if (E.Operands[1]->isConstant() && llvm::isPowerOf2_64(B.UMin))
      F.Zeros = ~(B.UMin - 1);
    return;
  case Kind::SDiv:
    // The largest magnitude is the dividend's; that of the least number by -1
    // wraps.
    if (B.SMin > 0) {
      F.SMin = std::min<int64_t>(A.SMin / B.SMin, A.SMin / B.SMax);
      F.SMax = std::max<int64_t>(A.SMax / B.SMin, A.SMax / B.SMax);
    }
    return;
  default: // SRem: the dividend's sign, smaller than the divisor
    if (B.SMin > 0) {
      F.SMin = A.SMin >= 0 ? 0 : std::max(A.SMin, 1 - B.SMax);
      F.SMax = A.SMax <= 0 ? 0 : std::min(A.SMax, B.SMax - 1);
    }
    return;
  }
}

static void setLoad(ValueFacts &F, const Expression &E) {
  const BufferRead &By = E.read();
  const BufferContents::Range &R = By.From->range(By.Bytes);
  if (8 * By.Bytes == E.Width)
    F.UMin = R.UMin, F.UMax = R.UMax, F.SMin = R.SMin, F.SMax = R.SMax;
  else if (By.IsSigned)
    F.SMin = R.SMin, F.SMax = R.SMax;
  else
    F.UMin = R.UMin, F.UMax = R.UMax;
}

// One flat switch, a case a kind; what takes more lines is a function above.
ValueFacts expressions::factsOf(const Expression &E) {
  ValueFacts F;
  F.UMax = maskOf(E.Width);
  F.SMin = signedOf(uint64_t(1) << (E.Width - 1), E.Width);
  F.SMax = int64_t(maskOf(E.Width - 1u));
  auto Of = [&](unsigned I) -> const ValueFacts & {
    return E.Operands[I]->Facts;
  };
  switch (E.Kind) {
  case Kind::Constant:
    F.Ones = F.UMin = F.UMax = E.Addend;
    F.Zeros = ~E.Addend;
    break;
  case Kind::Symbol:
    F.UMin = E.Sym->Min;
    F.UMax = std::min(F.UMax, E.Sym->Max);
    F.Zeros = E.Sym->Align - 1;
    break;
  case Kind::Sum:
    setSum(F, E);
    break;
  case Kind::Product:
    setProduct(F, E);
    break;
  case Kind::And:
  case Kind::Or:
  case Kind::Xor: {
    Bits A = bitsOf(*E.Operands[0]), B = bitsOf(*E.Operands[1]);
    setBits(F, E.Kind == Kind::And ? Bits{A.Zeros | B.Zeros, A.Ones & B.Ones}
               : E.Kind == Kind::Or
                   ? Bits{A.Zeros & B.Zeros, A.Ones | B.Ones}
                   : Bits{(A.Zeros & B.Zeros) | (A.Ones & B.Ones),
                          (A.Zeros & B.Ones) | (A.Ones & B.Zeros)});
    if (E.Kind == Kind::And)
      F.UMax = std::min(Of(0).UMax, Of(1).UMax);
    if (E.Kind == Kind::Or)
      F.UMin = std::max(Of(0).UMin, Of(1).UMin);
    break;
  }
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr:
    setShift(F, E);
    break;
  case Kind::UDiv:
  case Kind::URem:
  case Kind::SDiv:
  case Kind::SRem:
    setDivision(F, E);
    break;
  case Kind::UMin:
    F.UMin = std::min(Of(0).UMin, Of(1).UMin);
    F.UMax = std::min(Of(0).UMax, Of(1).UMax);
    break;
  case Kind::UMax:
    F.UMin = std::max(Of(0).UMin, Of(1).UMin);
    F.UMax = std::max(Of(0).UMax, Of(1).UMax);
    break;
  case Kind::SMin:
    F.SMin = std::min(Of(0).SMin, Of(1).SMin);
    F.SMax = std::min(Of(0).SMax, Of(1).SMax);
    break;
  case Kind::SMax:
    F.SMin = std::max(Of(0).SMin, Of(1).SMin);
    F.SMax = std::max(Of(0).SMax, Of(1).SMax);
    break;
  case Kind::Select:
    F = Of(1);
    unite(F, Of(2));
    break;
  case Kind::ZExt: {
    uint64_t High = ~maskOf(E.Operands[0]->Width);
    F.Zeros = Of(0).Zeros | High;
    F.Ones = Of(0).Ones;
    F.UMin = Of(0).UMin, F.UMax = Of(0).UMax;
    break;
  }
  case Kind::SExt:
    F.SMin = Of(0).SMin, F.SMax = Of(0).SMax;
    // Known up to the sign, and above with it.
    F.Zeros = uint64_t(signedOf(Of(0).Zeros & maskOf(E.Operands[0]->Width),
                                E.Operands[0]->Width));
    F.Ones =
        uint64_t(signedOf(Of(0).Ones, E.Operands[0]->Width)) & maskOf(E.Width);
    break;
  case Kind::Trunc:
    F.Zeros = Of(0).Zeros & maskOf(E.Width);
    F.Ones = Of(0).Ones & maskOf(E.Width);
    if (Of(0).UMax <= maskOf(E.Width))
      F.UMin = Of(0).UMin, F.UMax = Of(0).UMax;
    if (Of(0).SMin >= F.SMin && Of(0).SMax <= F.SMax)
      F.SMin = Of(0).SMin, F.SMax = Of(0).SMax;
    break;
  case Kind::PopCount:
    F.UMax =
        uint64_t(llvm::popcount(~Of(0).Zeros & maskOf(E.Operands[0]->Width)));
    break;
  case Kind::LeadingZeros:
    F.UMax = E.Operands[0]->Width;
    break;
  case Kind::UExtract:
    if (Of(2).UMax < E.Width)
      F.UMax = maskOf(unsigned(Of(2).UMax));
    break;
  case Kind::Load:
    setLoad(F, E);
    break;
  default:
    break;
  }
  refine(F, E.Width);
  return F;
}
