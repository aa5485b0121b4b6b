//===- SymbolicValuesMerges.cpp - Phis of branches and loops --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "SymbolicValuesImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Ref = const Expression *;

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

namespace {
/// Walks from one block to another along the branches between them.
class GateWalk {
public:
  GateWalk(const ControlFlow &Flow, ArrayRef<unsigned> Places, const Block &To,
           int InCycle, llvm::function_ref<Ref(const Block &)> Condition)
      : CF(Flow), Position(Places), Target(To), ConditionOf(Condition),
        Cycle(InCycle) {}

  /// Blocks that lead from \p Root to the target: a tree whose leaves are the
  /// target's incoming edges.
  GateTree run(const Block &Root, bool FromLatches) {
    // From a header round to itself everything lies behind it.
    End = FromLatches ? unsigned(Position.size()) : Position[Target.Number];
    T.Root = block(Root, 0);
    if (T.Root == Never)
      T.Root = Fails;
    return std::move(T);
  }

private:
  static constexpr int Fails = -1; ///< cannot be told
  static constexpr int Never = -2; ///< does not get to the target
  static constexpr unsigned MaxBlocks = 64;

  bool isInCycle(const Block *B) const {
    return Cycle < 0 || CF.cycles()[unsigned(Cycle)].contains(B);
  }

  int leaf(const Block &From) {
    auto It = llvm::find(Target.Predecessors, &From);
    GateTree::Node N;
    N.Edge = int(It - Target.Predecessors.begin());
    T.Nodes.push_back(N);
    return int(T.Nodes.size()) - 1;
  }

  int edge(const Block &From, const Block &To, unsigned Depth) {
    if (&To == &Target)
      return leaf(From);
    // Out of the loop, on to its next iteration or past the target.
    if (!isInCycle(&To) || Position[To.Number] >= End ||
        (Cycle >= 0 && CF.cycles()[unsigned(Cycle)].Header == &To))
      return Never;
    return block(To, Depth + 1);
  }

  /// Where all paths from \p X meet again before the target. In a loop a
  /// postdominator may come in a later iteration, unless none ends without it.
  const Block *meeting(const Block &X) const {
    constexpr size_t MaxLatches = 8;
    const Block *P = CF.immediatePostDominator(&X);
    if (!P || P == &Target || Position[P->Number] >= End || !isInCycle(P) ||
        Position[P->Number] < Position[X.Number])
      return nullptr;
    if (Cycle < 0)
      return P;
    ArrayRef<Block *> Latches = CF.cycles()[unsigned(Cycle)].Latches;
    bool IsPassed = Latches.size() <= MaxLatches &&
                    llvm::all_of(Latches, [&](const Block *Latch) {
                      return CF.dominates(P, Latch);
                    });
    return IsPassed ? P : nullptr;
  }

  int block(const Block &X, unsigned Depth) {
    if (auto It = Known.find(&X); It != Known.end())
      return It->second;
    if (Known.size() >= MaxBlocks || Depth >= MaxBlocks)
      return Fails;
    Known[&X] = Fails; // also for a cycle that has no name
    int Result = Fails;
    if (X.Successors.empty())
      Result = Never;
    else if (CF.innermostCycle(&X) != Cycle)
      Result = throughLoop(X, Depth);
    else if (X.Successors.size() == 1)
      Result = edge(X, *X.Successors[0], Depth);
    else if (const Block *P = meeting(X))
      Result = block(*P, Depth + 1);
    else if (X.Successors.size() == 2)
      Result = decide(X, Depth);
    Known[&X] = Result;
    return Result;
  }

  /// From a block of an inner loop to what follows it, if that is one place.
  int throughLoop(const Block &X, unsigned Depth) {
    int Inner = CF.innermostCycle(&X);
    while (Inner >= 0 && CF.cycles()[unsigned(Inner)].ParentIndex != Cycle)
      Inner = CF.cycles()[unsigned(Inner)].ParentIndex;
    if (Inner < 0)
      return Fails;
    const ptxpredict::Cycle &C = CF.cycles()[unsigned(Inner)];
    const Block *From = nullptr, *To = nullptr;
    for (const Block *Exiting : C.ExitingBlocks)
      for (const Block *S : Exiting->Successors) {
        if (C.contains(S))
          continue;
        if (To && (To != S || S == &Target))
          return Fails;
        From = Exiting, To = S;
      }
    return To ? edge(*From, *To, Depth) : Never;
  }

  int decide(const Block &X, unsigned Depth) {
    Ref Condition = ConditionOf(X);
    if (!Condition)
      return Fails;
    // A way that is never taken need not be known.
    if (Condition->isConstant())
      return edge(X, *X.Successors[Condition->Addend ? 0 : 1], Depth);
    int True = edge(X, *X.Successors[0], Depth);
    int False = edge(X, *X.Successors[1], Depth);
    if (True == Fails || False == Fails)
      return Fails;
    if (True == Never || False == Never || True == False)
      return True == Never ? False : True;
    GateTree::Node N;
    N.Condition = Condition;
    N.IfTrue = True, N.IfFalse = False;
    T.Nodes.push_back(N);
    return int(T.Nodes.size()) - 1;
  }

  const ControlFlow &CF;
  ArrayRef<unsigned> Position;
  const Block &Target;
  llvm::function_ref<Ref(const Block &)> ConditionOf;
  int Cycle; ///< innermost one around the walk, -1 outside all
  unsigned End = 0;
  GateTree T;
  llvm::DenseMap<const Block *, int> Known;
};
} // namespace

/// From where the paths to \p Target part, or from a loop's header through its
/// body back to it.
GateTree ValueBuilder::gates(const Block &Root, const Block &Target,
                             bool FromLatches) const {
  int C = CF.innermostCycle(&Target);
  // What comes to a header from outside was decided outside.
  if (C >= 0 && !FromLatches && CF.cycles()[unsigned(C)].Header == &Target)
    C = CF.cycles()[unsigned(C)].ParentIndex;
  if (C >= 0 && !CF.cycles()[unsigned(C)].Reducible)
    return GateTree();
  auto Condition = [this](const Block &X) { return condition(X); };
  return GateWalk(CF, Position, Target, C, Condition).run(Root, FromLatches);
}

/// The phi's value by that tree; null if it cannot be told.
Ref ValueBuilder::choose(const GateTree &T, const Instruction &Phi) const {
  if (T.Root < 0)
    return nullptr;
  // Null with Known: nothing was written on that way, any value will do.
  SmallVector<std::pair<bool, Ref>, 16> Values;
  for (const GateTree::Node &N : T.Nodes) {
    if (N.Edge >= 0) {
      const Value *V = Phi.Uses[unsigned(N.Edge)];
      Ref X = read(V, Phi.Parent);
      bool IsUndefined = !V->Def && !V->IsArgument;
      Values.emplace_back(X || IsUndefined, IsUndefined ? nullptr : X);
      continue;
    }
    auto [KnowA, A] = Values[unsigned(N.IfTrue)];
    auto [KnowB, B] = Values[unsigned(N.IfFalse)];
    if (!KnowA || !KnowB)
      Values.emplace_back(false, nullptr);
    else
      Values.emplace_back(true,
                          !A || !B ? (A ? A : B) : E.select(N.Condition, A, B));
  }
  return Values[unsigned(T.Root)].second;
}

void ValueBuilder::merge(const Instruction &Phi, const GateTree &T) {
  const Value *D = Phi.Defs[0];
  // All the same, whatever decides.
  Ref Same = nullptr;
  bool Differ = false;
  for (const Value *V : Phi.Uses) {
    if (!V->Def && !V->IsArgument)
      continue;
    bool Reaches = Out.ByValue[V->Id] != nullptr;
    Ref X = Reaches ? read(V, Phi.Parent) : nullptr;
    Differ |= !X || (Same && Same != X);
    Same = X;
  }
  Ref X = Same && !Differ ? Same : choose(T, Phi);
  if (!X) {
    uint8_t Varies = VariesInBlock | VariesInGrid;
    if (isDivergent(*D))
      Varies |= VariesInWarp;
    X = opaque(Symbol::ReasonTy::Merge, *D, Varies);
  }
  Out.ByValue[D->Id] = X;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A symbol for what \p Phi holds in the current iteration.
Ref ValueBuilder::placeholder(const Value &Phi, int64_t Max) {
  unsigned Width = bitWidth(Phi.Type);
  if (Width > 64)
    return nullptr;
  Symbol S;
  S.Reason = Symbol::ReasonTy::Loop;
  S.Varies = VariesInBlock | VariesInGrid;
  if (isDivergent(Phi))
    S.Varies |= VariesInWarp;
  S.Name = nameOf(Phi);
  S.From = Phi.Def;
  S.Context = &Out;
  S.Cycle = CF.innermostCycle(Phi.Def->Parent);
  S.Number = Phi.Id;
  if (Max >= 0) { // another symbol, for proofs
    S.Max = uint64_t(Max);
    S.Number |= uint64_t(1) << 63;
  }
  return E.symbol(Width, std::move(S));
}

void ValueBuilder::openLoop(const Block &Header, unsigned C) {
  auto Add = [&](const Instruction &Phi) {
    Ref P = placeholder(*Phi.Defs[0], -1);
    Out.ByValue[Phi.Defs[0]->Id] = P;
    if (P)
      Loops[C].Phis.emplace_back(&Phi, P);
  };
  for (const Instruction &Phi : Header.phis())
    Add(Phi);
  if (Out.Locals)
    for (const Instruction *Phi : Out.Locals->phis(&Header))
      Add(*Phi);
}

/// What \p Phi of a loop's header has from outside, or from its latches.
Ref ValueBuilder::inputOf(const Instruction &Phi, const GateTree &T,
                          bool FromLatches) {
  const Block &Header = *Phi.Parent;
  const Cycle &C = CF.cycles()[unsigned(CF.innermostCycle(&Header))];
  Ref Same = nullptr;
  for (size_t N = 0; N != Phi.Uses.size(); ++N) {
    if (C.contains(Header.Predecessors[N]) != FromLatches)
      continue;
    Ref X = Out.ByValue[Phi.Uses[N]->Id] ? read(Phi.Uses[N], &Header) : nullptr;
    if (!X || (Same && Same != X))
      return choose(T, Phi);
    Same = X;
  }
  return Same;
}

/// The sum of the numbers below the counter, k * (k - 1) / 2.
Ref ValueBuilder::triangle(unsigned C, unsigned Width) const {
  Ref K = Out.counter(C, 64);
  // One of both factors is even; the other one is odd already.
  Ref Half = E.lshr(K, 1);
  Ref Odd = E.bitOr(E.sub(K, E.constant(64, 1)), E.constant(64, 1));
  return E.trunc(E.mul(Half, Odd), Width);
}

/// Init plus the sum of Step over the iterations before; null unless Step is
/// invariant or grows by an invariant.
Ref ValueBuilder::closedSum(Ref Init, Ref Step, unsigned C) const {
  unsigned Width = Init->Width;
  Ref K = Out.counter(C, Width);
  if (Out.isInvariant(Step, C))
    return E.add(Init, E.mul(Step, K));
  if (!Step->dependsOn(K))
    return nullptr;
  // Step(k) = A + B * k, if Step(k) with k = 0 and k = 1 says so.
  auto With = [&](uint64_t V) {
    Expressions::Memo Memo;
    return E.substitute(
        Step, [&](Ref S) { return S == K ? E.constant(Width, V) : S; }, Memo);
  };
  Ref A = With(0), B = E.sub(With(1), A);
  if (!Out.isInvariant(A, C) || !Out.isInvariant(B, C) ||
      E.add(A, E.mul(B, K)) != Step)
    return nullptr;
  return E.add(Init, E.add(E.mul(A, K), E.mul(B, triangle(C, Width))));
}

/// p = p >> s, p = p ^ m.
Ref ValueBuilder::closedShift(Ref Init, Ref P, Ref Next, unsigned C) const {
  if (Next->Operands.size() != 2 || Next->Operands[0] != P ||
      !Out.isInvariant(Next->Operands[1], C)) {
    // The mask may come first.
    if (Next->Kind != Kind::Xor || Next->Operands[1] != P ||
        !Out.isInvariant(Next->Operands[0], C))
      return nullptr;
  }
  Ref By = Next->Operands[Next->Operands[0] == P ? 1 : 0];
  Ref K = Out.counter(C, 64);
  switch (Next->Kind) {
  case Kind::LShr:
  case Kind::AShr: {
    if (!By->isConstant())
      return nullptr;
    Ref All = E.scale(K, By->Addend);
    return Next->Kind == Kind::LShr ? E.lshr(Init, All) : E.ashr(Init, All);
  }
  case Kind::Xor: {
    Ref Odd = E.bitAnd(Out.counter(C, P->Width), E.constant(P->Width, 1));
    return E.bitXor(Init, E.mul(By, Odd));
  }
  default:
    return nullptr;
  }
}

/// p = (p + c) % m, in its forms: as a mask, as a rest, as a comparison.
Ref ValueBuilder::closedModulo(Ref Init, Ref P, Ref Next, unsigned C) const {
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
  Ref K = Out.counter(C, 64);
  Ref Far = E.add(E.zext(Init, 64), E.scale(K, Step->Addend % M));
  return E.trunc(E.rem(Far, E.constant(64, M), false), Width);
}

/// The value of a phi in iteration k, from its first one and from its next
/// one as a function of itself, \p P. Null if that is none of the known
/// recurrences.
Ref ValueBuilder::closedForm(Ref Init, Ref P, Ref Next, unsigned C) const {
  unsigned Width = Init->Width;
  if (Next == P)
    return Init;
  if (Out.isInvariant(Next, C)) // after the first iteration
    return E.select(E.equal(Out.counter(C, 64), E.constant(64, 0)), Init, Next);
  if (Width == 1) // p = !p
    return Next == E.bitNot(P)
               ? E.bitXor(Init, E.equal(E.bitAnd(Out.counter(C, 32),
                                                 E.constant(32, 1)),
                                        E.constant(32, 1)))
               : nullptr;
  Ref Step = E.sub(Next, P);
  if (!Step->dependsOn(P))
    return closedSum(Init, Step, C);
  // p = m * p
  Ref K64 = Out.counter(C, 64);
  if (Next->Kind == Kind::Sum && Next->Operands.size() == 1 &&
      Next->Operands[0] == P && Next->Addend == 0) {
    uint64_t M = Next->Coefficients[0];
    if (llvm::isPowerOf2_64(M))
      return E.shl(Init, E.scale(K64, uint64_t(llvm::countr_zero(M))));
    return E.mul(Init, E.power(E.constant(Width, M), K64));
  }
  if (Next->Kind == Kind::Product && Next->Operands.size() == 2 &&
      (Next->Operands[0] == P) != (Next->Operands[1] == P)) {
    Ref M = Next->Operands[Next->Operands[0] == P ? 1 : 0];
    return Out.isInvariant(M, C) ? E.mul(Init, E.power(M, K64)) : nullptr;
  }
  // p = a - p
  if (Ref A = E.add(Next, P); !A->dependsOn(P) && Out.isInvariant(A, C)) {
    Ref Odd = E.equal(E.bitAnd(Out.counter(C, 32), E.constant(32, 1)),
                      E.constant(32, 1));
    return E.select(Odd, E.sub(A, Init), Init);
  }
  if (Ref X = closedShift(Init, P, Next, C))
    return X;
  if (Ref X = closedModulo(Init, P, Next, C))
    return X;
  return nullptr;
}

void ValueBuilder::closeLoop(unsigned Number) {
  Loop &L = Loops[Number];
  const Cycle &C = CF.cycles()[Number];
  const Block &Header = *C.Header;
  Out.LeaveMemos[Number].clear();
  if (C.Reducible && !L.Phis.empty()) {
    GateTree Outside, Inside;
    unsigned NumLatches = 0;
    for (const Block *P : Header.Predecessors)
      NumLatches += C.contains(P);
    if (Header.Predecessors.size() - NumLatches > 1)
      if (const Block *D = CF.immediateDominator(&Header))
        Outside = gates(*D, Header, false);
    if (NumLatches > 1)
      Inside = gates(Header, Header, true);
    // First values of the phis and, as functions of phis, their next ones.
    struct Recurrence {
      Ref P, Init, Next;
      const Value *V;
    };
    SmallVector<Recurrence, 8> Open;
    for (auto [Phi, P] : L.Phis) {
      bool HasInit = true;
      for (size_t N = 0; N != Phi->Uses.size(); ++N)
        if (!C.contains(Header.Predecessors[N]))
          HasInit &= Phi->Uses[N]->Def || Phi->Uses[N]->IsArgument;
      Ref Init = HasInit ? inputOf(*Phi, Outside, false) : nullptr;
      Ref Next = inputOf(*Phi, Inside, true);
      if (Init && Next)
        Open.push_back({P, Init, Next, Phi->Defs[0]});
    }
    // One that is solved may make another one simple.
    auto Solved = [&](Ref S) {
      auto It = L.Closed.find(S);
      return It == L.Closed.end() ? S : It->second;
    };
    constexpr unsigned MaxRounds = 3;
    bool Changed = true;
    for (unsigned Round = 0; Round != MaxRounds && Changed; ++Round) {
      Changed = false;
      Expressions::Memo Memo;
      SmallVector<Recurrence, 8> Rest;
      SmallVector<std::pair<Ref, Ref>, 8> Found;
      for (Recurrence &R : Open) {
        R.Next = E.substitute(R.Next, Solved, Memo);
        Ref X = closedForm(R.Init, R.P, R.Next, Number);
        if (!X && R.Init->Facts.SMin >= 0 && R.Init->Width > 1) {
          // Perhaps it never becomes negative: then halving is a shift.
          Ref Positive = placeholder(*R.V, int64_t(maskOf(R.Init->Width - 1u)));
          Expressions::Memo Other;
          Ref Next = E.substitute(
              R.Next, [&](Ref S) { return S == R.P ? Positive : S; }, Other);
          if (Next->Facts.SMin >= 0)
            X = closedForm(R.Init, Positive, Next, Number);
        }
        if (X)
          Found.emplace_back(R.P, X);
        else
          Rest.push_back(R);
      }
      L.Closed.insert(Found.begin(), Found.end());
      Changed = !Found.empty();
      Open = std::move(Rest);
    }
  }
  // How lanes leave: by the exits' conditions if every iteration asks them.
  uint8_t Varies = 0;
  bool AsksAlways = C.Reducible;
  Expressions::Memo Memo;
  auto Solved = [&](Ref S) {
    auto It = L.Closed.find(S);
    return It == L.Closed.end() ? S : It->second;
  };
  for (const Block *X : C.ExitingBlocks) {
    AsksAlways &= llvm::all_of(
        C.Latches, [&](const Block *Latch) { return CF.dominates(X, Latch); });
    AsksAlways &= CF.innermostCycle(X) == int(Number);
    Ref Condition = condition(*X);
    Varies |= Condition ? E.substitute(Condition, Solved, Memo)->Varies
                        : uint8_t(VariesEverywhere);
  }
  Out.ExitVaries[Number] = AsksAlways ? Varies : Varies | L.BranchesVary;
  if (C.ParentIndex >= 0)
    Loops[unsigned(C.ParentIndex)].BranchesVary |= L.BranchesVary;
  // Behind the loop.
  auto Left = [&](Ref S) -> Ref {
    return S->isSymbol(Symbol::KindTy::Counter) && S->Sym->Context == &Out &&
                   S->Sym->Number == Number
               ? Out.exitCount(Number, S->Width)
               : S;
  };
  Expressions::Memo LeftMemo;
  for (auto [Phi, P] : L.Phis)
    if (auto It = L.Closed.find(P); It != L.Closed.end())
      Out.ExitForms[P] = E.substitute(It->second, Left, LeftMemo);
}
