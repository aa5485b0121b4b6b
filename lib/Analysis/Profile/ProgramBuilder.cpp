//===- ProgramBuilder.cpp - Makes code ready to be walked through ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"
#include "ExpectedBytes.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

static constexpr unsigned MaxCallDepth = 16;

std::optional<int> CallContext::loopInside(const Region &R,
                                           const Block *B) const {
  int In = cycleOf(B), Last = -1;
  for (; In != R.Cycle; In = cycles()[size_t(In)].ParentIndex) {
    if (In < 0)
      return std::nullopt;
    Last = In;
  }
  return Last;
}

std::unique_ptr<CompiledExpressions>
counting::compileComparisons(ArrayRef<Comparison> Comparisons) {
  if (Comparisons.empty())
    return nullptr;
  std::vector<Ref> Sides;
  for (const Comparison &X : Comparisons) {
    const bool IsWhole = X.IsPredicate || X.IsKink;
    Sides.push_back(IsWhole ? X.E : X.E->Operands[0]);
    Sides.push_back(X.IsPredicate ? X.E : X.E->Operands[X.IsKink ? 0 : 1]);
  }
  return std::make_unique<CompiledExpressions>(Sides);
}

ProgramBuilder::ProgramBuilder(const SymbolicValues &V, const LaunchConfig &L,
                               Effort HowMuch)
    : Kernel(V), Launch(L), Thoroughness(HowMuch),
      Bases(V.expressions(),
            [this](const Symbol &S) { return decidednessOf(S); }),
      Addresses(V.expressions(), L),
      Boxes(V.graph(), L, [this](const Instruction &I) {
        if (!Expected)
          Expected = findExpectedBytes(Kernel);
        return Expected->lookup(&I);
      }) {
  Out.Launch = &Launch;
  Out.Thoroughness = Thoroughness;
}

PreparedProgram ProgramBuilder::build() {
  prepare(Kernel, 0);
  prepareAlone();
  Out.EndsThreads = !Alone.empty() && endsThreads();
  for (auto [G, C] : Alone)
    Out.Alone[G] = C;
  findExitCounts();
  findAxes();
  if (Launch.warpsPerBlock() <= MostWarps && Thoroughness != Effort::One)
    findWarps();
  for (const auto &C : Out.Contexts)
    for (PreparedBlock &P : C->Blocks) {
      P.FirstAccess = Out.NumAccesses;
      Out.NumAccesses += unsigned(P.Accesses.size());
    }
  return std::move(Out);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void ProgramBuilder::prepareCall(CallContext &C, Region &R, Event &E,
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
    R.HasBarrier |= To->whole().HasBarrier;
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

static bool loadsGlobal(const Instruction &I) {
  return llvm::any_of(I.Effects, [](const MemoryEffect &E) {
    return E.Access == AccessKind::Load && (E.Space == AddressSpace::Global ||
                                            E.Space == AddressSpace::Generic);
  });
}

/// What a branch out of the region's loop decides.
void ProgramBuilder::prepareExit(CallContext &C, Region &R, const Block &B) {
  if (R.Cycle < 0 || B.Successors.size() < 2)
    return;
  const Cycle &L = C.cycles()[size_t(R.Cycle)];
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
  for (Ref S : G.Evaluated->Symbols)
    R.IsSelfContained &= llvm::is_contained(R.Counter, S->Sym->Quantity);
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

void ProgramBuilder::prepareBlock(CallContext &C, const Block &B,
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
    if (I->IsBlockBarrier)
      R.HasLoadSinceBarrier = false;
    else if (loadsGlobal(*I) && !std::exchange(R.HasLoadSinceBarrier, true))
      ++R.LoadStretches;
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
bool ProgramBuilder::endsThreads() {
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

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// Whether a function has places in local memory.
static bool hasLocals(const InstructionGraph &G) {
  auto IsLocal = [](const Variable *V) {
    return V->Space == AddressSpace::Local;
  };
  auto IsAlloca = [](const Instruction *I) {
    return !I->isPseudo() && ptx::Opcode(I->Opcode) == ptx::Opcode::Alloca;
  };
  return llvm::any_of(G.LocalVariables, IsLocal) ||
         llvm::any_of(G.Blocks, [&](const Block *B) {
           return llvm::any_of(B->Instructions, IsAlloca);
         });
}

CallContext &ProgramBuilder::makeContext(const SymbolicValues &V) {
  const InstructionGraph &G = V.graph();
  const ControlFlow &CF = V.controlFlow();
  CallContext &C = *Out.Contexts.emplace_back(std::make_unique<CallContext>());
  C.V = &V;
  HasLocals |= hasLocals(G);
  C.Number = unsigned(Out.Contexts.size() - 1);
  ByValues[&V] = &C;
  Bases.forget(); // what its loops leave behind is not open any more
  ByGraph.try_emplace(&G, &C);
  C.Blocks.resize(G.Blocks.size());
  C.FirstBlock = Out.NumBlocks;
  Out.NumBlocks += unsigned(G.Blocks.size());
  C.DominatesLoop.resize(G.Blocks.size());
  ArrayRef<Cycle> Cycles = CF.cycles();
  for (const Block *B : G.Blocks) {
    int In = CF.innermostCycle(B);
    while (In >= 0 && Cycles[size_t(In)].Depth > MaxLoopDepth)
      In = Cycles[size_t(In)].ParentIndex;
    C.CycleOf.push_back(In);
  }
  C.Regions.resize(Cycles.size() + 1);
  for (Region &R : C.Regions)
    R.Number = Out.NumRegions++;
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
    R.Counter = {V.counter(N, 64)->Sym->Quantity};
  }
  return C;
}

/// A region around another has what that one has.
static void joinRegions(CallContext &C) {
  ArrayRef<Cycle> Cycles = C.cycles();
  for (unsigned N = unsigned(Cycles.size()); N-- != 0;)
    if (int Outer = Cycles[N].ParentIndex; Outer >= 0) {
      Region &Around = C.Regions[size_t(Outer)];
      const Region &Inner = C.Regions[N];
      Around.HasThreadExit |= Inner.HasThreadExit;
      Around.HasBarrier |= Inner.HasBarrier;
      Around.LanesDiffer |= Inner.LanesDiffer;
      Around.HasWaits |= Inner.HasWaits;
    }
  for (const Region &R : C.Regions)
    C.Regions.back().HasBarrier |= R.HasBarrier;
}

/// Finds what dominates the items of each region.
static void findDominators(CallContext &C) {
  for (Region &R : C.Regions)
    for (Region::Item &I :
         MutableArrayRef(R.Items).drop_front(R.Items.empty() ? 0 : 1))
      if (const Block *D = C.V->controlFlow().immediateDominator(I.B))
        if (std::optional<int> Loop = C.loopInside(R, D)) {
          I.Above = D;
          I.AboveLoop = *Loop;
        }
}

CallContext *ProgramBuilder::prepare(const SymbolicValues &V, unsigned Depth) {
  CallContext &C = makeContext(V);
  ArrayRef<Cycle> Cycles = C.cycles();
  auto RegionOf = [&](int Cycle) -> Region & {
    return Cycle < 0 ? C.Regions.back() : C.Regions[size_t(Cycle)];
  };
  // A loop is complete when its last block is; then its exits are known to
  // what reads the values that it leaves behind.
  std::vector<unsigned> BlocksLeft;
  for (const Cycle &L : Cycles)
    BlocksLeft.push_back(unsigned(L.Blocks.size()));
  for (const Block *B : V.controlFlow().reversePostOrder()) {
    int In = C.cycleOf(B);
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
  joinRegions(C);
  findDominators(C);
  findLoopRuns(C);
  return &C;
}
