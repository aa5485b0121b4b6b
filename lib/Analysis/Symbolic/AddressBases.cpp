//===- AddressBases.cpp - What an address is counted from -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AddressBases.h"
#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Ref = const Expression *;

/// Parameters that are used as addresses are aligned, by the premise.
static bool isPointer(const Expression &S) {
  return S.isSymbol(Symbol::KindTy::Address) || S.Sym->Align >= 16;
}

const Symbol *counting::findBase(const Expression &Address) {
  auto IsPlace = [&](Ref S) {
    return S->Width == Address.Width &&
           (S->isSymbol(Symbol::KindTy::Parameter) ||
            S->isSymbol(Symbol::KindTy::Address));
  };
  if (Address.isSymbol())
    return IsPlace(&Address) ? Address.Sym : nullptr;
  if (Address.Kind != Expression::KindTy::Sum)
    return nullptr;
  const bool HasOne = llvm::count_if(Address.Symbols, IsPlace) == 1;
  auto IsBase = [&](Ref S) { return IsPlace(S) && (HasOne || isPointer(*S)); };
  if (llvm::count_if(Address.Symbols, IsBase) != 1)
    return nullptr;
  for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients))
    if (IsBase(O) && C == 1)
      return O->Sym;
  return nullptr;
}

AddressSpace counting::resolveSpace(const Expression &Address) {
  std::optional<AddressSpace> Found;
  auto Note = [&](AddressSpace S) {
    Found = Found.value_or(S) == S ? S : AddressSpace::Generic;
  };
  for (Ref S : Address.Symbols)
    if (S->Width == 64 && S->isSymbol(Symbol::KindTy::Parameter) &&
        isPointer(*S))
      Note(AddressSpace::Global); // a buffer
    else if (S->isSymbol(Symbol::KindTy::Address) && S->Sym->Var)
      Note(S->Sym->Var->Space);
  return Found.value_or(AddressSpace::Generic);
}

const void *ArrayNames::of(const Symbol &Base) {
  if (Base.Var)
    return Base.Var;
  const void *Name = nullptr;
  for (const auto &[_, Map] : Launch.Maps)
    if (Base.Context == &Map)
      return Buffers.try_emplace(Map.Buffer, &Base).first->second;
  Launch.forEachPointer(Kernel.Parameters, [&](unsigned Index, uint64_t Offset,
                                               const ArgumentValue &A) {
    const Parameter &P = Kernel.Parameters[Index];
    if (!Name && Base.Context == &P && Base.Number == P.Offset + Offset)
      Name = Buffers.try_emplace(A.Buffer, &Base).first->second;
  });
  return Name ? Name : &Base;
}
