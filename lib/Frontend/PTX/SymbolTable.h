//===- SymbolTable.h - Names in nested scopes -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_PTX_SYMBOLTABLE_H
#define PTXPREDICT_LIB_FRONTEND_PTX_SYMBOLTABLE_H

#include "ptxpredict/Frontend/PTX/AST.h"
#include "llvm/Support/xxhash.h"
#include <vector>

namespace ptxpredict::ptx {

/// What a name stands for from its declaration to the end of its scope.
struct Symbol {
  Node *Entity = nullptr;
  Symbol *Outer = nullptr; ///< the same name in an outer scope
  uint32_t Depth = 0;
  uint32_t Slot = 0;
};

/// The cut of `%r17` into the name of a range and a number.
struct RegisterName {
  StringRef Prefix;
  uint32_t Number = 0;
  bool IsNumbered = false; ///< false: does not end in a number of 32 bits
};
/// Leading zeros do not count: ptxas takes %r07 for %r7.
RegisterName splitRegisterName(StringRef Name);

/// One hash table for all scopes: each slot holds a name's declarations,
/// innermost first. A range of registers (`%r<1000>`) is one entry under its
/// prefix, apart from a variable of the same name, and is never expanded.
class SymbolTable {
public:
  explicit SymbolTable(ptxpredict::Arena &Arena);

  void enterScope() { ScopeStarts.push_back(uint32_t(Declared.size())); }
  void leaveScope();
  uint32_t depth() const { return uint32_t(ScopeStarts.size()); }

  /// The innermost entity that \p Name stands for, with its number in a range;
  /// null if nothing declares it.
  Node *lookup(StringRef Name, uint32_t &Index) const;
  /// Declares \p Name in the current scope. If that scope has it already, the
  /// former entity is returned and nothing changes.
  Node *declare(StringRef Name, bool IsRange, Node *Entity);
  /// Gives a name of the current scope another entity.
  void replace(StringRef Name, Node *Entity);
  /// The innermost range whose prefix is \p Prefix.
  const Variable *range(StringRef Prefix) const;

  /// Names of the scopes in force, innermost first, at most \p Max.
  void names(SmallVectorImpl<StringRef> &Out, size_t Max) const;

private:
  struct Slot {
    const char *Key = nullptr;
    uint32_t Length = 0;
    uint32_t Hash = 0;
    Symbol *Top = nullptr;
  };
  static uint32_t hash(StringRef Name, bool IsRange) {
    if (Name.size() > sizeof(uint64_t))
      return uint32_t(llvm::xxh3_64bits(Name)) * 2 + IsRange;
    // Most names are those of registers.
    uint64_t Bits = 0;
    for (char C : Name)
      Bits = Bits << 8 | uint8_t(C);
    Bits *= 0x9E3779B97F4A7C15; // 2^64 over the golden ratio
    return uint32_t(Bits >> 32) * 2 + IsRange;
  }
  const Slot *find(StringRef Name, bool IsRange) const;
  Slot &findOrInsert(StringRef Name, bool IsRange);
  void grow();

  ptxpredict::Arena &Arena;
  std::vector<Slot> Slots;
  size_t NumUsed = 0;
  /// A register such as `%r7` was declared by itself, not in a range.
  bool HasSingleRegisters = false;
  std::vector<Symbol *> Declared;
  std::vector<uint32_t> ScopeStarts;
  Symbol *Free = nullptr;
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_FRONTEND_PTX_SYMBOLTABLE_H
