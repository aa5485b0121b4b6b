//===- SymbolTable.cpp - Names in nested scopes ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

RegisterName ptx::splitRegisterName(StringRef Name) {
  RegisterName R;
  size_t Digits = Name.size();
  while (Digits != 0 && llvm::isDigit(Name[Digits - 1]))
    --Digits;
  if (Digits == Name.size() || Digits == 0)
    return R;
  uint64_t Number = 0;
  for (char C : Name.drop_front(Digits)) {
    Number = Number * 10 + uint64_t(C - '0');
    if (Number > UINT32_MAX)
      return R;
  }
  R.Prefix = Name.take_front(Digits);
  R.Number = uint32_t(Number);
  R.IsNumbered = true;
  return R;
}

SymbolTable::SymbolTable(ptxpredict::Arena &Arena) : Arena(Arena), Slots(256) {}

const SymbolTable::Slot *SymbolTable::find(StringRef Name, bool IsRange) const {
  uint32_t H = hash(Name, IsRange);
  for (size_t I = H & (Slots.size() - 1);; I = (I + 1) & (Slots.size() - 1)) {
    const Slot &S = Slots[I];
    if (!S.Key)
      return nullptr;
    if (S.Hash == H && S.Length == Name.size() &&
        memcmp(S.Key, Name.data(), Name.size()) == 0)
      return &S;
  }
}

SymbolTable::Slot &SymbolTable::findOrInsert(StringRef Name, bool IsRange) {
  if (const Slot *S = find(Name, IsRange))
    return const_cast<Slot &>(*S);
  if (++NumUsed * 2 > Slots.size())
    grow();
  uint32_t H = hash(Name, IsRange);
  size_t I = H & (Slots.size() - 1);
  while (Slots[I].Key)
    I = (I + 1) & (Slots.size() - 1);
  Slots[I] = {Name.data(), uint32_t(Name.size()), H, nullptr};
  return Slots[I];
}

void SymbolTable::grow() {
  // Names of scopes that ended are left behind.
  size_t Live = 0;
  for (const Slot &S : Slots)
    Live += S.Top != nullptr;
  std::vector<Slot> Old(Live * 4 < Slots.size() ? Slots.size()
                                                : Slots.size() * 2);
  Old.swap(Slots);
  NumUsed = Live + 1;
  for (const Slot &S : Old) {
    if (!S.Top)
      continue;
    size_t I = S.Hash & (Slots.size() - 1);
    while (Slots[I].Key)
      I = (I + 1) & (Slots.size() - 1);
    Slots[I] = S;
    for (Symbol *Sym = S.Top; Sym; Sym = Sym->Outer)
      Sym->Slot = uint32_t(I);
  }
}

void SymbolTable::leaveScope() {
  for (size_t I = Declared.size(); I != ScopeStarts.back(); --I) {
    Symbol *S = Declared[I - 1];
    Slots[S->Slot].Top = S->Outer;
    S->Outer = Free;
    Free = S;
  }
  Declared.resize(ScopeStarts.back());
  ScopeStarts.pop_back();
}

Node *SymbolTable::lookup(StringRef Name, uint32_t &Index) const {
  RegisterName R = splitRegisterName(Name);
  bool IsRegister = R.IsNumbered && Name.front() == '%';
  const Slot *Exact = IsRegister && !HasSingleRegisters
                          ? nullptr
                          : find(Name, /*IsRange=*/false);
  const Symbol *Found = Exact ? Exact->Top : nullptr;
  Index = 0;
  if (R.IsNumbered)
    if (const Slot *Range = find(R.Prefix, /*IsRange=*/true))
      for (const Symbol *S = Range->Top; S; S = S->Outer)
        if (R.Number < cast<Variable>(S->Entity)->RangeCount) {
          if (!Found || Found->Depth <= S->Depth) {
            Index = R.Number;
            return S->Entity;
          }
          break;
        }
  return Found ? Found->Entity : nullptr;
}

Node *SymbolTable::declare(StringRef Name, bool IsRange, Node *Entity) {
  Slot &S = findOrInsert(Name, IsRange);
  if (S.Top && S.Top->Depth == depth())
    return S.Top->Entity;
  if (!IsRange) {
    RegisterName R = splitRegisterName(Name);
    HasSingleRegisters |= R.IsNumbered && Name.front() == '%';
    const Slot *Range = R.IsNumbered ? find(R.Prefix, true) : nullptr;
    if (Range && Range->Top && Range->Top->Depth == depth() &&
        R.Number < cast<Variable>(Range->Top->Entity)->RangeCount)
      return Range->Top->Entity;
  }
  Symbol *Sym = Free;
  if (Sym)
    Free = Sym->Outer;
  else
    Sym = new (Arena.Allocate<Symbol>()) Symbol;
  *Sym = {Entity, S.Top, depth(), uint32_t(&S - Slots.data())};
  S.Top = Sym;
  Declared.push_back(Sym);
  return nullptr;
}

void SymbolTable::replace(StringRef Name, Node *Entity) {
  if (const Slot *S = find(Name, /*IsRange=*/false); S && S->Top)
    S->Top->Entity = Entity;
}

const ptx::Variable *SymbolTable::range(StringRef Prefix) const {
  const Slot *S = find(Prefix, /*IsRange=*/true);
  return S && S->Top ? cast<ptx::Variable>(S->Top->Entity) : nullptr;
}

void SymbolTable::names(SmallVectorImpl<StringRef> &Out, size_t Max) const {
  for (size_t I = Declared.size(); I != 0 && Out.size() < Max; --I) {
    const Slot &S = Slots[Declared[I - 1]->Slot];
    Out.push_back(StringRef(S.Key, S.Length));
  }
}
