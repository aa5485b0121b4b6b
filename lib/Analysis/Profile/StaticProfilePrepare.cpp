//===- StaticProfilePrepare.cpp - What decides what is executed -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Analysis/Access/FragmentAddresses.h"
#include "StaticProfileImpl.h"
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

void StaticProfiler::prepareCall(CallContext &C, Region &R, Event &E,
                                 unsigned Depth) {
  R.HasCalls = true;
  auto Add = [&](const InstructionGraph &G, const SymbolicValues *V) {
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
    CallContext *To = prepare(*V, Depth + 1);
    To->Caller = &C;
    To->CalledAt = E.I;
    UsedIn = Here;
    E.Callees.push_back(To);
    E.Waits |= To->Waits;
    C.MayExit |= To->MayExit;
    R.HasThreadExit |= To->MayExit;
    R.HasBarrier |= To->Regions.back().HasBarrier;
  };
  if (const InstructionGraph *G = E.I->callee())
    return Add(*G, C.V->callee(*E.I));
  for (const Operand &O : E.I->Operands)
    for (const Operand &Target : O.Elements)
      if (O.Kind == Operand::KindTy::List &&
          Target.Kind == Operand::KindTy::Function) {
        ++E.NumTargets;
        if (Target.Callee)
          Add(*Target.Callee, nullptr);
      }
}

/// What a branch out of the region's loop decides.
void StaticProfiler::prepareExit(CallContext &C, Region &R, const Block &B) {
  if (R.Cycle < 0 || B.Successors.size() < 2)
    return;
  const Cycle &L = C.V->controlFlow().cycles()[size_t(R.Cycle)];
  const Instruction *T = B.terminator();
  PreparedBlock &P = C.Blocks[B.Number];
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
  if (G.Basis != Condition::BasisTy::Decided) {
    R.IsSelfContained = false;
    return;
  }
  Ref Predicate = C.V->guard(*T);
  for (Ref S : Predicate->Symbols)
    R.IsSelfContained &= llvm::is_contained(R.Counter, S);
}

/// The lanes of its warp that an instruction waits for, if it says so.
static uint32_t waitsFor(const SymbolicValues &V, const Instruction &I) {
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

void StaticProfiler::prepareBlock(CallContext &C, const Block &B,
                                  unsigned Depth) {
  UsedIn = &B;
  int In = C.cycleOf(&B);
  Region &R = In < 0 ? C.Regions.back() : C.Regions[size_t(In)];
  PreparedBlock &P = C.Blocks[B.Number];
  for (const Instruction *I : B.Instructions) {
    if (I->isPseudo())
      continue;
    ++P.NumInstructions;
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
    R.HasBarrier |= I->IsBlockBarrier;
    prepareAccesses(C, R, P, E);
    E.Waits |= waitsFor(*C.V, *I);
    C.Waits |= E.Waits;
    R.HasWaits |= E.Waits != 0;
    if (I->IsBlockBarrier && E.Guard >= 0 && E.Waits)
      P.GuardedBarriers.push_back(unsigned(E.Guard));
    P.HasCallsOrWaits |= I->IsCall || E.Waits;
    if (E.Guard >= 0 || E.NumAccesses || I->IsCall || E.Waits ||
        I->IsBlockBarrier)
      P.Events.push_back(std::move(E));
  }
  R.Roots += P.Conditions.size() + P.Addresses.size();
  prepareExit(C, R, B);
}

/// Whether a function that the kernel calls ends threads, wherever.
bool StaticProfiler::endsThreads() {
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
void StaticProfiler::prepareAlone() {
  unsigned Left = CallsOfAlone;
  for (size_t Next = 0; Next != AloneFunctions.size();) { // it grows
    const InstructionGraph &G = *AloneFunctions[Next++];
    size_t First = Contexts.size();
    auto CF = std::make_unique<ControlFlow>(G);
    auto V =
        std::make_unique<SymbolicValues>(G, *CF, Launch, Kernel.expressions(),
                                         std::min(Left, CallsOfAlone / 10));
    CallContext *C = prepare(*V, 0);
    for (const auto &Callee : ArrayRef(Contexts).drop_front(First + 1))
      Left -= std::min(Left, Callee->V->graph().NumInstructions);
    C->OwnCF = std::move(CF);
    C->OwnValues = std::move(V);
    Alone[&G] = C;
    Barriers.IsPartial |= C->Regions.back().HasBarrier;
  }
  // Depth first, with a stack of its own: chains of calls may be long.
  struct Frame {
    CallContext *C;
    std::vector<CallContext *> Calls;
  };
  enum : uint8_t { New, Open, Done };
  llvm::DenseMap<CallContext *, uint8_t> State;
  std::vector<CallContext *> Order;
  for (const InstructionGraph *Root : AloneFunctions) {
    std::vector<Frame> Stack;
    auto Enter = [&](CallContext *C) {
      State[C] = Open;
      Stack.push_back({C, {}});
      // With what it calls in its own context.
      SmallVector<const CallContext *, 8> Work{C};
      while (!Work.empty())
        for (const PreparedBlock &P : Work.pop_back_val()->Blocks)
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
      CallContext *To = Stack.back().Calls.back();
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

CallContext *StaticProfiler::prepare(const SymbolicValues &V, unsigned Depth) {
  const InstructionGraph &G = V.graph();
  Contexts.push_back(std::make_unique<CallContext>());
  CallContext &C = *Contexts.back();
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
  C.Blocks.resize(G.Blocks.size());
  C.Entered.resize(Cycles.size());
  C.DominatesLoop.resize(G.Blocks.size());
  for (const Block *B : G.Blocks) {
    int In = CF.innermostCycle(B);
    while (In >= 0 && Cycles[size_t(In)].Depth > MaxLoopDepth)
      In = Cycles[size_t(In)].ParentIndex;
    C.CycleOf.push_back(In);
  }
  C.Regions.resize(Cycles.size() + 1);
  for (unsigned N = 0; N != Cycles.size(); ++N) {
    Region &R = C.Regions[N];
    R.Cycle = int(N);
    const Cycle &L = Cycles[N];
    // What is nested too deep is taken to run once in each iteration around.
    R.IsReducible = L.Reducible && L.Depth < MaxLoopDepth;
    R.TestsFirst = L.testsFirst();
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
      C.Regions[size_t(Outer)].HasBarrier |= C.Regions[N].HasBarrier;
      C.Regions[size_t(Outer)].LanesDiffer |= C.Regions[N].LanesDiffer;
      C.Regions[size_t(Outer)].HasWaits |= C.Regions[N].HasWaits;
    }
  for (const Region &R : C.Regions)
    C.Regions.back().HasBarrier |= R.HasBarrier;
  finishPlaces(C);
  findLoopRuns(C);
  return &C;
}

/// How often a loop's header runs, where its own conditions do not decide.
void StaticProfiler::decideLoop(CallContext &C, Region &R) {
  const Cycle &L = C.V->controlFlow().cycles()[size_t(R.Cycle)];
  double Extra = R.TestsFirst ? 1 : 0;
  auto ToRuns = [&](double Trips) { return std::max(Trips + Extra, 1.0); };
  std::optional<double> Given = lookUpByLabel(Launch.TripCounts, *L.Header);
  bool IsDecided = false;
  SmallVector<Guard *, 2> Exits;
  for (const Block *B : L.ExitingBlocks) {
    PreparedBlock &P = C.Blocks[B->Number];
    if (P.Guards.empty() || P.Guards.back().I != B->terminator() ||
        C.cycleOf(B) != R.Cycle ||
        !P.Guards.back().LeavesIf) { // from a loop within, or all at once
      R.IsSelfContained = false;
      continue;
    }
    Guard &G = P.Guards.back();
    Exits.push_back(&G);
    if (G.Basis != Condition::BasisTy::Decided &&
        G.Basis != Condition::BasisTy::Launch) {
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
    if (G.Basis == Condition::BasisTy::Launch)
      R.IsOpen = R.IsByLaunch = true;
  }
  if (Given) {
    R.HeaderRuns = ToRuns(*Given);
    R.IsGiven = R.IsOpen = true;
  } else if (!IsDecided && !R.IsGiven && L.Header->HeaderRuns) {
    R.HeaderRuns = double(*L.Header->HeaderRuns);
    R.IsGiven = R.IsOpen = true;
  } else if (!IsDecided && !R.IsGiven) {
    R.HeaderRuns = ToRuns(DefaultTripCount);
    if (L.Header->MostHeaderRuns)
      R.HeaderRuns = std::min(*R.HeaderRuns, double(*L.Header->MostHeaderRuns));
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
        return G->VariesInWarp && G->Basis != Condition::BasisTy::Decided;
      });
  R.Exits.append(Exits.begin(), Exits.end());
}

void StaticProfiler::finishPlaces(CallContext &C) {
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
  for (PreparedBlock &P : C.Blocks) {
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
