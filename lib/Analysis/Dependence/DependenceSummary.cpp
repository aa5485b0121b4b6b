//===- DependenceSummary.cpp - What decides a warp's latency --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/DependenceSummary.h"
#include "ptxpredict/Analysis/Dependence/WaitChains.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/Codegen/LatencyScheduler.h"
#include "ptxpredict/Codegen/LoopUnroller.h"
#include "ptxpredict/Codegen/MovedOrder.h"
#include "ptxpredict/Codegen/RegisterPressure.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <limits>
#include <optional>
#include <utility>

using namespace ptxpredict;
using ptx::Opcode;

ControlShares::~ControlShares() = default;

bool ControlShares::isSkipped(const Instruction &) const { return false; }

namespace {

/// What the functions of one summary have in common.
struct SummaryContext {
  const ControlShares &Shares;
  llvm::function_ref<uint32_t(const Instruction &)> SourceOf;
  SummaryOf Which;
  const LocalAccesses &InRegisters;
  /// The functions' indices in the summary.
  const llvm::DenseMap<const InstructionGraph *, int32_t> &Numbers;
};

class FunctionSummarizer {
public:
  FunctionSummarizer(const InstructionGraph &G, const SummaryContext &C)
      : C(C), G(G), CF(G.analysis<ControlFlow>()) {
    // Machine code is in the order in which it is executed.
    if (C.Which != SummaryOf::Machine || G.Assembled)
      return;
    Machine = &G.analysis<MachineCode>();
    Width = Machine->widths();
  }

  FunctionDependence run();

private:
  void add(const Instruction &I);
  void addMoves(const Instruction &I);
  void addRegisters(const Instruction &I);
  void takeSchedule(const MachineFacts *M, SmallVectorImpl<uint32_t> &Writes,
                    SmallVectorImpl<uint32_t> &Reads);
  void setRegisters(SmallVectorImpl<uint32_t> &Writes,
                    SmallVectorImpl<uint32_t> &Reads);
  void addRead(const Value &V, SmallVectorImpl<uint32_t> &Reads,
               unsigned Depth) const;
  void addRegisters(const MachineOp &Op);
  void addOps(const Block &Last, ArrayRef<MachineOp> Ops,
              std::vector<const Value *> Guards = {});
  /// How many iterations of \p B, a loop of one block, the machine has in one.
  double addInstructions(const Block &B);
  uint32_t registerOf(unsigned Id) const;
  const Block *joined(const Block &B) const;
  void addJoined(ArrayRef<const Block *> Blocks);
  void addBlock(ArrayRef<const Block *> Blocks);
  void addLoops();
  void findSchedule();
  uint32_t positionOf(const Block *B) const { return Position[B->Number]; }

  const SummaryContext &C;
  const InstructionGraph &G;
  const ControlFlow &CF;
  const MachineCode *Machine = nullptr; ///< of a summary of the machine
  std::vector<uint8_t> Width; ///< of its values and what unrolling adds
  /// Of machine code: registers that products of matrices are written to.
  std::vector<bool> OfProducts;
  BlockPressure Pressure;
  ListScheduler Scheduler;
  std::vector<uint32_t> PackedOrder; ///< of the block that is added
  std::vector<uint32_t> Position;    ///< of blocks, by number
  FunctionDependence Out;
};

} // namespace

static IssuedInstruction::Copy copiesOf(const Instruction &I) {
  using Copy = IssuedInstruction::Copy;
  switch (Opcode(I.Opcode)) {
  case Opcode::CpAsync:
    return Copy::Start;
  case Opcode::CpAsyncCommitGroup:
    return Copy::Commit;
  case Opcode::CpAsyncWaitGroup:
  case Opcode::CpAsyncWaitAll:
    return Copy::Wait;
  case Opcode::CpAsyncBulkWaitGroup:
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    return Copy::WaitBulk;
  default:
    return schedClassOf(I) == SchedClass::BulkCopy ? Copy::StartBulk
                                                   : Copy::None;
  }
}

void FunctionSummarizer::add(const Instruction &I) {
  // A release is a fence and a store.
  if (isDeviceRelease(I)) {
    IssuedInstruction &Before = Out.Instructions.emplace_back();
    Before.Line = I.Line;
    Before.Source = C.SourceOf(I);
    Before.Result = SchedClass::Fence;
    Before.FirstRegister = uint32_t(Out.Registers.size());
  }
  IssuedInstruction &N = Out.Instructions.emplace_back();
  N.Line = I.Line;
  N.Source = C.SourceOf(I);
  N.Result = schedClassOf(I);
  // What L1 may not answer takes as long as an atomic operation, and a fence
  // within the block as long as a barrier.
  if (isCoherentLoad(I))
    N.Result = SchedClass::GlobalAtomic;
  else if (I.IsMemoryBarrier && !isDeviceFence(I))
    N.Result = SchedClass::Barrier;
  N.IsGuarded = I.HasGuard;
  N.IsLongLoad = isLongLoad(I);
  N.IsSharedLoad = isSharedLoad(I);
  if (I.Class == OpClass::Async)
    N.Copies = copiesOf(I);
  if (N.Copies == IssuedInstruction::Copy::Wait)
    N.Argument =
        !I.Operands.empty() && I.Operands[0].Kind == Operand::KindTy::Integer
            ? int32_t(I.Operands[0].integer())
            : -1;
  if (I.IsCall)
    if (const InstructionGraph *Callee = I.callee()) {
      auto It = C.Numbers.find(Callee);
      N.Argument = It == C.Numbers.end() ? -1 : It->second;
    }
  N.FirstRegister = uint32_t(Out.Registers.size());
  if (C.InRegisters.count(&I)) {
    N.Result = SchedClass::Move;
    N.IsLongLoad = false;
  }
  if (I.Machine && I.HasGuard && !I.Effects.empty() && C.Shares.isSkipped(I)) {
    N.Result = SchedClass::Move;
    N.IsLongLoad = N.IsSharedLoad = false;
    N.Copies = IssuedInstruction::Copy::None;
  }
}

/// A load of an array in registers takes what it reads from one place after the
/// other, each move under a predicate of its own.
void FunctionSummarizer::addMoves(const Instruction &I) {
  auto It = C.InRegisters.find(&I);
  if (It == C.InRegisters.end() || I.Class != OpClass::Load)
    return;
  const IssuedInstruction First = Out.Instructions.back();
  for (unsigned M = 1; M < It->second.Candidates; ++M) {
    IssuedInstruction &N = Out.Instructions.emplace_back(First);
    N.FirstRegister = uint32_t(Out.Registers.size());
    N.NumReads = N.NumWrites;
    for (unsigned Times = 0; Times != 2; ++Times)
      for (unsigned W = 0; W != First.NumWrites; ++W)
        Out.Registers.push_back(Out.Registers[First.FirstRegister + W]);
  }
}

/// The most registers of an instruction that are looked at, either way.
static constexpr size_t MostRegisters = std::numeric_limits<uint8_t>::max();

/// What \p V is made of by operations that count for nothing: a register, or
/// several.
void FunctionSummarizer::addRead(const Value &V,
                                 SmallVectorImpl<uint32_t> &Reads,
                                 unsigned Depth) const {
  constexpr unsigned MaxDepth = 8;
  if (V.Def && V.Def->IsUncounted && Depth != MaxDepth) {
    for (const Value *U : V.Def->Uses)
      addRead(*U, Reads, Depth + 1);
    return;
  }
  if (!llvm::is_contained(Reads, V.Register))
    Reads.push_back(V.Register);
}

void FunctionSummarizer::addRegisters(const Instruction &I) {
  IssuedInstruction &N = Out.Instructions.back();
  if (!G.Assembled) {
    for (const Value *V : ArrayRef<Value *>(I.Defs).take_front(MostRegisters))
      Out.Registers.push_back(V->Register);
    for (const Value *V : ArrayRef<Value *>(I.Uses).take_front(MostRegisters))
      Out.Registers.push_back(V->Register);
    N.NumWrites = uint8_t(std::min(I.Defs.size(), MostRegisters));
    N.NumReads = uint8_t(std::min(I.Uses.size(), MostRegisters));
    return;
  }
  SmallVector<uint32_t, 8> Writes, Reads;
  for (const Value *V : I.Defs)
    Writes.push_back(V->Register);
  for (const Value *V : I.Uses) // what is lifted may be several operations
    addRead(*V, Reads, 0);
  if (Out.NumScoreboards != 0)
    takeSchedule(I.Machine, Writes, Reads);
  setRegisters(Writes, Reads);
}

/// What machine code itself says of its order: the assembler has seen to it
/// that what takes a fixed time is there by stalls alone, and what does not is
/// waited for by scoreboards. Left are products of matrices, whose unit takes
/// longer than the stalls say. When operands have been read is not followed: no
/// device's file says how long that takes.
void FunctionSummarizer::takeSchedule(const MachineFacts *M,
                                      SmallVectorImpl<uint32_t> &Writes,
                                      SmallVectorImpl<uint32_t> &Reads) {
  for (SmallVectorImpl<uint32_t> *Of : {&Writes, &Reads}) {
    llvm::erase_if(*Of, [&](uint32_t R) { return !OfProducts[R]; });
    for (uint32_t &R : *Of)
      R += NumScoreboards;
  }
  if (!M)
    return;
  Out.Instructions.back().Stall = M->Stall;
  if (M->WriteBarrier)
    Writes.push_back(*M->WriteBarrier);
  for (unsigned S = 0; S != NumScoreboards; ++S)
    if (M->WaitMask >> S & 1)
      Reads.push_back(S);
}

void FunctionSummarizer::setRegisters(SmallVectorImpl<uint32_t> &Writes,
                                      SmallVectorImpl<uint32_t> &Reads) {
  Writes.truncate(std::min(Writes.size(), MostRegisters));
  Reads.truncate(std::min(Reads.size(), MostRegisters));
  IssuedInstruction &N = Out.Instructions.back();
  N.NumWrites = uint8_t(Writes.size());
  N.NumReads = uint8_t(Reads.size());
  llvm::append_range(Out.Registers, Writes);
  llvm::append_range(Out.Registers, Reads);
}

/// What it reads through what folds into it, and the predicates, which need no
/// register.
void FunctionSummarizer::addRegisters(const MachineOp &Op) {
  SmallVector<uint32_t, 4> Writes, Reads;
  for (unsigned D : Op.Defs)
    Writes.push_back(registerOf(D));
  for (unsigned U : Op.Uses)
    Reads.push_back(registerOf(U));
  for (const Value *V : Op.Source->Defs)
    if (V->Type == ScalarType::Pred)
      Writes.push_back(V->Register);
  for (const Value *V : Op.Source->Uses)
    if (V->Type == ScalarType::Pred)
      Reads.push_back(V->Register);
  setRegisters(Writes, Reads);
}

/// Values of the copies of a loop's body have registers of their own, behind
/// those of the code.
uint32_t FunctionSummarizer::registerOf(unsigned Id) const {
  return Id < G.Values.size()
             ? G.Values[Id]->Register
             : uint32_t(G.Registers.size() + Id - G.Values.size());
}

/// \p Last: the block whose end theirs is.
void FunctionSummarizer::addOps(const Block &Last, ArrayRef<MachineOp> Ops,
                                std::vector<const Value *> Guards) {
  Guards.resize(Ops.size());
  auto RegisterOf = [this](unsigned Id) { return registerOf(Id); };
  MovedOrder Moved(Scheduler, Ops, Guards, RegisterOf);
  const auto First = uint32_t(Out.Instructions.size());
  std::vector<std::pair<uint32_t, uint32_t>> Places(Ops.size()); // of each
  for (unsigned K : Moved.order()) {
    Places[K].first = uint32_t(Out.Instructions.size()) - First;
    add(*Ops[K].Source);
    addRegisters(Ops[K]);
    if (Guards[K]) {
      IssuedInstruction &N = Out.Instructions.back();
      N.IsGuarded = true;
      if (N.NumReads < MostRegisters) {
        Out.Registers.push_back(Guards[K]->Register);
        ++N.NumReads;
      }
    }
    addMoves(*Ops[K].Source);
    Places[K].second = uint32_t(Out.Instructions.size()) - First;
  }
  // Where all loads can move up with no more registers, they always do.
  const auto &Registers = G.analysis<KeptPressure>();
  if (Registers.Hoisted <= Registers.Scheduled ||
      !Moved.pack(Pressure, G.analysis<LiveOut>().of(Last.Number), Width,
                  Registers.Packed))
    return;
  for (unsigned K : Moved.order())
    for (uint32_t I = Places[K].first; I != Places[K].second; ++I)
      PackedOrder.push_back(I);
}

/// The block behind the one that \p B jumps over if no jump is left: then both
/// are executed after \p B, the first one under a predicate. Null otherwise.
const Block *FunctionSummarizer::joined(const Block &B) const {
  const Instruction *T = B.terminator();
  if (!Machine || !T || !T->Guard || B.Successors.size() != 2 ||
      Machine->form(*T).Form != MachineForm::Folded)
    return nullptr;
  const Block *To = B.Successors[0], *Next = B.Successors[1];
  const bool IsShort = Next->Predecessors.size() == 1 &&
                       Next->Successors.size() == 1 &&
                       Next->Successors[0] == To;
  const bool MeetsThere = llvm::all_of(
      To->Predecessors, [&](const Block *P) { return P == &B || P == Next; });
  return IsShort && MeetsThere && To != &B && C.Shares.runs(*Next) > 0
             ? To
             : nullptr;
}

/// Blocks of which each second one is executed under a predicate that the one
/// before it computes.
void FunctionSummarizer::addJoined(ArrayRef<const Block *> Blocks) {
  std::vector<MachineOp> Ops;
  std::vector<const Value *> Guards;
  // What a phi merges is in the phi's register from the start, or read with it.
  llvm::DenseMap<unsigned, unsigned> Renamed;
  llvm::DenseMap<unsigned, SmallVector<unsigned, 2>> ReadToo;
  auto NameOf = [&](unsigned Id) {
    unsigned Last = Id;
    for (auto It = Renamed.find(Id); It != Renamed.end();
         It = Renamed.find(Last))
      Last = It->second;
    // Each step is gone once.
    for (unsigned Step = Id; Step != Last;)
      Step = std::exchange(Renamed[Step], Last);
    return Last;
  };
  llvm::DenseSet<unsigned> Defined;
  for (const auto &[N, B] : llvm::enumerate(Blocks)) {
    const MachineBlock &Code = Machine->blocks()[B->Number];
    if (N > 0 && N % 2 == 0)
      for (const MachinePhi &Phi : Code.Phis) {
        for (unsigned U : Phi.Uses) {
          if (U == MachinePhi::NoValue) // no key of a table
            continue;
          if (Defined.count(U) && registerOf(U) == registerOf(Phi.Def))
            Renamed[U] = Phi.Def;
          else
            ReadToo[Phi.Def].push_back(U);
        }
        Defined.insert(Phi.Def);
      }
    const Value *Guard =
        N % 2 == 1 ? Blocks[N - 1]->terminator()->Guard : nullptr;
    for (const MachineOp &Op : Code.Ops) {
      Defined.insert(Op.Defs.begin(), Op.Defs.end());
      if (Op.Source->IsTerminator && N + 1 != Blocks.size())
        continue;
      Ops.push_back(Op);
      Guards.push_back(Guard);
    }
  }
  for (MachineOp &Op : Ops) {
    for (size_t U = 0, Num = Op.Uses.size(); U != Num; ++U)
      if (auto It = ReadToo.find(Op.Uses[U]); It != ReadToo.end())
        Op.Uses.append(It->second.begin(), It->second.end());
    for (unsigned &U : Op.Uses)
      U = NameOf(U);
    for (unsigned &D : Op.Defs)
      D = NameOf(D);
  }
  addOps(*Blocks.back(), Ops, std::move(Guards));
}

double FunctionSummarizer::addInstructions(const Block &B) {
  if (!Machine) {
    for (const Instruction *I : B.Instructions)
      if (!I->isPseudo() && !I->IsUncounted) {
        add(*I);
        addRegisters(*I);
      }
    return 1;
  }
  const MachineBlock &Code = Machine->blocks()[B.Number];
  const Instruction *T = B.terminator();
  // A loop that runs for fewer iterations than there are copies ends before.
  const bool RunsOften =
      T && T->HasGuard && C.Shares.runs(B) > 0 &&
      (B.Successors[0] == &B ? C.Shares.taken(*T) : 1 - C.Shares.taken(*T)) >=
          1 - 1.0 / assembler::NumUnrolledCopies;
  std::vector<MachineOp> Copies;
  if (RunsOften)
    Copies = unrollOnPaper(Code, Width);
  if (Copies.empty()) {
    addOps(B, Code.Ops);
    return 1;
  }
  // The test and the branch of the last copy are those of all.
  size_t Kept = 0;
  const size_t OfLast = Copies.size() - Code.Ops.size();
  for (size_t K = 0; K != Copies.size(); ++K)
    if (K >= OfLast || !Copies[K].Source->IsTerminator)
      Copies[Kept++] = std::move(Copies[K]);
  Copies.resize(Kept);
  addOps(B, Copies);
  Out.NumRegisters =
      std::max(Out.NumRegisters,
               uint32_t(G.Registers.size() + Width.size() - G.Values.size()));
  return assembler::NumUnrolledCopies;
}

void FunctionSummarizer::addBlock(ArrayRef<const Block *> Blocks) {
  IssuedBlock N;
  N.FirstInstruction = uint32_t(Out.Instructions.size());
  double Copies = 1;
  if (Blocks.size() == 1)
    Copies = addInstructions(*Blocks.front());
  else
    addJoined(Blocks);
  N.EndInstruction = uint32_t(Out.Instructions.size());
  N.PackedOrder = std::exchange(PackedOrder, {});
  N.Runs = C.Shares.runs(*Blocks.front()) / Copies;
  const Block &B = *Blocks.back();
  const Instruction *T = B.terminator();
  N.IsBranch = T != nullptr;
  auto Edge = [&](const Block *To, double Share) {
    N.Edges.push_back({To ? positionOf(To) : IssuedBlock::Leave, Share});
  };
  if (T && T->HasGuard && B.Successors.size() + T->IsExit == 2) {
    double Taken = C.Shares.taken(*T);
    N.Both = std::min(C.Shares.split(*T), Taken);
    if (Copies > 1) {
      // The loop is left as often as before, out of fewer iterations.
      const bool IsBack = B.Successors[0] == &B;
      const double Left = std::min(1.0, Copies * (IsBack ? 1 - Taken : Taken));
      N.Both = std::min(N.Both * Copies, 1 - Left);
      Taken = IsBack ? 1 - Left : Left;
      N.Both = std::min(N.Both, Taken);
    }
    Edge(T->IsExit ? nullptr : B.Successors[0], Taken - N.Both);
    Edge(B.Successors.back(), std::max(0.0, 1 - Taken));
  } else if (B.Successors.size() == 1) {
    Edge(B.Successors[0], 1);
  } else if (B.Successors.empty()) {
    Edge(nullptr, 1);
  } else { // a jump table: as often as what it jumps to
    double Sum = 0;
    for (const Block *S : B.Successors)
      Sum += C.Shares.runs(*S);
    for (const Block *S : B.Successors)
      Edge(S, Sum > 0 ? C.Shares.runs(*S) / Sum : 1.0 / B.Successors.size());
  }
  Out.Blocks.push_back(std::move(N));
}

void FunctionSummarizer::addLoops() {
  llvm::DenseMap<uint32_t, size_t> LoopAt; // by its header's position
  const auto &Polls = G.analysis<PollingLoops>();
  for (const auto &[N, C] : llvm::enumerate(CF.cycles())) {
    IssuedLoop L;
    if (const PollingLoop *Polling = Polls.of(unsigned(N)))
      L.WaitsFor = Polling->waitsFor();
    L.First = uint32_t(Out.Blocks.size());
    for (const Block *B : C.Blocks) {
      L.First = std::min(L.First, positionOf(B));
      L.End = std::max(L.End, positionOf(B) + 1);
    }
    LoopAt[L.First] = Out.Loops.size();
    Out.Loops.push_back(L);
  }
  // How often control comes to a header, from the loop and from elsewhere.
  std::vector<double> Back(Out.Loops.size()), Entered(Out.Loops.size());
  for (uint32_t P = 0; P != Out.Blocks.size(); ++P)
    for (const IssuedBlock::Edge &E : Out.Blocks[P].Edges) {
      if (E.To == IssuedBlock::Leave)
        continue;
      auto It = LoopAt.find(E.To);
      if (It == LoopAt.end())
        continue;
      const IssuedLoop &L = Out.Loops[It->second];
      bool IsInside = P >= L.First && P < L.End;
      (IsInside ? Back : Entered)[It->second] +=
          Out.Blocks[P].Runs * (E.Share + Out.Blocks[P].Both);
    }
  for (size_t N = 0; N != Out.Loops.size(); ++N) {
    IssuedLoop &L = Out.Loops[N];
    double Runs = Out.Blocks[L.First].Runs;
    if (Runs <= 0)
      continue;
    // What does not come from within enters. Of counts that are assumed, or of
    // a loop that nothing leaves, or only some lanes of each warp, that is too
    // much or nothing; both sides of a branch that enter count twice elsewhere.
    double Entries = Runs - Back[N];
    double Others = Entered[N] + (L.First == 0 ? 1 : 0);
    constexpr double Least = 1e-9;
    if (Entries <= Least * Runs || Others < Entries)
      Entries = Others;
    if (Entries > 0)
      L.Runs = std::max(1.0, Runs / Entries);
  }
}

void FunctionSummarizer::findSchedule() {
  Out.NumScoreboards = NumScoreboards;
  Out.NumRegisters += NumScoreboards;
  OfProducts.resize(G.Registers.size());
  G.forEachInstruction([&](const Instruction &I) {
    if (I.Machine && SchedClass(I.Machine->Class) == SchedClass::Tensor)
      for (const Value *V : I.Defs)
        OfProducts[V->Register] = true;
  });
}

FunctionDependence FunctionSummarizer::run() {
  Out.NumRegisters = uint32_t(G.Registers.size());
  if (C.Which == SummaryOf::Machine && G.Assembled)
    findSchedule();
  ArrayRef<Block *> Order = CF.reversePostOrder();
  Position.resize(G.Blocks.size());
  // What no jump parts is one block. In this order the skipped block follows
  // the one that skips it, and what is behind it comes next.
  std::vector<SmallVector<const Block *, 1>> Groups;
  for (size_t P = 0; P != Order.size(); ++P) {
    SmallVector<const Block *, 1> &Group = Groups.emplace_back();
    Group.push_back(Order[P]);
    for (const Block *To = joined(*Order[P]);
         To && P + 2 < Order.size() && Order[P + 2] == To; To = joined(*To)) {
      Group.append({Order[P + 1], To});
      P += 2;
    }
    for (const Block *B : Group)
      Position[B->Number] = uint32_t(Groups.size() - 1);
  }
  Out.Blocks.reserve(Groups.size());
  Out.Instructions.reserve(G.NumInstructions);
  for (ArrayRef<const Block *> Blocks : Groups)
    addBlock(Blocks);
  addLoops();
  // Per entry of the function.
  double Entries = Out.Blocks.empty() ? 0 : Out.Blocks[0].Runs;
  for (const IssuedLoop &L : Out.Loops)
    if (L.First == 0)
      Entries /= L.Runs;
  Out.Entries = Entries;
  if (Entries > 0)
    for (IssuedBlock &B : Out.Blocks)
      B.Runs /= Entries;
  Out.LastReads = findLastReads(Out);
  return std::move(Out);
}

DependenceSummary ptxpredict::summarizeDependence(
    ArrayRef<const InstructionGraph *> Functions, const ControlShares &Shares,
    llvm::function_ref<uint32_t(const Instruction &)> SourceOf, SummaryOf Which,
    const LocalAccesses &InRegisters) {
  StageTimer Timer(Stage::DependenceSummary);
  DependenceSummary S;
  llvm::DenseMap<const InstructionGraph *, int32_t> Numbers;
  for (const InstructionGraph *G : Functions)
    Numbers.try_emplace(G, int32_t(Numbers.size()));
  const SummaryContext C = {Shares, SourceOf, Which, InRegisters, Numbers};
  for (const InstructionGraph *G : Functions) {
    S.Functions.push_back(FunctionSummarizer(*G, C).run());
    if (S.Functions.size() > 1)
      S.Functions.back().Name = G->Name.str();
    else
      S.Functions.back().Entries = 1;
  }
  return S;
}
