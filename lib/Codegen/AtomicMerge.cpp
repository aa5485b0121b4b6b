//===- AtomicMerge.cpp - Atomics that lanes do together -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/AtomicMerge.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace ptxpredict;
using ptx::Opcode;

StringRef ptxpredict::toString(AtomicMerge M) {
  switch (M) {
  case AtomicMerge::None:
    return "none";
  case AtomicMerge::Warp:
    return "warp";
  case AtomicMerge::Count:
    return "count";
  }
  llvm_unreachable("unknown kind");
}

/// Whether what \p I computes is the same in all lanes wherever what it takes
/// is.
static bool keepsUniform(const Instruction &I) {
  if (I.isPseudo() || I.Guard || I.IsCall || I.IsUnknown)
    return false;
  for (const Operand &O : I.Operands)
    if (O.Kind == Operand::KindTy::Special &&
        (O.Name.starts_with("%tid") || O.Name.starts_with("%lane") ||
         O.Name.starts_with("%warpid")))
      return false;
  switch (Opcode(I.Opcode)) {
  case Opcode::Shfl:
  case Opcode::Elect:
    return false;
  default:
    return llvm::all_of(I.Effects, [](const MemoryEffect &E) {
      return E.Space == AddressSpace::Param || E.Space == AddressSpace::Const;
    });
  }
}

/// Whether an assembler sees that \p O is the same in all lanes: it is made of
/// parameters, constants and what is the same for a block.
static bool isUniform(const Operand &O) {
  constexpr size_t MaxInstructions = 64;
  llvm::SmallPtrSet<const Instruction *, 16> Seen;
  SmallVector<const Instruction *, 16> Work;
  bool IsUniform = true;
  auto Add = [&](const Value *V) {
    if (!V->Def)
      IsUniform = false;
    else if (Seen.insert(V->Def).second)
      Work.push_back(V->Def);
  };
  forEachOperand(ArrayRef(O), [&](const Operand &Part) {
    if (Part.Kind == Operand::KindTy::Register)
      Add(Part.Val);
  });
  while (IsUniform && !Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    IsUniform = keepsUniform(*I) && Seen.size() <= MaxInstructions;
    for (const Value *V : I->Uses)
      Add(V);
  }
  return IsUniform;
}

AtomicMerge ptxpredict::findAtomicMerge(const Instruction &I,
                                        AddressSpace Space) {
  const auto Op = Opcode(I.Opcode);
  if ((Op != Opcode::Atom && Op != Opcode::Red) || I.Effects.size() != 1)
    return AtomicMerge::None;
  auto Has = [&](StringRef M) { return ptx::hasModifier(I.Modifiers, M); };
  const bool IsRead =
      llvm::any_of(I.Defs, [](const Value *D) { return !D->Users.empty(); });
  const bool IsShort = Has("u32") || Has("s32") || Has("b32");
  const bool IsLong = Has("u64") || Has("s64");
  const Operand &By = I.Operands.back();
  if (Space == AddressSpace::Shared && Has("add") && IsShort && !IsRead &&
      By.Kind == Operand::KindTy::Integer && By.Bits == 1)
    return AtomicMerge::Count;
  const bool IsAdd = Has("add") && (IsShort || (IsLong && isUniform(By)));
  const bool IsOther = IsShort && !IsRead &&
                       (Has("min") || Has("max") || Has("and") || Has("or"));
  if (!IsAdd && !IsOther)
    return AtomicMerge::None;
  return isUniform(I.Operands[I.Effects[0].AddressOperand]) ? AtomicMerge::Warp
                                                            : AtomicMerge::None;
}
