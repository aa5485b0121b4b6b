//===- LoopSolver.cpp - Phis of loops -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopSolver.h"
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Ref = const Expression *;

LoopSolver::LoopSolver(PartialValues &V, PhiMerger &Merger,
                       PhiVariation &Variations)
    : Values(V), CF(V.controlFlow()), E(V.expressions()), Phis(Merger),
      Variation(Variations), Loops(CF.cycles().size()) {
  for (const Block *B : CF.reversePostOrder())
    if (int C = CF.innermostCycle(B); C >= 0)
      ++Loops[unsigned(C)].NumOpenBlocks;
  // An outer cycle has, besides its own blocks, its inner cycles to wait for.
  for (const Cycle &C : CF.cycles())
    if (C.ParentIndex >= 0)
      ++Loops[unsigned(C.ParentIndex)].NumOpenBlocks;
}

//===----------------------------------------------------------------------===//
// While a loop is open
//===----------------------------------------------------------------------===//

/// A symbol for what \p Phi holds in the current iteration. With \p Max it is
/// another symbol, for proofs: of a number that is at most that.
Ref LoopSolver::placeholder(const Value &Phi, std::optional<uint64_t> Max) {
  unsigned Width = bitWidth(Phi.Type);
  if (Width > 64)
    return nullptr;
  Symbol S = Values.symbolFor(Phi, Symbol::ReasonTy::Loop, Variation.of(Phi));
  if (Max) {
    S.Max = *Max;
    S.Number |= uint64_t(1) << 63;
  }
  return E.symbol(Width, std::move(S));
}

void LoopSolver::open(const Block &Header) {
  Loop &L = Loops[unsigned(CF.innermostCycle(&Header))];
  auto Add = [&](const Instruction &Phi) {
    Ref P = placeholder(*Phi.Defs[0], std::nullopt);
    Values.set(Phi.Defs[0], P);
    if (P)
      L.Phis.emplace_back(&Phi, P);
  };
  for (const Instruction &Phi : Header.phis())
    Add(Phi);
  if (Values.slots())
    for (const Instruction *Phi : Values.slots()->phis(&Header))
      Add(*Phi);
}

void LoopSolver::noteValues(const Instruction &I) {
  for (const Value *D : I.Defs)
    if (Ref X = Values.get(D); X && llvm::any_of(X->Symbols, [](Ref S) {
                                 return S->Sym->Reason ==
                                        Symbol::ReasonTy::Loop;
                               }))
      Unresolved.push_back(D->Id);
}

/// The condition of a block's branch, as far as it varies.
void LoopSolver::noteBranch(const Block &B) {
  if (B.Successors.size() < 2)
    return;
  Ref Condition = Values.condition(B);
  Loops[unsigned(CF.innermostCycle(&B))].BranchesVary |=
      Condition ? Condition->Varies : uint8_t(VariesEverywhere);
}

void LoopSolver::endBlock(const Block &B) {
  int C = CF.innermostCycle(&B);
  if (C >= 0)
    noteBranch(B);
  for (; C >= 0; C = CF.cycles()[unsigned(C)].ParentIndex) {
    if (--Loops[unsigned(C)].NumOpenBlocks != 0)
      break;
    close(unsigned(C));
  }
}

//===----------------------------------------------------------------------===//
// When a loop ends
//===----------------------------------------------------------------------===//

/// What \p Phi of a loop's header has from outside, or from its latches.
Ref LoopSolver::inputOf(const Instruction &Phi, const GateTree &T,
                        bool FromLatches) {
  const Block &Header = *Phi.Parent;
  const Cycle &C = CF.cycles()[unsigned(CF.innermostCycle(&Header))];
  Ref Same = nullptr;
  for (size_t N = 0; N != Phi.Uses.size(); ++N) {
    if (C.contains(Header.Predecessors[N]) != FromLatches)
      continue;
    const Value *V = Phi.Uses[N];
    Ref X = Values.get(V) ? Values.read(V, &Header) : nullptr;
    if (!X || (Same && Same != X))
      return Phis.choose(T, Phi);
    Same = X;
  }
  return Same;
}

/// First values of the phis and, as functions of phis, their next ones.
SmallVector<PhiRecurrence, 8> LoopSolver::recurrencesOf(unsigned Number) {
  const Cycle &C = CF.cycles()[Number];
  const Block &Header = *C.Header;
  GateTree Outside, Inside;
  size_t NumLatches = size_t(llvm::count_if(
      Header.Predecessors, [&](const Block *P) { return C.contains(P); }));
  if (Header.Predecessors.size() - NumLatches > 1)
    Outside = Phis.gates(Header);
  if (NumLatches > 1)
    Inside = Phis.latchGates(Header);
  SmallVector<PhiRecurrence, 8> Found;
  for (auto [Phi, P] : Loops[Number].Phis) {
    bool HasInit = true;
    for (size_t N = 0; N != Phi->Uses.size(); ++N)
      if (!C.contains(Header.Predecessors[N]))
        HasInit &= !PartialValues::isUndefined(*Phi->Uses[N]);
    Ref Init = HasInit ? inputOf(*Phi, Outside, false) : nullptr;
    Ref Next = inputOf(*Phi, Inside, true);
    if (Init && Next)
      Found.push_back({Phi->Defs[0], P, Init, Next});
  }
  return Found;
}

/// Null if there is none.
Ref LoopSolver::closedForm(const PhiRecurrence &R, ClosedForms &Forms) {
  if (Ref X = Forms.solve(R.Init, R.Symbol, R.Next))
    return X;
  if (R.Init->Facts.SMin < 0 || R.Init->Width == 1)
    return nullptr;
  // Perhaps it never becomes negative: then halving is a shift.
  Ref Positive = placeholder(*R.Phi, maskOf(R.Init->Width - 1u));
  Expressions::Memo Memo;
  Ref Next = E.substitute(
      R.Next, [&](Ref S) { return S == R.Symbol ? Positive : S; }, Memo);
  return Next->Facts.SMin >= 0 ? Forms.solve(R.Init, Positive, Next) : nullptr;
}

/// p = p + u, of which nobody knows the sum, but u is the same in all lanes:
/// they stay as far apart as they were. Null otherwise.
Ref LoopSolver::movedTogether(const PhiRecurrence &R) const {
  Ref Step = E.sub(R.Next, R.Symbol);
  if (Step->dependsOn(R.Symbol) || !Step->isUniform() || R.Init->isUniform())
    return nullptr;
  Symbol S = Values.symbolFor(*R.Phi, Symbol::ReasonTy::Loop,
                              VariesInBlock | VariesInGrid);
  S.Number |= MovedTogetherBit;
  S.Align = uint64_t(1) << std::min(trailingZeros(*Step), 31u);
  return E.add(R.Init, E.symbol(Step->Width, std::move(S)));
}

/// Finds the closed forms of the loop's phis.
void LoopSolver::solve(unsigned Number) {
  Loop &L = Loops[Number];
  SmallVector<PhiRecurrence, 8> Open = recurrencesOf(Number);
  ClosedForms Forms(Values.result(), Number);
  auto Solved = [&](Ref S) { return L.closed(S); };
  // One that is solved may make another one simple, if its form is put in or if
  // both depend on one condition.
  constexpr unsigned MaxRounds = 3;
  bool Changed = true;
  for (unsigned Round = 0; Round != MaxRounds && Changed; ++Round) {
    SmallVector<std::pair<Ref, Ref>, 8> Found;
    auto Solve = [&](const PhiRecurrence &R) {
      Ref X = closedForm(R, Forms);
      if (X)
        Found.emplace_back(R.Symbol, X);
      return X != nullptr;
    };
    const size_t NumKnown = Forms.knownConditions();
    llvm::erase_if(Open, Solve);
    if (Forms.knownConditions() != NumKnown)
      llvm::erase_if(Open, Solve);
    Changed = !Found.empty();
    L.Closed.insert(Found.begin(), Found.end());
    Expressions::Memo Memo;
    for (PhiRecurrence &R : Open)
      R.Next = E.substitute(R.Next, Solved, Memo);
  }
  for (const PhiRecurrence &R : Open)
    if (Ref X = movedTogether(R))
      L.Closed[R.Symbol] = X;
}

/// Between what the iteration differs in which lanes leave, a set of Variation:
/// by the exits' conditions if every iteration asks them.
uint8_t LoopSolver::exitVariation(unsigned Number) {
  const Cycle &C = CF.cycles()[Number];
  const Loop &L = Loops[Number];
  uint8_t Varies = 0;
  bool AsksAlways = C.Reducible;
  Expressions::Memo Memo;
  auto Solved = [&](Ref S) { return L.closed(S); };
  for (const Block *X : C.ExitingBlocks) {
    AsksAlways &= llvm::all_of(
        C.Latches, [&](const Block *Latch) { return CF.dominates(X, Latch); });
    AsksAlways &= CF.innermostCycle(X) == int(Number);
    Ref Condition = Values.condition(*X);
    Varies |= Condition ? E.substitute(Condition, Solved, Memo)->Varies
                        : uint8_t(VariesEverywhere);
  }
  return AsksAlways ? Varies : Varies | L.BranchesVary;
}

/// What to multiply \p Odd by for 1, modulo 2^64.
static uint64_t inverseOf(uint64_t Odd) {
  uint64_t Inverse = Odd; // in three bits; each step doubles them
  for (unsigned Bits = 3; Bits < 64; Bits *= 2)
    Inverse *= 2 - Odd * Inverse;
  return Inverse;
}

/// How often the loop came back to its header when it was left, if that is one
/// number: every iteration asks its only exit whether a + b*k is c.
std::optional<uint64_t> LoopSolver::exitCount(unsigned Number) const {
  const Cycle &C = CF.cycles()[Number];
  if (!C.Reducible || C.ExitingBlocks.size() != 1)
    return std::nullopt;
  const Block &X = *C.ExitingBlocks.front();
  Ref Leaves = Values.condition(X);
  if (!Leaves || CF.innermostCycle(&X) != int(Number) ||
      !llvm::all_of(C.Latches,
                    [&](const Block *L) { return CF.dominates(&X, L); }))
    return std::nullopt;
  if (C.contains(X.Successors[0]))
    Leaves = E.bitNot(Leaves);
  Expressions::Memo Memo;
  Leaves = E.substitute(
      Leaves, [&](Ref S) { return Loops[Number].closed(S); }, Memo);
  if (Leaves->Kind != Expression::KindTy::Equal ||
      !Leaves->Operands[1]->isConstant())
    return std::nullopt;
  Ref Way = Leaves->Operands[0];
  Ref Counter = Values.result().counter(Number, Way->Width);
  Ref Start = E.sub(Way, Counter);
  uint64_t Step = 1;
  if (Way->Kind == Expression::KindTy::Sum && Way->Operands.size() == 1 &&
      Way->Operands[0] == Counter) {
    Start = E.constant(Way->Width, Way->Addend);
    Step = Way->Coefficients[0];
  }
  if (!Start->isConstant() || Step % 2 == 0)
    return std::nullopt;
  return (Leaves->Operands[1]->Addend - Start->Addend) * inverseOf(Step) &
         maskOf(Way->Width);
}

void LoopSolver::close(unsigned Number) {
  Loop &L = Loops[Number];
  const Cycle &C = CF.cycles()[Number];
  if (C.Reducible && !L.Phis.empty())
    solve(Number);
  Values.leaveLoop(Number, exitVariation(Number), exitCount(Number));
  if (C.ParentIndex >= 0)
    Loops[unsigned(C.ParentIndex)].BranchesVary |= L.BranchesVary;
  // Behind the loop.
  auto Left = [&](Ref S) { return Values.outside(S, Number); };
  Expressions::Memo Memo;
  for (auto [Phi, P] : L.Phis)
    if (auto It = L.Closed.find(P); It != L.Closed.end())
      Values.setExitForm(P, E.substitute(It->second, Left, Memo));
}

/// Outer loops come first: a closed form has symbols of the loops around its
/// own at most.
void LoopSolver::resolve() {
  llvm::DenseMap<Ref, Ref> All;
  auto With = [&](Ref S) {
    auto It = All.find(S);
    return It == All.end() ? S : It->second;
  };
  for (Loop &L : Loops) {
    Expressions::Memo Memo;
    SmallVector<std::pair<Ref, Ref>, 8> Resolved;
    for (auto [Phi, Symbol] : L.Phis)
      if (auto It = L.Closed.find(Symbol); It != L.Closed.end())
        Resolved.emplace_back(Symbol, E.substitute(It->second, With, Memo));
    All.insert(Resolved.begin(), Resolved.end());
  }
  if (!All.empty())
    Values.substitute(Unresolved, With);
}
