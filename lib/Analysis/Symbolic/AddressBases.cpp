//===- AddressBases.cpp - What an address is counted from -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AddressBases.h"
#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// The space that a symbol points to, if it is a pointer of which that is
/// known.
static std::optional<AddressSpace> spaceOfSymbol(Ref S) {
  if (S->Width == 64 && S->isSymbol(Symbol::KindTy::Parameter) && isPointer(*S))
    return AddressSpace::Global; // a buffer
  if (S->isSymbol(Symbol::KindTy::Address) && S->Sym->Var)
    return S->Sym->Var->Space;
  return std::nullopt;
}

/// Whether a pointer of a known space is chosen, or else something that may
/// point anywhere.
static bool mayPointElsewhere(const Expression &Address) {
  using Kind = Expression::KindTy;
  SmallVector<Ref, 16> Work = {&Address};
  llvm::SmallPtrSet<Ref, 16> Seen;
  while (!Work.empty()) {
    Ref E = Work.pop_back_val();
    if (!Seen.insert(E).second)
      continue;
    auto Points = [](Ref Arm) {
      return llvm::any_of(Arm->Symbols, spaceOfSymbol);
    };
    if (E->Kind != Kind::Select) {
      Work.append(E->Operands.begin(), E->Operands.end());
      continue;
    }
    ArrayRef<Ref> Arms = E->Operands.drop_front();
    const bool HasNull = Arms[0]->isConstant() || Arms[1]->isConstant();
    if (!HasNull && Points(Arms[0]) != Points(Arms[1]))
      return true;
    Work.append(Arms.begin(), Arms.end());
  }
  return false;
}

AddressSpace counting::resolveSpace(const Expression &Address) {
  std::optional<AddressSpace> Found;
  bool HasOthers = false;
  for (Ref Sym : Address.Symbols)
    if (std::optional<AddressSpace> S = spaceOfSymbol(Sym))
      Found = Found.value_or(*S) == *S ? *S : AddressSpace::Generic;
    else
      HasOthers |= Sym->Width == 64 && Sym->isSymbol(Symbol::KindTy::Opaque);
  if (!Found || (HasOthers && mayPointElsewhere(Address)))
    return AddressSpace::Generic;
  return *Found;
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
