//===- SSAConstruction.cpp - Registers to SSA values ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SSAConstruction.h"
#include "GenericCFG.h"
#include "ptxpredict/Graph/PhiPlacement.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

using namespace ptxpredict;

namespace {

/// Calls \p Fn(Operand, Role) for each register in \p O, whose elements inherit
/// its role; what stands in an address is read.
template <typename FnT>
void forEachRegister(Operand &O, OperandRole Role, FnT &Fn) {
  if (O.Kind == Operand::KindTy::Register) {
    Fn(O, Role);
    return;
  }
  if (O.Kind == Operand::KindTy::Address || Role == OperandRole::Address)
    Role = OperandRole::Read;
  // The elements were copied into the body's memory by GraphBuilder::keep
  // and belong to this operand alone.
  for (const Operand &E : O.Elements)
    forEachRegister(const_cast<Operand &>(E), Role, Fn);
}

/// Of all operands; nearly all are registers themselves.
template <typename FnT>
void forEachRegister(Instruction &I, FnT &Fn) {
  for (const Operand &Of : I.Operands) {
    auto &O = const_cast<Operand &>(Of);
    if (O.Kind == Operand::KindTy::Register)
      Fn(O, O.Role);
    else if (!O.Elements.empty())
      forEachRegister(O, O.Role, Fn);
  }
}

bool isRead(OperandRole R) { return R != OperandRole::Write; }
bool isWritten(OperandRole R) {
  return R == OperandRole::Write || R == OperandRole::ReadWrite;
}

/// Blocks by register, in one array.
class BlocksOfRegister {
public:
  explicit BlocksOfRegister(size_t NumRegisters) : Start(NumRegisters + 1) {}
  void add(unsigned Register, Block *B) { Pairs.emplace_back(Register, B); }
  void finish() {
    for (const auto &P : Pairs)
      ++Start[P.first + 1];
    for (size_t R = 1; R < Start.size(); ++R)
      Start[R] += Start[R - 1];
    Blocks.resize(Pairs.size());
    std::vector<unsigned> Next(Start.begin(), Start.end() - 1);
    for (const auto &P : Pairs)
      Blocks[Next[P.first]++] = P.second;
    Pairs.clear();
  }
  ArrayRef<Block *> of(unsigned Register) const {
    return ArrayRef(Blocks).slice(Start[Register],
                                  Start[Register + 1] - Start[Register]);
  }

private:
  std::vector<std::pair<unsigned, Block *>> Pairs;
  std::vector<unsigned> Start;
  std::vector<Block *> Blocks;
};

class SSAConstruction {
public:
  SSAConstruction(InstructionGraph &G, ArrayRef<unsigned> Arguments)
      : G(G), DT(G.analysis<Dominators>().Tree), Defs(G.Registers.size()),
        Exposed(G.Registers.size()), Current(G.Registers.size()) {
    for (unsigned R : Arguments) {
      Current[R] = newValue(R, nullptr);
      Current[R]->IsArgument = true;
    }
  }

  void run() {
    collect();
    placePhis();
    rename();
    dropUnread();
    number();
  }

private:
  void collect();
  void placePhis();
  void rename();
  void renameBlock(Block *B);
  void dropUnread();
  void number();
  void listUsers();

  Value *newValue(unsigned Register, Instruction *Def) {
    auto *V = new (G.Memory->Values.Allocate()) Value;
    Made.push_back(V);
    V->Register = Register;
    V->Type = G.Registers[Register].Type;
    V->Name = G.Registers[Register].Name;
    V->Def = Def;
    return V;
  }
  /// The register's value here; undefined at entry if nothing wrote it.
  Value *current(unsigned Register) {
    if (Current[Register])
      return Current[Register];
    Value *&U = Undefined[Register];
    if (!U)
      U = newValue(Register, nullptr);
    return U;
  }
  void define(unsigned Register, Value *V) {
    Undo.emplace_back(Register, Current[Register]);
    Current[Register] = V;
  }
  Instruction *newPseudo(Instruction::Pseudo Which, unsigned Register, Block *B,
                         unsigned NumUses) {
    auto *I = new (G.Memory->Arena.Allocate<Instruction>()) Instruction;
    I->PseudoKind = Which;
    I->Class = OpClass::Move;
    I->Parent = B;
    I->Line = B->Line;
    Value *V = newValue(Register, I);
    I->Defs = G.Memory->copy<Value *>(V);
    I->Uses = {G.Memory->Arena.Allocate<Value *>(NumUses), NumUses};
    std::fill(I->Uses.begin(), I->Uses.end(), nullptr);
    return I;
  }

  InstructionGraph &G;
  const DominatorTree &DT;
  BlocksOfRegister Defs;        ///< blocks that write the register
  BlocksOfRegister Exposed;     ///< blocks that read it before they write it
  std::vector<Value *> Current; ///< by register, during renaming
  llvm::DenseMap<unsigned, Value *> Undefined; ///< what is read unwritten
  std::vector<std::pair<unsigned, Value *>> Undo;
  std::vector<Value *> Made; ///< all values; number() hands them to the graph
  /// For each block and successor: this edge's place among the successor's
  /// predecessors.
  std::vector<SmallVector<unsigned, 2>> EdgeIndex;
};

void SSAConstruction::collect() {
  // The number of the block that last wrote (read) the register, plus one.
  std::vector<unsigned> WrittenIn(G.Registers.size()),
      ReadIn(G.Registers.size());
  SmallVector<unsigned, 8> Written;
  for (Block *B : G.Blocks) {
    unsigned Stamp = B->Number + 1;
    auto Read = [&](unsigned R) {
      if (WrittenIn[R] != Stamp && ReadIn[R] != Stamp) {
        ReadIn[R] = Stamp;
        Exposed.add(R, B);
      }
    };
    auto Write = [&](unsigned R) {
      if (WrittenIn[R] != Stamp) {
        WrittenIn[R] = Stamp;
        Defs.add(R, B);
      }
    };
    for (Instruction *I : B->Instructions) {
      Written.clear();
      auto Visit = [&](Operand &O, OperandRole Role) {
        // Under a guard the former value may remain.
        if (isRead(Role) || (I->HasGuard && !I->GuardIsOfReads))
          Read(O.RegisterIndex);
        if (isWritten(Role))
          Written.push_back(O.RegisterIndex);
      };
      forEachRegister(*I, Visit);
      llvm::for_each(Written, Write); // once all is read
    }
  }
  Defs.finish();
  Exposed.finish();

  EdgeIndex.resize(G.Blocks.size());
  std::vector<unsigned> Next(G.Blocks.size());
  for (Block *B : G.Blocks)
    for (Block *S : B->Successors)
      EdgeIndex[B->Number].push_back(Next[S->Number]++);
}

void SSAConstruction::placePhis() {
  PhiPlacement Places(G, [&](const Block *B) {
    const auto *Parent = DT.getNode(B)->getIDom();
    return Parent ? Parent->getBlock() : nullptr;
  });
  std::vector<SmallVector<Instruction *, 4>> Phis(G.Blocks.size());
  for (unsigned R = 0; R != G.Registers.size(); ++R) {
    ArrayRef<Block *> D = Defs.of(R), U = Exposed.of(R);
    if (D.empty() || U.empty())
      continue;
    // The common case: one writer, in front of every reader.
    if (D.size() == 1 && llvm::all_of(U, [&](Block *B) {
          return B != D.front() && DT.dominates(D.front(), B);
        }))
      continue;
    for (Block *B : Places.compute(D, U))
      Phis[B->Number].push_back(newPseudo(Instruction::Pseudo::Phi, R, B,
                                          unsigned(B->Predecessors.size())));
  }
  for (Block *B : G.Blocks)
    B->Instructions.insert(B->Instructions.begin(), Phis[B->Number].begin(),
                           Phis[B->Number].end());
}

void SSAConstruction::renameBlock(Block *B) {
  std::vector<Instruction *> Out;
  Out.reserve(B->Instructions.size());
  SmallVector<Value *, 8> Uses, NewDefs;
  for (Instruction *I : B->Instructions) {
    Out.push_back(I);
    if (I->isPhi()) {
      define(I->Defs[0]->Register, I->Defs[0]);
      continue;
    }
    Uses.clear(), NewDefs.clear();
    const Value *Guard =
        I->HasGuard ? current(I->Operands.back().RegisterIndex) : nullptr;
    auto Visit = [&](Operand &O, OperandRole Role) {
      const unsigned Register = O.RegisterIndex;
      if (isRead(Role)) {
        Value *V = current(Register);
        // What was written under the same guard is there if this is executed.
        while (Guard && V->Def && V->Def->isSelect() &&
               V->Def->Uses[0] == Guard &&
               V->Def->GuardNegated == I->GuardNegated)
          V = V->Def->Uses[1];
        Uses.push_back(V);
        (Role == OperandRole::ReadWrite ? O.In : O.Val) = V;
      }
      if (isWritten(Role)) {
        O.Val = newValue(Register, I);
        NewDefs.push_back(O.Val);
      }
    };
    forEachRegister(*I, Visit);
    if (I->HasGuard) {
      I->Operands = I->Operands.drop_back();
      I->Guard = Uses.back();
    }
    if (I->GuardIsOfReads) { // and it has been read
      Uses.pop_back();
      I->Guard = nullptr;
      I->HasGuard = I->GuardNegated = I->GuardIsOfReads = false;
    }
    I->Uses = G.Memory->copy<Value *>(Uses);
    I->Defs = G.Memory->copy<Value *>(NewDefs);
    for (Value *V : NewDefs) {
      if (!I->HasGuard) {
        define(V->Register, V);
        continue;
      }
      Instruction *S =
          newPseudo(Instruction::Pseudo::Select, V->Register, B, 3);
      S->Uses[0] = I->Guard;
      S->Uses[1] = V;
      S->Uses[2] = current(V->Register);
      S->GuardNegated = I->GuardNegated;
      S->Line = I->Line;
      S->Source = I->Source;
      Out.push_back(S);
      define(V->Register, S->Defs[0]);
    }
  }
  // A terminator that writes under a guard does not exist; a pseudo
  // instruction behind one would no longer be the block's end.
  assert((!B->terminator() || Out.back()->IsTerminator) &&
         "a terminator that writes a register");
  B->Instructions = std::move(Out);
  for (auto [S, Edge] : llvm::zip(B->Successors, EdgeIndex[B->Number]))
    for (Instruction &Phi : S->phis())
      Phi.Uses[Edge] = current(Phi.Defs[0]->Register);
}

void SSAConstruction::rename() {
  struct Frame {
    const llvm::DomTreeNodeBase<Block> *Node;
    llvm::DomTreeNodeBase<Block>::const_iterator Child;
    size_t UndoMark;
  };
  SmallVector<Frame, 32> Stack;
  auto Enter = [&](const llvm::DomTreeNodeBase<Block> *N) {
    Stack.push_back({N, N->begin(), Undo.size()});
    renameBlock(N->getBlock());
  };
  Enter(DT.getRootNode());
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    if (Top.Child != Top.Node->end()) {
      Enter(*Top.Child++);
      continue;
    }
    for (; Undo.size() != Top.UndoMark; Undo.pop_back())
      Current[Undo.back().first] = Undo.back().second;
    Stack.pop_back();
  }
}

/// Whether it is from \p I that a kernel is known to have shared memory.
static bool namesShared(const Instruction &I) {
  return llvm::any_of(I.Operands, [](const Operand &O) {
    return O.Kind == Operand::KindTy::Variable &&
           O.Var->Space == AddressSpace::Shared;
  });
}

/// Leaves out operations that count for nothing and whose results nothing
/// reads. Phis and selects go with them.
void SSAConstruction::dropUnread() {
  bool Any = false;
  SmallVector<Instruction *, 32> Work;
  // Their numbers are not given yet: until then they mark what is kept.
  constexpr unsigned Kept = 1;
  for (const Block *B : G.Blocks)
    for (Instruction *I : B->Instructions)
      Any |= I->IsUncounted;
  if (!Any)
    return;
  auto Keep = [&](Instruction *I) {
    if (std::exchange(I->Id, Kept) != Kept)
      Work.push_back(I);
  };
  for (const Block *B : G.Blocks)
    for (Instruction *I : B->Instructions)
      if (!I->isPseudo() && (!I->IsUncounted || I->IsTerminator ||
                             !I->Effects.empty() || namesShared(*I)))
        Keep(I);
  while (!Work.empty())
    for (const Value *V : Work.pop_back_val()->Uses)
      if (V->Def)
        Keep(V->Def);
  for (Block *B : G.Blocks)
    llvm::erase_if(B->Instructions,
                   [&](const Instruction *I) { return I->Id != Kept; });
  llvm::erase_if(Made,
                 [&](const Value *V) { return V->Def && V->Def->Id != Kept; });
}

void SSAConstruction::number() {
  std::vector<unsigned> Versions(G.Registers.size());
  std::vector<Value *> Order;
  Order.reserve(Made.size());
  for (Value *V : Made)
    if (!V->Def)
      Order.push_back(V);
  for (Block *B : G.Blocks)
    for (Instruction *I : B->Instructions) {
      I->Id = G.NumInstructions++;
      Order.insert(Order.end(), I->Defs.begin(), I->Defs.end());
    }
  assert(Order.size() == Made.size() && "a value without a place");
  G.Values.reserve(Order.size());
  for (Value *V : Order) {
    V->Id = unsigned(G.Values.size());
    V->Version = Versions[V->Register]++;
    G.Values.push_back(V);
  }
  listUsers();
}

/// All lists lie behind one another.
void SSAConstruction::listUsers() {
  auto ForEachUse = [&](auto Do) {
    for (const Block *B : G.Blocks)
      for (Instruction *I : B->Instructions)
        for (Value *U : I->Uses)
          Do(*U, I);
  };
  std::vector<unsigned> Count(G.Values.size());
  size_t All = 0;
  ForEachUse([&](const Value &V, const Instruction *) {
    ++Count[V.Id];
    ++All;
  });
  auto *Place = G.Memory->Arena.Allocate<Instruction *>(All);
  for (Value *V : G.Values) {
    const unsigned N = std::exchange(Count[V->Id], 0);
    V->Users = {Place, N};
    Place += N;
  }
  ForEachUse([&](Value &V, Instruction *I) { V.Users[Count[V.Id]++] = I; });
}

} // namespace

void ptxpredict::constructSSA(InstructionGraph &G,
                              ArrayRef<unsigned> Arguments) {
  SSAConstruction(G, Arguments).run();
}
