//===- PTXOpcode.cpp - What each PTX instruction is -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXTable.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Where the rows lie whose names start with the same component: a hash table
/// with open addressing, made by the compiler.
namespace {
struct RootTable {
  static constexpr unsigned Size = 512;
  struct Slot {
    uint16_t Row = 0; ///< the first one; 0: free
    uint8_t Length = 0;
    uint8_t NumRows = 0;
  };
  Slot Slots[Size] = {};
  bool Ok = true; ///< rows of one root are neighbours, longer names first
};
} // namespace

static constexpr unsigned hashRoot(const char *Text, size_t Length) {
  uint32_t H = uint32_t(Length);
  for (size_t I = 0; I < Length; ++I)
    H = H * 33 + uint8_t(Text[I]);
  return (H ^ (H >> 9)) % RootTable::Size;
}

static constexpr size_t rootLength(const OpcodeRow &Row) {
  size_t I = 0;
  while (I < Row.Length && Row.Text[I] != '.')
    ++I;
  return I;
}

static constexpr bool samePrefix(const char *A, const char *B, size_t Length) {
  for (size_t I = 0; I < Length; ++I)
    if (A[I] != B[I])
      return false;
  return true;
}

static constexpr size_t MaxRootLength = 24;

static constexpr RootTable makeRootTable() {
  RootTable T;
  for (unsigned R = 1; R < NumOpcodes; ++R) {
    const OpcodeRow &Row = OpcodeRows[R];
    size_t Length = rootLength(Row);
    unsigned H = hashRoot(Row.Text, Length);
    while (T.Slots[H].Row &&
           !(T.Slots[H].Length == Length &&
             samePrefix(OpcodeRows[T.Slots[H].Row].Text, Row.Text, Length)))
      H = (H + 1) % RootTable::Size;
    RootTable::Slot &S = T.Slots[H];
    T.Ok &= Length <= MaxRootLength;
    if (!S.Row) {
      S.Row = uint16_t(R);
      S.Length = uint8_t(Length);
    }
    // A row after one that is its prefix would never be found.
    for (unsigned Q = S.Row; Q < R; ++Q)
      if (OpcodeRows[Q].Length <= Row.Length &&
          samePrefix(OpcodeRows[Q].Text, Row.Text, OpcodeRows[Q].Length) &&
          (OpcodeRows[Q].Length == Row.Length ||
           Row.Text[OpcodeRows[Q].Length] == '.'))
        T.Ok = false;
    T.Ok &= S.Row + S.NumRows == R;
    ++S.NumRows;
  }
  return T;
}

static constexpr RootTable Roots = makeRootTable();
static_assert(Roots.Ok, "PTXOpcodes.def: the rows of one root stand together, "
                        "longer names before their prefixes");

DecodedOpcode ptx::decode(StringRef Mnemonic) {
  size_t Length = std::min(Mnemonic.find('.'), Mnemonic.size());
  // A hostile name shall cost nothing.
  if (Length <= MaxRootLength) {
    unsigned H = hashRoot(Mnemonic.data(), Length);
    for (; Roots.Slots[H].Row; H = (H + 1) % RootTable::Size) {
      const RootTable::Slot &S = Roots.Slots[H];
      if (S.Length != Length ||
          std::memcmp(OpcodeRows[S.Row].Text, Mnemonic.data(), Length) != 0)
        continue;
      for (unsigned R = S.Row, E = R + S.NumRows; R != E; ++R) {
        StringRef Name(OpcodeRows[R].Text, OpcodeRows[R].Length);
        if (Mnemonic.starts_with(Name) &&
            (Mnemonic.size() == Name.size() || Mnemonic[Name.size()] == '.'))
          return {Opcode(R), Mnemonic.drop_front(Name.size())};
      }
      break;
    }
  }
  return {Opcode::Unknown, Mnemonic.drop_front(Length)};
}

StringRef ptx::name(Opcode Op) { return {row(Op).Text, row(Op).Length}; }

//===----------------------------------------------------------------------===//
// Classes and predicates
//===----------------------------------------------------------------------===//

OpClass ptx::classify(Opcode Op, StringRef Modifiers) {
  ClassRule Rule = row(Op).Class;
  if (Rule < ClassRule::ByType)
    return OpClass(Rule);
  std::optional<Format> F = firstFormat(Modifiers);
  if (Rule == ClassRule::Special)
    return F && F->Class == OpClass::Fp64 && !hasModifier(Modifiers, "approx")
               ? OpClass::Fp64
               : OpClass::Sfu;
  return F ? F->Class : OpClass::Int;
}

bool ptx::isBranch(Opcode Op) { return row(Op).Trait == Trait::Branch; }
bool ptx::isExit(Opcode Op) { return row(Op).Trait == Trait::Exit; }
bool ptx::isCall(Opcode Op) { return row(Op).Trait == Trait::Call; }
bool ptx::isBlockBarrier(Opcode Op) {
  return row(Op).Trait == Trait::BlockBarrier;
}
bool ptx::isMemoryBarrier(Opcode Op) {
  return row(Op).Trait == Trait::MemoryBarrier;
}
bool ptx::isAsyncWait(Opcode Op) { return row(Op).Trait == Trait::AsyncWait; }
bool ptx::isCrossLane(Opcode Op) { return row(Op).Trait == Trait::CrossLane; }
