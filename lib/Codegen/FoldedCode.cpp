//===- FoldedCode.cpp - Code as far as registers are concerned ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/FoldedCode.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseMap.h"

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;

namespace {

class Folder {
public:
  Folder(const InstructionGraph &G, FoldedCode &Code)
      : G(G), Code(Code), Root(G.Values.size()), NumDefs(G.Registers.size()),
        Needed(G.NumInstructions), Uniform(G.Values.size()),
        AbsorbsOffset(G.Values.size(), true),
        IsAddendOnly(G.Values.size(), true) {}

  void run();

private:
  void joinCopies();
  void joinHalves(const Instruction &I);
  void joinCopy(const Instruction &I);
  void dropDeadCode();
  void foldAddresses();
  void noteUses(const Instruction &I);
  void findUniformValues();
  bool isUniform(const Instruction &I) const;
  bool isUniform(const Operand &O) const;
  void emit();
  void emit(const Instruction &I, FoldedCode::BlockCode &Out);

  unsigned root(unsigned Id) {
    while (Root[Id] != Id)
      Id = Root[Id] = Root[Root[Id]];
    return Id;
  }
  /// The register is written once, so its value may stand for another's.
  bool isWrittenOnce(const Value &V) const { return NumDefs[V.Register] == 1; }

  const InstructionGraph &G;
  FoldedCode &Code;
  std::vector<unsigned> Root; ///< union-find by value id
  std::vector<unsigned> NumDefs;
  std::vector<bool> Needed; ///< by instruction id
  std::vector<bool> Uniform;
  /// By root: every use is an address, or a sum that is used so in turn (an
  /// addend of a 64-bit sum).
  std::vector<bool> AbsorbsOffset, IsAddendOnly;
};

/// 32-bit registers that hold a value of type \p T.
uint8_t widthOf(ScalarType T) {
  return T == ScalarType::Pred ? 0 : uint8_t((bitWidth(T) + 31) / 32);
}

bool isConstant(const Operand &O) {
  return O.Kind == Operand::KindTy::Integer ||
         O.Kind == Operand::KindTy::Float32 ||
         O.Kind == Operand::KindTy::Float64 ||
         O.Kind == Operand::KindTy::Variable ||
         O.Kind == Operand::KindTy::Parameter ||
         O.Kind == Operand::KindTy::Function;
}

/// From a fixed place of constant memory, which operands can name: a variable's
/// there, or a kernel's parameter.
bool isFixedConstantLoad(const Instruction &I) {
  if (I.Effects.size() != 1 || I.Effects[0].Access != AccessKind::Load)
    return false;
  const Operand &A = I.Operands[I.Effects[0].AddressOperand];
  if (A.Elements.empty())
    return false;
  if (I.Effects[0].Space == AddressSpace::Const)
    return A.Elements[0].Kind == Operand::KindTy::Variable;
  return I.Effects[0].Space == AddressSpace::Param &&
         I.Parent->Parent->IsKernel &&
         A.Elements[0].Kind == Operand::KindTy::Parameter;
}

/// Registers that the expansion of \p I holds besides its operands and results,
/// seen in what ptxas makes of it.
uint8_t temporaries(const Instruction &I) {
  Opcode Op = Opcode(I.Opcode);
  auto Has = [&](StringRef M) { return hasModifier(I.Modifiers, M); };
  auto IsFloat = [&] { return Has("f32") || Has("f64"); };
  switch (Op) {
  case Opcode::Div:
  case Opcode::Rem:
    if (Has("f64"))
      return 14;
    if (IsFloat())
      return Has("rn") || Has("rz") || Has("rm") || Has("rp") ? 7 : 0;
    if (Has("s64") || Has("u64"))
      return I.Operands.size() == 3 && isConstant(I.Operands[2]) ? 6 : 14;
    return I.Operands.size() == 3 && isConstant(I.Operands[2]) ? 0 : 4;
  case Opcode::Sqrt:
  case Opcode::Rcp:
    if (Has("approx"))
      return 0;
    return Has("f64") ? 12 : 4;
  case Opcode::Mul:
  case Opcode::Mad:
    return !IsFloat() && (Has("s64") || Has("u64")) ? 2 : 0;
  default:
    return 0;
  }
}

} // namespace

/// Halves of a register are operands of packed arithmetic where they lie.
void Folder::joinHalves(const Instruction &I) {
  if (I.isPseudo() || I.Guard || Opcode(I.Opcode) != Opcode::Mov ||
      I.Operands.size() != 2 || I.Operands[0].Kind != Operand::KindTy::Vector ||
      I.Operands[1].Kind != Operand::KindTy::Register ||
      bitWidth(I.Operands[1].Val->Type) > 32)
    return;
  for (const Value *D : I.Defs)
    if (isWrittenOnce(*D))
      Root[D->Id] = I.Operands[1].Val->Id;
}

void Folder::joinCopy(const Instruction &I) {
  Opcode Op = Opcode(I.Opcode);
  if (I.isPseudo() || I.Guard || I.Defs.size() != 1 ||
      !isWrittenOnce(*I.Defs[0]))
    return;
  unsigned Def = I.Defs[0]->Id;
  if (isFixedConstantLoad(I)) {
    Code.Width[Def] = 0;
    Uniform[Def] = true;
    return;
  }
  if (I.Operands.size() != 2 ||
      (Op != Opcode::Mov && Op != Opcode::Cvta && Op != Opcode::Cvt))
    return;
  const Operand &From = I.Operands[1];
  if (isConstant(From) && Op != Opcode::Cvt) {
    Code.Width[Def] = 0;
    Uniform[Def] = true;
  }
  if (From.Kind != Operand::KindTy::Register)
    return;
  // A zero-extended value is its lower half.
  bool IsWidening =
      hasModifier(I.Modifiers, "u64") && hasModifier(I.Modifiers, "u32");
  if (Op == Opcode::Cvt && !IsWidening)
    return;
  if (Op == Opcode::Mov && widthOf(From.Val->Type) != Code.Width[Def])
    return;
  Root[Def] = From.Val->Id;
}

void Folder::joinCopies() {
  for (const auto &V : G.Values) {
    Root[V->Id] = V->Id;
    Code.Width[V->Id] = V->Def || V->IsArgument ? widthOf(V->Type) : 0;
    if (V->Def || V->IsArgument)
      ++NumDefs[V->Register];
  }
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      joinHalves(*I);
      joinCopy(*I);
    }
  // What is written under a guard goes into the register of the old value.
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (I->isSelect())
        Root[I->Uses[1]->Id] = I->Defs[0]->Id;
}

void Folder::dropDeadCode() {
  SmallVector<const Instruction *, 32> Work;
  auto Need = [&](const Instruction *I) {
    if (I && !Needed[I->Id]) {
      Needed[I->Id] = true;
      Work.push_back(I);
    }
  };
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() &&
          (I->Defs.empty() || I->IsTerminator || I->IsCall || I->IsUnknown ||
           I->IsCrossLane || I->IsBlockBarrier ||
           llvm::any_of(I->Effects,
                        [](const MemoryEffect &E) { return E.Writes; })))
        Need(I);
  while (!Work.empty())
    for (const Value *U : Work.pop_back_val()->Uses)
      Need(U->Def);
}

/// Whether \p I adds 64-bit integers, as addresses are computed.
static bool isAddressSum(const Instruction &I) {
  return !I.isPseudo() && !I.Guard && Opcode(I.Opcode) == Opcode::Add &&
         I.Operands.size() == 3 && I.Defs.size() == 1 &&
         (hasModifier(I.Modifiers, "s64") || hasModifier(I.Modifiers, "u64") ||
          hasModifier(I.Modifiers, "b64"));
}

/// Notes what the uses in \p I mean for the values; those of its results have
/// been noted before.
void Folder::noteUses(const Instruction &I) {
  // A copy that was joined uses nothing.
  bool IsJoined = !I.isPseudo() && !I.Guard && I.Defs.size() == 1 &&
                  Root[I.Defs[0]->Id] != I.Defs[0]->Id;
  if (IsJoined)
    return;
  if (isAddressSum(I)) {
    if (!AbsorbsOffset[I.Defs[0]->Id] || !isWrittenOnce(*I.Defs[0]))
      for (const Value *U : I.Uses)
        AbsorbsOffset[root(U->Id)] = false;
    return;
  }
  SmallVector<const Value *, 2> Bases;
  for (const MemoryEffect &E : I.Effects) {
    const Operand &A = I.Operands[E.AddressOperand];
    if (!A.Elements.empty() && A.Elements[0].Kind == Operand::KindTy::Register)
      Bases.push_back(A.Elements[0].Val);
  }
  for (const Value *U : I.Uses) {
    IsAddendOnly[root(U->Id)] = false;
    auto It = llvm::find(Bases, U);
    if (It != Bases.end())
      Bases.erase(It); // a further use of it is none as an address
    else
      AbsorbsOffset[root(U->Id)] = false;
  }
}

/// Sums with a constant whose uses all take an offset become that offset:
/// addresses, and sums whose own uses do. Sums that are then the same are one.
/// Products with a constant that are only added become part of the sum.
void Folder::foldAddresses() {
  for (const Block *B : llvm::reverse(G.Blocks))
    for (const Instruction *I : llvm::reverse(B->Instructions))
      if (Needed[I->Id])
        noteUses(*I);
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> Sums;
  for (const Block *B : G.Blocks) {
    Sums.clear();
    for (const Instruction *I : B->Instructions) {
      if (!Needed[I->Id] || I->isPseudo() || I->Guard || I->Defs.size() != 1 ||
          I->Operands.size() != 3 || !isWrittenOnce(*I->Defs[0]))
        continue;
      unsigned Def = I->Defs[0]->Id;
      const Operand &A = I->Operands[1], &C = I->Operands[2];
      if (Root[Def] != Def || A.Kind != Operand::KindTy::Register)
        continue;
      Opcode Op = Opcode(I->Opcode);
      if (C.Kind == Operand::KindTy::Integer) {
        bool IsOffset =
            (Op == Opcode::Add || Op == Opcode::Sub) && AbsorbsOffset[Def];
        bool IsScaled = Op == Opcode::Mul && IsAddendOnly[Def] &&
                        hasModifier(I->Modifiers, "wide");
        if (IsOffset || IsScaled)
          Root[Def] = A.Val->Id;
      } else if (C.Kind == Operand::KindTy::Register && isAddressSum(*I) &&
                 AbsorbsOffset[Def]) {
        unsigned X = root(A.Val->Id), Y = root(C.Val->Id);
        std::pair Key(std::min(X, Y), std::max(X, Y));
        Root[Def] = Sums.try_emplace(Key, Def).first->second;
      }
    }
  }
}

bool Folder::isUniform(const Operand &O) const {
  switch (O.Kind) {
  case Operand::KindTy::Register: {
    unsigned Id = O.Val->Id;
    while (Root[Id] != Id)
      Id = Root[Id];
    return Uniform[Id];
  }
  case Operand::KindTy::Special:
    return O.Name.starts_with("%ctaid") || O.Name.starts_with("%ntid") ||
           O.Name.starts_with("%nctaid");
  case Operand::KindTy::Vector:
  case Operand::KindTy::Address:
    return false;
  default:
    return isConstant(O);
  }
}

/// Integer work on constants, parameters and block indices goes to the uniform
/// registers that sm_75 and later have.
bool Folder::isUniform(const Instruction &I) const {
  if (I.isPseudo() || I.Guard || I.Defs.size() != 1 || !I.Effects.empty() ||
      I.IsCall || I.IsCrossLane || I.IsUnknown ||
      I.Defs[0]->Type == ScalarType::Pred || !isWrittenOnce(*I.Defs[0]))
    return false;
  Opcode Op = Opcode(I.Opcode);
  if (Op == Opcode::Div || Op == Opcode::Rem)
    return false;
  bool IsInteger = I.Class == OpClass::Int || I.Class == OpClass::Logic ||
                   I.Class == OpClass::Move || I.Class == OpClass::Convert;
  if (!IsInteger || I.Modifiers.contains(".f") || I.Modifiers.contains(".bf"))
    return false;
  for (const Operand &O : I.Operands)
    if (O.Role != OperandRole::Write && !isUniform(O))
      return false;
  return true;
}

void Folder::findUniformValues() {
  // Program order is enough: a value that is only defined below counts as not
  // uniform.
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (Needed[I->Id] && isUniform(*I)) {
        Uniform[I->Defs[0]->Id] = true;
        Code.Width[I->Defs[0]->Id] = 0;
      }
}

void Folder::emit(const Instruction &I, FoldedCode::BlockCode &Out) {
  FoldedOp Op;
  Op.Source = &I;
  auto AddUse = [&](const Value *V) {
    unsigned R = root(V->Id);
    if (Code.Width[R] != 0 && !llvm::is_contained(Op.Uses, R))
      Op.Uses.push_back(R);
  };
  for (const Value *U : I.Uses)
    AddUse(U);
  for (const Value *D : I.Defs) {
    unsigned R = root(D->Id);
    bool IsOwn = R == D->Id || I.Guard;
    if (IsOwn && Code.Width[R] != 0 && !llvm::is_contained(Op.Defs, R))
      Op.Defs.push_back(R);
    if (I.Guard) // what it may leave in place
      for (const Instruction *User : D->Users)
        if (User->isSelect() && User->Uses[1] == D && Needed[User->Id])
          AddUse(User->Uses[2]);
  }
  bool Vanishes = !I.Defs.empty() && Op.Defs.empty() && I.Effects.empty() &&
                  !I.IsTerminator && !I.IsCall &&
                  I.Defs[0]->Type != ScalarType::Pred;
  if (Vanishes || isFixedConstantLoad(I))
    return;
  Op.Temporaries = temporaries(I);
  if (I.IsBlockBarrier || I.IsMemoryBarrier || I.IsAsyncWait || I.IsCall) {
    Op.Kind = FoldedOp::KindTy::Barrier;
  } else if (I.Effects.empty()) {
    bool IsPure = !I.IsTerminator && !I.IsCrossLane && !I.IsUnknown;
    Op.Kind = IsPure ? FoldedOp::KindTy::Pure : FoldedOp::KindTy::Other;
  } else {
    const MemoryEffect &E = I.Effects.front();
    bool Writes =
        llvm::any_of(I.Effects, [](const MemoryEffect &X) { return X.Writes; });
    if (Writes) {
      Op.Kind = FoldedOp::KindTy::Store;
      Op.Space = E.Space;
    } else if (E.Access == AccessKind::Load) {
      Op.Kind = FoldedOp::KindTy::Load;
      if (!hasModifier(I.Modifiers, "nc") && E.Space != AddressSpace::Texture)
        Op.Space = E.Space;
    }
  }
  Out.Ops.push_back(std::move(Op));
}

void Folder::emit() {
  Code.Blocks.resize(G.Blocks.size());
  for (const Block *B : G.Blocks) {
    FoldedCode::BlockCode &Out = Code.Blocks[B->Number];
    Out.Source = B;
    for (const Instruction *I : B->Instructions) {
      if (!Needed[I->Id] || I->isSelect())
        continue;
      if (!I->isPhi()) {
        emit(*I, Out);
        continue;
      }
      if (Code.Width[I->Defs[0]->Id] == 0)
        continue;
      FoldedPhi Phi;
      Phi.Def = I->Defs[0]->Id;
      for (const Value *U : I->Uses) {
        unsigned R = root(U->Id);
        Phi.Uses.push_back(Code.Width[R] != 0 ? R : FoldedCode::NoValue);
      }
      Out.Phis.push_back(std::move(Phi));
    }
  }
}

void Folder::run() {
  Code.Width.resize(G.Values.size());
  joinCopies();
  dropDeadCode();
  foldAddresses();
  findUniformValues();
  emit();
}

FoldedCode::FoldedCode(const InstructionGraph &G) {
  StageTimer Timer(Stage::FoldedCode);
  Folder(G, *this).run();
}
