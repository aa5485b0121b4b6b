//===- StaticCountsConditions.cpp - What decides where lanes go -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StaticCountsImpl.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Ref = const Expression *;

std::optional<double>
counting::lookUpByLabel(const std::map<std::string, double, std::less<>> &Given,
                        const Block &B) {
  StringRef Bare = B.Label;
  Bare.consume_front("$");
  for (const auto &[Key, Value] : Given) {
    StringRef Name = Key;
    Name.consume_front("$");
    if ((!Bare.empty() && Name == Bare) || Key == std::to_string(B.Line))
      return Value;
  }
  return std::nullopt;
}

Decidedness StaticCounter::decidednessOf(const Symbol &S) const {
  // Where not all is looked at, what is seen need not hold elsewhere.
  Decidedness Seen =
      How == Effort::All ? Decidedness::Decided : Decidedness::Launch;
  switch (S.Which) {
  case Symbol::Kind::Opaque:
  case Symbol::Kind::Parameter:
  case Symbol::Kind::Address:
    return Decidedness::Open;
  case Symbol::Kind::ThreadX:
  case Symbol::Kind::ThreadY:
  case Symbol::Kind::ThreadZ:
  case Symbol::Kind::Warp:
  case Symbol::Kind::BlockExtentX:
  case Symbol::Kind::BlockExtentY:
  case Symbol::Kind::BlockExtentZ:
    return Launch.BlockIsAssumed ? Decidedness::Launch : Seen;
  case Symbol::Kind::BlockX:
  case Symbol::Kind::BlockY:
  case Symbol::Kind::BlockZ:
  case Symbol::Kind::GridExtentX:
  case Symbol::Kind::GridExtentY:
  case Symbol::Kind::GridExtentZ:
    return Launch.GridIsAssumed ? Decidedness::Launch : Seen;
  case Symbol::Kind::ExitCount: {
    const Context *Owner = ByValues.lookup(S.Context);
    if (!Owner)
      return Decidedness::Open;
    // It is of the last iterations of the loops around that were left, too.
    ArrayRef<Cycle> Cycles = Owner->V->controlFlow().cycles();
    unsigned Loop = Values::loopOf(S);
    for (int N = int(Loop); N >= 0; N = Cycles[size_t(N)].ParentIndex) {
      if (N != int(Loop) && UsedIn->Parent == &Owner->V->graph() &&
          Cycles[size_t(N)].contains(UsedIn))
        break;
      const Region &R = Owner->Regions[size_t(N)];
      if (R.IsOpen || !R.IsReducible)
        return Decidedness::Launch;
    }
    return Seen;
  }
  case Symbol::Kind::Lane:
  case Symbol::Kind::Counter:
    return Seen;
  }
  return Decidedness::Open;
}

/// Why \p X, which nothing leaves open, is not decided.
StringRef StaticCounter::reasonOfLaunch(Ref X) const {
  StringRef Why = How == Effort::All ? "" : "sampled";
  for (Ref S : X->Symbols) {
    switch (S->Sym->Which) {
    case Symbol::Kind::ExitCount:
      if (decidednessOf(*S->Sym) != Decidedness::Decided && How == Effort::All)
        Why = "loop";
      break;
    case Symbol::Kind::ThreadX:
    case Symbol::Kind::ThreadY:
    case Symbol::Kind::ThreadZ:
    case Symbol::Kind::Warp:
    case Symbol::Kind::BlockExtentX:
    case Symbol::Kind::BlockExtentY:
    case Symbol::Kind::BlockExtentZ:
      if (Launch.BlockIsAssumed)
        return "launch";
      break;
    case Symbol::Kind::BlockX:
    case Symbol::Kind::BlockY:
    case Symbol::Kind::BlockZ:
    case Symbol::Kind::GridExtentX:
    case Symbol::Kind::GridExtentY:
    case Symbol::Kind::GridExtentZ:
      if (Launch.GridIsAssumed)
        return "launch";
      break;
    default:
      break;
    }
  }
  return Why;
}

void StaticCounter::addComparisons(Region &R, Place &P, const Expression &E) {
  forEachComparison(E, [&](const Expression &C) {
    auto Has = [&](const Comparison &Other) { return Other.E == &C; };
    if (llvm::any_of(P.Comparisons, Has))
      return;
    P.Comparisons.push_back({&C, !isComparison(C)});
    R.LanesDiffer |= !C.isUniform() && (C.dependsOn(Symbol::Kind::Counter) ||
                                        C.dependsOn(Symbol::Kind::ExitCount));
    R.Comparisons.push_back(P.Comparisons.back());
  });
}

/// The probability that the launch gives a branch or guarded call, by its line
/// or the label of its block.
static std::optional<double> given(const LaunchConfig &Launch,
                                   const Instruction &I) {
  const auto &All = Launch.BranchProbabilities;
  if (All.empty())
    return std::nullopt;
  if (auto It = All.find(std::to_string(I.Line)); It != All.end())
    return It->second;
  return I.IsTerminator ? lookUpByLabel(All, *I.Parent) : std::nullopt;
}

/// The loops whose counters a symbol is, or follows from.
void StaticCounter::noteCounters(Guard &G, const Symbol &S) {
  bool IsExit = S.Which == Symbol::Kind::ExitCount;
  Context *Owner = IsExit || S.Which == Symbol::Kind::Counter
                       ? ByValues.lookup(S.Context)
                       : nullptr;
  if (!Owner)
    return;
  ArrayRef<Cycle> Cycles = Owner->V->controlFlow().cycles();
  // How often an inner loop ran may differ in each iteration around it.
  int N = int(Values::loopOf(S));
  for (N = IsExit ? Cycles[size_t(N)].ParentIndex : N; N >= 0;
       N = IsExit ? Cycles[size_t(N)].ParentIndex : -1) {
    Region &Loop = Owner->Regions[size_t(N)];
    Loop.IsRead = true;
    if (!llvm::is_contained(G.Counts, &Loop))
      G.Counts.push_back(&Loop);
  }
}

/// What a condition on the thread's index alone says of a block of whole warps
/// of which nobody knows how many there are.
void StaticCounter::boundByLanes(Guard &G, Ref Predicate) const {
  bool IsOfLines = Launch.BlockIsAssumed && Launch.Block.X % WarpSize == 0 &&
                   Launch.Block.Y == 1 && Launch.Block.Z == 1;
  auto IsLine = [](Ref S) {
    return S->isSymbol(Symbol::Kind::ThreadX) ||
           S->isSymbol(Symbol::Kind::Warp) || S->isSymbol(Symbol::Kind::Lane);
  };
  if (!IsOfLines || !llvm::all_of(Predicate->Symbols, IsLine))
    return;
  CompiledExpressions Compiled(Predicate);
  Assignment Any;
  uint64_t Warps = (Launch.MaxThreadsPerBlock + WarpSize - 1) / WarpSize;
  Any.Block = {Warps * WarpSize, 1, 1};
  SmallVector<uint32_t, 2> Holds, Fails; // different masks, but empty ones
  auto Note = [](SmallVectorImpl<uint32_t> &Masks, uint32_t Mask) {
    if (Mask && !llvm::is_contained(Masks, Mask))
      Masks.push_back(Mask);
  };
  for (Any.Warp = 0; Any.Warp != Warps; ++Any.Warp) {
    Compiled.run(Any);
    uint32_t Mask = 0;
    for (unsigned L = 0; L != WarpSize; ++L)
      Mask |= uint32_t(Compiled.lane(0, L) & 1) << L;
    Note(Holds, Mask);
    Note(Fails, ~Mask);
  }
  auto Union = [](ArrayRef<uint32_t> Masks) {
    uint32_t All = 0;
    for (uint32_t Mask : Masks)
      All |= Mask;
    return All;
  };
  G.MayHold = Union(Holds);
  G.MayFail = Union(Fails);
  G.HoldsAlike = Holds.size() <= 1;
  G.FailsAlike = Fails.size() <= 1;
}

void StaticCounter::prepareCondition(Region &R, Place &P, Guard &G,
                                     const Expression *Predicate) {
  Condition Bounds =
      bounds(Kernel.expressions(), Predicate,
             [this](const Symbol &S) { return decidednessOf(S); });
  G.Why = Bounds.Why;
  G.Open = Bounds.Open;
  G.VariesInWarp = !Predicate || !Predicate->isUniform();
  if (G.Why == Condition::Basis::Launch)
    boundByLanes(G, Predicate);
  auto Root = [&](Ref E) {
    if (E->isConstant())
      return E->Addend & 1 ? Guard::True : Guard::False;
    addComparisons(R, P, *E);
    for (Ref S : E->Symbols)
      noteCounters(G, *S->Sym);
    P.Conditions.push_back(E);
    return unsigned(P.Conditions.size() - 1);
  };
  G.Must = Root(Bounds.Must);
  G.May = Bounds.May == Bounds.Must ? G.Must : Root(Bounds.May);
  G.Likely = Bounds.Likely == Bounds.Must  ? G.Must
             : Bounds.Likely == Bounds.May ? G.May
                                           : Root(Bounds.Likely);
}

/// Whether a condition is open for a reason that a user can see in the source:
/// a parameter, data, or an assumed grid.
bool StaticCounter::isOpenToUser(const Guard &G, Ref Predicate) const {
  if (!Predicate || G.Why == Condition::Basis::Decided)
    return false;
  if (G.Why == Condition::Basis::Launch)
    return Launch.GridIsAssumed && (Predicate->Varies & VariesInGrid);
  return llvm::is_contained(
      {StringRef("parameter"), toString(Symbol::Reason::Load),
       toString(Symbol::Reason::Atomic), toString(Symbol::Reason::Float),
       toString(Symbol::Reason::CrossLane)},
      StringRef(G.Out->Why));
}

/// Whether one way from a branch, or the guarded instruction itself, ends the
/// launch: what checks an assertion.
static bool endsInTrap(const Instruction &I) {
  auto Is = [](const Instruction *T, ptx::Opcode Op) {
    return T && ptx::Opcode(T->Opcode) == Op;
  };
  if (Is(&I, ptx::Opcode::Trap))
    return true;
  return I.IsTerminator &&
         llvm::any_of(I.Parent->Successors, [&](const Block *B) {
           return Is(B->terminator(), ptx::Opcode::Trap) ||
                  llvm::any_of(B->Instructions, [&](const Instruction *Inst) {
                    return Inst->IsCall &&
                           llvm::any_of(Inst->Operands, [](const Operand &O) {
                             return O.Which == Operand::Kind::Function &&
                                    !O.Callee && O.Name == "__assertfail";
                           });
                  });
         });
}

void StaticCounter::prepareGuard(Context &C, Region &R, Place &P,
                                 const Instruction &I) {
  Guard G;
  G.I = &I;
  G.Out = &C.Out->guardOf(I);
  Ref Predicate = C.V->guard(I);
  prepareCondition(R, P, G, Predicate);
  if (G.Why != Condition::Basis::Decided) {
    G.Given = given(Launch, I);
    G.Out->IsDecided = false;
    G.Out->Why = !Predicate ? toString(Symbol::Reason::Other)
                 : G.Open   ? reasonOf(*G.Open)
                            : reasonOfLaunch(Predicate);
  }
  G.PartsBlock = isOpenToUser(G, Predicate) &&
                 Parting.mayPart(Predicate, *C.V) && !endsInTrap(I);
  // Code in front of a loop asks whether there is anything to do.
  const Block &B = *I.Parent;
  if (I.IsTerminator && !I.IsExit && B.Successors.size() == 2 &&
      G.Why == Condition::Basis::Uniform) {
    auto GuardsLoop = [&](const Block &Side) {
      return Side.Predecessors.size() == 1 && C.DominatesLoop[Side.Number];
    };
    bool Taken = GuardsLoop(*B.Successors[0]),
         Falls = GuardsLoop(*B.Successors[1]);
    if (Taken != Falls) {
      G.Probability = Taken;
      G.EntersLoop = true;
    }
  }
  P.Guards.push_back(std::move(G));
}
