//===- LastBlock.cpp - The block that is done last ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LastBlock.h"
#include "ptxpredict/Graph/PTXInstruction.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;

static bool has(const Instruction &I, StringRef Modifier) {
  return ptx::hasModifier(I.Modifiers, Modifier);
}

/// What \p V comes from, moves and conversions left out.
static const Instruction *sourceOf(const Value *V) {
  constexpr unsigned MaxMoves = 8;
  const Instruction *I = V ? V->Def : nullptr;
  for (unsigned N = 0; I && !I->isPseudo() && N != MaxMoves; ++N) {
    const auto Op = Opcode(I->Opcode);
    if ((Op != Opcode::Mov && Op != Opcode::Cvt) || I->Uses.size() != 1)
      return I;
    I = I->Uses[0]->Def;
  }
  return nullptr;
}

/// A number that each block takes once.
static bool isTicket(const Instruction *I) {
  return I && Opcode(I->Opcode) == Opcode::Atom && I->Effects.size() == 1 &&
         I->Effects[0].Space == AddressSpace::Global &&
         (has(*I, "inc") || has(*I, "add"));
}

/// Whether \p O is made of the grid's extent.
static bool isOfGrid(const Operand &O) {
  constexpr size_t MaxInstructions = 16;
  SmallVector<const Value *, 8> Work;
  if (O.Kind == Operand::KindTy::Register)
    Work.push_back(O.Val);
  for (size_t N = 0; N != Work.size() && N != MaxInstructions; ++N) {
    const Instruction *I = Work[N]->Def;
    if (!I || I->isPseudo() || !I->Effects.empty())
      continue;
    if (llvm::any_of(I->Operands, [](const Operand &Read) {
          return Read.Kind == Operand::KindTy::Special &&
                 Read.Name.starts_with("%nctaid");
        }))
      return true;
    Work.append(I->Uses.begin(), I->Uses.end());
  }
  return false;
}

static bool isInteger(const Operand &O, int64_t V) {
  return O.Kind == Operand::KindTy::Integer && O.integer() == V;
}

/// The variable of shared memory that \p I loads or stores all alone.
static const Variable *sharedVariable(const Instruction &I, Opcode Op) {
  if (I.isPseudo() || Opcode(I.Opcode) != Op || I.Effects.size() != 1 ||
      I.Effects[0].Space != AddressSpace::Shared)
    return nullptr;
  const Operand &At = I.Operands[I.Effects[0].AddressOperand];
  if (At.Kind != Operand::KindTy::Address || At.Elements.size() != 1 ||
      At.Elements[0].Kind != Operand::KindTy::Variable)
    return nullptr;
  return At.Elements[0].Var;
}

/// The only store to \p Var.
static const Instruction *onlyStore(const InstructionGraph &G,
                                    const Variable *Var) {
  const Instruction *Found = nullptr;
  bool IsOne = true;
  G.forEachInstruction([&](const Instruction &I) {
    if (sharedVariable(I, Opcode::St) != Var)
      return;
    IsOne &= !Found;
    Found = &I;
  });
  return IsOne ? Found : nullptr;
}

static std::optional<bool> isOfLast(const Instruction *I, bool MayHandOver);

/// What a number that is 0 or another one says.
static std::optional<bool> isFlagOfLast(const Instruction *I,
                                        bool MayHandOver) {
  if (!I)
    return std::nullopt;
  if (Opcode(I->Opcode) == Opcode::Selp && I->Operands.size() == 4 &&
      I->Operands[3].Kind == Operand::KindTy::Register) {
    const bool IsPlain =
        isInteger(I->Operands[1], 1) && isInteger(I->Operands[2], 0);
    const bool IsOpposite =
        isInteger(I->Operands[1], 0) && isInteger(I->Operands[2], 1);
    std::optional<bool> Of =
        isOfLast(sourceOf(I->Operands[3].Val), MayHandOver);
    if (!Of || IsPlain == IsOpposite)
      return std::nullopt;
    return *Of == IsPlain;
  }
  const Variable *Var = sharedVariable(*I, Opcode::Ld);
  if (!Var || !MayHandOver)
    return std::nullopt;
  const Instruction *Store = onlyStore(*I->Parent->Parent, Var);
  if (!Store || Store->Operands.back().Kind != Operand::KindTy::Register)
    return std::nullopt;
  return isFlagOfLast(sourceOf(Store->Operands.back().Val), false);
}

/// The same of a predicate.
static std::optional<bool> isOfLast(const Instruction *I, bool MayHandOver) {
  if (!I || Opcode(I->Opcode) != Opcode::Setp ||
      !(has(*I, "eq") || has(*I, "ne")) || I->Operands.size() != 3)
    return std::nullopt;
  const bool IsEqual = has(*I, "eq");
  for (unsigned N : {1, 2}) {
    const Operand &O = I->Operands[N];
    if (O.Kind != Operand::KindTy::Register)
      continue;
    const Instruction *From = sourceOf(O.Val);
    if (isTicket(From) && isOfGrid(I->Operands[3 - N]))
      return IsEqual;
    if (isInteger(I->Operands[3 - N], 0))
      if (std::optional<bool> Flag = isFlagOfLast(From, MayHandOver))
        return *Flag != IsEqual;
  }
  return std::nullopt;
}

std::optional<bool> counting::isOfLastBlock(const Instruction &Branch) {
  if (!Branch.IsTerminator || !Branch.Guard)
    return std::nullopt;
  std::optional<bool> Of = isOfLast(sourceOf(Branch.Guard), true);
  if (!Of)
    return std::nullopt;
  return *Of != Branch.GuardNegated;
}
