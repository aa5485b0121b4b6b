//===- SymbolicValuesLocals.cpp - Local memory ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "SymbolicValuesImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

/// A load or store of slots of local variables. True if all that it defines
/// has got a value.
bool ValueBuilder::accessLocal(const Instruction &At) {
  ArrayRef<Mem2Reg::Element> Elements = Out.Locals->elements(At);
  if (Elements.empty())
    return false;
  bool IsStore = At.Effects[0].Access == AccessKind::Store;
  const Operand &Data = At.Operands[IsStore ? 1 : 0];
  std::optional<ScalarType> T = parseScalarType(Modifiers.back());
  unsigned Bits = bitWidth(*T);
  for (size_t N = 0; N != Elements.size(); ++N) {
    const Operand &O =
        Data.Kind == Operand::KindTy::Vector ? Data.Elements[N] : Data;
    auto [Before, After] = Elements[N];
    Ref Old = Before ? read(Before, At.Parent) : nullptr;
    if (!IsStore) {
      define(O, Old, kindOf(*T) == TypeKind::Signed);
      continue;
    }
    if (!After)
      continue;
    Ref New = Out.of(At, O, Bits);
    if (New && New->Width != 1)
      New = E.resize(New, Bits, false);
    bool IsUndefined = Before && !Before->Def && !Before->IsArgument;
    if (New && At.Guard && !IsUndefined)
      New = Old ? E.select(Out.guard(At), New, Old) : nullptr;
    Out.ByValue[After->Id] = New;
  }
  return llvm::all_of(At.Defs,
                      [&](const Value *D) { return Out.ByValue[D->Id]; });
}

/// Whether a generic address may be one of local memory, where each lane has
/// its own contents.
bool ValueBuilder::mayBeLocal(Ref Place) const {
  if (!Place)
    return true;
  for (Ref S : Place->Symbols) {
    const Instruction *Made = S->Sym->From;
    if ((S->isSymbol(Symbol::KindTy::Address) && S->Sym->Context) ||
        (Made && !Made->isPseudo() && Opcode(Made->Opcode) == Opcode::Alloca))
      return true;
  }
  if (!Out.MayHaveLocals)
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
  if (Place->Kind != Kind::Sum)
    return !LookAt(Place) || !IsElsewhere;
  for (size_t N = 0; N != Place->Operands.size(); ++N)
    if (Place->Coefficients[N] == 1 && !LookAt(Place->Operands[N]))
      return true;
  return !IsElsewhere;
}

/// A local variable's address; each call has its own.
static bool isLocalAddress(Ref S) {
  return S->isSymbol(Symbol::KindTy::Address) && S->Sym->Context;
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

/// The local memory that \p At may write, as far as its addresses say.
void ValueBuilder::addWrites(
    const Instruction &At,
    SmallVectorImpl<SymbolicValues::LocalWrite> &To) const {
  if (At.IsCall) {
    const InstructionGraph *F = At.callee();
    if (const SymbolicValues *V = Out.callee(At))
      To.append(V->LocalWrites.begin(), V->LocalWrites.end());
    else if (F || !isSystemCall(At))
      To.emplace_back();
    return;
  }
  if (At.IsUnknown)
    To.emplace_back();
  for (const MemoryEffect &Effect : At.Effects) {
    if (Effect.Access == AccessKind::Load ||
        Effect.Access == AccessKind::Prefetch ||
        (Effect.Space != AddressSpace::Generic &&
         Effect.Space != AddressSpace::Local))
      continue;
    Ref Place = Out.of(At, At.Operands[Effect.AddressOperand], 64);
    if (Place && Effect.Space == AddressSpace::Generic && !mayBeLocal(Place))
      continue;
    SymbolicValues::LocalWrite W;
    unsigned NumVariables = 0;
    if (Place && Effect.BytesPerLane)
      for (Ref S : Place->Symbols)
        if (isLocalAddress(S))
          W.Variable = S, ++NumVariables;
    bool IsOne = NumVariables == 1 && W.Variable->Width == Place->Width;
    Ref Offset = IsOne ? E.sub(Place, W.Variable) : nullptr;
    if (Offset && !Offset->dependsOn(W.Variable)) {
      W.Low = Offset->Facts.SMin;
      if (__builtin_add_overflow(Offset->Facts.SMax,
                                 int64_t(Effect.BytesPerLane), &W.High))
        W.High = INT64_MAX;
    } else {
      W.Variable = nullptr;
    }
    To.push_back(W);
  }
}

/// What slots hold behind an instruction that may write some of them.
void ValueBuilder::clobberLocals(const Instruction &At) {
  if (!Out.Locals)
    return;
  ArrayRef<Mem2Reg::Clobber> Clobbers = Out.Locals->clobbers(At);
  if (Clobbers.empty())
    return;
  SmallVector<SymbolicValues::LocalWrite, 4> Writes;
  addWrites(At, Writes);
  for (const Mem2Reg::Clobber &C : Clobbers) {
    bool IsWritten =
        llvm::any_of(Writes, [&](const SymbolicValues::LocalWrite &W) {
          if (!W.Variable)
            return true;
          const Symbol &S = *W.Variable->Sym;
          return S.Context == &Out &&
                 S.Number == reinterpret_cast<uintptr_t>(C.Var) &&
                 W.Low < int64_t(C.Offset + C.Bytes) &&
                 W.High > int64_t(C.Offset);
        });
    Out.ByValue[C.After->Id] = IsWritten ? nullptr : read(C.Before, At.Parent);
  }
}

/// Of a called function: what it writes outside its own frame.
void ValueBuilder::noteWrites() {
  constexpr size_t MaxWrites = 32;
  SmallVector<SymbolicValues::LocalWrite, 8> Writes;
  for (const Block *B : G.Blocks)
    for (const Instruction *In : B->Instructions) {
      if (In->isPseudo())
        continue;
      addWrites(*In, Writes);
      llvm::erase_if(Writes, [&](const SymbolicValues::LocalWrite &W) {
        return W.Variable && W.Variable->Sym->Context == &Out;
      });
      if (Writes.size() > MaxWrites) {
        Out.LocalWrites.assign(1, SymbolicValues::LocalWrite());
        return;
      }
    }
  Out.LocalWrites.assign(Writes.begin(), Writes.end());
}
