//===- KernelAnalysis.cpp - From a graph and a launch to characteristics --===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "MeasuredCounts.h"
#include "SymbolicAnswers.h"
#include "ptxpredict/Analysis/AccessPatterns.h"
#include "ptxpredict/Analysis/BlockFrequency.h"
#include "ptxpredict/Analysis/DecidedRun.h"
#include "ptxpredict/Analysis/RegisterPressure.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace ptxpredict;

namespace {

/// All analyses of one function at the kernel's launch.
struct FunctionAnalysis {
  const InstructionGraph &G;
  ControlFlow CF;
  LinearForms Forms;
  Conditions Conds;
  AccessPatterns Accesses;
  std::vector<LoopTripCount> Loops;
  std::vector<Count> Frequency;    ///< by block, per entry
  Count Entries = Count::known(0); ///< per warp of the launch

  FunctionAnalysis(const InstructionGraph &G, const LaunchConfig &Launch,
                   std::vector<Assumption> &Assumptions)
      : G(G), CF(G), Forms(G, Launch, CF), Conds(G, Forms), Accesses(Forms),
        Loops(countTrips(CF, Conds, Assumptions)),
        Frequency(blockFrequencies(G, CF, Conds, Loops, Assumptions)) {}

  /// Has counts of a run in place of estimates.
  void replaceCounts(const MeasuredCounts &Measured) {
    for (auto [L, C] : llvm::zip(Loops, CF.cycles()))
      L.TripCount = Measured.tripCount(C, L);
    for (const Block *B : G.Blocks)
      Frequency[B->Number] = Measured.frequency(*B);
    Entries = Count::known(1);
  }
};

/// What a call may call: one function, or those of its `.calltargets`.
struct Callees {
  SmallVector<const InstructionGraph *, 1> Bodies;
  unsigned NumUnseen = 0; ///< without a body; 1 if nothing says which

  explicit Callees(const Instruction &Call) {
    add(Call.Operands);
    for (const Operand &O : Call.Operands)
      if (O.Which == Operand::Kind::List && empty())
        add(O.Elements);
    if (empty())
      NumUnseen = 1;
  }
  size_t size() const { return Bodies.size() + NumUnseen; }

private:
  bool empty() const { return size() == 0; }
  void add(ArrayRef<Operand> Operands) {
    for (const Operand &O : Operands) {
      if (O.Which != Operand::Kind::Function)
        continue;
      if (O.Callee)
        Bodies.push_back(O.Callee);
      else
        ++NumUnseen;
    }
  }
};

/// \p Executions of a guarded instruction in which a lane's guard holds.
Count guarded(const Count &Executions, const Condition &Guard) {
  Count C = Executions.scaled(Guard.AnyTrue);
  if (Guard.status() == Status::Known)
    return C;
  return {C.Value, weakest(C.How, Guard.status()), 0, Executions.High};
}

class KernelAnalysis {
public:
  KernelAnalysis(const InstructionGraph &Kernel, const LaunchConfig &Launch,
                 KernelCharacteristics &Out, const MeasuredCounts *Measured)
      : Kernel(Kernel), Launch(Launch), Out(Out), Measured(Measured) {}

  void run();

private:
  void analyzeCallGraph();
  void visit(const InstructionGraph &G);
  void charge(const FunctionAnalysis &F, const Instruction &Call);
  Condition callGuard(const FunctionAnalysis &F, const Instruction &Call);
  void weakenCounts();
  void collect(FunctionAnalysis &F);
  void collectMemory(FunctionAnalysis &F, const Instruction &I,
                     const Count &Executions, const SourcePlace &Place);
  void collectResources();
  void noteVariables(const Operand &O);

  const InstructionGraph &Kernel;
  const LaunchConfig &Launch;
  KernelCharacteristics &Out;
  const MeasuredCounts *Measured; ///< null where counts are estimated
  /// Callers before callees once analyzeCallGraph() is done.
  std::vector<std::unique_ptr<FunctionAnalysis>> Functions;
  llvm::DenseMap<const InstructionGraph *, FunctionAnalysis *> ByGraph;
  llvm::DenseSet<const InstructionGraph *> Active; ///< on the call stack
  /// Calls that cannot be charged, or not in full: through a pointer, without a
  /// body or recursive.
  llvm::DenseSet<const Instruction *> Uncharged;
  /// Calls with a function that is on the call stack when they call it.
  llvm::DenseSet<std::pair<const Instruction *, const InstructionGraph *>>
      Recursive;
  llvm::SetVector<const Variable *> SharedVariables;
  bool HasBarrierByRegister = false;
  int MaxBarrier = -1;
  bool HasUnseenCall = false;
  bool RunsUncharged = false;
};

void KernelAnalysis::visit(const InstructionGraph &G) {
  // A chain of calls is as deep as the code has functions; they are visited
  // with an explicit stack.
  struct Frame {
    const InstructionGraph *G;
    std::vector<std::pair<const Instruction *, const InstructionGraph *>> Calls;
    size_t Next = 0;
  };
  std::vector<Frame> Stack;
  auto Enter = [&](const InstructionGraph &F) {
    Stack.push_back({&F, {}});
    Active.insert(&F);
    ByGraph[&F] = nullptr;
    F.forEachInstruction([&](const Instruction &I) {
      if (!I.IsCall)
        return;
      Callees To(I);
      for (const InstructionGraph *Callee : To.Bodies)
        Stack.back().Calls.emplace_back(&I, Callee);
      if (To.NumUnseen) {
        Uncharged.insert(&I);
        HasUnseenCall = true;
      }
    });
  };
  Enter(G);
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    if (Top.Next == Top.Calls.size()) {
      std::vector<Assumption> NotMade; // where counts are known
      Functions.push_back(std::make_unique<FunctionAnalysis>(
          *Top.G, Launch, Measured ? NotMade : Out.Assumptions));
      if (Measured)
        Functions.back()->replaceCounts(*Measured);
      ByGraph[Top.G] = Functions.back().get();
      Active.erase(Top.G);
      Stack.pop_back();
      continue;
    }
    auto [Call, Callee] = Top.Calls[Top.Next++];
    if (Active.contains(Callee)) {
      Uncharged.insert(Call);
      Recursive.insert({Call, Callee});
    } else if (!ByGraph.count(Callee)) {
      Enter(*Callee);
    }
  }
}

void KernelAnalysis::analyzeCallGraph() {
  visit(Kernel);
  if (Measured) // what is called through pointers was counted, too
    for (const InstructionGraph *G : calledFrom(Kernel))
      if (!ByGraph.count(G))
        visit(*G);
  std::reverse(Functions.begin(), Functions.end());
  if (Measured)
    return;
  ByGraph[&Kernel]->Entries = Count::known(1);
  for (const auto &F : Functions)
    for (const Block *B : F->G.Blocks)
      for (const Instruction *I : B->Instructions)
        if (I->IsCall)
          charge(*F, *I);
}

/// How often the guard of a call holds, as the launch or the code says; what is
/// assumed is noted.
Condition KernelAnalysis::callGuard(const FunctionAnalysis &F,
                                    const Instruction &Call) {
  std::string Line = std::to_string(Call.Line);
  if (auto It = Launch.BranchProbabilities.find(Line);
      Call.Guard && It != Launch.BranchProbabilities.end())
    return {Condition::Basis::Decided, It->second, 1 - It->second};
  Condition C = F.Conds.guard(Call);
  if (C.Why != Condition::Basis::Decided)
    Out.Assumptions.push_back({"guarded call made", shortestDecimal(C.AnyTrue),
                               /*IsNumber=*/true, Call.Line,
                               "--branch-probability=" + Line + "=P"});
  return C;
}

void KernelAnalysis::charge(const FunctionAnalysis &F,
                            const Instruction &Call) {
  Count Runs = F.Frequency[Call.Parent->Number] * F.Entries;
  Runs = guarded(Runs, callGuard(F, Call));
  RunsUncharged |= Uncharged.contains(&Call) && Runs.High > 0;
  Callees To(Call);
  for (const InstructionGraph *Callee : To.Bodies) {
    if (Recursive.contains({&Call, Callee}))
      continue;
    Count Share = Runs.scaled(1 / double(To.size()));
    if (To.size() > 1) // one of them may be called always or never
      Share = {Share.Value, weakest(Share.How, Status::Assumed), 0, Runs.High};
    ByGraph[Callee]->Entries += Share;
  }
}

/// What uncharged calls run comes on top of what was counted.
void KernelAnalysis::weakenCounts() {
  auto Weaken = [](Count &C) {
    C = C.weakenedTo(Status::Estimated);
    C.High = std::numeric_limits<double>::infinity();
  };
  Weaken(Out.Instructions);
  Weaken(Out.BlockBarriers);
  for (std::optional<Count> &C : Out.ByClass)
    if (C)
      Weaken(*C);
}

void KernelAnalysis::noteVariables(const Operand &O) {
  if (O.Which == Operand::Kind::Variable &&
      O.Var->Space == AddressSpace::Shared)
    SharedVariables.insert(O.Var);
  for (const Operand &E : O.Elements)
    noteVariables(E);
}

void KernelAnalysis::collectMemory(FunctionAnalysis &F, const Instruction &I,
                                   const Count &Executions,
                                   const SourcePlace &Place) {
  for (MemoryEffect E : I.Effects) {
    // cp.async says in an operand how many bytes a lane copies.
    if (E.BytesOperand >= 0 && ptx::Opcode(I.Opcode) == ptx::Opcode::CpAsync)
      if (const Operand &O = I.Operands[unsigned(E.BytesOperand)];
          O.Which == Operand::Kind::Integer)
        E.BytesPerLane = unsigned(O.integer());
    if (E.Space == AddressSpace::Param || E.Space == AddressSpace::Const ||
        E.Space == AddressSpace::Texture || E.Space == AddressSpace::Register)
      continue;
    Condition Guard = F.Conds.guard(I);
    std::vector<Assumption> NotMade;
    AccessPattern P = F.Accesses.of(I, E, Measured ? NotMade : Out.Assumptions);
    MemoryCharacteristics M;
    M.Place = Place;
    M.Opcode = I.Mnemonic.str();
    M.Space = E.Space;
    M.Access = E.Access;
    M.BytesPerLane = E.BytesPerLane;
    M.LaneStrideBytes = P.LaneStrideBytes;
    M.Requests = guarded(Executions, Guard);
    M.ActiveLanes = P.ActiveLanes;
    M.Sectors = P.Sectors;
    M.Lines = P.Lines;
    M.Wavefronts = P.Wavefronts;
    M.Transactions = {P.CC10, P.CC12, P.CC20};
    if (Measured)
      Measured->apply(I, E, M);
    Out.Memory.push_back(std::move(M));
  }
}

void KernelAnalysis::collect(FunctionAnalysis &F) {
  bool InKernel = &F.G == &Kernel;
  SourcePlaces Places;
  for (const Block *B : F.G.Blocks) {
    Count Executions = F.Frequency[B->Number] * F.Entries;
    BlockCharacteristics BC;
    BC.Label = B->Label.str();
    BC.Function = InKernel ? "" : F.G.Name.str();
    BC.Line = B->Line;
    BC.Frequency = Executions;
    Out.Blocks.push_back(std::move(BC));
    if (const Instruction *T = B->terminator();
        T && T->Guard && B->Successors.size() == 2) {
      Out.Branches.push_back({B->Label.str(), B->Line, T->Line, {}, {}});
      if (Measured)
        Measured->apply(*T, Out.Branches.back());
    }
    for (const Instruction *I : B->Instructions) {
      if (I->isPseudo())
        continue;
      SourcePlace Place = Places.next(*I);
      // Lanes may leave within a block.
      if (Measured)
        Executions = Measured->executions(*I);
      Out.Instructions += Executions;
      std::optional<Count> &Class = Out.ByClass[unsigned(I->Class)];
      Class = Class.value_or(Count::known(0)) + Executions;
      ++Out.TotalInstructions;
      if (I->IsCall && I->Guard)
        Out.Branches.push_back({"", I->Line, I->Line, {}, {}});
      if (I->IsUnknown)
        ++Out.UnknownOpcodes[I->Mnemonic.str()];
      else if (Measured || !Uncharged.contains(I))
        ++Out.ModelledInstructions;
      if (I->IsBlockBarrier) {
        Out.BlockBarriers += Executions;
        if (!ptx::hasModifier(I->Modifiers, "cluster") &&
            !I->Operands.empty()) {
          const Operand &Id = I->Operands[0];
          if (Id.Which == Operand::Kind::Integer)
            MaxBarrier = std::max(MaxBarrier, int(Id.integer()));
          else if (Id.Which == Operand::Kind::Register)
            HasBarrierByRegister = true;
        }
      }
      for (const Operand &O : I->Operands)
        noteVariables(O);
      collectMemory(F, *I, Executions, Place);
    }
  }
  for (size_t L = 0; L != F.Loops.size(); ++L) {
    const Cycle &C = F.CF.cycles()[L];
    LoopCharacteristics LC;
    LC.Header = C.Header->Label.str();
    LC.Line = C.Header->Line;
    LC.Depth = C.Depth;
    LC.TripCount = F.Loops[L].TripCount;
    Out.Loops.push_back(std::move(LC));
  }
}

void KernelAnalysis::collectResources() {
  ResourceCharacteristics &R = Out.Resources;
  RegisterDemand &Demand = R.Demand;
  for (const auto &F : Functions) {
    RegisterPressure P = registerPressure(F->G);
    Demand.Packed = std::max(Demand.Packed, P.Packed);
    Demand.Hoisted = std::max(Demand.Hoisted, P.Hoisted);
    for (const Variable *V : F->G.LocalVariables)
      if (V->Space == AddressSpace::Local)
        R.LocalBytes = llvm::alignTo(R.LocalBytes, V->Align) + V->Bytes;
  }
  Demand.CallsUnseen = HasUnseenCall;
  const KernelBounds &Bounds = Kernel.Bounds;
  if (const auto &E =
          Bounds.RequiredThreads ? Bounds.RequiredThreads : Bounds.MaxThreads)
    Demand.MaxThreads = llvm::SaturatingMultiply(
        llvm::SaturatingMultiply((*E)[0], (*E)[1]), (*E)[2]);
  Demand.MinBlocksPerSM = Bounds.MinBlocksPerSM.value_or(0);
  Demand.MaxRegisters = Bounds.MaxRegisters;
  for (const Variable *V : SharedVariables)
    R.StaticSharedBytes =
        llvm::alignTo(R.StaticSharedBytes, V->Align) + V->Bytes;
  constexpr unsigned AllBarriers = 16; // PTX ISA, bar: barriers 0 to 15
  R.Barriers = HasBarrierByRegister ? AllBarriers : unsigned(MaxBarrier + 1);
  for (const Parameter &P : Kernel.Parameters)
    R.ParamBytes = std::max(R.ParamBytes, P.Offset + P.Bytes);
}

void KernelAnalysis::run() {
  analyzeCallGraph();
  Out.Instructions = Out.BlockBarriers = Count::known(0);
  for (const auto &F : Functions)
    collect(*F);
  if (RunsUncharged)
    weakenCounts();
  if (Measured && Measured->isRun()) {
    Out.MeasuredOn = Measured->description();
    Out.Footprint = Measured->footprint();
    llvm::append_range(Out.Assumptions, Measured->assumptions());
  }
  collectResources();
}

} // namespace

/// What is taken for granted of pointers, with what the launch says of them.
static std::string premise(const InstructionGraph &Kernel,
                           const LaunchConfig &Launch) {
  std::string Text = "pointer arguments are distinct buffers, aligned to " +
                     std::to_string(PointerAlignment) + " bytes";
  for (const auto &[Index, A] : Launch.Args)
    if (A.Which == ArgumentValue::Kind::Buffer &&
        A.BufferAlign != PointerAlignment)
      Text += "; " + Kernel.Parameters[Index].Name.str() + " to " +
              std::to_string(A.BufferAlign);
  return Text;
}

/// What a run would count, where launch and arguments decide it.
static std::optional<KernelProfile>
decidedCounts(const InstructionGraph &Kernel, const LaunchConfig &Launch) {
  // Without a value for each parameter something is open nearly always, and
  // what the user says of loops and branches goes before what the code does.
  if (!Launch.TripCounts.empty() || !Launch.BranchProbabilities.empty())
    return std::nullopt;
  for (unsigned N = 0; N != Kernel.Parameters.size(); ++N)
    if (!Launch.Args.count(N))
      return std::nullopt;
  // An assumed launch is run as if it were given.
  LaunchConfig Fixed = Launch;
  Fixed.BlockIsAssumed = Fixed.GridIsAssumed = false;
  ControlFlow CF(Kernel);
  Expressions E(Fixed);
  Values V(Kernel, CF, Fixed, E);
  return countDecidedRun(V, Fixed).Counts;
}

KernelCharacteristics ptxpredict::analyzeKernel(
    const InstructionGraph &Kernel, const LaunchConfig &Launch,
    std::vector<Assumption> Assumptions, const KernelProfile *Profile) {
  KernelCharacteristics Out;
  Out.Name = Kernel.Name.str();
  Out.Line = Kernel.Line;
  Out.Launch = Launch;
  Out.Assumptions = std::move(Assumptions);
  Out.Premises = {premise(Kernel, Launch)};
  std::optional<KernelProfile> Decided;
  std::optional<MeasuredCounts> Counts;
  if (Profile)
    Counts.emplace(*Profile, Launch);
  else if (Out.Assumptions.empty() && (Decided = decidedCounts(Kernel, Launch)))
    Counts.emplace(*Decided, Launch, /*IsRun=*/false);
  KernelAnalysis(Kernel, Launch, Out, Counts ? &*Counts : nullptr).run();
  if (!Counts && wantsSymbolicForms(Out)) {
    ControlFlow CF(Kernel);
    Expressions E(Launch);
    addSymbolicForms(Out, Values(Kernel, CF, Launch, E));
  }
  return Out;
}
