//===- DependenceSummary.cpp - What decides a warp's latency --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/DependenceSummary.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/Codegen/LatencyScheduler.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>
#include <optional>

using namespace ptxpredict;
using ptx::Opcode;

ControlShares::~ControlShares() = default;

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
    if (C.Which != SummaryOf::Machine)
      return;
    Machine = &G.analysis<MachineCode>();
    Width = Machine->widths();
  }

  FunctionDependence run();

private:
  void add(const Instruction &I);
  void addMoves(const Instruction &I);
  void addRegisters(const Instruction &I);
  void addRegisters(const MachineOp &Op);
  void addOps(ArrayRef<MachineOp> Ops);
  /// How many iterations of \p B, a loop of one block, the machine has in one.
  double addInstructions(const Block &B);
  uint32_t registerOf(unsigned Id) const;
  void addBlock(const Block &B);
  void addLoops();
  uint32_t positionOf(const Block *B) const { return Position[B->Number]; }

  const SummaryContext &C;
  const InstructionGraph &G;
  const ControlFlow &CF;
  const MachineCode *Machine = nullptr; ///< of a summary of the machine
  std::vector<uint8_t> Width; ///< of its values and what unrolling adds
  Scheduler Order;
  std::vector<uint32_t> Position; ///< of blocks, by number
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
    return schedClassOf(I) == SchedClass::AsyncCopy ? Copy::StartBulk
                                                    : Copy::None;
  }
}

void FunctionSummarizer::add(const Instruction &I) {
  IssuedInstruction &N = Out.Instructions.emplace_back();
  N.Line = I.Line;
  N.Source = C.SourceOf(I);
  N.Result = schedClassOf(I);
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

void FunctionSummarizer::addRegisters(const Instruction &I) {
  IssuedInstruction &N = Out.Instructions.back();
  for (const Value *V : ArrayRef<Value *>(I.Defs).take_front(MostRegisters))
    Out.Registers.push_back(V->Register);
  N.NumWrites = uint8_t(std::min(I.Defs.size(), MostRegisters));
  for (const Value *V : ArrayRef<Value *>(I.Uses).take_front(MostRegisters))
    Out.Registers.push_back(V->Register);
  N.NumReads = uint8_t(std::min(I.Uses.size(), MostRegisters));
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
  Writes.truncate(std::min(Writes.size(), MostRegisters));
  Reads.truncate(std::min(Reads.size(), MostRegisters));
  IssuedInstruction &N = Out.Instructions.back();
  N.NumWrites = uint8_t(Writes.size());
  N.NumReads = uint8_t(Reads.size());
  llvm::append_range(Out.Registers, Writes);
  llvm::append_range(Out.Registers, Reads);
}

/// Values of the copies of a loop's body have registers of their own, behind
/// those of the code.
uint32_t FunctionSummarizer::registerOf(unsigned Id) const {
  return Id < G.Values.size()
             ? G.Values[Id]->Register
             : uint32_t(G.Registers.size() + Id - G.Values.size());
}

/// Its results come late and at no fixed time: a scheduler starts it early.
static bool isSlow(const MachineOp &Op) {
  switch (schedClassOf(*Op.Source)) {
  case SchedClass::SFU:
  case SchedClass::Convert:
  case SchedClass::FP64Convert:
  case SchedClass::CrossLane:
    return true;
  default:
    return false;
  }
}

void FunctionSummarizer::addOps(ArrayRef<MachineOp> Ops) {
  std::vector<unsigned> Places = Order.hoistLoads(Ops, Width, isSlow);
  for (size_t K = 0; K != Ops.size(); ++K) {
    const MachineOp &Op = Ops[Places.empty() ? K : Places[K]];
    add(*Op.Source);
    addRegisters(Op);
    addMoves(*Op.Source);
  }
}

double FunctionSummarizer::addInstructions(const Block &B) {
  if (!Machine) {
    for (const Instruction *I : B.Instructions)
      if (!I->isPseudo()) {
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
    addOps(Code.Ops);
    return 1;
  }
  // The test and the branch of the last copy are those of all.
  size_t Kept = 0;
  const size_t OfLast = Copies.size() - Code.Ops.size();
  for (size_t K = 0; K != Copies.size(); ++K)
    if (K >= OfLast || !Copies[K].Source->IsTerminator)
      Copies[Kept++] = std::move(Copies[K]);
  Copies.resize(Kept);
  addOps(Copies);
  Out.NumRegisters =
      std::max(Out.NumRegisters,
               uint32_t(G.Registers.size() + Width.size() - G.Values.size()));
  return assembler::NumUnrolledCopies;
}

void FunctionSummarizer::addBlock(const Block &B) {
  IssuedBlock N;
  N.FirstInstruction = uint32_t(Out.Instructions.size());
  const double Copies = addInstructions(B);
  N.EndInstruction = uint32_t(Out.Instructions.size());
  N.Runs = C.Shares.runs(B) / Copies;
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

FunctionDependence FunctionSummarizer::run() {
  Out.NumRegisters = uint32_t(G.Registers.size());
  ArrayRef<Block *> Order = CF.reversePostOrder();
  Position.resize(G.Blocks.size());
  for (uint32_t P = 0; P != Order.size(); ++P)
    Position[Order[P]->Number] = P;
  Out.Blocks.reserve(Order.size());
  Out.Instructions.reserve(G.NumInstructions);
  for (const Block *B : Order)
    addBlock(*B);
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
