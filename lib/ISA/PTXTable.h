//===- PTXTable.h - The rows of PTXOpcodes.def at compile time --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ISA_PTXTABLE_H
#define PTXPREDICT_LIB_ISA_PTXTABLE_H

#include "ptxpredict/ISA/PTXOpcode.h"

namespace ptxpredict::ptx {

enum class ClassRule : uint8_t {
#define OP_CLASS(NAME, TEXT) NAME,
#include "ptxpredict/ISA/OpClasses.def"
  ByType,
  Special
};

enum class Effect : uint8_t {
  None,
  Load,
  Store,
  Atomic,
  Prefetch,
  Discard,        ///< of bytes that an operand counts
  StoreAsync,     ///< to shared memory, with an mbarrier that it signals
  ReduceAsync,    ///< likewise
  StoreBulk,      ///< of bytes that an operand counts
  SharedStore,    ///< one word for the warp
  CopyAsync,      ///< lane by lane, global to shared
  CopyBulk,       ///< destination, source, perhaps an mbarrier
  ReduceBulk,     ///< likewise
  PrefetchBulk,   ///< into L2
  CopyFence,      ///< destination, source, whole warp
  MultimemLoad,   ///< always global
  MultimemStore,  ///< always global
  MultimemAtomic, ///< always global
  Mbarrier,
  DescriptorLoad, ///< of a tensor map, not per lane
  FabricGet,      ///< destination, remote source, mbarrier
  FabricPut,      ///< remote destination, source, mbarrier
  FabricReduce,   ///< likewise
  FabricAtomic,   ///< remote, result, source, mbarrier
  TextureLoad,
  SurfaceLoad,
  SurfaceStore,
  SurfaceAtomic,
  MatrixLoad,
  MatrixStore,
  WmmaLoad,
  WmmaStore
};

enum class Trait : uint8_t {
  Plain,
  Branch,
  Exit,
  Call,
  BlockBarrier,
  MemoryBarrier,
  AsyncWait,
  CrossLane
};

struct OpcodeRow {
  const char *Text;
  uint8_t Length;
  ClassRule Class;
  ptx::Effect Effect;
  ptx::Trait Trait;
};

/// The table's row of each opcode; that of Unknown is not a row of the file.
inline constexpr OpcodeRow OpcodeRows[] = {
    {"", 0, ClassRule::Other, Effect::None, Trait::Plain},
#define PTX_OPCODE(NAME, TEXT, CLASS, EFFECT, TRAIT, SIGNATURE)                \
  {TEXT, sizeof(TEXT) - 1, ClassRule::CLASS, Effect::EFFECT, Trait::TRAIT},
#include "ptxpredict/ISA/PTXOpcodes.def"
};
inline constexpr unsigned NumOpcodes = sizeof(OpcodeRows) / sizeof(OpcodeRow);

inline const OpcodeRow &row(Opcode Op) { return OpcodeRows[unsigned(Op)]; }

/// What a type modifier says: which registers hold an element, the bits of one,
/// the class of arithmetic on it.
struct Format {
  ScalarType Holder;
  uint8_t Bits;
  OpClass Class;
};

/// The format that the modifier \p Part (without a dot) names, if any.
std::optional<Format> parseFormat(StringRef Part);
std::optional<Format> firstFormat(StringRef Modifiers);
std::optional<Format> lastFormat(StringRef Modifiers);

/// Cuts the first modifier off \p Modifiers and returns it without its dot.
inline StringRef takeModifier(StringRef &Modifiers) {
  size_t End = Modifiers.find('.', 1);
  StringRef Part = Modifiers.slice(1, End);
  Modifiers = Modifiers.substr(End == StringRef::npos ? Modifiers.size() : End);
  return Part;
}

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_ISA_PTXTABLE_H
