//===- StaticCountsPrepare.cpp - What decides what is executed ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FragmentAddresses.h"
#include "StaticCountsImpl.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

static constexpr unsigned MaxCallDepth = 16;
/// Of what functions with unknown arguments call, so many instructions in all
/// are looked at with the arguments of the call.
static constexpr unsigned CallsOfAlone = 50000;

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

/// The operand's share of what the launch says of a branch or guarded call.
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

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The width and the lanes of an access whose addresses say all that it costs;
/// what is wrong with another one.
static StringRef shapeOf(const Instruction &I, const MemoryEffect &E,
                         Access &M) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Ld:
  case Opcode::Ldu:
  case Opcode::St:
  case Opcode::Atom:
  case Opcode::Red:
  case Opcode::Prefetch:
  case Opcode::CpAsyncMbarrierArrive:
  case Opcode::MbarrierInit:
  case Opcode::MbarrierInval:
  case Opcode::MbarrierExpectTx:
  case Opcode::MbarrierCompleteTx:
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierArriveDrop:
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    M.Bytes = E.BytesPerLane;
    return M.Bytes == 0 ? "not per lane" : "";
  case Opcode::Ldmatrix:
  case Opcode::Stmatrix: {
    // Eight lanes for each matrix of 8x8 name a row of 16 bytes.
    unsigned Rows = E.BytesPerLane / 4 * 8;
    if (!ptx::hasModifier(I.Modifiers, "m8n8") || Rows > WarpSize || Rows == 0)
      return "matrix shape";
    M.Bytes = 16;
    M.IsMatrix = true;
    M.Lanes = Rows == WarpSize ? ~0u : (1u << Rows) - 1;
    return "";
  }
  case Opcode::CpAsync:
    if (E.BytesOperand < 0 ||
        I.Operands[unsigned(E.BytesOperand)].Which != Operand::Kind::Integer)
      return "not per lane";
    M.Bytes = unsigned(I.Operands[unsigned(E.BytesOperand)].Bits);
    return M.Bytes == 0 ? "not per lane" : "";
  case Opcode::WmmaLoad:
  case Opcode::WmmaStore: {
    std::optional<FragmentPlaces> F = findFragment(I);
    if (!F)
      return "matrix shape";
    M.Bytes = F->accessBytes();
    M.IsMatrix = true;
    return "";
  }
  default:
    return "not per lane";
  }
}

/// What a generic address is in, if its expression says so.
static AddressSpace resolve(Ref Address) {
  std::optional<AddressSpace> Found;
  auto Note = [&](AddressSpace S) {
    Found = Found.value_or(S) == S ? S : AddressSpace::Generic;
  };
  for (Ref S : Address->Symbols)
    if (S->Width == 64 && S->isSymbol(Symbol::Kind::Parameter) &&
        S->Sym->Align >= 16)
      Note(AddressSpace::Global); // a buffer
    else if (S->isSymbol(Symbol::Kind::Address) && S->Sym->Var)
      Note(S->Sym->Var->Space);
  return Found.value_or(AddressSpace::Generic);
}

/// A copy to shared memory that says how much of it is read.
void StaticCounter::prepareReads(Context &C, Region &R, Place &P, Event &E) {
  const Instruction &I = *E.I;
  if (Opcode(I.Opcode) != Opcode::CpAsync || I.Operands.size() < 4 ||
      I.Operands[2].Which != Operand::Kind::Integer)
    return;
  Expressions &X = Kernel.expressions();
  const Operand &Last = I.Operands[3];
  bool IsPredicate = Last.Which == Operand::Kind::Register &&
                     Last.Val->Type == ScalarType::Pred;
  Ref Size = C.V->of(I, Last, IsPredicate ? 1 : 32);
  if (!Size || Size->isConstant(I.Operands[2].Bits))
    return;
  Guard G;
  G.I = &I;
  prepareCondition(R, P, G,
                   Size->Width == 1
                       ? X.bitNot(Size) // it says to ignore the source
                       : X.bitNot(X.equal(Size, X.constant(Size->Width, 0))));
  E.Reads = int(P.Guards.size());
  P.Guards.push_back(std::move(G));
}

/// A request by the lanes at \p Address, null if that is not modelled.
void StaticCounter::prepareAccess(Place &P, const Event &E,
                                  const MemoryEffect &Effect, Ref Address) {
  Access &M = P.Accesses.emplace_back();
  M.Space = Effect.Space;
  M.Why = shapeOf(*E.I, Effect, M);
  if (Address && M.Space == AddressSpace::Generic)
    M.Space = resolve(Address);
  if (!M.Why.empty())
    return;
  // Lanes may leave a loop at other times than is taken for all of them.
  auto Of = [this](const Symbol &S) {
    Decidedness D = decidednessOf(S);
    return S.Which == Symbol::Kind::ExitCount && D != Decidedness::Decided
               ? Decidedness::Open
               : D;
  };
  if (Address) {
    Costs.setAddress(M, Address, Of);
  } else {
    M.Which = Access::Kind::Scattered;
    M.How = Status::Unknown;
    M.Why = toString(Symbol::Reason::Other);
  }
  if (M.Space == AddressSpace::Generic) { // may be shared memory
    M.How = weakest(M.How, Status::Unknown);
    M.IsStandIn = true;
  }
  // A lane that reads a part of its bytes has a request like the others.
  M.IsOfReads = E.Reads >= 0 && M.Space != AddressSpace::Shared;
  if (M.Open)
    M.Why = reasonOf(*M.Open);
  else if (Address && M.DependsOnLaunch)
    M.LaunchWhy = reasonOfLaunch(Address);
  if (M.Address) {
    M.Root = unsigned(P.Addresses.size());
    P.Addresses.push_back(M.Address);
  }
}

void StaticCounter::prepareAccesses(Context &C, Region &R, Place &P, Event &E) {
  const Instruction &I = *E.I;
  E.FirstAccess = unsigned(P.Accesses.size());
  if (!I.Effects.empty())
    prepareReads(C, R, P, E);
  for (const MemoryEffect &Effect : I.Effects) {
    if (Effect.Space == AddressSpace::Param ||
        Effect.Space == AddressSpace::Const ||
        Effect.Space == AddressSpace::Texture ||
        Effect.Space == AddressSpace::Register)
      continue;
    Ref Address = C.V->of(I, I.Operands[Effect.AddressOperand], 64);
    if (std::optional<FragmentPlaces> F = findFragment(I)) {
      bool Continues = false;
      for (Ref Of : fragmentAddresses(*C.V, I, *F, Address)) {
        prepareAccess(P, E, Effect, Of);
        P.Accesses.back().Continues = std::exchange(Continues, true);
      }
    } else {
      prepareAccess(P, E, Effect, Address);
    }
  }
  E.NumAccesses = unsigned(P.Accesses.size()) - E.FirstAccess;
}

//===----------------------------------------------------------------------===//
// Blocks, loops and functions
//===----------------------------------------------------------------------===//

void StaticCounter::prepareCall(Context &C, Region &R, Event &E,
                                unsigned Depth) {
  R.HasCalls = true;
  auto Add = [&](const InstructionGraph &G, const Values *V) {
    if (!V || Depth == MaxCallDepth) { // with arguments that may be anything
      E.Alone.push_back(&G);
      if (Alone.try_emplace(&G, nullptr).second)
        AloneFunctions.push_back(&G);
      C.MayExit |= endsThreads();
      R.HasThreadExit |= endsThreads();
      E.Waits = ~0u; // perhaps
      return;
    }
    const Block *Here = UsedIn;
    Context *To = prepare(*V, Depth + 1);
    UsedIn = Here;
    E.Callees.push_back(To);
    E.Waits |= To->Waits;
    C.MayExit |= To->MayExit;
    R.HasThreadExit |= To->MayExit;
  };
  if (const InstructionGraph *G = E.I->callee())
    return Add(*G, C.V->callee(*E.I));
  for (const Operand &O : E.I->Operands)
    for (const Operand &Target : O.Elements)
      if (O.Which == Operand::Kind::List &&
          Target.Which == Operand::Kind::Function) {
        ++E.NumTargets;
        if (Target.Callee)
          Add(*Target.Callee, nullptr);
      }
}

/// What a branch out of the region's loop decides.
void StaticCounter::prepareExit(Context &C, Region &R, const Block &B) {
  if (R.Cycle < 0 || B.Successors.size() < 2)
    return;
  const Cycle &L = C.V->controlFlow().cycles()[size_t(R.Cycle)];
  const Instruction *T = B.terminator();
  Place &P = C.Places[B.Number];
  SmallVector<bool, 2> Leaves;
  for (const Block *S : B.Successors)
    Leaves.push_back(!L.contains(S));
  if (llvm::all_equal(Leaves))
    return;
  if (!T || !T->HasGuard || T->IsExit || B.Successors.size() != 2) {
    R.IsOpen = true; // a jump table, or an exit of some threads
    R.IsSelfContained = false;
    return;
  }
  Guard &G = P.Guards.back();
  G.LeavesIf = Leaves[0];
  if (G.Why != Condition::Basis::Decided) {
    R.IsSelfContained = false;
    return;
  }
  Ref Predicate = C.V->guard(*T);
  for (Ref S : Predicate->Symbols)
    R.IsSelfContained &= llvm::is_contained(R.Counter, S);
}

/// The lanes of its warp that an instruction waits for, if it says so.
static uint32_t waitsFor(const Values &V, const Instruction &I) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Bar:
  case Opcode::Barrier:
  case Opcode::BarrierCluster:
    return ptx::hasModifier(I.Modifiers, "arrive") ? 0 : ~0u;
  case Opcode::Shfl:
  case Opcode::Vote:
    if (!ptx::hasModifier(I.Modifiers, "sync"))
      return 0;
    break;
  case Opcode::BarWarp:
  case Opcode::Match:
  case Opcode::Redux:
  case Opcode::Elect:
    break;
  default:
    return 0;
  }
  // A mask that is no number names those who are here.
  Ref Mask = I.Operands.empty() ? nullptr : V.of(I, I.Operands.back(), 32);
  return Mask && Mask->isConstant() ? uint32_t(Mask->Addend) : 0;
}

void StaticCounter::prepareBlock(Context &C, const Block &B, unsigned Depth) {
  UsedIn = &B;
  int In = C.cycleOf(&B);
  Region &R = In < 0 ? C.Regions.back() : C.Regions[size_t(In)];
  Place &P = C.Places[B.Number];
  for (const Instruction *I : B.Instructions) {
    if (I->isPseudo())
      continue;
    Event E;
    E.I = I;
    if (I->HasGuard) {
      E.Guard = int(P.Guards.size());
      prepareGuard(C, R, P, *I);
    }
    if (I->IsCall)
      prepareCall(C, R, E, Depth);
    if (I->IsExit && Opcode(I->Opcode) != Opcode::Ret)
      C.MayExit = true;
    R.HasThreadExit |= I->IsExit;
    prepareAccesses(C, R, P, E);
    E.Waits |= waitsFor(*C.V, *I);
    C.Waits |= E.Waits;
    R.HasWaits |= E.Waits != 0;
    if (I->IsBlockBarrier && E.Guard >= 0 && E.Waits)
      P.GuardedBarriers.push_back(unsigned(E.Guard));
    if (E.Guard >= 0 || E.NumAccesses || I->IsCall || E.Waits)
      P.Events.push_back(std::move(E));
  }
  R.Roots += P.Conditions.size() + P.Addresses.size();
  prepareExit(C, R, B);
}

/// Whether a function that the kernel calls ends threads, wherever.
bool StaticCounter::endsThreads() {
  if (!EndsThreads) {
    EndsThreads = false;
    for (const InstructionGraph *G : calledFrom(Kernel.graph()))
      if (G != &Kernel.graph())
        G->forEachInstruction([&](const Instruction &I) {
          *EndsThreads |= I.IsExit && Opcode(I.Opcode) != Opcode::Ret;
        });
  }
  return *EndsThreads;
}

/// Makes functions ready that are called with unknown arguments, callers before
/// what they call.
void StaticCounter::prepareAlone() {
  unsigned Left = CallsOfAlone;
  for (size_t Next = 0; Next != AloneFunctions.size();) { // it grows
    const InstructionGraph &G = *AloneFunctions[Next++];
    size_t First = Contexts.size();
    auto CF = std::make_unique<ControlFlow>(G);
    auto V = std::make_unique<Values>(G, *CF, Launch, Kernel.expressions(),
                                      std::min(Left, CallsOfAlone / 10));
    Context *C = prepare(*V, 0);
    for (const auto &Callee : ArrayRef(Contexts).drop_front(First + 1))
      Left -= std::min(Left, Callee->V->graph().NumInstructions);
    C->OwnCF = std::move(CF);
    C->OwnValues = std::move(V);
    Alone[&G] = C;
  }
  // Depth first, with a stack of its own: chains of calls may be long.
  struct Frame {
    Context *C;
    std::vector<Context *> Calls;
  };
  enum : uint8_t { New, Open, Done };
  llvm::DenseMap<Context *, uint8_t> State;
  std::vector<Context *> Order;
  for (const InstructionGraph *Root : AloneFunctions) {
    std::vector<Frame> Stack;
    auto Enter = [&](Context *C) {
      State[C] = Open;
      Stack.push_back({C, {}});
      // With what it calls in its own context.
      SmallVector<const Context *, 8> Work{C};
      while (!Work.empty())
        for (const Place &P : Work.pop_back_val()->Places)
          for (const Event &E : P.Events) {
            llvm::append_range(Work, E.Callees);
            for (const InstructionGraph *G : E.Alone)
              Stack.back().Calls.push_back(Alone[G]);
          }
    };
    if (State.lookup(Alone[Root]) == New)
      Enter(Alone[Root]);
    while (!Stack.empty()) {
      if (Stack.back().Calls.empty()) {
        State[Stack.back().C] = Done;
        Order.push_back(Stack.back().C);
        Stack.pop_back();
        continue;
      }
      Context *To = Stack.back().Calls.back();
      Stack.back().Calls.pop_back();
      if (State.lookup(To) == New) {
        Enter(To);
        continue;
      }
      // All functions of the circle call themselves.
      if (State.lookup(To) == Open)
        for (Frame &F : llvm::reverse(Stack)) {
          bool WasKnown = std::exchange(F.C->CallsItself, true);
          if (F.C == To || (WasKnown && F.C != Stack.back().C))
            break;
        }
    }
  }
  AloneOrder.assign(Order.rbegin(), Order.rend());
}

int Context::cycleOf(const Block *B) const {
  const ControlFlow &CF = V->controlFlow();
  int N = CF.innermostCycle(B);
  while (N >= 0 && CF.cycles()[size_t(N)].Depth > MaxLoopDepth)
    N = CF.cycles()[size_t(N)].ParentIndex;
  return N;
}

Context *StaticCounter::prepare(const Values &V, unsigned Depth) {
  const InstructionGraph &G = V.graph();
  Contexts.push_back(std::make_unique<Context>());
  Context &C = *Contexts.back();
  C.V = &V;
  ByValues[&V] = &C;
  ByGraph.try_emplace(&G, &C);
  const ControlFlow &CF = V.controlFlow();
  ArrayRef<Cycle> Cycles = CF.cycles();
  FunctionCounts *&Of = Counts[&G];
  if (!Of) {
    Result.Functions.push_back(std::make_unique<FunctionCounts>());
    Of = Result.Functions.back().get();
    Of->G = &G;
    Of->Blocks.resize(G.Blocks.size());
    Of->Loops.resize(Cycles.size());
  }
  C.Out = Of;
  C.Arrived.resize(G.Blocks.size());
  C.Places.resize(G.Blocks.size());
  C.Entered.resize(Cycles.size());
  C.DominatesLoop.resize(G.Blocks.size());
  C.Regions.resize(Cycles.size() + 1);
  for (unsigned N = 0; N != Cycles.size(); ++N) {
    Region &R = C.Regions[N];
    R.Cycle = int(N);
    const Cycle &L = Cycles[N];
    // What is nested too deep is taken to run once in each iteration around.
    R.IsReducible = L.Reducible && L.Depth < MaxLoopDepth;
    R.TestsFirst = llvm::is_contained(L.ExitingBlocks, L.Header) &&
                   !llvm::is_contained(L.Latches, L.Header);
    for (const Block *B = L.Header; B && !C.DominatesLoop[B->Number];
         B = CF.immediateDominator(B))
      C.DominatesLoop[B->Number] = true;
    for (unsigned Width : {16, 32, 64})
      R.Counter.push_back(V.counter(N, Width));
  }
  // A loop is complete when its last block is; then its exits are known to
  // what reads the values that it leaves behind.
  std::vector<unsigned> BlocksLeft;
  for (const Cycle &L : Cycles)
    BlocksLeft.push_back(unsigned(L.Blocks.size()));
  for (const Block *B : CF.reversePostOrder()) {
    int In = C.cycleOf(B);
    auto RegionOf = [&](int Cycle) -> Region & {
      return Cycle < 0 ? C.Regions.back() : C.Regions[size_t(Cycle)];
    };
    for (int N = In; N >= 0 && Cycles[size_t(N)].Header == B;
         N = Cycles[size_t(N)].ParentIndex)
      RegionOf(Cycles[size_t(N)].ParentIndex)
          .Items.push_back({B, N, nullptr, -1});
    RegionOf(In).Items.push_back({B, -1, nullptr, -1});
    prepareBlock(C, *B, Depth);
    for (int N = In; N >= 0; N = Cycles[size_t(N)].ParentIndex)
      if (--BlocksLeft[size_t(N)] == 0)
        decideLoop(C, C.Regions[size_t(N)]);
  }
  for (unsigned N = unsigned(Cycles.size()); N-- != 0;)
    if (int Outer = Cycles[N].ParentIndex; Outer >= 0) {
      C.Regions[size_t(Outer)].HasThreadExit |= C.Regions[N].HasThreadExit;
      C.Regions[size_t(Outer)].LanesDiffer |= C.Regions[N].LanesDiffer;
      C.Regions[size_t(Outer)].HasWaits |= C.Regions[N].HasWaits;
    }
  finishPlaces(C);
  findLoopRuns(C);
  return &C;
}

/// How often a loop's header runs, where its own conditions do not decide.
void StaticCounter::decideLoop(Context &C, Region &R) {
  const Cycle &L = C.V->controlFlow().cycles()[size_t(R.Cycle)];
  double Extra = R.TestsFirst ? 1 : 0;
  auto ToRuns = [&](double Trips) { return std::max(Trips + Extra, 1.0); };
  std::optional<double> Given = lookUpByLabel(Launch.TripCounts, *L.Header);
  bool IsDecided = false;
  SmallVector<Guard *, 2> Exits;
  for (const Block *B : L.ExitingBlocks) {
    Place &P = C.Places[B->Number];
    if (P.Guards.empty() || P.Guards.back().I != B->terminator() ||
        C.cycleOf(B) != R.Cycle ||
        !P.Guards.back().LeavesIf) { // from a loop within, or all at once
      R.IsSelfContained = false;
      continue;
    }
    Guard &G = P.Guards.back();
    Exits.push_back(&G);
    if (G.Why != Condition::Basis::Decided &&
        G.Why != Condition::Basis::Launch) {
      R.IsOpen = true;
      if (!R.Open)
        R.Open = G.Open;
      if (G.Given && !Given) { // leaves with that chance each time
        double Leaves = *G.LeavesIf ? *G.Given : 1 - *G.Given;
        R.HeaderRuns =
            Leaves > 0 ? std::max(1 / Leaves, 1.0) : DefaultTripCount;
        R.IsGiven = true;
      }
      continue;
    }
    // The counter decides it in the end.
    Ref Predicate = C.V->guard(*G.I);
    IsDecided |= dependsOn(*Predicate, R.Counter);
    if (G.Why == Condition::Basis::Launch)
      R.IsOpen = R.IsByLaunch = true;
  }
  if (Given) {
    R.HeaderRuns = ToRuns(*Given);
    R.IsGiven = R.IsOpen = true;
  } else if (!IsDecided && !R.IsGiven) {
    R.HeaderRuns = ToRuns(DefaultTripCount);
    R.IsOpen = true;
    R.IsSelfContained = false;
  } else if (IsDecided && R.IsGiven) {
    R.HeaderRuns = std::nullopt; // the count limits it, chance aside
    R.IsGiven = false;
  }
  R.OpenExits = unsigned(Exits.size());
  R.LanesLeave =
      Exits.size() != L.ExitingBlocks.size() ||
      llvm::any_of(Exits, [](const Guard *G) {
        return G->VariesInWarp && G->Why != Condition::Basis::Decided;
      });
  R.Exits.append(Exits.begin(), Exits.end());
}

void StaticCounter::finishPlaces(Context &C) {
  auto Compile = [](ArrayRef<Comparison> Comparisons)
      -> std::unique_ptr<CompiledExpressions> {
    if (Comparisons.empty())
      return nullptr;
    std::vector<Ref> Sides;
    for (const Comparison &X : Comparisons) {
      Sides.push_back(X.IsPredicate ? X.E : X.E->Operands[0]);
      Sides.push_back(X.IsPredicate ? X.E : X.E->Operands[1]);
    }
    return std::make_unique<CompiledExpressions>(Sides);
  };
  for (Region &R : C.Regions)
    for (Region::Item &I :
         MutableArrayRef(R.Items).drop_front(R.Items.empty() ? 0 : 1))
      if (const Block *D = C.V->controlFlow().immediateDominator(I.B))
        if (std::optional<int> Loop = C.loopInside(R, D)) {
          I.Above = D;
          I.AboveLoop = *Loop;
        }
  for (Place &P : C.Places) {
    if (!P.Conditions.empty())
      P.Compiled = std::make_unique<CompiledExpressions>(P.Conditions);
    if (!P.Addresses.empty())
      P.Located = std::make_unique<CompiledExpressions>(P.Addresses);
    P.Compared = Compile(P.Comparisons);
  }
  for (Region &R : C.Regions)
    if (R.Cycle >= 0)
      R.Compared = Compile(R.Comparisons);
}

/// Finds what expressions know of the iterations in which loops were left,
/// perhaps loops of functions that were called.
void StaticCounter::findExitCounts() {
  for (const auto &C : Contexts)
    for (const Place &P : C->Places)
      for (ArrayRef<Ref> Roots :
           {ArrayRef(P.Conditions), ArrayRef(P.Addresses)})
        for (Ref E : Roots)
          for (Ref S : E->Symbols) {
            if (!S->isSymbol(Symbol::Kind::ExitCount))
              continue;
            Context *Owner = ByValues.lookup(S->Sym->Context);
            if (!Owner)
              continue;
            Quantity &Of = Owner->Regions[Values::loopOf(*S->Sym)].ExitCount;
            if (!llvm::is_contained(Of, S))
              Of.push_back(S);
          }
}

/// Iterations are taken together where the loop's own conditions are monotone
/// in its counter, nothing else within knows it but addresses, and those are
/// linear in it.
void StaticCounter::findLoopRuns(Context &C) {
  ArrayRef<Cycle> Cycles = C.V->controlFlow().cycles();
  // Which loops a condition or an address knows, found through its symbols.
  llvm::DenseMap<Ref, int> LoopOf;
  for (Region &R : C.Regions) {
    R.CanRun = R.Cycle >= 0 && R.IsReducible;
    for (Ref S : R.Counter)
      LoopOf[S] = R.Cycle;
  }
  for (const Block *B : C.V->graph().Blocks) {
    int In = C.cycleOf(B);
    if (In < 0)
      continue;
    const Place &P = C.Places[B->Number];
    for (const Comparison &X : P.Comparisons)
      for (Ref S : X.E->Symbols) {
        auto It = LoopOf.find(S);
        if (It == LoopOf.end())
          continue;
        Region &Loop = C.Regions[size_t(It->second)];
        bool IsOwn = It->second == In;
        // What an inner loop leaves behind is not there yet when the
        // comparison is looked at ahead.
        bool HasExit = llvm::any_of(X.E->Symbols, [](Ref E) {
          return E->isSymbol(Symbol::Kind::ExitCount);
        });
        Loop.CanRun &= IsOwn && !HasExit && !X.IsPredicate &&
                       isMonotone(*X.E, Loop.Counter);
      }
    for (const Access &M : P.Accesses)
      if (M.isDecided())
        for (Ref S : M.Address->Symbols)
          if (auto It = LoopOf.find(S); It != LoopOf.end())
            C.Regions[size_t(It->second)].CanRun &=
                slopeOf(*M.Address, C.Regions[size_t(It->second)].Counter)
                    .IsLinear;
  }
  // A callee may know the counters around the call.
  for (const Region &R : C.Regions)
    if (R.HasCalls)
      for (int N = R.Cycle; N >= 0; N = Cycles[size_t(N)].ParentIndex)
        C.Regions[size_t(N)].CanRun = false;
}

void StaticCounter::findAxes() {
  static constexpr Symbol::Kind Kinds[] = {
      Symbol::Kind::BlockX, Symbol::Kind::BlockY, Symbol::Kind::BlockZ};
  uint64_t Extents[] = {Launch.Grid.X, Launch.Grid.Y, Launch.Grid.Z};
  for (unsigned N = 0; N != 3; ++N)
    Axes[N].Extent = Extents[N], Axes[N].CanRun = true;
  auto AxisOf = [&](Ref S) {
    for (unsigned N = 0; N != 3; ++N)
      if (S->isSymbol(Kinds[N]))
        return int(N);
    return -1;
  };
  for (const auto &C : Contexts)
    for (const Place &P : C->Places)
      for (ArrayRef<Ref> Roots :
           {ArrayRef(P.Conditions), ArrayRef(P.Addresses)})
        for (Ref E : Roots)
          for (Ref S : E->Symbols)
            if (int N = AxisOf(S);
                N >= 0 && !llvm::is_contained(Axes[unsigned(N)].Index, S))
              Axes[unsigned(N)].Index.push_back(S);
  for (const auto &C : Contexts)
    for (const Place &P : C->Places) {
      for (const Access &M : P.Accesses)
        if (M.isDecided())
          for (Ref S : M.Address->Symbols)
            if (int N = AxisOf(S); N >= 0)
              Axes[unsigned(N)].CanRun &=
                  slopeOf(*M.Address, Axes[unsigned(N)].Index).IsLinear;
      for (const Comparison &X : P.Comparisons) {
        int First = -1; // of several indices the first alone makes runs
        for (unsigned N = 0; N != 3; ++N) {
          if (!dependsOn(*X.E, Axes[N].Index))
            continue;
          BlocksDiffer = true;
          Axes[N].CanRun &=
              First < 0 && !X.IsPredicate && isMonotone(*X.E, Axes[N].Index);
          First = int(N);
        }
      }
    }
}

/// Where conditions on the thread alone tell warps apart, they do so in every
/// block and iteration; with others it must be found out there.
void StaticCounter::findWarps() {
  std::vector<Ref> OfThread;
  for (const auto &C : Contexts)
    for (const Place &P : C->Places)
      for (const Comparison &X : P.Comparisons) {
        if (!(X.E->Varies & VariesInBlock))
          continue;
        if (!llvm::all_of(X.E->Symbols,
                          [](Ref S) { return isThread(*S->Sym); }))
          return;
        OfThread.push_back(X.E);
      }
  uint64_t Whole = Launch.threadsPerBlock() / WarpSize;
  std::vector<bool> Differs(Whole); ///< from the warp before
  // A few expressions stand in many places.
  llvm::sort(OfThread);
  OfThread.erase(llvm::unique(OfThread), OfThread.end());
  CompiledExpressions Compiled(OfThread);
  std::vector<uint32_t> Before;
  for (uint64_t W = 0; W != Whole; ++W) {
    A.Warp = W;
    Compiled.run(A);
    std::vector<uint32_t> Here;
    for (unsigned N = 0; N != OfThread.size(); ++N) {
      uint32_t Mask = 0;
      for (unsigned L = 0; L != WarpSize; ++L)
        Mask |= uint32_t(Compiled.lane(N, L) & 1) << L;
      Here.push_back(Mask);
    }
    if (W == 0 || Here != Before)
      FixedWarps.push_back(1);
    else
      ++FixedWarps.back();
    Before = std::move(Here);
  }
  if (Launch.threadsPerBlock() % WarpSize != 0 || FixedWarps.empty())
    FixedWarps.push_back(1);
}
