//===- InlineAsmText.h - The text of inline assembly ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_INLINEASMTEXT_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_INLINEASMTEXT_H

#include "ModuleLowering.h"

namespace llvm {
class CallBase;
class ExtractValueInst;
class Instruction;
class Value;
} // namespace llvm

namespace ptxpredict::llvmir {

/// An operand of inline assembly, as its constraint describes it.
struct AsmOperand {
  const llvm::Value *Argument = nullptr; ///< null for a result
  std::optional<unsigned> Tied;          ///< the output that it shares with
  bool IsImmediate = false;              ///< written into the text
  bool IsMemory = false;                 ///< `[register]`
  bool NeedsStore = false;               ///< a result that is stored (`=*r`)
  std::optional<ScalarType> Class;       ///< of the register

  bool hasRegister() const { return Class && !IsImmediate && !Tied; }
};

/// The operands that a text's `$0`, `$1` … are, in their order.
SmallVector<AsmOperand, 8> operandsOf(const llvm::CallBase &I);

/// What takes each member out of a struct of results, right behind \p I; null
/// for a member that is taken elsewhere, more than once or not at all.
SmallVector<const llvm::ExtractValueInst *, 8>
takenResults(const llvm::CallBase &I);

/// Calls \p Fn(Result, Argument) for the results of \p I that share a register
/// with an argument that only this operand reads.
void forEachTied(const llvm::CallBase &I,
                 llvm::function_ref<void(const llvm::Instruction &,
                                         const llvm::Instruction &)>
                     Fn);

/// The text with "%0", "%1" … for the registers of its operands. Nothing if an
/// operand is missing, or has no text.
std::optional<std::string> asmText(StringRef Template,
                                   ArrayRef<AsmOperand> Operands);

/// Parses what \ref asmText gave; variables and functions of the module may
/// stand in it.
Expected<std::unique_ptr<ptx::Fragment>>
parseAsm(ModuleLowering &Context, StringRef Text,
         ArrayRef<AsmOperand> Operands);

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_INLINEASMTEXT_H
