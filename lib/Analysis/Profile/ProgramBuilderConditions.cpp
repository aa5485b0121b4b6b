//===- ProgramBuilderConditions.cpp - What decides where lanes go ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ArgumentReduction.h"
#include "LastBlock.h"
#include "ProgramBuilder.h"
#include "ptxpredict/Graph/SourceNames.h"
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

Decidedness ProgramBuilder::decidednessOf(const Symbol &S) const {
  // Where not all is looked at, what is seen need not hold elsewhere.
  Decidedness Seen =
      Thoroughness == Effort::All ? Decidedness::Decided : Decidedness::Launch;
  switch (S.Kind) {
  case Symbol::KindTy::Opaque:
  case Symbol::KindTy::Parameter:
  case Symbol::KindTy::Address:
    return Decidedness::Open;
  case Symbol::KindTy::ThreadX:
  case Symbol::KindTy::ThreadY:
  case Symbol::KindTy::ThreadZ:
  case Symbol::KindTy::Warp:
  case Symbol::KindTy::BlockExtentX:
  case Symbol::KindTy::BlockExtentY:
  case Symbol::KindTy::BlockExtentZ:
    return Launch.BlockIsAssumed ? Decidedness::Launch : Seen;
  case Symbol::KindTy::BlockX:
  case Symbol::KindTy::BlockY:
  case Symbol::KindTy::BlockZ:
  case Symbol::KindTy::GridExtentX:
  case Symbol::KindTy::GridExtentY:
  case Symbol::KindTy::GridExtentZ:
    return Launch.GridIsAssumed ? Decidedness::Launch : Seen;
  case Symbol::KindTy::ExitCount: {
    const CallContext *Owner = ByValues.lookup(S.Context);
    if (!Owner)
      return Decidedness::Open;
    // It is of the last iterations of the loops around that were left, too.
    ArrayRef<Cycle> Cycles = Owner->cycles();
    unsigned Loop = SymbolicValues::loopOf(S);
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
  case Symbol::KindTy::Lane:
  case Symbol::KindTy::Counter:
    return Seen;
  }
  return Decidedness::Open;
}

/// Why \p X, which nothing leaves open, is not decided.
OpenReason ProgramBuilder::reasonOfLaunch(Ref X) const {
  OpenReason Reason =
      Thoroughness == Effort::All ? OpenReason::None : OpenReason::Sampled;
  for (Ref S : X->Symbols) {
    switch (S->Sym->Kind) {
    case Symbol::KindTy::ExitCount:
      if (decidednessOf(*S->Sym) != Decidedness::Decided &&
          Thoroughness == Effort::All)
        Reason = OpenReason::Loop;
      break;
    case Symbol::KindTy::ThreadX:
    case Symbol::KindTy::ThreadY:
    case Symbol::KindTy::ThreadZ:
    case Symbol::KindTy::Warp:
    case Symbol::KindTy::BlockExtentX:
    case Symbol::KindTy::BlockExtentY:
    case Symbol::KindTy::BlockExtentZ:
      if (Launch.BlockIsAssumed)
        return OpenReason::Launch;
      break;
    case Symbol::KindTy::BlockX:
    case Symbol::KindTy::BlockY:
    case Symbol::KindTy::BlockZ:
    case Symbol::KindTy::GridExtentX:
    case Symbol::KindTy::GridExtentY:
    case Symbol::KindTy::GridExtentZ:
      if (Launch.GridIsAssumed)
        return OpenReason::Launch;
      break;
    default:
      break;
    }
  }
  return Reason;
}

void ProgramBuilder::addComparisons(Region &R, PreparedBlock &P,
                                    const Expression &E) {
  forEachComparison(E, [&](const Expression &C) {
    auto Has = [&](const Comparison &Other) { return Other.E == &C; };
    if (llvm::any_of(P.Comparisons, Has))
      return;
    P.Comparisons.push_back({&C, !isComparison(C)});
    R.LanesDiffer |= !C.isUniform() && (C.dependsOn(Symbol::KindTy::Counter) ||
                                        C.dependsOn(Symbol::KindTy::ExitCount));
    R.Comparisons.push_back(P.Comparisons.back());
    if (isComparison(C))
      for (Ref Side : C.Operands)
        addKinks(R, P, *Side);
  });
}

/// Adds a place where a piece begins. False if it is known.
static bool addPiece(Region &R, PreparedBlock &P, const Comparison &X) {
  if (llvm::any_of(P.Comparisons,
                   [&](const Comparison &Other) { return Other.E == X.E; }))
    return false;
  P.Comparisons.push_back(X);
  if (X.E->dependsOn(Symbol::KindTy::Counter))
    R.Comparisons.push_back(X);
  return true;
}

void ProgramBuilder::addPieces(Region &R, PreparedBlock &P,
                               const Expression &Condition) {
  forEachComparison(Condition, [&](const Expression &X) {
    if (addPiece(R, P, {&X, !isComparison(X), /*IsKink=*/false, true}) &&
        isComparison(X))
      for (Ref Side : X.Operands)
        addKinks(R, P, *Side);
  });
}

void ProgramBuilder::addKinks(Region &R, PreparedBlock &P,
                              const Expression &E) {
  forEachKink(
      E, Kernel.expressions(),
      [&](const Expression &X) {
        addPiece(R, P, {&X, /*IsPredicate=*/false, /*IsKink=*/true, true});
      },
      [&](const Expression &Condition) { addPieces(R, P, Condition); });
}

/// The probability that the launch gives a branch or guarded call, by its line,
/// the label of its block, or its line in the source.
static std::optional<double> given(const LaunchConfig &Launch,
                                   const Instruction &I) {
  const auto &All = Launch.BranchProbabilities;
  if (All.empty())
    return std::nullopt;
  if (auto It = All.find(std::to_string(I.Line)); It != All.end())
    return It->second;
  std::optional<double> ByLabel;
  if (I.IsTerminator)
    ByLabel = lookUpByLabel(All, *I.Parent);
  return ByLabel ? ByLabel : lookUpBySource(All, I);
}

/// The loops whose counters a symbol is, or follows from.
void ProgramBuilder::noteCounters(Guard &G, const Symbol &S) {
  bool IsExit = S.Kind == Symbol::KindTy::ExitCount;
  CallContext *Owner = IsExit || S.Kind == Symbol::KindTy::Counter
                           ? ByValues.lookup(S.Context)
                           : nullptr;
  if (!Owner)
    return;
  ArrayRef<Cycle> Cycles = Owner->cycles();
  // How often an inner loop ran may differ in each iteration around it.
  int N = int(SymbolicValues::loopOf(S));
  for (N = IsExit ? Cycles[size_t(N)].ParentIndex : N; N >= 0;
       N = IsExit ? Cycles[size_t(N)].ParentIndex : -1) {
    Region &Loop = Owner->Regions[size_t(N)];
    Loop.IsRead = true;
    if (!llvm::is_contained(G.Counts, &Loop))
      G.Counts.push_back(&Loop);
  }
}

/// Finds for which lanes a condition on the thread's index alone may hold, in a
/// block of whole warps whose number nobody knows.
void ProgramBuilder::boundByLanes(Guard &G, Ref Predicate) const {
  bool IsOfLines = Launch.BlockIsAssumed && Launch.Block.X % WarpSize == 0 &&
                   Launch.Block.Y == 1 && Launch.Block.Z == 1;
  auto IsLine = [](Ref S) {
    return S->isSymbol(Symbol::KindTy::ThreadX) ||
           S->isSymbol(Symbol::KindTy::Warp) ||
           S->isSymbol(Symbol::KindTy::Lane);
  };
  if (!IsOfLines || !llvm::all_of(Predicate->Symbols, IsLine))
    return;
  CompiledExpressions Compiled(Predicate);
  Assignment Any;
  uint64_t Warps = (Launch.MaxThreadsPerBlock + WarpSize - 1) / WarpSize;
  Any.Block = {Warps * WarpSize, 1, 1};
  SmallVector<uint32_t, 2> Holds, Fails; // different masks, none of them empty
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

void ProgramBuilder::prepareCondition(Region &R, PreparedBlock &P, Guard &G,
                                      const Expression *Predicate,
                                      const LoopExit *Exit) {
  Condition Bounds = bounds(Bases, Predicate, Exit);
  G.Basis = Bounds.Basis;
  G.Open = Bounds.Open;
  G.Evaluated = Bounds.Likely;
  if (Bounds.isDecided())
    Predicate = Bounds.Must;
  G.VariesInWarp = !Predicate || !Predicate->isUniform();
  if (G.Basis == Condition::BasisTy::Launch)
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
bool ProgramBuilder::isOpenToUser(const Guard &G, Ref Predicate) const {
  if (!Predicate || G.Basis == Condition::BasisTy::Decided)
    return false;
  if (G.Basis == Condition::BasisTy::Bounded)
    return false;
  if (G.Basis == Condition::BasisTy::Launch)
    return Launch.GridIsAssumed && (Predicate->Varies & VariesInGrid);
  return llvm::is_contained({OpenReason::Parameter, OpenReason::Load,
                             OpenReason::Atomic, OpenReason::Float,
                             OpenReason::CrossLane},
                            G.Reason);
}

/// Whether nothing tells a condition, though it may be decided: no form that a
/// walk evaluates was found for it.
static bool isHidden(const Guard &G) {
  return (G.Basis == Condition::BasisTy::Uniform ||
          G.Basis == Condition::BasisTy::Divergent) &&
         llvm::is_contained({OpenReason::Loop, OpenReason::Merge,
                             OpenReason::TooLarge, OpenReason::Other},
                            G.Reason);
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
                             return O.Kind == Operand::KindTy::Function &&
                                    !O.Callee && O.Name == "__assertfail";
                           });
                  });
         });
}

/// Code in front of a loop asks whether there is anything to do: there is.
void ProgramBuilder::guessLoopEntry(const CallContext &C, Guard &G) const {
  const Instruction &I = *G.I;
  const Block &B = *I.Parent;
  if (!I.IsTerminator || I.IsExit || B.Successors.size() != 2 ||
      G.Basis != Condition::BasisTy::Uniform)
    return;
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

/// Arguments of sines that need the long reduction are taken never to come, in
/// any lane.
void ProgramBuilder::guessArgument(Guard &G) {
  if (G.Given || (G.Basis != Condition::BasisTy::Uniform &&
                  G.Basis != Condition::BasisTy::Divergent))
    return;
  if (std::optional<ArgumentTest> Test = argumentTest(*G.I)) {
    G.Basis = Condition::BasisTy::Uniform;
    G.Probability = Test->TakenIfSmall;
    G.ArgumentBelow = Test->Limit;
  }
}

/// Blocks for rare data are taken never to run, in any lane.
void ProgramBuilder::guessRareData(Guard &G) {
  const Block &B = *G.I->Parent;
  if (G.Given || !G.I->IsTerminator || G.I->IsExit ||
      B.Successors.size() != 2 ||
      B.Successors[0]->IsUnlikely == B.Successors[1]->IsUnlikely ||
      (G.Basis != Condition::BasisTy::Uniform &&
       G.Basis != Condition::BasisTy::Divergent))
    return;
  G.Basis = Condition::BasisTy::Uniform;
  G.Probability = B.Successors[1]->IsUnlikely;
  G.IsOfRareData = true;
}

/// Whether every iteration of the region's loop once asks the branch \p I if
/// it leaves.
static bool asksEachIteration(const CallContext &C, const Region &R,
                              const Instruction &I) {
  const Block &B = *I.Parent;
  if (R.Cycle < 0 || !R.IsReducible || !I.IsTerminator || I.IsExit ||
      B.Successors.size() != 2)
    return false;
  const ControlFlow &CF = C.V->controlFlow();
  const Cycle &L = C.cycles()[size_t(R.Cycle)];
  return CF.innermostCycle(&B) == R.Cycle &&
         L.contains(B.Successors[0]) != L.contains(B.Successors[1]) &&
         llvm::all_of(L.Latches, [&](const Block *Latch) {
           return CF.dominates(&B, Latch);
         });
}

void ProgramBuilder::prepareGuard(CallContext &C, Region &R, PreparedBlock &P,
                                  const Instruction &I) {
  Guard G;
  G.I = &I;
  G.Number = Out.NumGuards++;
  Ref Predicate = C.V->guard(I);
  auto IsInvariant = [&](Ref X) {
    return C.V->isInvariant(X, unsigned(R.Cycle));
  };
  LoopExit Exit{R.Counter, IsInvariant, /*StaysIf=*/true};
  const bool IsExit = asksEachIteration(C, R, I);
  if (IsExit)
    Exit.StaysIf =
        C.cycles()[size_t(R.Cycle)].contains(I.Parent->Successors[0]);
  prepareCondition(R, P, G, Predicate, IsExit ? &Exit : nullptr);
  if (G.Basis != Condition::BasisTy::Decided) {
    G.Given = given(Launch, I);
    G.Reason = !Predicate ? OpenReason::Other
               : G.Open   ? reasonOf(*G.Open)
                          : reasonOfLaunch(Predicate);
  }
  G.IsHidden = isHidden(G);
  G.PartsBlock = isOpenToUser(G, Predicate) &&
                 Parting.mayPart(Predicate, *C.V) && !endsInTrap(I);
  guessLoopEntry(C, G);
  guessArgument(G);
  guessRareData(G);
  // One block of them all is the last.
  if (G.Basis == Condition::BasisTy::Uniform ||
      G.Basis == Condition::BasisTy::Divergent)
    if (std::optional<bool> IsOfLast = isOfLastBlock(*G.I)) {
      const double One = 1 / double(Launch.Grid.count());
      G.Probability = *IsOfLast ? One : 1 - One;
    }
  P.Guards.push_back(std::move(G));
}
