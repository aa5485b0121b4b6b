//===- PhiMerger.cpp - Phis where branches meet ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PhiMerger.h"

using namespace ptxpredict;
using Ref = const Expression *;

namespace {
/// Walks from one block to another along the branches between them.
class GateWalk {
public:
  GateWalk(const ControlFlow &Flow, ArrayRef<unsigned> Positions,
           const Block &To, int InCycle,
           llvm::function_ref<Ref(const Block &)> Condition)
      : CF(Flow), Position(Positions), Target(To), ConditionOf(Condition),
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

PhiMerger::PhiMerger(PartialValues &V, PhiVariation &Variations)
    : Values(V), CF(V.controlFlow()), Variation(Variations),
      Position(V.graph().Blocks.size()) {
  ArrayRef<Block *> Order = CF.reversePostOrder();
  for (unsigned N = 0; N != Order.size(); ++N)
    Position[Order[N]->Number] = N;
}

GateTree PhiMerger::walk(const Block &Root, const Block &Target,
                         bool FromLatches) const {
  int C = CF.innermostCycle(&Target);
  // What comes to a header from outside was decided outside.
  if (C >= 0 && !FromLatches && CF.cycles()[unsigned(C)].Header == &Target)
    C = CF.cycles()[unsigned(C)].ParentIndex;
  if (C >= 0 && !CF.cycles()[unsigned(C)].Reducible)
    return GateTree();
  auto Condition = [this](const Block &X) { return Values.condition(X); };
  return GateWalk(CF, Position, Target, C, Condition).run(Root, FromLatches);
}

GateTree PhiMerger::gates(const Block &Target) const {
  const Block *D = CF.immediateDominator(&Target);
  return D ? walk(*D, Target, false) : GateTree();
}

GateTree PhiMerger::latchGates(const Block &Header) const {
  return walk(Header, Header, true);
}

Ref PhiMerger::choose(const GateTree &T, const Instruction &Phi) const {
  if (T.Root < 0)
    return nullptr;
  struct Choice {
    bool IsKnown;
    Ref X; ///< null where known: nothing was written, any value will do
  };
  SmallVector<Choice, 16> Choices;
  for (const GateTree::Node &N : T.Nodes) {
    if (N.Edge >= 0) {
      const Value *V = Phi.Uses[unsigned(N.Edge)];
      Ref X = Values.read(V, Phi.Parent);
      bool IsUndefined = PartialValues::isUndefined(*V);
      Choices.push_back({X || IsUndefined, IsUndefined ? nullptr : X});
      continue;
    }
    Choice A = Choices[unsigned(N.IfTrue)], B = Choices[unsigned(N.IfFalse)];
    if (!A.IsKnown || !B.IsKnown)
      Choices.push_back({false, nullptr});
    else if (!A.X || !B.X)
      Choices.push_back({true, A.X ? A.X : B.X});
    else
      Choices.push_back(
          {true, Values.expressions().select(N.Condition, A.X, B.X)});
  }
  return Choices[unsigned(T.Root)].X;
}

void PhiMerger::merge(const Instruction &Phi, const GateTree &T) {
  const Value *D = Phi.Defs[0];
  // All the same, whatever decides.
  Ref Same = nullptr;
  bool Differ = false;
  for (const Value *V : Phi.Uses) {
    if (PartialValues::isUndefined(*V))
      continue;
    Ref X = Values.get(V) ? Values.read(V, Phi.Parent) : nullptr;
    Differ |= !X || (Same && Same != X);
    Same = X;
  }
  Ref X = Same && !Differ ? Same : choose(T, Phi);
  if (!X)
    X = Values.opaque(*D, Symbol::ReasonTy::Merge, Variation.of(*D));
  Values.set(D, X);
}
