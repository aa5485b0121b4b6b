//===- FormulaSearches.cpp - Loops that halve a distance ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FormulaSearches.h"
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = const Expression *;

namespace {

/// One end of the distance: what it is at first, now and next.
struct End {
  Ref Init = nullptr, Now = nullptr, Next = nullptr;
  bool IsAskedNext = false;
};

class Search {
public:
  Search(const SymbolicValues &Of, unsigned InCycle)
      : V(Of), E(Of.expressions()), Cycle(InCycle) {}

  HalvedDistance solve(Ref Low, Ref High, unsigned More);

private:
  std::optional<End> end(Ref Asked) const;
  bool halves(Ref Low, Ref High, unsigned Depth) const;
  bool isHalf(Ref Arm) const;
  Ref doubled(Ref Shift) const;

  const SymbolicValues &V;
  Expressions &E;
  unsigned Cycle;
  uint64_t More = 0;
  Ref NowLow = nullptr, Now = nullptr; ///< the lower end, and the distance
};

std::optional<End> Search::end(Ref Asked) const {
  if (Asked->isConstant())
    return End{Asked, Asked, Asked, false};
  const ptxpredict::Cycle &C = V.controlFlow().cycles()[Cycle];
  const Block &Header = *C.Header;
  if (C.Latches.size() != 1)
    return std::nullopt;
  for (const Instruction &Phi : Header.phis()) {
    End R;
    R.Now = V.of(Phi.Defs[0]);
    if (!R.Now || R.Now->Width != Asked->Width)
      continue;
    bool IsOne = true;
    for (size_t N = 0; N != Phi.Uses.size(); ++N) {
      Ref X = V.at(Phi.Uses[N], &Header);
      Ref &Of = C.contains(Header.Predecessors[N]) ? R.Next : R.Init;
      IsOne &= X && (!Of || Of == X);
      Of = X;
    }
    R.IsAskedNext = R.Next == Asked;
    if (IsOne && (R.IsAskedNext || R.Now == Asked) &&
        V.isInvariant(R.Init, Cycle))
      return R;
  }
  return std::nullopt;
}

/// What \p Shift is half of, rounded down, as compilers halve numbers that are
/// not negative. Null if it is no such.
Ref Search::doubled(Ref Shift) const {
  if ((Shift->Kind != Kind::LShr && Shift->Kind != Kind::AShr) ||
      !Shift->Operands[1]->isConstant(1))
    return nullptr;
  Ref X = Shift->Operands[0];
  if (X->Kind != Kind::Sum)
    return X;
  // x + (x >>u 31), to round towards zero.
  for (Ref Term : X->Operands)
    if (Term->Kind == Kind::LShr &&
        Term->Operands[1]->isConstant(X->Width - 1U) &&
        E.sub(X, Term) == Term->Operands[0])
      return Term->Operands[0];
  return X;
}

/// Whether \p Arm is at most half of the distance, rounded down: as
/// floor((distance + d) / 2) with d <= 0.
bool Search::isHalf(Ref Arm) const {
  if (Arm->isConstant())
    return Arm->isConstant(0);
  auto Number = [&](Ref X) -> std::optional<int64_t> {
    if (!X->isConstant())
      return std::nullopt;
    return signedOf(X->Addend, X->Width);
  };
  ArrayRef<Ref> Terms = Arm->Kind == Kind::Sum ? Arm->Operands : ArrayRef(Arm);
  for (Ref Term : Terms) {
    Ref Twice = doubled(Term);
    if (!Twice)
      continue;
    for (bool IsMiddle : {false, true}) {
      // The term is floor((distance + D) / 2), from the lower end perhaps.
      Ref From = IsMiddle ? NowLow : E.constant(Arm->Width, 0);
      auto D = Number(E.sub(E.sub(Twice, E.scale(From, 2)), Now));
      if (!D)
        continue;
      // The arm is that and a number, or what it leaves of the distance.
      if (auto R = Number(E.add(E.sub(Arm, Term), From)); R && *D + 2 * *R <= 0)
        return true;
      if (auto R = Number(E.sub(E.sub(E.add(Arm, Term), From), Now));
          R && 1 - *D + 2 * *R <= 0)
        return true;
    }
  }
  return false;
}

/// Whether on each way through the body half of the distance is left.
bool Search::halves(Ref Low, Ref High, unsigned Depth) const {
  constexpr unsigned MaxDepth = 4;
  if (Low->Kind != Kind::Select && High->Kind != Kind::Select)
    return isHalf(E.add(E.sub(High, Low), E.constant(High->Width, More)));
  if (Depth == MaxDepth)
    return false;
  Ref Condition = (Low->Kind == Kind::Select ? Low : High)->Operands[0];
  return llvm::all_of(ArrayRef<unsigned>({1, 2}), [&](unsigned Way) {
    auto Taken = [&](Ref X) {
      bool IsSame = X->Kind == Kind::Select && X->Operands[0] == Condition;
      return IsSame ? X->Operands[Way] : X;
    };
    return halves(Taken(Low), Taken(High), Depth + 1);
  });
}

HalvedDistance Search::solve(Ref Low, Ref High, unsigned Plus) {
  std::optional<End> L = end(Low), H = end(High);
  if (!L || !H || (Low->isConstant() && High->isConstant()))
    return {};
  bool IsNext = L->IsAskedNext || H->IsAskedNext;
  if ((!Low->isConstant() && L->IsAskedNext != IsNext) ||
      (!High->isConstant() && H->IsAskedNext != IsNext))
    return {};
  More = Plus;
  auto Distance = [&](Ref From, Ref To) {
    return E.add(E.sub(To, From), E.constant(To->Width, More));
  };
  NowLow = L->Now;
  Now = Distance(L->Now, H->Now);
  if (!halves(L->Next, H->Next, 0))
    return {};
  return {Distance(L->Init, H->Init), IsNext ? 1U : 0U};
}

} // namespace

HalvedDistance ptxpredict::halvedDistance(const SymbolicValues &V,
                                          unsigned Cycle, Ref Low, Ref High,
                                          unsigned More) {
  return Search(V, Cycle).solve(Low, High, More);
}
