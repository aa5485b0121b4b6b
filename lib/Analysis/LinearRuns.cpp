//===- LinearRuns.cpp - Where conditions and addresses go straight --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LinearRuns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using Kind = Expression::Kind;

__extension__ using Wide = __int128;

bool ptxpredict::dependsOn(const Expression &E, const Quantity &Q) {
  return llvm::any_of(Q, [&](const Expression *S) { return E.dependsOn(S); });
}

Slope ptxpredict::slopeOf(const Expression &E, const Quantity &Q) {
  if (llvm::is_contained(Q, &E))
    return {true, false, 1};
  if (!dependsOn(E, Q))
    return {};
  if (E.Which == Kind::Sum) {
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
  if (E.Which == Kind::ZExt || E.Which == Kind::SExt ||
      E.Which == Kind::Trunc) {
    Slope Inner = slopeOf(*E.Operands[0], Q);
    Inner.MayWrap = true;
    Inner.Value = llvm::SignExtend64(uint64_t(Inner.Value),
                                     std::min(E.Width, E.Operands[0]->Width));
    return Inner;
  }
  return {false, true, 0};
}

bool ptxpredict::findComparisons(const Expression &E,
                                 std::vector<const Expression *> &Out) {
  switch (E.Which) {
  case Kind::Constant:
    return true;
  case Kind::Equal:
  case Kind::ULess:
  case Kind::SLess:
    if (E.Operands[0]->Width == 1) // of predicates
      return llvm::all_of(E.Operands, [&](const Expression *O) {
        return findComparisons(*O, Out);
      });
    if (!llvm::is_contained(Out, &E))
      Out.push_back(&E);
    return true;
  case Kind::And:
  case Kind::Or:
  case Kind::Xor:
  case Kind::Not:
  case Kind::Select:
    return llvm::all_of(E.Operands, [&](const Expression *O) {
      return findComparisons(*O, Out);
    });
  default:
    return false;
  }
}

bool ptxpredict::isMonotone(const Expression &Comparison, const Quantity &Q) {
  return llvm::all_of(Comparison.Operands, [&](const Expression *O) {
    return slopeOf(*O, Q).IsLinear;
  });
}

/// Whether a value went from \p From to \p To by so many steps of \p Slope
/// without wrapping around, as a number with or without a sign.
static bool isStraight(unsigned Width, int64_t Slope, uint64_t From,
                       uint64_t To, uint64_t Steps, bool Signed) {
  Wide A = Signed ? Wide(llvm::SignExtend64(From, Width)) : Wide(From);
  Wide B = Signed ? Wide(llvm::SignExtend64(To, Width)) : Wide(To);
  return B - A == Wide(Slope) * Wide(Steps);
}

bool ptxpredict::keepsSign(const Expression &Comparison, const Quantity &Q,
                           const Sides &From, const Sides &To, uint64_t Steps,
                           uint32_t Lanes) {
  const Expression &Left = *Comparison.Operands[0];
  const Expression &Right = *Comparison.Operands[1];
  int64_t LeftSlope = slopeOf(Left, Q).Value,
          RightSlope = slopeOf(Right, Q).Value;
  auto Sign = [&](uint64_t X, uint64_t Y, bool Signed) {
    if (Signed) {
      X ^= uint64_t(1) << (Left.Width - 1); // as if without one
      Y ^= uint64_t(1) << (Left.Width - 1);
    }
    return X < Y ? -1 : X > Y;
  };
  auto Keeps = [&](unsigned L, bool Signed) {
    return Sign(From.Left[L], From.Right[L], Signed) ==
               Sign(To.Left[L], To.Right[L], Signed) &&
           isStraight(Left.Width, LeftSlope, From.Left[L], To.Left[L], Steps,
                      Signed) &&
           isStraight(Right.Width, RightSlope, From.Right[L], To.Right[L],
                      Steps, Signed);
  };
  bool Signed = Comparison.Which == Kind::SLess;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (Lanes >> L & 1 && !Keeps(L, Signed) &&
        !(Comparison.Which == Kind::Equal && Keeps(L, true)))
      return false;
  return true;
}
