//===- Mem2RegPointers.cpp - Where addresses of local variables go --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mem2RegImpl.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;

void Mem2Reg::Builder::followPointers() {
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      auto Find = [&](const Operand &O) {
        if (O.Kind != Operand::KindTy::Variable)
          return;
        if (auto It = IndexOf.find(O.Var); It != IndexOf.end())
          use(*I, O, {It->second, 0});
      };
      forEachOperand(I->Operands, Find);
    }
  while (!Work.empty()) {
    const Value *V = Work.back();
    Work.pop_back();
    Pointer P = Pointers[V];
    const Instruction *Last = nullptr;
    for (const Instruction *User : V->Users) {
      if (User == Last) // another use of the same one
        continue;
      Last = User;
      if (User->isPseudo()) {
        Variables[P.Variable].Escapes = true;
        continue;
      }
      auto Find = [&](const Operand &O) {
        if (O.Kind == Operand::KindTy::Register && (O.Val == V || O.In == V))
          use(*User, O, P);
      };
      forEachOperand(User->Operands, Find);
    }
  }
}

/// \p I reads \p P as its operand \p O.
void Mem2Reg::Builder::use(const Instruction &I, const Operand &O, Pointer P) {
  bool &Escapes = Variables[P.Variable].Escapes;
  Opcode Op = Opcode(I.Opcode);
  if (I.IsCall || I.IsUnknown || O.Role == OperandRole::ReadWrite) {
    Escapes = true;
    return;
  }
  if (!I.Effects.empty()) {
    // As the address of a plain access, or else as what is stored.
    const Operand &Address = I.Operands[I.Effects[0].AddressOperand];
    if ((Op == Opcode::Ld || Op == Opcode::St) && I.Effects.size() == 1 &&
        Address.Elements.size() == 1 && &O == Address.Elements.data())
      access(I, P);
    else
      Escapes = true;
    return;
  }
  ArrayRef<Operand> Operands = I.Operands;
  bool IsFirst = Operands.size() > 1 && &O == &Operands[1];
  switch (Op) {
  case Opcode::Mov:
    if (!IsFirst)
      break;
    return result(I, P);
  case Opcode::Cvta: {
    // Not as an address of another space.
    bool IsLocal = ptx::hasModifier(I.Modifiers, "local");
    if (!IsFirst || !IsLocal)
      break;
    return result(I, P);
  }
  case Opcode::Add:
  case Opcode::Sub: {
    if (Operands.size() != 3 || ptx::hasModifier(I.Modifiers, "cc") ||
        ptx::hasModifier(I.Modifiers, "sat"))
      break;
    const Operand &Other = Operands[IsFirst ? 2 : 1];
    int64_t By = Other.integer();
    if (Op == Opcode::Sub)
      By = -By;
    if (Other.Kind != Operand::KindTy::Integer || !P.Offset ||
        (Op == Opcode::Sub && !IsFirst) ||
        __builtin_add_overflow(*P.Offset, By, &*P.Offset))
      P.Offset.reset();
    return result(I, P);
  }
  case Opcode::Setp: // says nothing of the contents
    return;
  default:
    break;
  }
  Escapes = true;
}

/// \p I makes another pointer.
void Mem2Reg::Builder::result(const Instruction &I, Pointer P) {
  // One of two pointers, or cut into parts.
  if (I.Defs.size() != 1 || bitWidth(I.Defs[0]->Type) < 32 ||
      I.Operands[0].Kind != Operand::KindTy::Register ||
      !Pointers.try_emplace(I.Defs[0], P).second) {
    Variables[P.Variable].Escapes = true;
    if (!I.Defs.empty())
      if (auto It = Pointers.find(I.Defs[0]); It != Pointers.end())
        Variables[It->second.Variable].Escapes = true;
    return;
  }
  Work.push_back(I.Defs[0]);
}

/// A load or store of \p P.
void Mem2Reg::Builder::access(const Instruction &I, Pointer P) {
  State &V = Variables[P.Variable];
  const MemoryEffect &Effect = I.Effects[0];
  const Operand &Address = I.Operands[Effect.AddressOperand];
  bool IsStore = Effect.Access == AccessKind::Store;
  const Operand &Data = I.Operands[IsStore ? 1 : 0];
  size_t Dot = I.Modifiers.rfind('.');
  std::optional<ScalarType> T =
      parseScalarType(I.Modifiers.drop_front(Dot + 1));
  if ((Effect.Space != AddressSpace::Local &&
       Effect.Space != AddressSpace::Generic) ||
      !T) {
    V.IsLost = true;
    return;
  }
  if (!P.Offset) {
    if (IsStore)
      Clobbers.emplace_back(&I, P.Variable);
    return;
  }
  unsigned Count =
      Data.Kind == Operand::KindTy::Vector ? unsigned(Data.Elements.size()) : 1;
  unsigned Bytes = (bitWidth(*T) + 7) / 8;
  int64_t Offset;
  if (__builtin_add_overflow(*P.Offset, Address.integer(), &Offset) ||
      Offset < 0 || uint64_t(Offset) > V.Var->Bytes ||
      V.Var->Bytes - uint64_t(Offset) < uint64_t(Count) * Bytes) {
    V.IsLost = true; // beyond its ends
    return;
  }
  for (unsigned N = 0; N != Count; ++N)
    Pieces.push_back({&I, N, P.Variable, Offset + int64_t(N) * Bytes, Bytes});
}

/// What may write a variable whose address is known elsewhere.
void Mem2Reg::Builder::findClobbers() {
  SmallVector<unsigned, 4> Escaped;
  for (unsigned N = 0; N != Variables.size(); ++N)
    if (Variables[N].Escapes && !Variables[N].IsLost)
      Escaped.push_back(N);
  if (!Escaped.empty())
    G.forEachInstruction([&](const Instruction &I) {
      bool Writes = I.IsCall || I.IsUnknown;
      for (const MemoryEffect &E : I.Effects)
        Writes |= E.Access != AccessKind::Load &&
                  E.Access != AccessKind::Prefetch &&
                  (E.Space == AddressSpace::Generic ||
                   E.Space == AddressSpace::Local);
      if (!Writes)
        return;
      // A store through a pointer that was followed writes there alone.
      const Operand *Base = nullptr;
      if (!I.IsCall && Opcode(I.Opcode) == Opcode::St &&
          I.Effects.size() == 1) {
        const Operand &Address = I.Operands[I.Effects[0].AddressOperand];
        if (Address.Elements.size() == 1)
          Base = Address.Elements.data();
      }
      if (Base && (Base->Kind == Operand::KindTy::Variable ||
                   (Base->Kind == Operand::KindTy::Register &&
                    Pointers.count(Base->Val))))
        return;
      for (unsigned N : Escaped)
        Clobbers.emplace_back(&I, N);
    });
  for (const auto &C : Clobbers)
    ++Variables[C.second].NumClobbers;
}
