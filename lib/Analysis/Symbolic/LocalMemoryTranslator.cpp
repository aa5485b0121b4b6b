//===- LocalMemoryTranslator.cpp - Local variables in slots ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LocalMemoryTranslator.h"

using namespace ptxpredict;
using ptx::Opcode;
using Ref = const Expression *;

bool LocalMemoryTranslator::access(const InstructionView &View) {
  const Instruction &I = View.instruction();
  ArrayRef<Mem2Reg::Element> Elements = Values.slots()->elements(I);
  if (Elements.empty())
    return false;
  bool IsStore = I.Effects[0].Access == AccessKind::Store;
  const Operand &Data = I.Operands[IsStore ? 1 : 0];
  ScalarType T = *View.type();
  for (size_t N = 0; N != Elements.size(); ++N) {
    const Operand &O =
        Data.Kind == Operand::KindTy::Vector ? Data.Elements[N] : Data;
    auto [Before, After] = Elements[N];
    Ref Old = Before ? Values.read(Before, I.Parent) : nullptr;
    if (!IsStore) {
      Values.define(O, Old, kindOf(T) == TypeKind::Signed);
      continue;
    }
    if (!After)
      continue;
    Ref New = View.operand(O, bitWidth(T));
    if (New && New->Width != 1)
      New = E.resize(New, bitWidth(T), false);
    bool IsUndefined = Before && PartialValues::isUndefined(*Before);
    if (New && I.Guard && !IsUndefined)
      New = Old ? E.select(Values.guard(I), New, Old) : nullptr;
    Values.set(After, New);
  }
  return Values.areAllFound(I.Defs);
}

/// A local variable's address; each call has its own.
static bool isLocalAddress(Ref S) {
  return S->isSymbol(Symbol::KindTy::Address) && S->Sym->Context;
}

bool LocalMemoryTranslator::mayBeLocal(Ref Address) const {
  if (!Address)
    return true;
  for (Ref S : Address->Symbols) {
    const Instruction *Made = S->Sym->From;
    if (isLocalAddress(S) ||
        (Made && !Made->isPseudo() && Opcode(Made->Opcode) == Opcode::Alloca))
      return true;
  }
  if (!Values.mayHaveLocals())
    return false;
  // Not behind what a kernel was given, or behind another variable.
  bool IsElsewhere = false;
  auto LookAt = [&](Ref Base) {
    if (Base->isSymbol(Symbol::KindTy::Opaque))
      return false;
    IsElsewhere |= Base->isSymbol(Symbol::KindTy::Parameter) ||
                   Base->isSymbol(Symbol::KindTy::Address);
    return true;
  };
  if (Address->Kind != Expression::KindTy::Sum)
    return !LookAt(Address) || !IsElsewhere;
  for (size_t N = 0; N != Address->Operands.size(); ++N)
    if (Address->Coefficients[N] == 1 && !LookAt(Address->Operands[N]))
      return true;
  return !IsElsewhere;
}

/// Functions of the CUDA run time, of which PTX has no code and which write to
/// no memory of the caller (PTX Writer's Guide to Interoperability, "System
/// Calls").
static bool isSystemCall(const Instruction &Call) {
  return llvm::any_of(Call.Operands, [](const Operand &O) {
    return O.Kind == Operand::KindTy::Function &&
           (O.Name == "vprintf" || O.Name == "malloc" || O.Name == "free" ||
            O.Name == "__assertfail");
  });
}

/// The bytes that a write of \p Bytes per lane (0: not known) reaches; anywhere
/// unless the address is a local variable's plus an offset.
LocalWrite LocalMemoryTranslator::writeAt(Ref Address, unsigned Bytes) const {
  LocalWrite W;
  unsigned NumVariables = 0;
  if (Address && Bytes)
    for (Ref S : Address->Symbols)
      if (isLocalAddress(S))
        W.Variable = S, ++NumVariables;
  bool IsOne = NumVariables == 1 && W.Variable->Width == Address->Width;
  Ref Offset = IsOne ? E.sub(Address, W.Variable) : nullptr;
  if (!Offset || Offset->dependsOn(W.Variable))
    return LocalWrite();
  W.Low = Offset->Facts.SMin;
  if (__builtin_add_overflow(Offset->Facts.SMax, int64_t(Bytes), &W.High))
    W.High = INT64_MAX;
  return W;
}

/// The local memory that \p I may write, as far as its addresses say.
void LocalMemoryTranslator::addWrites(const Instruction &I,
                                      SmallVectorImpl<LocalWrite> &To) const {
  if (I.IsCall) {
    if (const std::vector<LocalWrite> *Writes = Calls.localWrites(I))
      To.append(Writes->begin(), Writes->end());
    else if (I.callee() || !isSystemCall(I))
      To.emplace_back();
    return;
  }
  if (I.IsUnknown)
    To.emplace_back();
  for (const MemoryEffect &Effect : I.Effects) {
    if (Effect.Access == AccessKind::Load ||
        Effect.Access == AccessKind::Prefetch ||
        (Effect.Space != AddressSpace::Generic &&
         Effect.Space != AddressSpace::Local))
      continue;
    Ref Address = Values.operand(I, I.Operands[Effect.AddressOperand], 64);
    if (Address && Effect.Space == AddressSpace::Generic &&
        !mayBeLocal(Address))
      continue;
    To.push_back(writeAt(Address, Effect.BytesPerLane));
  }
}

void LocalMemoryTranslator::clobber(const Instruction &I) {
  if (!Values.slots())
    return;
  ArrayRef<Mem2Reg::Clobber> Clobbers = Values.slots()->clobbers(I);
  if (Clobbers.empty())
    return;
  SmallVector<LocalWrite, 4> Writes;
  addWrites(I, Writes);
  for (const Mem2Reg::Clobber &C : Clobbers) {
    bool IsWritten = llvm::any_of(Writes, [&](const LocalWrite &W) {
      if (!W.Variable)
        return true;
      const Symbol &S = *W.Variable->Sym;
      return S.Context == &Values.result() &&
             S.Number == reinterpret_cast<uintptr_t>(C.Var) &&
             W.Low < int64_t(C.Offset + C.Bytes) && W.High > int64_t(C.Offset);
    });
    Values.set(C.After, IsWritten ? nullptr : Values.read(C.Before, I.Parent));
  }
}

std::vector<LocalWrite> LocalMemoryTranslator::writesOutside() const {
  constexpr size_t MaxWrites = 32;
  SmallVector<LocalWrite, 8> Writes;
  for (const Block *B : Values.graph().Blocks)
    for (const Instruction *I : B->Instructions) {
      if (I->isPseudo())
        continue;
      addWrites(*I, Writes);
      llvm::erase_if(Writes, [&](const LocalWrite &W) {
        return W.Variable && W.Variable->Sym->Context == &Values.result();
      });
      if (Writes.size() > MaxWrites)
        return {LocalWrite()};
    }
  return {Writes.begin(), Writes.end()};
}
