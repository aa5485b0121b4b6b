//===- LoopBounds.cpp - How often a loop runs at most ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopBounds.h"
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace ptxpredict;

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

/// The ends of a number that does not wrap.
struct Interval {
  double Low = -Infinity, High = Infinity;

  Interval scaled(double By) const {
    const double A = times(Low, By), B = times(High, By);
    return {std::min(A, B), std::max(A, B)};
  }
  /// Nothing times an open end is nothing.
  static double times(double X, double Y) {
    return X == 0 || Y == 0 ? 0 : X * Y;
  }
};

class IntervalFinder {
public:
  explicit IntervalFinder(const SymbolicValues &V) : V(V) {}

  double mostBodies(unsigned Cycle);

private:
  Interval of(const Expression &E);
  Interval byKind(const Expression &E);
  Interval ofSymbol(const Expression &E);
  Interval ofQuotient(const Expression &E, double By);

  const SymbolicValues &V;
  /// Expressions are graphs, and what is met again is looked at again.
  unsigned Left = 2000;
  unsigned Depth = 0; ///< of loops whose counters are asked for
};

} // namespace

static Interval factsOf(const Expression &E) {
  return {double(E.Facts.SMin), double(E.Facts.SMax)};
}

Interval IntervalFinder::ofSymbol(const Expression &E) {
  constexpr unsigned DeepestLoop = 8;
  const Symbol &S = *E.Sym;
  Interval I{double(S.Min), double(S.Max)};
  if (S.Kind != Symbol::KindTy::Counter || Depth == DeepestLoop)
    return I;
  const unsigned Loop = SymbolicValues::loopOf(S);
  if (Loop >= V.controlFlow().cycles().size() ||
      V.counter(Loop, E.Width) != &E) // of another function
    return I;
  ++Depth;
  I.High = std::min(I.High, mostBodies(Loop));
  --Depth;
  return I;
}

Interval IntervalFinder::ofQuotient(const Expression &E, double By) {
  const Interval Of = of(*E.Operands[0]);
  return {std::floor(Of.Low / By), std::floor(Of.High / By)};
}

Interval IntervalFinder::byKind(const Expression &E) {
  using Kind = Expression::KindTy;
  auto Operand = [&](unsigned N) -> const Expression & {
    return *E.Operands[N];
  };
  switch (E.Kind) {
  case Kind::Symbol:
    return ofSymbol(E);
  case Kind::Sum: {
    const auto Number = double(llvm::SignExtend64(E.Addend, E.Width));
    Interval I{Number, Number};
    for (auto [Of, Coefficient] : llvm::zip(E.Operands, E.Coefficients)) {
      const Interval Part =
          of(*Of).scaled(double(llvm::SignExtend64(Coefficient, E.Width)));
      I.Low += Part.Low;
      I.High += Part.High;
    }
    return I;
  }
  case Kind::UDiv:
  case Kind::SDiv:
    if (Operand(1).isConstant() && Operand(1).Addend != 0)
      return ofQuotient(E, double(Operand(1).Addend));
    return {};
  case Kind::LShr:
  case Kind::AShr:
    if (Operand(1).isConstant() && Operand(1).Addend < E.Width)
      return ofQuotient(E, std::ldexp(1.0, int(Operand(1).Addend)));
    return {};
  case Kind::UMin:
  case Kind::SMin: {
    const Interval A = of(Operand(0)), B = of(Operand(1));
    return {std::min(A.Low, B.Low), std::min(A.High, B.High)};
  }
  case Kind::UMax:
  case Kind::SMax: {
    const Interval A = of(Operand(0)), B = of(Operand(1));
    return {std::max(A.Low, B.Low), std::max(A.High, B.High)};
  }
  case Kind::Select: {
    const Interval A = of(Operand(1)), B = of(Operand(2));
    return {std::min(A.Low, B.Low), std::max(A.High, B.High)};
  }
  case Kind::ZExt:
  case Kind::SExt:
  case Kind::Trunc:
    return of(Operand(0));
  default:
    return {};
  }
}

Interval IntervalFinder::of(const Expression &E) {
  const Interval Facts = factsOf(E);
  if (E.isConstant() || Left == 0)
    return Facts;
  --Left;
  const Interval Found = byKind(E);
  const Interval Both{std::max(Facts.Low, Found.Low),
                      std::min(Facts.High, Found.High)};
  // Where both have nothing in common, something wraps after all.
  return Both.Low <= Both.High ? Both : Facts;
}

double IntervalFinder::mostBodies(unsigned Cycle) {
  const Expression *Bodies = tripCountFormula(V, Cycle).Bodies;
  if (!Bodies)
    return Infinity;
  // A number that may be anything is no bound.
  constexpr double Most = 1e12;
  const double High = of(*Bodies).High;
  return High <= Most && High < std::ldexp(1.0, Bodies->Width - 1) - 1
             ? std::max(High, 0.0)
             : Infinity;
}

double counting::mostBodies(const SymbolicValues &V, unsigned Cycle) {
  return IntervalFinder(V).mostBodies(Cycle);
}
