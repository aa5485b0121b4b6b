//===- Formulas.cpp - Counts and strides as formulas ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "ExpressionsImpl.h"
#include "FormulaLines.h"
#include "FormulaSearches.h"
#include <functional>
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = const Expression *;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// Init << (First + Per * t), or shifted right.
struct Shifted {
  Ref Init = nullptr;
  uint64_t First = 0, Per = 0;
  bool Grows = false;
  explicit operator bool() const { return Init; }
};

class ExitSolver {
public:
  /// \p CountsJumps: solves for how often the loop jumps back, not for bodies,
  /// and knows nothing of other loops' counts.
  ExitSolver(const SymbolicValues &V, unsigned Cycle, bool CountsJumps)
      : V(V), E(V.expressions()), Cycle(Cycle), CountsJumps(CountsJumps),
        Motions([this](Ref X) { return motion(X); }),
        Forms(E, Motions, /*AtZero=*/true) {}
  ExitSolver(const ExitSolver &) = delete;
  ExitSolver &operator=(const ExitSolver &) = delete;

  TripCountFormula solve(const Block &Exit);

private:
  Motion motion(Ref X) const;
  Ref withExitCounts(Ref X, bool OfRests) const;
  TripCountFormula solve(Ref Condition, bool Stay);
  Ref less(Ref A, Ref B, bool Stay);
  Ref equal(Ref A, Ref B, bool Stay);
  Ref withoutClamp(Ref Way, Ref Step);
  TripCountFormula search(Ref A, Ref B, bool Stay);
  Ref count(Ref Way, Ref Step, bool RoundUp);
  Ref quotient(Ref N, Ref By, bool RoundUp);
  Ref quotientOfUnrolled(Ref N, Ref By, bool RoundUp);
  Ref withFactor(Ref N, uint64_t D) const;
  Shifted shifted(Ref X);
  Ref shifts(const Shifted &S, Ref Quotient, bool OneMore) const;
  Ref number(unsigned Width, uint64_t N) const { return E.constant(Width, N); }

  const SymbolicValues &V;
  Expressions &E;
  unsigned Cycle;
  bool CountsJumps;
  std::function<Motion(Ref)> Motions;
  LineFinder Forms;
  unsigned Extra = 0; ///< bodies beside those that the exit decides to stay
  uint64_t UnrolledBy = 1; ///< as in TripCountFormula
};

/// What both leave of the iterations.
TripCountFormula fewer(Expressions &E, TripCountFormula A, TripCountFormula B) {
  if (!A.Bodies || !B.Bodies)
    return {A.Bodies ? A.Bodies : B.Bodies, true,
            std::max(A.UnrolledBy, B.UnrolledBy)};
  unsigned Width = std::max(A.Bodies->Width, B.Bodies->Width);
  Ref Least = E.min(E.zext(A.Bodies, Width), E.zext(B.Bodies, Width),
                    /*Signed=*/true);
  return {Least, A.IsUpperBound || B.IsUpperBound,
          std::max(A.UnrolledBy, B.UnrolledBy)};
}

bool isNegative(Ref X) {
  auto Is = [&](uint64_t N) { return signedOf(N, X->Width) <= 0; };
  if (X->isConstant())
    return X->Addend != 0 && Is(X->Addend);
  return X->Kind == Kind::Sum && Is(X->Addend) &&
         llvm::all_of(X->Coefficients, Is);
}

Motion ExitSolver::motion(Ref X) const {
  if (V.isInvariant(X, Cycle))
    return Motion::Still;
  bool IsCounter = X->isSymbol(Symbol::KindTy::Counter) &&
                   X->Sym->Context == &V && X->Sym->Number == Cycle;
  return IsCounter ? Motion::ByOne : Motion::Unknown;
}

/// A rest that a mask leaves, perhaps without one.
static bool isRest(Ref X) {
  if (X->Kind == Kind::Sum && X->Operands.size() == 1 &&
      X->Coefficients[0] == 1)
    X = X->Operands[0];
  return X->Kind == Kind::And && X->Operands[1]->isConstant() &&
         llvm::isMask_64(X->Operands[1]->Addend);
}

/// With formulas for how often earlier loops came back to their headers, or for
/// those alone that have the rest of an unrolled one.
Ref ExitSolver::withExitCounts(Ref X, bool OfRests) const {
  if (CountsJumps || !X->dependsOn(Symbol::KindTy::ExitCount))
    return X;
  Expressions::Memo Memo;
  auto With = [&](Ref S) -> Ref {
    if (!S->isSymbol(Symbol::KindTy::ExitCount) || S->Sym->Context != &V ||
        S->Sym->Number >= V.controlFlow().cycles().size())
      return S;
    unsigned Other = unsigned(S->Sym->Number);
    const ptxpredict::Cycle &C = V.controlFlow().cycles()[Other];
    if (!C.Reducible || C.ExitingBlocks.size() != 1)
      return S;
    TripCountFormula Jumps =
        ExitSolver(V, Other, /*CountsJumps=*/true).solve(*C.ExitingBlocks[0]);
    return Jumps.Bodies && !Jumps.IsUpperBound &&
                   (!OfRests || isRest(Jumps.Bodies))
               ? E.resize(Jumps.Bodies, S->Width, false)
               : S;
  };
  return E.substitute(X, With, Memo);
}

/// As quotient(), for a sum from which a rest is taken away: x - c*(q % u)
/// where c*u is the divisor and q is x/c, rounded up, is the divisor times q/u.
/// Null if that is not so.
Ref ExitSolver::quotientOfUnrolled(Ref N, Ref By, bool RoundUp) {
  unsigned Width = N->Width;
  for (auto [Term, Times] : llvm::zip(N->Operands, N->Coefficients)) {
    int64_t C = signedOf(0 - Times, Width);
    if (C <= 0 || Term->Kind != Kind::And || !Term->Operands[1]->isConstant())
      continue;
    uint64_t Mask = Term->Operands[1]->Addend;
    if (!llvm::isMask_64(Mask) || (Mask + 1) * uint64_t(C) != By->Addend)
      continue;
    Ref Q = Term->Operands[0];
    Ref X = withoutClamp(E.add(N, E.scale(Term, uint64_t(C))), By);
    Ref More = E.sub(X, Q); // than q, in units of 1
    if (C != 1) {
      bool IsSum = Q->Kind == Kind::Sum && Q->Operands.size() == 1 &&
                   Q->Coefficients[0] == 1;
      Ref Part = IsSum ? Q->Operands[0] : Q;
      bool Divides =
          Part->Kind == Kind::LShr
              ? llvm::isPowerOf2_64(uint64_t(C)) &&
                    Part->Operands[1]->isConstant(llvm::Log2_64(uint64_t(C)))
              : Part->Kind == Kind::UDiv &&
                    Part->Operands[1]->isConstant(uint64_t(C));
      if (!Divides)
        continue;
      uint64_t Add = uint64_t(C) - 1 - (IsSum ? Q->Addend : 0) * uint64_t(C);
      More = E.add(E.sub(X, Part->Operands[0]), number(Width, Add));
      if (!More->isConstant() || signedOf(More->Addend, Width) % C != 0)
        continue;
      More = number(Width, uint64_t(signedOf(More->Addend, Width) / C));
    }
    if (!More->isConstant())
      continue;
    Ref Rest = quotient(More, number(Width, Mask + 1), RoundUp || C != 1);
    if (!Rest)
      continue;
    UnrolledBy = Mask + 1;
    return E.add(E.lshr(Q, uint64_t(llvm::countr_one(Mask))), Rest);
  }
  return nullptr;
}

/// \p N with terms that D, a power of two, divides as multiples of D.
Ref ExitSolver::withFactor(Ref N, uint64_t D) const {
  if (!llvm::isPowerOf2_64(D))
    return N;
  unsigned Bits = llvm::Log2_64(D);
  auto Multiple = [&](Ref T) {
    bool Is = T->Kind == Kind::And && trailingZeros(*T) >= Bits;
    return Is ? E.scale(E.lshr(T, uint64_t(Bits)), D) : T;
  };
  if (N->Kind != Kind::Sum)
    return Multiple(N);
  Ref R = number(N->Width, N->Addend);
  for (auto [Term, Times] : llvm::zip(N->Operands, N->Coefficients))
    R = E.add(R, E.scale(Multiple(Term), Times));
  return R;
}

/// Compilers do not unroll by more, unless they are told to.
static constexpr uint64_t MostUnrolled = 64;

/// N / By for an \p N that is not negative, and that \p By divides unless
/// \p RoundUp. Null for a number for which this is not so.
Ref ExitSolver::quotient(Ref N, Ref By, bool RoundUp) {
  unsigned Width = N->Width;
  if (!By->isConstant()) {
    Ref Rounded = RoundUp ? E.add(N, E.sub(By, number(Width, 1))) : N;
    return E.div(Rounded, By, false);
  }
  uint64_t D = By->Addend;
  if (N->Kind == Kind::And) {
    // So many at once, of what a mask rounds down to a multiple of that.
    if (N->Operands[1]->isConstant() && D > 1 && D <= MostUnrolled &&
        N->Operands[1]->Addend % D == 0)
      UnrolledBy = D;
    N = withFactor(N, D);
  }
  if (N->isConstant()) {
    bool Fits = RoundUp || N->Addend % D == 0;
    return Fits && signedOf(N->Addend, Width) >= 0
               ? number(Width, llvm::divideCeil(N->Addend, D))
               : nullptr;
  }
  if (N->Kind == Kind::Sum) {
    if (Ref Unrolled = quotientOfUnrolled(N, By, RoundUp))
      return Unrolled;
    N = withFactor(N, D);
    // A common divisor: ceil((g*a + c) / (g*d)) = ceil((a + ceil(c/g)) / d).
    uint64_t G = D;
    for (uint64_t Times : N->Coefficients) {
      int64_t Signed = signedOf(Times, Width);
      G = std::gcd(G, Signed < 0 ? 0 - uint64_t(Signed) : uint64_t(Signed));
    }
    int64_t C = signedOf(N->Addend, Width);
    int64_t Part = C / int64_t(G);
    if (C % int64_t(G) != 0)
      Part += RoundUp ? C > 0 : -(C < 0);
    Ref Reduced = number(Width, uint64_t(Part));
    for (auto [Term, Times] : llvm::zip(N->Operands, N->Coefficients))
      Reduced =
          E.add(Reduced,
                E.scale(Term, uint64_t(signedOf(Times, Width) / int64_t(G))));
    N = Reduced, D /= G;
  }
  if (D == 1)
    return N;
  return E.div(RoundUp ? E.add(N, number(Width, D - 1)) : N, number(Width, D),
               false);
}

/// \p Way, divided by \p Step the bodies of a loop, may be less than for the
/// bodies that there are at least.
Ref ExitSolver::withoutClamp(Ref Way, Ref Step) {
  return Step->isConstant()
             ? Forms.withoutClamp(Way, int64_t(Step->Addend) * int64_t(Extra))
             : Way;
}

/// Bodies of a loop that goes that way in such steps.
Ref ExitSolver::count(Ref Way, Ref Step, bool RoundUp) {
  return quotient(withoutClamp(E.add(Way, E.scale(Step, Extra)), Step), Step,
                  RoundUp);
}

Shifted ExitSolver::shifted(Ref X) {
  while (X->Kind == Kind::ZExt || X->Kind == Kind::SExt ||
         X->Kind == Kind::Trunc)
    X = X->Operands[0];
  if (X->Kind == Kind::Sum && X->Operands.size() == 1 && X->Addend == 0) {
    Shifted S = shifted(X->Operands[0]);
    if (!llvm::isPowerOf2_64(X->Coefficients[0]) || !S.Grows)
      return {};
    S.First += llvm::Log2_64(X->Coefficients[0]);
    return S;
  }
  if (X->Kind != Kind::Shl && X->Kind != Kind::LShr && X->Kind != Kind::AShr)
    return {};
  Ref By = X->Operands[1];
  if (By->isConstant()) { // of one that is shifted already
    Shifted S = shifted(X->Operands[0]);
    S.First += By->Addend;
    return S.Grows == (X->Kind == Kind::Shl) ? S : Shifted();
  }
  Line L = Forms.of(By);
  if (!L || !L.Start->isConstant() || !L.Step->isConstant() ||
      L.Step->Addend == 0 || L.Step->Addend > 64 || L.Start->Addend > 64 ||
      !Forms.isStill(X->Operands[0]))
    return {};
  return {X->Operands[0], L.Start->Addend, L.Step->Addend,
          X->Kind == Kind::Shl};
}

/// For how many t in a row \p Quotient has the bit First + Per * t, or a higher
/// one: those with First + Per * t <= log2(Quotient), without the last one
/// unless \p OneMore.
Ref ExitSolver::shifts(const Shifted &S, Ref Quotient, bool OneMore) const {
  uint64_t Add = S.Per * (uint64_t(OneMore) + Extra) - S.First;
  Ref N = E.add(E.highestBit(Quotient), number(32, Add));
  return E.div(N, number(32, S.Per), false);
}

/// Bodies of a loop that goes on while A < B, or while not.
Ref ExitSolver::less(Ref A, Ref B, bool Stay) {
  unsigned Width = A->Width;
  Ref One = number(Width, 1);
  Line LA = Forms.of(A), LB = Forms.of(B);
  if (LA && LB) {
    // While D > 0.
    Ref D = Stay ? E.sub(LB.Start, LA.Start)
                 : E.add(E.sub(LA.Start, LB.Start), One);
    Ref Step = Stay ? E.sub(LB.Step, LA.Step) : E.sub(LA.Step, LB.Step);
    if (D->Facts.SMax <= 0)
      return number(Width, Extra);
    if (!isNegative(Step))
      return nullptr;
    Ref Down = E.neg(Step);
    return count(D, Down, /*RoundUp=*/true);
  }
  // While Falling >= Least, or while Growing < Limit.
  Ref Least = Stay ? E.add(A, One) : B, Falling = Stay ? B : A;
  Ref Limit = Stay ? B : E.add(A, One), Growing = Stay ? A : B;
  if (Shifted S = shifted(Falling); S && !S.Grows && Forms.isStill(Least)) {
    Least = E.resize(Least, S.Init->Width, true);
    return shifts(S, E.div(S.Init, Least, false), /*OneMore=*/true);
  }
  if (Shifted S = shifted(Growing); S && S.Grows && Forms.isStill(Limit)) {
    Limit = E.resize(E.sub(Limit, One), S.Init->Width, true);
    return shifts(S, E.div(Limit, S.Init, false), /*OneMore=*/true);
  }
  return nullptr;
}

/// Bodies of a loop that goes on while A == B, or while not.
Ref ExitSolver::equal(Ref A, Ref B, bool Stay) {
  unsigned Width = A->Width;
  if (Width == 1)
    return nullptr;
  Line LA = Forms.of(A), LB = Forms.of(B);
  if (LA && LB) {
    Ref D = E.sub(LA.Start, LB.Start), Step = E.sub(LA.Step, LB.Step);
    if (Step->isConstant(0))
      return nullptr;
    if (Stay)
      return D->isConstant(0) ? number(Width, 1 + Extra) : nullptr;
    bool Down = isNegative(Step);
    Ref Size = Down ? E.neg(Step) : Step;
    Ref Way = Down ? D : E.neg(D);
    return count(Way, Size, /*RoundUp=*/false);
  }
  if (Stay)
    return nullptr;
  if (!Forms.isStill(B))
    std::swap(A, B);
  Shifted S = shifted(A);
  if (!S || !Forms.isStill(B))
    return nullptr;
  B = E.resize(B, S.Init->Width, true);
  if (S.Grows)
    return shifts(S, E.div(B, S.Init, false), /*OneMore=*/false);
  if (B->isConstant(0))
    return shifts(S, S.Init, /*OneMore=*/true);
  return shifts(S, E.div(S.Init, B, false), /*OneMore=*/false);
}

/// The same of a search that goes on while there is something between A and B.
TripCountFormula ExitSolver::search(Ref A, Ref B, bool Stay) {
  HalvedDistance D = Stay ? halvedDistance(V, Cycle, A, B, /*More=*/0)
                          : halvedDistance(V, Cycle, B, A, /*More=*/1);
  if (!D)
    return {};
  Shifted S = {D.Init, D.First, /*Per=*/1, /*Grows=*/false};
  return {shifts(S, D.Init, /*OneMore=*/true), true};
}

TripCountFormula ExitSolver::solve(Ref C, bool Stay) {
  switch (C->Kind) {
  case Kind::Constant:
    if (bool(C->Addend) == Stay)
      return {};
    return {number(32, Extra)};
  case Kind::Not:
    return solve(C->Operands[0], !Stay);
  case Kind::And:
  case Kind::Or:
    if ((C->Kind == Kind::And) != Stay)
      return {};
    return fewer(E, solve(C->Operands[0], Stay), solve(C->Operands[1], Stay));
  case Kind::Equal:
    if (Ref N = equal(C->Operands[0], C->Operands[1], Stay))
      return {N};
    // A distance that is not negative.
    if (Stay || !C->Operands[1]->isConstant(0))
      return {};
    return search(C->Operands[1], C->Operands[0], /*Stay=*/true);
  case Kind::ULess:
  case Kind::SLess:
    if (Ref N = less(C->Operands[0], C->Operands[1], Stay))
      return {N};
    return search(C->Operands[0], C->Operands[1], Stay);
  default:
    return {};
  }
}

TripCountFormula ExitSolver::solve(const Block &Exit) {
  const ControlFlow &CF = V.controlFlow();
  const ptxpredict::Cycle &C = CF.cycles()[Cycle];
  const Instruction *Branch = Exit.terminator();
  if (!Branch || !Branch->Guard || Exit.Successors.size() != 2 ||
      CF.innermostCycle(&Exit) != int(Cycle))
    return {};
  // It must decide in every iteration.
  if (!llvm::all_of(C.Latches,
                    [&](const Block *L) { return CF.dominates(&Exit, L); }))
    return {};
  bool StaysIfTaken = C.contains(Exit.Successors[0]);
  if (StaysIfTaken == C.contains(Exit.Successors[1]))
    return {};
  bool TestsFirst = &Exit == C.Header && C.testsFirst();
  Extra = TestsFirst || CountsJumps ? 0 : 1;
  Forms.dropClamps(!TestsFirst);
  Ref Condition = V.guard(*Branch);
  if (!Condition)
    return {};
  TripCountFormula R = solve(withExitCounts(Condition, false), StaysIfTaken);
  // Behind another loop it is unrolled by what both parts leave as it is.
  auto IsExit = [](Ref S) { return S->isSymbol(Symbol::KindTy::ExitCount); };
  if (UnrolledBy == 1 && llvm::count_if(Condition->Symbols, IsExit) > 1)
    if (TripCountFormula Behind =
            solve(withExitCounts(Condition, true), StaysIfTaken);
        UnrolledBy != 1)
      R = Behind;
  R.UnrolledBy = UnrolledBy;
  return R;
}

} // namespace

TripCountFormula ptxpredict::tripCountFormula(const SymbolicValues &V,
                                              unsigned Cycle) {
  const ptxpredict::Cycle &C = V.controlFlow().cycles()[Cycle];
  // Of many exits the first ones, in the order of the code, bound the count.
  constexpr size_t MaxExits = 8;
  if (!C.Reducible || C.ExitingBlocks.empty())
    return {};
  ExitSolver Solver(V, Cycle, /*CountsJumps=*/false);
  TripCountFormula R = Solver.solve(*C.ExitingBlocks.front());
  for (const Block *Exit :
       ArrayRef(C.ExitingBlocks).take_front(MaxExits).drop_front())
    R = fewer(V.expressions(), R, Solver.solve(*Exit));
  R.IsUpperBound |= C.ExitingBlocks.size() > MaxExits;
  if (!R.Bodies)
    R.IsUpperBound = false;
  return R;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Ref ptxpredict::strideFormula(const SymbolicValues &V, const Instruction &I,
                              const Operand &Address) {
  using K = Symbol::KindTy;
  Expressions &E = V.expressions();
  // A warp that has parts of several rows goes on in another one.
  if (!E.index(K::ThreadY)->isUniform() || !E.index(K::ThreadZ)->isUniform())
    return nullptr;
  Ref X = V.of(I, Address);
  if (!X)
    return nullptr;
  auto MotionOf = [](Ref Part) {
    if (Part->isUniform())
      return Motion::Still;
    return Part->isSymbol(K::ThreadX) || Part->isSymbol(K::Lane)
               ? Motion::ByOne
               : Motion::Unknown;
  };
  Line L = LineFinder(E, MotionOf, /*AtZero=*/false).of(X);
  return L && L.Step->isUniform() ? L.Step : nullptr;
}
