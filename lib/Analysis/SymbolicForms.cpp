//===- SymbolicForms.cpp - Counts and strides as formulas -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/SymbolicForms.h"
#include "ExpressionsImpl.h"
#include <functional>
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::Kind;
using Ref = const Expression *;

namespace {

/// Whether what an expression says holds for all steps, or changes by one in
/// each.
enum class Motion { Still, ByOne, Unknown };

/// Start + Step * t, without wrapping.
struct Line {
  Ref Start = nullptr, Step = nullptr;
  explicit operator bool() const { return Start; }
};

/// Takes expressions apart as functions of t, a loop's counter or the place in
/// a warp.
class Lines {
public:
  /// \p MotionOf is asked of whole expressions, and of the symbols in those
  /// that are not still. \p StartsAtZero: what changes by one is zero at t = 0,
  /// else itself.
  Lines(Expressions &E, llvm::function_ref<Motion(Ref)> MotionOf,
        bool StartsAtZero)
      : E(E), MotionOf(MotionOf), StartsAtZero(StartsAtZero) {}

  Line of(Ref X) const;
  bool isStill(Ref X) const { return MotionOf(X) == Motion::Still; }

private:
  Ref flat(Ref X) const;
  Ref extend(Ref X, unsigned Width, bool Signed) const;
  Line product(Ref X) const;
  Line choice(Ref X) const;

  Expressions &E;
  llvm::function_ref<Motion(Ref)> MotionOf;
  bool StartsAtZero;
};

/// \p X in more bits. Nothing wraps: a sum's terms can be extended.
Ref Lines::extend(Ref X, unsigned Width, bool Signed) const {
  if (X->Which == Kind::Sum) {
    Ref R = E.constant(Width, uint64_t(signedOf(X->Addend, X->Width)));
    for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
      R = E.add(R, E.scale(extend(Term, Width, Signed),
                           uint64_t(signedOf(By, X->Width))));
    return R;
  }
  if (X->Which == Kind::Product) {
    Ref R = E.constant(Width, 1);
    for (Ref Factor : X->Operands)
      R = E.mul(R, extend(Factor, Width, Signed));
    return R;
  }
  return Signed ? E.sext(X, Width) : E.zext(X, Width);
}

/// \p X with the extensions of sums as sums of extensions.
Ref Lines::flat(Ref X) const {
  switch (X->Which) {
  case Kind::Sum: {
    Ref R = E.constant(X->Width, X->Addend);
    for (auto [Term, By] : llvm::zip(X->Operands, X->Coefficients))
      R = E.add(R, E.scale(flat(Term), By));
    return R;
  }
  case Kind::Product: {
    Ref R = E.constant(X->Width, 1);
    for (Ref Factor : X->Operands)
      R = E.mul(R, flat(Factor));
    return R;
  }
  case Kind::ZExt:
  case Kind::SExt:
    return X->Operands[0]->Width == 1
               ? X
               : extend(flat(X->Operands[0]), X->Width, X->Which == Kind::SExt);
  default:
    return X;
  }
}

/// A product in which one factor changes.
Line Lines::product(Ref X) const {
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
Line Lines::choice(Ref X) const {
  if (!isStill(X->Operands[0]))
    return {};
  Line A = of(X->Operands[1]), B = of(X->Operands[2]);
  if (!A || !B || A.Step != B.Step)
    return {};
  return {E.select(X->Operands[0], A.Start, B.Start), A.Step};
}

Line Lines::of(Ref X) const {
  unsigned Width = X->Width;
  if (isStill(X))
    return {flat(X), E.constant(Width, 0)};
  switch (X->Which) {
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
    if (X->Which == Kind::Trunc)
      return {E.trunc(L.Start, Width), E.trunc(L.Step, Width)};
    return {extend(L.Start, Width, X->Which == Kind::SExt),
            extend(L.Step, Width, /*Signed=*/true)};
  }
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Init << (First + Per * t), or shifted right.
struct Shifted {
  Ref Init = nullptr;
  uint64_t First = 0, Per = 0;
  bool Grows = false;
  explicit operator bool() const { return Init; }
};

class ExitSolver {
public:
  ExitSolver(const Values &V, unsigned Cycle)
      : V(V), E(V.expressions()), Cycle(Cycle),
        Motions([this](Ref X) { return motion(X); }),
        Forms(E, Motions, /*StartsAtZero=*/true) {}
  ExitSolver(const ExitSolver &) = delete;
  ExitSolver &operator=(const ExitSolver &) = delete;

  SymbolicCount solve(const Block &Exit);

private:
  Motion motion(Ref X) const;
  SymbolicCount solve(Ref Condition, bool Stay) const;
  Ref less(Ref A, Ref B, bool Stay) const;
  Ref equal(Ref A, Ref B, bool Stay) const;
  Ref quotient(Ref N, Ref By, bool RoundUp) const;
  Shifted shifted(Ref X) const;
  Ref shifts(const Shifted &S, Ref Quotient, bool OneMore) const;
  Ref number(unsigned Width, uint64_t N) const { return E.constant(Width, N); }

  const Values &V;
  Expressions &E;
  unsigned Cycle;
  std::function<Motion(Ref)> Motions;
  Lines Forms;
  unsigned Extra = 0; ///< bodies beside those that the exit decides to stay
};

/// What both leave of the iterations.
SymbolicCount fewer(Expressions &E, SymbolicCount A, SymbolicCount B) {
  if (!A.Bodies || !B.Bodies)
    return {A.Bodies ? A.Bodies : B.Bodies, true};
  unsigned Width = std::max(A.Bodies->Width, B.Bodies->Width);
  Ref Least = E.min(E.zext(A.Bodies, Width), E.zext(B.Bodies, Width),
                    /*Signed=*/true);
  return {Least, A.IsUpperBound || B.IsUpperBound};
}

bool isNegative(Ref X) {
  auto Is = [&](uint64_t N) { return signedOf(N, X->Width) <= 0; };
  if (X->isConstant())
    return X->Addend != 0 && Is(X->Addend);
  return X->Which == Kind::Sum && Is(X->Addend) &&
         llvm::all_of(X->Coefficients, Is);
}

Motion ExitSolver::motion(Ref X) const {
  if (V.isInvariant(X, Cycle))
    return Motion::Still;
  bool IsCounter = X->isSymbol(Symbol::Kind::Counter) &&
                   X->Sym->Context == &V && X->Sym->Number == Cycle;
  return IsCounter ? Motion::ByOne : Motion::Unknown;
}

/// N / By for an \p N that is not negative, and that \p By divides unless
/// \p RoundUp. Null for a number for which this is not so.
Ref ExitSolver::quotient(Ref N, Ref By, bool RoundUp) const {
  unsigned Width = N->Width;
  if (!By->isConstant()) {
    Ref Rounded = RoundUp ? E.add(N, E.sub(By, number(Width, 1))) : N;
    return E.div(Rounded, By, false);
  }
  uint64_t D = By->Addend;
  if (N->isConstant()) {
    bool Fits = RoundUp || N->Addend % D == 0;
    return Fits && signedOf(N->Addend, Width) >= 0
               ? number(Width, llvm::divideCeil(N->Addend, D))
               : nullptr;
  }
  if (N->Which == Kind::Sum) {
    // x - x % D, of which unrolled loops are made.
    for (auto [Term, Times] : llvm::zip(N->Operands, N->Coefficients)) {
      bool IsRest = signedOf(Times, Width) == -1 && llvm::isPowerOf2_64(D) &&
                    Term->Which == Kind::And &&
                    Term->Operands[1]->isConstant(D - 1);
      if (!IsRest)
        continue;
      Ref X = Term->Operands[0];
      Ref Rest = E.sub(E.add(N, Term), X);
      if (!Rest->isConstant())
        continue;
      if (Ref More = quotient(Rest, By, RoundUp))
        return E.add(E.lshr(X, llvm::Log2_64(D)), More);
    }
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

Shifted ExitSolver::shifted(Ref X) const {
  while (X->Which == Kind::ZExt || X->Which == Kind::SExt ||
         X->Which == Kind::Trunc)
    X = X->Operands[0];
  if (X->Which == Kind::Sum && X->Operands.size() == 1 && X->Addend == 0) {
    Shifted S = shifted(X->Operands[0]);
    if (!llvm::isPowerOf2_64(X->Coefficients[0]) || !S.Grows)
      return {};
    S.First += llvm::Log2_64(X->Coefficients[0]);
    return S;
  }
  if (X->Which != Kind::Shl && X->Which != Kind::LShr && X->Which != Kind::AShr)
    return {};
  Ref By = X->Operands[1];
  if (By->isConstant()) { // of one that is shifted already
    Shifted S = shifted(X->Operands[0]);
    S.First += By->Addend;
    return S.Grows == (X->Which == Kind::Shl) ? S : Shifted();
  }
  Line L = Forms.of(By);
  if (!L || !L.Start->isConstant() || !L.Step->isConstant() ||
      L.Step->Addend == 0 || L.Step->Addend > 64 || L.Start->Addend > 64 ||
      !Forms.isStill(X->Operands[0]))
    return {};
  return {X->Operands[0], L.Start->Addend, L.Step->Addend,
          X->Which == Kind::Shl};
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
Ref ExitSolver::less(Ref A, Ref B, bool Stay) const {
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
    return quotient(E.add(D, E.scale(Down, Extra)), Down, /*RoundUp=*/true);
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
Ref ExitSolver::equal(Ref A, Ref B, bool Stay) const {
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
    return quotient(E.add(Way, E.scale(Size, Extra)), Size, /*RoundUp=*/false);
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

SymbolicCount ExitSolver::solve(Ref C, bool Stay) const {
  switch (C->Which) {
  case Kind::Constant:
    if (bool(C->Addend) == Stay)
      return {};
    return {number(32, Extra)};
  case Kind::Not:
    return solve(C->Operands[0], !Stay);
  case Kind::And:
  case Kind::Or:
    if ((C->Which == Kind::And) != Stay)
      return {};
    return fewer(E, solve(C->Operands[0], Stay), solve(C->Operands[1], Stay));
  case Kind::Equal:
    return {equal(C->Operands[0], C->Operands[1], Stay)};
  case Kind::ULess:
  case Kind::SLess:
    return {less(C->Operands[0], C->Operands[1], Stay)};
  default:
    return {};
  }
}

SymbolicCount ExitSolver::solve(const Block &Exit) {
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
  bool TestsFirst = &Exit == C.Header && !llvm::is_contained(C.Latches, &Exit);
  Extra = TestsFirst ? 0 : 1;
  Ref Condition = V.guard(*Branch);
  return Condition ? solve(Condition, StaysIfTaken) : SymbolicCount();
}

} // namespace

SymbolicCount ptxpredict::symbolicTripCount(const Values &V, unsigned Cycle) {
  const ptxpredict::Cycle &C = V.controlFlow().cycles()[Cycle];
  // Of many exits the first ones, in the order of the code, bound the count.
  constexpr size_t MaxExits = 8;
  if (!C.Reducible || C.ExitingBlocks.empty())
    return {};
  ExitSolver Solver(V, Cycle);
  SymbolicCount R = Solver.solve(*C.ExitingBlocks.front());
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

Ref ptxpredict::symbolicStride(const Values &V, const Instruction &I,
                               const Operand &Address) {
  using K = Symbol::Kind;
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
  Line L = Lines(E, MotionOf, /*StartsAtZero=*/false).of(X);
  return L && L.Step->isUniform() ? L.Step : nullptr;
}
