//===- DecidedRunPrepare.cpp - What decides a run -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DecidedRunImpl.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::decided;
using ptx::Opcode;

static constexpr unsigned MaxCallDepth = 16;

/// Known, or a place that is a multiple of \p Align, if that is not 0.
static bool isDecidedSymbol(const Expression &S, uint64_t Align) {
  switch (S.Sym->Which) {
  case Symbol::Kind::Opaque:
    return false;
  case Symbol::Kind::Parameter:
  case Symbol::Kind::Address:
    return Align != 0 && S.Sym->Align >= Align;
  default:
    return true;
  }
}

/// What an access costs does not change when its address does by multiples of
/// this: banks serve words in any order, and the lanes' copies of a word of
/// local memory fill a line.
static uint64_t alignmentThatCounts(const MemoryEffect &E) {
  return E.Space == AddressSpace::Shared || E.Space == AddressSpace::Local
             ? 4
             : 128;
}

bool RunCounter::addRoot(Region &R, const Expression *E, const Instruction &I,
                         uint64_t Align, unsigned &Root) {
  if (!E)
    return fail("a value is not modelled", &I);
  for (const Expression *S : E->Symbols)
    if (!isDecidedSymbol(*S, Align))
      return fail(S->Sym->Which == Symbol::Kind::Opaque
                      ? "it depends on a value that is not decided: " +
                            toString(S->Sym->Why)
                      : Twine("it depends on " + S->Sym->Name),
                  &I);
  Root = unsigned(R.Roots.size());
  R.Roots.push_back(E);
  return true;
}

/// Bytes and lanes of an access whose addresses say all that it costs; nothing
/// for another one.
static std::optional<std::pair<unsigned, uint32_t>>
shapeOf(const Instruction &I, const MemoryEffect &E) {
  if (E.Space == AddressSpace::Generic)
    return std::nullopt;
  constexpr uint32_t All = ~uint32_t(0);
  switch (Opcode(I.Opcode)) {
  case Opcode::Ld:
  case Opcode::Ldu:
  case Opcode::St:
  case Opcode::Atom:
  case Opcode::Red:
  case Opcode::Prefetch:
    if (E.BytesPerLane == 0)
      return std::nullopt;
    return std::make_pair(E.BytesPerLane, All);
  case Opcode::Ldmatrix:
  case Opcode::Stmatrix: {
    // Eight lanes for each matrix of 8x8 name a row of 16 bytes.
    unsigned Rows = E.BytesPerLane / 4 * 8;
    if (!ptx::hasModifier(I.Modifiers, "m8n8") || Rows > WarpSize || Rows == 0)
      return std::nullopt;
    return std::make_pair(16u, Rows == WarpSize ? All : (1u << Rows) - 1);
  }
  case Opcode::CpAsync:
    // With a size of the source, less may be read.
    if (I.Operands.size() == 3 && E.BytesOperand >= 0)
      return std::make_pair(unsigned(I.Operands[unsigned(E.BytesOperand)].Bits),
                            All);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// A function of the system, which counts nothing here.
static bool isProvided(const Instruction &Call) {
  return llvm::any_of(Call.Operands, [](const Operand &O) {
    return O.Role == OperandRole::Callee &&
           O.Which == Operand::Kind::Function && !O.Callee &&
           (O.Name == "vprintf" || O.Name == "malloc" || O.Name == "free");
  });
}

bool RunCounter::prepareInstruction(Context &C, Region &R, const Instruction &I,
                                    unsigned Depth) {
  if (I.IsUnknown || Opcode(I.Opcode) == Opcode::BrxIdx ||
      (I.IsExit && C.V != &Kernel && Opcode(I.Opcode) != Opcode::Ret))
    return fail("this instruction is not followed", &I);
  if (I.HasGuard) {
    const Expression *Guard = C.V->guard(I);
    unsigned Root = 0;
    if (!addRoot(R, Guard, I, /*Align=*/0, Root))
      return false;
    R.Guards[&I] = Root;
    if (!findComparisons(*Guard, R.Comparisons))
      return fail("the condition is no comparison", &I);
  }
  if (I.IsCall && isProvided(I))
    return true; // what it gives is opaque
  if (I.IsCall) {
    const Values *Callee = C.V->callee(I);
    if (!Callee || Depth == MaxCallDepth)
      return fail("the call is not followed", &I);
    R.HasCalls = true;
    Context *To = prepare(*Callee, Depth + 1);
    C.Callees[&I] = To;
    return To != nullptr;
  }
  for (const MemoryEffect &E : I.Effects) {
    if (E.Space == AddressSpace::Param || E.Space == AddressSpace::Const)
      continue;
    auto Shape = shapeOf(I, E);
    if (!Shape)
      return fail("accesses of this kind are not counted", &I);
    Access M{E.Space, Shape->first, Shape->second,
             C.V->of(I, I.Operands[E.AddressOperand], 64), 0};
    if (!addRoot(R, M.Address, I, alignmentThatCounts(E), M.Root))
      return false;
    R.Accesses[&I].push_back(M);
  }
  return true;
}

Context *RunCounter::prepare(const Values &V, unsigned Depth) {
  const InstructionGraph &G = V.graph();
  Contexts.push_back(std::make_unique<Context>());
  Context &C = *Contexts.back();
  C.V = &V;
  auto &Of = Counts[&G];
  if (!Of) {
    Of = std::make_unique<std::vector<InstructionProfile>>(G.NumInstructions);
    Functions.push_back(&G);
  }
  C.Counts = Of.get();
  C.Arrived.resize(G.Blocks.size());
  const ControlFlow &CF = V.controlFlow();
  ArrayRef<Cycle> Cycles = CF.cycles();
  C.Regions.resize(Cycles.size() + 1);
  auto RegionOf = [&](int Cycle) -> Region & {
    return Cycle < 0 ? C.Regions.back() : C.Regions[size_t(Cycle)];
  };
  for (unsigned N = 0; N != Cycles.size(); ++N) {
    C.Regions[N].Cycle = int(N);
    if (!Cycles[N].Reducible) {
      fail("a loop has several entries");
      return nullptr;
    }
  }
  for (const Block *B : CF.reversePostOrder()) {
    int In = CF.innermostCycle(B);
    if (In >= 0 && Cycles[size_t(In)].Header == B)
      RegionOf(Cycles[size_t(In)].ParentIndex).Items.push_back({B, In});
    RegionOf(In).Items.push_back({B, -1});
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() && !prepareInstruction(C, RegionOf(In), *I, Depth))
        return nullptr;
  }
  findSymbols(C);
  findLoopRuns(C);
  return &C;
}

/// Counters have a symbol for each width.
void RunCounter::findSymbols(Context &C) {
  for (Region &R : C.Regions) {
    R.Compiled = std::make_unique<CompiledExpressions>(R.Roots);
    std::vector<const Expression *> Compared;
    for (const Expression *E : R.Comparisons)
      llvm::append_range(Compared, E->Operands);
    R.Compared = std::make_unique<CompiledExpressions>(Compared);
    for (unsigned Width : {16, 32, 64})
      if (R.Cycle >= 0)
        R.Counter.push_back(C.V->counter(unsigned(R.Cycle), Width));
  }
}

/// Finds what expressions know of the iterations in which loops were left,
/// perhaps loops of functions that were called.
bool RunCounter::findExitCounts() {
  llvm::DenseMap<const void *, Context *> Owners;
  for (const auto &C : Contexts)
    Owners[C->V] = C.get();
  bool Good = true;
  forEachRegion([&](Region &R) {
    for (const Expression *E : R.Roots)
      for (const Expression *S : E->Symbols) {
        if (!S->isSymbol(Symbol::Kind::ExitCount))
          continue;
        Context *Owner = Owners.lookup(S->Sym->Context);
        if (!Owner) {
          Good = fail("it depends on a loop that is not followed");
          continue;
        }
        Quantity &Of = Owner->Regions[Values::loopOf(*S->Sym)].ExitCount;
        if (!llvm::is_contained(Of, S))
          Of.push_back(S);
      }
  });
  return Good;
}

/// Iterations are taken together where the loop's own conditions are monotone
/// in its counter, nothing else within knows it but addresses, and those are
/// linear in it.
void RunCounter::findLoopRuns(Context &C) {
  ArrayRef<Cycle> Cycles = C.V->controlFlow().cycles();
  for (Region &R : C.Regions)
    R.CanRun = R.Cycle >= 0;
  for (const Region &R : C.Regions)
    for (int N = R.Cycle; N >= 0; N = Cycles[size_t(N)].ParentIndex) {
      Region &Loop = C.Regions[size_t(N)];
      Loop.CanRun &= !R.HasCalls; // a callee may know it
      for (const Expression *E : R.Comparisons)
        Loop.CanRun &= &R == &Loop ? isMonotone(*E, Loop.Counter)
                                   : !dependsOn(*E, Loop.Counter);
      for (const auto &[I, List] : R.Accesses)
        for (const Access &M : List)
          Loop.CanRun &= slopeOf(*M.Address, Loop.Counter).IsLinear;
    }
}

void RunCounter::findAxes() {
  static constexpr Symbol::Kind Kinds[] = {
      Symbol::Kind::BlockX, Symbol::Kind::BlockY, Symbol::Kind::BlockZ};
  uint64_t Extents[] = {Launch.Grid.X, Launch.Grid.Y, Launch.Grid.Z};
  for (unsigned N = 0; N != 3; ++N) {
    Axis &X = Axes[N];
    X.Extent = Extents[N];
    X.CanRun = true;
    forEachRegion([&](Region &R) {
      for (const Expression *E : R.Roots)
        for (const Expression *S : E->Symbols)
          if (S->isSymbol(Kinds[N]) && !llvm::is_contained(X.Index, S))
            X.Index.push_back(S);
    });
    forEachRegion([&](Region &R) {
      for (const auto &[I, List] : R.Accesses)
        for (const Access &M : List)
          X.CanRun &= slopeOf(*M.Address, X.Index).IsLinear;
      for (const Expression *E : R.Comparisons) {
        X.CanRun &= isMonotone(*E, X.Index);
        // Of several indices in one condition the first alone makes runs.
        for (unsigned Inner = 0; Inner != N; ++Inner)
          X.CanRun &=
              !dependsOn(*E, X.Index) || !dependsOn(*E, Axes[Inner].Index);
      }
    });
  }
}
