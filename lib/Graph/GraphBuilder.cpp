//===- GraphBuilder.cpp - From register code to a control-flow graph ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/GraphBuilder.h"
#include "SSAConstruction.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace ptxpredict;

struct GraphBuilder::Impl {
  InstructionGraph &G;
  explicit Impl(InstructionGraph &G) : G(G) {}
  llvm::DenseMap<std::pair<const void *, StringRef>, Block *> ByLabel;
  std::vector<Block *> Order; ///< in program order
  std::vector<unsigned> Arguments;
  Block *Current = nullptr; ///< null behind a terminator

  Block *newBlock(StringRef Label = "") {
    constexpr size_t FewInstructions = 8;
    auto *B = new (G.Memory->Blocks.Allocate()) Block;
    B->Instructions.reserve(FewInstructions);
    B->Label = Label;
    B->Parent = &G;
    return B;
  }
  void connect();
  void splitRetries();
};

GraphBuilder::GraphBuilder(InstructionGraph &G)
    : G(G), State(std::make_unique<Impl>(G)) {
  assert(!G.Memory && "a body is built once");
  G.Memory = std::make_unique<InstructionGraph::BodyMemory>();
}

GraphBuilder::~GraphBuilder() = default;

unsigned GraphBuilder::addRegister(StringRef Name, ScalarType Type) {
  G.Registers.push_back({Name, Type, UINT64_MAX});
  return unsigned(G.Registers.size() - 1);
}

void GraphBuilder::markArgument(unsigned Register) {
  State->Arguments.push_back(Register);
}

Block *GraphBuilder::block(StringRef Label, const void *Key) {
  Block *&B = State->ByLabel[{Key, Label}];
  if (!B)
    B = State->newBlock(Label);
  return B;
}

void GraphBuilder::startBlock(Block *B, unsigned Line) {
  B->Line = Line;
  State->Order.push_back(B);
  State->Current = B;
}

void GraphBuilder::append(const InstructionInfo &Info) {
  if (!State->Current)
    startBlock(State->newBlock(), Info.Line);
  Block *B = State->Current;
  if (B->Line == 0)
    B->Line = Info.Line;

  auto *I = new (G.Memory->Arena.Allocate<Instruction>()) Instruction;
  I->Opcode = Info.Opcode;
  I->Class = Info.Class;
  I->Mnemonic = Info.Mnemonic;
  I->Modifiers = Info.Modifiers;
  I->IsTerminator = Info.IsBranch || Info.IsExit;
  I->IsExit = Info.IsExit;
  I->IsBlockBarrier = Info.IsBlockBarrier;
  I->IsMemoryBarrier = Info.IsMemoryBarrier;
  I->IsAsyncWait = Info.IsAsyncWait;
  I->IsCrossLane = Info.IsCrossLane;
  I->IsCall = Info.IsCall;
  I->IsUnknown = Info.IsUnknown;
  I->IsUncounted = Info.IsUncounted;
  I->Machine = Info.Machine;
  I->GuardNegated = Info.GuardNegated;
  I->GuardIsOfReads = Info.GuardIsOfReads;
  I->Line = Info.Line;
  I->Parent = B;
  I->Source = Info.Source;
  I->Effects = G.Memory->copy<MemoryEffect>(Info.Effects);
  I->HasGuard = Info.Guard.has_value();
  const size_t NumOperands = Info.Operands.size() + I->HasGuard;
  auto *Operands = G.Memory->Arena.Allocate<Operand>(NumOperands);
  std::uninitialized_copy(Info.Operands.begin(), Info.Operands.end(), Operands);
  // Until SSA construction the guard's register stands in an operand of its
  // own behind the others.
  if (Info.Guard) {
    auto *Guard = new (Operands + Info.Operands.size()) Operand;
    Guard->Kind = Operand::KindTy::Register;
    Guard->RegisterIndex = *Info.Guard;
    Guard->Type = ScalarType::Pred;
  }
  I->Operands = ArrayRef(Operands, NumOperands);
  B->Instructions.push_back(I);
  if (I->IsTerminator)
    State->Current = nullptr;
}

void GraphBuilder::forbidUnrolling() {
  if (State->Current)
    State->Current->IsNotUnrolled = true;
}

bool GraphBuilder::retarget(unsigned From, unsigned To) {
  Block *B = State->Current;
  if (!B || B->Instructions.empty() || B->Instructions.back()->HasGuard)
    return false;
  Instruction &Last = *B->Instructions.back();
  SmallVector<Operand, 8> All(Last.Operands.begin(), Last.Operands.end());
  for (Operand &O : All)
    if (O.Kind == Operand::KindTy::Register && O.Role == OperandRole::Write &&
        O.RegisterIndex == From) {
      O.RegisterIndex = To;
      Last.Operands = G.Memory->copy<Operand>(All);
      return true;
    }
  return false;
}

/// Calls \p Fn for each block that a branch's operands name.
template <typename FnT>
static void forEachTarget(ArrayRef<Operand> Operands, FnT Fn) {
  for (const Operand &O : Operands) {
    if (O.Kind == Operand::KindTy::Target)
      Fn(O.Dest);
    else if (O.Kind == Operand::KindTy::List)
      forEachTarget(O.Elements, Fn);
  }
}

/// Sets every block's successors. An exit under a guard may leave or go on: it
/// leads to an empty block at the end, which is made when first needed.
void GraphBuilder::Impl::connect() {
  Block *Exit = nullptr;
  for (size_t N = 0; N != Order.size(); ++N) {
    Block *B = Order[N];
    Block *Next = N + 1 != Order.size() ? Order[N + 1] : nullptr;
    Instruction *T = B->terminator();
    if (T && T->IsExit) {
      if (!T->HasGuard)
        continue;
      if (!Exit)
        Exit = newBlock();
      B->Successors.push_back(Exit);
    } else if (T) {
      forEachTarget(T->Operands, [&](Block *D) { B->Successors.push_back(D); });
      if (!T->HasGuard)
        continue;
    }
    if (Next)
      B->Successors.push_back(Next);
  }
  if (Exit)
    Order.push_back(Exit);
}

/// Whether a block may ask other threads for something.
static bool mayAsk(const Block &B) {
  return llvm::any_of(B.Instructions, [](const Instruction *I) {
    return llvm::any_of(I->Effects, [I](const MemoryEffect &E) {
      return E.Access == AccessKind::Atomic ||
             (E.Access == AccessKind::Load &&
              llvm::any_of(
                  ArrayRef<StringRef>{"volatile", "relaxed", "acquire"},
                  [I](StringRef M) {
                    return ptx::hasModifier(I->Modifiers, M);
                  }));
    });
  });
}

/// A block that asks until there is an answer, and where each iteration of a
/// loop around that begins, too, gets an empty block before it for the latter:
/// compilers leave one header of `for (…) { while (!takeLock()); … }`, and then
/// one loop.
void GraphBuilder::Impl::splitRetries() {
  llvm::DenseMap<const Block *, unsigned> Place;
  for (const auto &[N, B] : llvm::enumerate(Order))
    Place[B] = unsigned(N);
  llvm::DenseMap<Block *, Block *> Begins;
  for (Block *B : Order)
    for (Block *S : B->Successors)
      if (Place[S] < Place[B] && S->Successors.size() == 2 &&
          llvm::is_contained(S->Successors, S) && !S->HeaderRuns &&
          !S->MostHeaderRuns && mayAsk(*S))
        Begins.try_emplace(S, nullptr);
  if (Begins.empty())
    return;
  std::vector<Block *> Split;
  for (Block *B : Order) {
    if (auto It = Begins.find(B); It != Begins.end()) {
      It->second = newBlock();
      It->second->Line = B->Line;
      Split.push_back(It->second);
    }
    Split.push_back(B);
  }
  for (Block *B : Order)
    for (Block *&S : B->Successors)
      if (Block *Before = S == B ? nullptr : Begins.lookup(S))
        S = Before;
  for (auto [B, Before] : Begins)
    Before->Successors.push_back(B);
  Order = std::move(Split);
}

/// Whether loops are nested so deeply that lists of every loop's blocks, which
/// LLVM's cycles are, would not fit. Every loop has a jump back in the text;
/// the blocks between it and its target stand for the loop's own.
static bool nestsTooDeeply(const InstructionGraph &G) {
  constexpr uint64_t MeanDepth = 256, AnyFunction = 1 << 22;
  std::vector<unsigned> End(G.Blocks.size()); // by header
  for (const Block *B : G.Blocks)
    for (const Block *S : B->Successors)
      if (S->Number <= B->Number)
        End[S->Number] = std::max(End[S->Number], B->Number + 1);
  uint64_t Listed = 0;
  for (unsigned Header = 0; Header != End.size(); ++Header)
    if (End[Header] != 0)
      Listed += End[Header] - Header;
  return Listed > MeanDepth * G.Blocks.size() + AnyFunction;
}

Operand GraphBuilder::withRole(Operand O, OperandRole Role) {
  if (O.Kind == Operand::KindTy::Address) {
    O.Role = Role == OperandRole::Address ? Role : OperandRole::Read;
    Role = OperandRole::Read;
  } else {
    O.Role = Role;
  }
  // Each instruction has elements of its own, which become values.
  if (!O.Elements.empty()) {
    SmallVector<Operand, 8> Elements;
    for (const Operand &E : O.Elements)
      Elements.push_back(withRole(E, Role));
    O.Elements = keep(Elements);
  }
  return O;
}

bool GraphBuilder::finish() {
  std::vector<Block *> &Order = State->Order;
  if (Order.empty())
    startBlock(State->newBlock(), G.Line);
  State->connect();
  State->splitRetries();

  // Nothing may branch to the entry: what holds at entry has one place then.
  for (Block *B : Order)
    if (llvm::is_contained(B->Successors, Order.front())) {
      Block *Entry = State->newBlock();
      Entry->Line = Order.front()->Line;
      Entry->Successors.push_back(Order.front());
      Order.insert(Order.begin(), Entry);
      break;
    }

  llvm::DenseSet<Block *> Reached{Order.front()};
  SmallVector<Block *, 32> Work{Order.front()};
  while (!Work.empty())
    for (Block *S : Work.pop_back_val()->Successors)
      if (Reached.insert(S).second)
        Work.push_back(S);
  for (Block *B : Order) {
    if (Reached.contains(B)) {
      B->Number = unsigned(G.Blocks.size());
      G.Blocks.push_back(B);
    } else {
      G.NumDroppedInstructions += unsigned(B->Instructions.size());
    }
  }
  for (Block *B : G.Blocks)
    for (Block *S : B->Successors)
      S->Predecessors.push_back(B);

  if (nestsTooDeeply(G))
    return false;
  constructSSA(G, State->Arguments);
  return true;
}
