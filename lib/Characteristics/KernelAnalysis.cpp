//===- KernelAnalysis.cpp - From a graph and a launch to characteristics --===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "EstimatedCounts.h"
#include "HeaviestCollector.h"
#include "MeasuredCounts.h"
#include "RequiredFeatures.h"
#include "SummarizeAccesses.h"
#include "SummarizeBarriers.h"
#include "SummarizeDependence.h"
#include "SummarizePromotions.h"
#include "SymbolicForms.h"
#include "ptxpredict/Analysis/Locality/Locality.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"
#include "ptxpredict/Codegen/RegisterPressure.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include "ptxpredict/Graph/SourceNames.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/MemoryAccess/FragmentLayout.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace ptxpredict;

/// PTX ISA, bar: barriers 0 to 15.
static constexpr unsigned AllBarriers = 16;

namespace {

/// What a call may call: one function, or those of its `.calltargets`.
struct Callees {
  SmallVector<const InstructionGraph *, 1> Bodies;
  unsigned NumUnseen = 0; ///< without a body; 1 if nothing says which

  explicit Callees(const Instruction &Call) {
    add(Call.Operands);
    for (const Operand &O : Call.Operands)
      if (O.Kind == Operand::KindTy::List && empty())
        add(O.Elements);
    if (empty())
      NumUnseen = 1;
  }
  size_t size() const { return Bodies.size() + NumUnseen; }

private:
  bool empty() const { return size() == 0; }
  void add(ArrayRef<Operand> Operands) {
    for (const Operand &O : Operands) {
      if (O.Kind != Operand::KindTy::Function)
        continue;
      if (O.Callee)
        Bodies.push_back(O.Callee);
      else
        ++NumUnseen;
    }
  }
};

class KernelAnalysis {
public:
  KernelAnalysis(const SymbolicValues &V, const StaticProfile &Static,
                 const MatrixProducts &Matrices, const MeasuredCounts *Measured,
                 ArrayRef<AccessLocality> Located, KernelCharacteristics &Out)
      : Kernel(V.graph()), Static(Static), Matrices(Matrices),
        Estimated(Static.Functions, double(Out.Launch.blocks()) *
                                        double(Out.Launch.warpsPerBlock())),
        Measured(Measured),
        BarrierSummaries(summarizeBarriers(V, Static, Out.Launch)),
        Waits(findWaitChains(V)),
        AccessSummaries(summarizeAccesses(V, Out.Launch)), Out(Out) {
    for (const AccessLocality &A : Located)
      Accesses[{A.I, A.Effect}] = &A;
    if (Static.HeaviestBlocks)
      Heaviest.emplace(*Static.HeaviestBlocks, Estimated);
  }

  void run();

private:
  const CountSource &counts() const {
    if (Measured)
      return *Measured;
    return Estimated;
  }
  void visit(const InstructionGraph &G);
  void collectCallGraph();
  void weakenCounts();
  void collect(const InstructionGraph &G);
  void reserve(const InstructionGraph &G);
  void collectBlock(const Block &B, const MachineCode &Machine,
                    std::optional<unsigned> Loop);
  /// The index of the block's conditional branch or exit, which is added
  /// before those inside of the block; nothing if it ends otherwise.
  std::optional<size_t> addBranch(const Block &B);
  double sharedPart(const Block &B, unsigned Copies) const;
  void collectInstruction(const Instruction &I, const InstructionForm &Form,
                          const Estimate &Executions, double Part);
  void collectMatrix(const Instruction &I, const LaunchedProduct &P);
  void collectBarrier(const Instruction &I, const Estimate &Executions,
                      const SourceLocation *Shown);
  void collectLoops(const InstructionGraph &G);
  void noteSourceLines(BranchCharacteristics &B, const Instruction &I) const {
    if (!Out.Launch.BranchProbabilities.empty())
      B.SourceLines = sourceLinesOf(I);
  }
  void summarizeClasses();
  /// What locality says of one of its effects.
  void locate(const AccessLocality &A, MemoryCharacteristics &M) const;
  void collectMemory(const Instruction &I, const SourcePlace &Place,
                     std::optional<unsigned> Loop, unsigned Joined);
  void collectWaits();
  void collectResources();
  void collectSpills();
  void noteIndexed(RegisterDemand &Demand);
  void noteVariables(const Operand &O);

  const InstructionGraph &Kernel;
  const StaticProfile &Static;
  const MatrixProducts &Matrices;
  const EstimatedCounts Estimated;
  const MeasuredCounts *Measured; ///< null where counts are estimated
  std::optional<HeaviestCollector> Heaviest;
  const llvm::DenseMap<const Instruction *, BarrierCharacteristics>
      BarrierSummaries;
  const std::vector<WaitChain> Waits;
  /// By instruction and effect.
  llvm::DenseMap<std::pair<const Instruction *, unsigned>,
                 const AccessLocality *>
      Accesses;
  const llvm::DenseMap<const Instruction *, AccessSummary> AccessSummaries;
  KernelCharacteristics &Out;
  /// Callers before callees.
  std::vector<const InstructionGraph *> Functions;
  llvm::DenseSet<const InstructionGraph *> Seen;
  llvm::DenseSet<const InstructionGraph *> Active; ///< on the call stack
  /// Calls that cannot be charged, or not in full: through a pointer, without a
  /// body or recursive.
  llvm::DenseSet<const Instruction *> Uncharged;
  llvm::SetVector<const Variable *> SharedVariables;
  RequiredFeatures Features;
  SourcePlaces Places; ///< of the present function
  /// Accesses of local variables that lie in registers.
  LocalAccesses InRegisters;
  uint64_t IndexedBytes = 0; ///< of such arrays with an index
  llvm::StringSet<> AssumedShapes;
  unsigned Candidates = 0; ///< the most places for an access of one
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
    Seen.insert(&F);
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
      Functions.push_back(Top.G);
      Active.erase(Top.G);
      Stack.pop_back();
      continue;
    }
    auto [Call, Callee] = Top.Calls[Top.Next++];
    if (Active.contains(Callee))
      Uncharged.insert(Call);
    else if (!Seen.contains(Callee))
      Enter(*Callee);
  }
}

void KernelAnalysis::collectCallGraph() {
  visit(Kernel);
  if (Measured) // what is called through pointers was counted, too
    for (const InstructionGraph *G : calledFrom(Kernel))
      if (!Seen.contains(G))
        visit(*G);
  std::reverse(Functions.begin(), Functions.end());
}

/// What uncharged calls run comes on top of what was counted.
void KernelAnalysis::weakenCounts() {
  auto Weaken = [](Estimate &C) {
    C = C.weakenedTo(Status::Estimated);
    C.High = std::numeric_limits<double>::infinity();
  };
  Weaken(Out.Instructions);
  Weaken(Out.BlockBarriers);
  for (std::optional<Estimate> &C : Out.ByClass)
    if (C)
      Weaken(*C);
  for (std::optional<Estimate> &C : Out.ByWork)
    if (C)
      Weaken(*C);
  for (auto *ByForm : {&Out.ByForm, &Out.UniformByForm})
    for (std::optional<Estimate> &C : *ByForm)
      if (C)
        Weaken(*C);
  if (Out.TensorMACs)
    Weaken(*Out.TensorMACs);
  for (TensorWorkCharacteristics &W : Out.TensorWork)
    Weaken(W.MACs);
}

void KernelAnalysis::noteVariables(const Operand &O) {
  if (O.Kind == Operand::KindTy::Variable &&
      O.Var->Space == AddressSpace::Shared)
    SharedVariables.insert(O.Var);
  for (const Operand &E : O.Elements)
    noteVariables(E);
}

void KernelAnalysis::collectMemory(const Instruction &I,
                                   const SourcePlace &Place,
                                   std::optional<unsigned> Loop,
                                   unsigned Joined) {
  unsigned Number = 0;
  for (MemoryEffect E : I.Effects) {
    // cp.async says in an operand how many bytes a lane copies.
    if (E.BytesOperand >= 0 && ptx::Opcode(I.Opcode) == ptx::Opcode::CpAsync)
      if (const Operand &O = I.Operands[unsigned(E.BytesOperand)];
          O.Kind == Operand::KindTy::Integer)
        E.BytesPerLane = unsigned(O.integer());
    // A fragment is moved by several requests.
    if (ptx::Opcode(I.Opcode) == ptx::Opcode::WmmaLoad ||
        ptx::Opcode(I.Opcode) == ptx::Opcode::WmmaStore)
      if (auto F = findFragmentPlaces(I.Modifiers))
        E.BytesPerLane = F->requestBytes();
    if (E.Space == AddressSpace::Param || E.Space == AddressSpace::Const ||
        E.Space == AddressSpace::Texture || E.Space == AddressSpace::Register)
      continue;
    MemoryCharacteristics M;
    M.Place = Place;
    M.Opcode = I.Mnemonic.str();
    if (I.Machine)
      M.MachineOpcode = I.Machine->Mnemonic.str();
    M.Space = E.Space;
    M.Access = E.Access;
    M.BytesPerLane = E.BytesPerLane;
    M.Loop = Loop;
    M.Joined = Joined;
    M.IsSpill =
        I.Machine && I.Machine->IsSpill && E.Space == AddressSpace::Local;
    Estimated.apply(I, Number, M);
    if (E.Access == AccessKind::Atomic)
      M.Merge = findAtomicMerge(I, M.Space);
    if (Measured) {
      std::swap(M.Space, E.Space); // it counted what the code says
      Measured->apply(I, Number, M);
      M.Space = E.Space;
    }
    if (I.Effects.size() == 1)
      if (auto It = AccessSummaries.find(&I); It != AccessSummaries.end())
        It->second.applyTo(M);
    if (const AccessLocality *A = Accesses.lookup({&I, Number})) {
      locate(*A, M);
    }
    Out.Memory.push_back(std::move(M));
    if (Heaviest)
      Heaviest->addMemory(I, Number);
    ++Number;
  }
}

void KernelAnalysis::locate(const AccessLocality &A,
                            MemoryCharacteristics &M) const {
  const LaunchConfig &L = Out.Launch;
  const bool IsAssumed = L.BlockIsAssumed || L.GridIsAssumed;
  if (!IsAssumed) {
    M.BlockStrideBytes = A.BlockStrideBytes;
    M.WarpStrideBytes = A.WarpStrideBytes;
  }
  M.Addresses = A.Addresses;
  M.HottestRequests = A.HottestRequests;
  M.HottestLanes = A.HottestLanes;
  M.SpreadBytes = A.SpreadBytes;
  // One address of all lanes is that of every block's shape.
  if (M.Addresses && L.BlockIsAssumed && M.LaneStrideBytes != 0)
    M.Addresses = M.Addresses->weakenedTo(Status::Assumed);
  // There may be more requests than are likely.
  const double Requests = M.Requests.High * double(L.warpsPerBlock()) *
                          double(L.blocks()),
               Lanes = Requests * M.ActiveLanes.High,
               Bytes = Lanes * M.BytesPerLane;
  for (auto [Of, Most] :
       {std::pair(&M.HottestRequests, Requests),
        std::pair(&M.HottestLanes, Lanes), std::pair(&M.SpreadBytes, Bytes)}) {
    if (*Of && !(*Of)->isKnown())
      (*Of)->High = std::max((*Of)->High, Most);
    if (*Of && IsAssumed)
      *Of = (*Of)->weakenedTo(Status::Assumed);
  }
}

void KernelAnalysis::reserve(const InstructionGraph &G) {
  size_t NumEffects = 0;
  G.forEachInstruction(
      [&](const Instruction &I) { NumEffects += I.Effects.size(); });
  Out.Memory.reserve(Out.Memory.size() + NumEffects);
  Out.Blocks.reserve(Out.Blocks.size() + G.Blocks.size());
}

void KernelAnalysis::collect(const InstructionGraph &G) {
  const ControlFlow &CF = G.analysis<ControlFlow>();
  const auto &Machine = G.analysis<MachineCode>();
  const LocalArrays &Locals = Machine.locals();
  InRegisters.insert(Locals.inRegisters().begin(), Locals.inRegisters().end());
  IndexedBytes += Locals.indexedBytes();
  Candidates = std::max(Candidates, Locals.candidates());
  if (&G == &Kernel && !G.Assembled) {
    addTo(Out.ByForm[unsigned(MachineForm::Entry)], Estimate::known(1));
    if (Heaviest)
      Heaviest->addForm(MachineForm::Entry, nullptr);
  }
  for (unsigned B : Machine.convergence()) {
    addTo(Out.ByForm[unsigned(MachineForm::Converge)],
          counts().frequency(*G.Blocks[B]));
    if (Heaviest)
      Heaviest->addForm(MachineForm::Converge, G.Blocks[B]);
  }
  reserve(G);
  Places = SourcePlaces();
  for (const Block *B : G.Blocks) {
    std::optional<unsigned> Loop;
    if (int Cycle = CF.innermostCycle(B); Cycle >= 0)
      Loop = unsigned(Out.Loops.size()) + unsigned(Cycle);
    collectBlock(*B, Machine, Loop);
  }
  collectLoops(G);
}

/// How often the machine counts in the loop \p B that is unrolled, out of its
/// iterations: once for the copies, and once for each of the parts that do the
/// rest.
double KernelAnalysis::sharedPart(const Block &B, unsigned Copies) const {
  BranchCharacteristics Branch;
  counts().apply(*B.terminator(), Branch);
  const double Taken = Branch.Taken ? Branch.Taken->Value : 1;
  const double Left = B.Successors[0] == &B ? 1 - Taken : Taken;
  return std::min(1.0, (1 + (Copies - 1) * Left) / Copies);
}

std::optional<size_t> KernelAnalysis::addBranch(const Block &B) {
  const Instruction *T = B.terminator();
  if (!T || !T->Guard || B.Successors.size() != 2)
    return std::nullopt;
  BranchCharacteristics &Branch = Out.Branches.emplace_back();
  Branch.Block = B.Label.str();
  Branch.BlockLine = B.Line;
  Branch.Line = T->Line;
  counts().apply(*T, Branch);
  return Out.Branches.size() - 1;
}

void KernelAnalysis::collectBlock(const Block &B, const MachineCode &Machine,
                                  std::optional<unsigned> Loop) {
  const InstructionGraph &G = *B.Parent;
  BlockCharacteristics BC;
  BC.Label = B.Label.str();
  BC.Function = &G == &Kernel ? "" : G.Name.str();
  BC.Line = B.Line;
  BC.Frequency = counts().frequency(B);
  Estimate Executions = BC.Frequency;
  Out.Blocks.push_back(std::move(BC));
  const std::optional<size_t> Branch = addBranch(B);
  for (const Instruction *I : B.Instructions) {
    if (I->isPseudo())
      continue;
    if (I->IsUncounted) { // a part of an instruction that counts by itself
      for (const Operand &O : I->Operands)
        noteVariables(O);
      continue;
    }
    const SourceLocation *Shown = Places.locate(*I);
    // Lanes may leave within a block.
    if (Measured)
      Executions = Measured->executions(*I);
    const InstructionForm &Form = Machine.form(*I);
    collectInstruction(*I, Form, Executions,
                       Form.SharedBy > 1 ? sharedPart(B, Form.SharedBy) : 1);
    if (I->IsCall && I->Guard) {
      BranchCharacteristics &Call = Out.Branches.emplace_back();
      Call.BlockLine = Call.Line = I->Line;
      Call.Source = Shown ? sourceText(*Shown) : "";
      Call.Executions = Executions;
      noteSourceLines(Call, *I);
    } else if (Branch && I == B.terminator()) {
      Out.Branches[*Branch].Source = Shown ? sourceText(*Shown) : "";
      Out.Branches[*Branch].Executions = Executions;
      noteSourceLines(Out.Branches[*Branch], *I);
    }
    if (I->IsBlockBarrier)
      collectBarrier(*I, Executions, Shown);
    if (!I->Effects.empty() && !InRegisters.count(I))
      collectMemory(*I, SourcePlaces::write(*I, Shown), Loop, Form.Joined);
  }
}

/// What is added up over the kernel. \p Part of the executions remain in the
/// machine code.
void KernelAnalysis::collectInstruction(const Instruction &I,
                                        const InstructionForm &Form,
                                        const Estimate &Executions,
                                        double Part) {
  for (const Operand &O : I.Operands)
    noteVariables(O);
  Features.add(I);
  Out.Instructions += Executions;
  addTo(Out.ByClass[unsigned(I.Class)], Executions);
  SchedClass Work = InRegisters.count(&I) ? SchedClass::Move : schedClassOf(I);
  addTo(Out.ByWork[unsigned(Work)], Executions);
  addForm(Form, Executions.scaled(Part), Out);
  if (Heaviest)
    Heaviest->addInstruction(I, Form);
  if (auto It = Matrices.find(&I); It != Matrices.end())
    collectMatrix(I, It->second);
  ++Out.TotalInstructions;
  if (I.IsUnknown)
    ++Out.UnknownOpcodes[I.Mnemonic.str()];
  else if (Measured || !Uncharged.contains(&I))
    ++Out.ModelledInstructions;
  RunsUncharged |= !Measured && Uncharged.contains(&I) && Executions.High > 0;
}

void KernelAnalysis::collectMatrix(const Instruction &I,
                                   const LaunchedProduct &P) {
  if (Heaviest)
    Heaviest->addMatrix(I, P);
  if (Measured && Measured->addMatrices(I, Out))
    return;
  const Estimate Executions = counts().active(I, P.lanes());
  addMatrix(P, Executions * P.MACs, Out);
  if (!P.IsAssumed || Executions.High == 0)
    return;
  Assumption A;
  A.Kind = AssumptionKind::MatrixShape;
  A.Detail = I.Mnemonic.str();
  A.Value = P.type() + " " + P.shape();
  A.IsNumber = false;
  A.Line = I.Line;
  A.Option = P.IsWrong
                 ? "an instruction descriptor with types and a shape that the "
                   "instruction has: this one has not"
             : P.Parameter.empty()
                 ? "an instruction descriptor that code and launch decide"
                 : "--arg=" + P.Parameter + "=VALUE";
  // Said once of those that have one descriptor.
  if (AssumedShapes.insert(A.Value + A.Option).second)
    Out.Assumptions.push_back(std::move(A));
}

void KernelAnalysis::collectBarrier(const Instruction &I,
                                    const Estimate &Executions,
                                    const SourceLocation *Shown) {
  Out.BlockBarriers += Executions;
  BarrierCharacteristics &Barrier =
      Out.Barriers.emplace_back(BarrierSummaries.lookup(&I));
  Barrier.Place = SourcePlaces::write(I, Shown);
  Barrier.Opcode = I.Mnemonic.str();
  Barrier.Executions = Executions;
  if (ptx::hasModifier(I.Modifiers, "cluster") || I.Operands.empty())
    return;
  const Operand &Id = I.Operands[0];
  if (Id.Kind == Operand::KindTy::Integer)
    MaxBarrier = std::max(
        MaxBarrier, int(std::min<uint64_t>(Id.integer(), AllBarriers - 1)));
  else if (Id.Kind == Operand::KindTy::Register)
    HasBarrierByRegister = true;
}

void KernelAnalysis::collectLoops(const InstructionGraph &G) {
  const ControlFlow &CF = G.analysis<ControlFlow>();
  std::vector<std::optional<RecurrenceCharacteristics>> Recurrences =
      summarizeRecurrences(G, CF);
  const auto &Polls = G.analysis<PollingLoops>();
  for (size_t L = 0; L != CF.cycles().size(); ++L) {
    const Cycle &C = CF.cycles()[L];
    LoopCharacteristics LC;
    LC.Header = C.Header->Label.str();
    LC.Line = C.Header->Line;
    LC.Depth = C.Depth;
    LC.TripCount = counts().tripCount(C, unsigned(L));
    LC.Executions = counts().frequency(*C.Header);
    if (const PollingLoop *Polling = Polls.of(unsigned(L)))
      LC.WaitsFor = Polling->waitsFor();
    LC.Recurrence = std::move(Recurrences[L]);
    if (!Out.Launch.TripCounts.empty())
      LC.SourceLines = sourceLinesOf(C);
    Out.Loops.push_back(std::move(LC));
  }
}

/// Arrays that are indexed lie in registers all the time.
void KernelAnalysis::noteIndexed(RegisterDemand &Demand) {
  if (IndexedBytes == 0)
    return;
  const unsigned Registers =
      unsigned(llvm::divideCeil(IndexedBytes, RegisterBytes));
  for (unsigned *D : {&Demand.Packed, &Demand.Hoisted, &Demand.Scheduled})
    *D += *D ? Registers : 0;
  Out.Premises.push_back(
      "the assembler keeps " + std::to_string(IndexedBytes) +
      " B of local arrays in registers, as ptxas does where an access has few "
      "places to choose from (here " +
      std::to_string(Candidates) + "): a move for each of them, no traffic");
}

/// Where the kernel's blocks wait for each other, if they do at all.
void KernelAnalysis::collectWaits() {
  for (const WaitChain &W : Waits) {
    WaitCharacteristics &To = Out.Waits.emplace_back();
    To.Kind = W.Kind;
    To.Line = W.Poll->Line;
    if (const SourceLocation *Shown = sourceOf(*W.Poll))
      To.Source = sourceText(*Shown);
    To.SignalLine = W.Signal->Line;
    To.Executions = counts().frequency(*W.Signal->Parent);
    To.RoundTrips = W.RoundTrips;
    To.Fences = W.Fences;
  }
}

/// Copies of a subroutine have one instruction between them.
void KernelAnalysis::collectSpills() {
  if (!Kernel.Assembled || !Kernel.Assembled->HasSpills)
    return;
  double Stored = 0, Loaded = 0;
  llvm::DenseSet<unsigned> Lines;
  for (const InstructionGraph *G : Functions)
    G->forEachInstruction([&](const Instruction &I) {
      if (!I.Machine || !I.Machine->IsSpill || I.Effects.empty() ||
          !Lines.insert(I.Line).second)
        return;
      const MemoryEffect &E = I.Effects.front();
      if (E.Space == AddressSpace::Local)
        (E.Access == AccessKind::Store ? Stored : Loaded) += E.BytesPerLane;
    });
  Out.Resources.SpillBytes = Estimate::known(Stored);
  Out.Resources.SpillLoadBytes = Estimate::known(Loaded);
}

void KernelAnalysis::collectResources() {
  ResourceCharacteristics &R = Out.Resources;
  RegisterDemand &Demand = R.Demand;
  for (const InstructionGraph *G : Functions) {
    const RegisterPressure &P = G->analysis<KeptPressure>();
    Demand.Packed = std::max(Demand.Packed, P.Packed);
    Demand.Hoisted = std::max(Demand.Hoisted, P.Hoisted);
    Demand.Scheduled = std::max(Demand.Scheduled, P.Scheduled);
  }
  for (const InstructionGraph *G : Functions)
    for (const Variable *V : G->LocalVariables)
      if (V->Space == AddressSpace::Local)
        R.LocalBytes = V->endFrom(R.LocalBytes);
  if (Demand.Scheduled == Demand.Packed)
    Demand.Scheduled = 0;
  noteIndexed(Demand);
  Demand.CallsUnseen = HasUnseenCall;
  for (const InstructionGraph *G : Functions)
    G->forEachInstruction([&](const Instruction &I) {
      Demand.IsRedistributed |=
          ptx::Opcode(I.Opcode) == ptx::Opcode::Setmaxnreg;
    });
  Demand.apply(Kernel.Bounds);
  for (const Variable *V : SharedVariables)
    R.StaticSharedBytes = V->endFrom(R.StaticSharedBytes);
  R.Barriers = HasBarrierByRegister ? AllBarriers : unsigned(MaxBarrier + 1);
  for (const Parameter &P : Kernel.Parameters)
    R.ParamBytes =
        std::max(R.ParamBytes, llvm::SaturatingAdd(P.Offset, P.Bytes));
}

/// Blocks and warps that take longer than the mean.
void KernelAnalysis::summarizeClasses() {
  auto PathOf = [&](const WorkClass &C) {
    return summarizePath(Functions,
                         EstimatedCounts(C.Functions, double(C.numWarps())),
                         InRegisters);
  };
  if (Static.LongestWarps)
    Out.Dependence.Longest = PathOf(*Static.LongestWarps);
  if (!Heaviest)
    return;
  Out.Heaviest = Heaviest->finish();
  Out.Heaviest->Path =
      PathOf(Static.LongestOfHeaviest ? *Static.LongestOfHeaviest
                                      : *Static.HeaviestBlocks);
}

void KernelAnalysis::run() {
  collectCallGraph();
  Out.Instructions = Out.BlockBarriers = Estimate::known(0);
  for (const InstructionGraph *G : Functions)
    collect(*G);
  if (RunsUncharged)
    weakenCounts();
  Out.Dependence = summarizeDependence(Functions, counts(), InRegisters, Out);
  summarizeClasses();
  if (Measured) {
    Out.MeasuredOn = Measured->description();
    Out.Footprint = Measured->footprint();
    llvm::append_range(Out.Assumptions, Measured->assumptions());
  } else {
    llvm::append_range(Out.Assumptions, Static.Assumptions);
  }
  Out.Promotions = summarizePromotions(Functions);
  collectWaits();
  collectResources();
  collectSpills();
  Out.Code.Features = Features.list(Kernel.Bounds);
}

} // namespace

void RegisterDemand::apply(const KernelBounds &Bounds) {
  if (const auto &E =
          Bounds.RequiredThreads ? Bounds.RequiredThreads : Bounds.MaxThreads)
    MaxThreads = llvm::SaturatingMultiply(
        llvm::SaturatingMultiply((*E)[0], (*E)[1]), (*E)[2]);
  MinBlocksPerSM = Bounds.MinBlocksPerSM.value_or(0);
  MaxRegisters = Bounds.MaxRegisters;
}

llvm::MapVector<StringRef, Estimate>
ptxpredict::tensorMACsByType(const KernelCharacteristics &K) {
  llvm::MapVector<StringRef, Estimate> ByType;
  for (const TensorWorkCharacteristics &W : K.TensorWork)
    ByType[W.Type] += W.MACs;
  return ByType;
}

/// What is taken for granted of pointers, with what the launch says of them.
static std::string premise(const InstructionGraph &Kernel,
                           const LaunchConfig &Launch) {
  std::string Text = "pointer arguments are distinct buffers, aligned to " +
                     std::to_string(PointerAlignment) + " bytes";
  Launch.forEachPointer(Kernel.Parameters, [&](unsigned Index, uint64_t Offset,
                                               const ArgumentValue &A) {
    if (A.BufferAlign == PointerAlignment)
      return;
    Text += "; " + Kernel.Parameters[Index].shownName().str();
    if (Offset)
      Text += "+" + std::to_string(Offset);
    Text += " to " + std::to_string(A.BufferAlign);
  });
  return Text;
}

/// What is taken for granted of the numbers that blocks draw.
static std::string premise(const TicketPlace &T) {
  return "blocks draw their numbers at line " + std::to_string(T.Line) +
         " in the order of their indices, " +
         (T.IsGiven ? "from what the launch file says on"
                    : "from 0 on (a launch file's buffers say from where)");
}

/// Atomics on memory that several blocks may share.
static bool hasDeviceAtomics(const InstructionGraph &Kernel) {
  bool Found = false;
  for (const InstructionGraph *G : calledFrom(Kernel))
    G->forEachInstruction([&](const Instruction &I) {
      Found |= llvm::any_of(I.Effects, [](const MemoryEffect &E) {
        return E.Access == AccessKind::Atomic &&
               (E.Space == AddressSpace::Global ||
                E.Space == AddressSpace::Generic);
      });
    });
  return Found;
}

static bool waitsAtMBarriers(const InstructionGraph &Kernel) {
  return llvm::any_of(calledFrom(Kernel), [](const InstructionGraph *G) {
    return llvm::any_of(
        G->analysis<PollingLoops>().loops(),
        [](const PollingLoop &L) { return L.Kind == PollKind::MBarrier; });
  });
}

/// Takes those contents out of a launch, and says so. Whether it had any.
static bool dropContents(LaunchConfig &Launch,
                         ArrayRef<const BufferContents *> Which,
                         std::vector<std::string> &Premises) {
  bool Any = false;
  Launch.forEachBuffer([&](unsigned, uint64_t, ArgumentValue &A) {
    if (!A.Contents || !llvm::is_contained(Which, A.Contents.get()))
      return;
    A.Contents = nullptr;
    Any = true;
    Premises.push_back("the kernel reads beyond the end of buffer '" +
                       A.Buffer + "': what is in it is taken as not known");
  });
  return Any;
}

KernelCharacteristics ptxpredict::analyzeKernel(
    const InstructionGraph &Kernel, const LaunchConfig &Launch,
    std::vector<Assumption> Assumptions, const KernelProfile *Profile,
    std::optional<uint64_t> WorkLimit) {
  StageTimer Timer(Stage::Characteristics);
  const uint64_t Limit = WorkLimit.value_or(StaticProfileBudget);
  KernelCharacteristics Out;
  Out.Name = Kernel.Name.str();
  Out.Line = Kernel.Line;
  const Module &M = *Kernel.Parent;
  Out.Code.Frontend = toString(M.Frontend);
  Out.Code.ISAVersion = M.ISAVersion.str();
  Out.Code.Target = M.Target.str();
  Out.Bounds = Kernel.Bounds;
  Out.Launch = Launch;
  Out.Assumptions = std::move(Assumptions);
  Out.Premises = {premise(Kernel, Launch)};
  const ControlFlow &CF = Kernel.analysis<ControlFlow>();
  // Of a launch that nobody asked for it is not worth its time, but for where
  // atomics meet.
  // A run does not say what caches find: that comes from the code.
  bool HasLaunch = !Launch.GridIsAssumed && !Launch.BlockIsAssumed;
  bool FindsLocality = HasLaunch || (!Profile && hasDeviceAtomics(Kernel));
  const bool HasRoles = !Launch.BlockIsAssumed && waitsAtMBarriers(Kernel);
  std::optional<Expressions> E;
  std::optional<SymbolicValues> V;
  StaticProfile Static;
  std::vector<std::string> Beyond;
  do {
    V.reset();
    E.emplace(Out.Launch);
    V.emplace(Kernel, CF, Out.Launch, *E);
    Static = profileStatically(
        *V, Out.Launch, Limit,
        {/*HasRecords=*/FindsLocality, /*HasClasses=*/HasLaunch, HasRoles});
  } while (dropContents(Out.Launch, Static.ReadBeyond, Beyond));
  if (Static.IsSampled)
    Out.Assumptions.push_back({AssumptionKind::Other, "work limit",
                               std::to_string(Limit), /*IsNumber=*/true,
                               /*Line=*/0, "--work-limit=N"});
  const MatrixProducts Matrices = findMatrixProducts(*V);
  if (HasRoles)
    Out.Roles = findWarpRoles(*V, Static, Matrices);
  if (V->hasContents())
    Out.Premises.emplace_back("buffers hold what the launch file says when the "
                              "kernel starts");
  for (const TicketPlace &T : V->tickets())
    Out.Premises.push_back(premise(T));
  Out.Premises.insert(Out.Premises.end(), Beyond.begin(), Beyond.end());
  std::optional<MeasuredCounts> Measured;
  if (Profile)
    Measured.emplace(*Profile, Launch);
  std::vector<AccessLocality> Accesses;
  if (FindsLocality) {
    Locality L = findLocality(*Static.Records, Launch);
    L.Imbalance = findImbalance(Static.Work, Launch, !Static.IsSampled);
    Accesses = std::move(L.Accesses);
    L.Accesses.clear();
    if (HasLaunch) {
      Out.Footprint = {L.Block.Bytes, L.Grid.Bytes, L.Grid.ReadBytes,
                       L.Grid.WrittenBytes};
      Out.Reuse = std::move(L);
    }
  }
  KernelAnalysis(*V, Static, Matrices, Measured ? &*Measured : nullptr,
                 Accesses, Out)
      .run();
  if (!Profile && wantsSymbolicForms(Out))
    addSymbolicForms(Out, *V);
  return Out;
}
