//===- LLVMIR.h - LLVM IR for NVPTX to instruction graphs -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A module is lowered as LLVM's NVPTX back end would select instructions, to a
// graph of PTX instructions: what is known of PTX, which every analysis is
// written for, holds of it too. Nothing is scheduled or allocated, and no PTX
// is written.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_LLVMIR_LLVMIR_H
#define PTXPREDICT_FRONTEND_LLVMIR_LLVMIR_H

#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DILocation;
class Function;
class Instruction;
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace ptxpredict::llvmir {

/// Whether a text is bitcode, wrapped or not.
bool isBitcode(StringRef Text);

/// Parses the engine's buffer, textual IR or bitcode. Null on error (reported):
/// also for IR of another target, and for bitcode of another LLVM that this one
/// cannot read.
std::unique_ptr<llvm::Module> parse(DiagnosticEngine &Diags,
                                    llvm::LLVMContext &Context);

/// The back end for the module's target, by the processor that its functions
/// name, else \p CPU; null, with the reason in \p Error, if there is none.
std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const llvm::Module &M, StringRef CPU, std::string &Error);

/// Runs the passes over \p M that the back end starts code generation with, as
/// far as they decide what instructions there are: kernel arguments lowered,
/// address spaces inferred, addresses taken apart, loops strength-reduced.
void prepareForLowering(llvm::Module &M, llvm::TargetMachine &TM);

/// Makes the graphs of a module function by function, as a pass comes by them.
class ModuleBuilder {
public:
  /// Makes the heads of all functions with a body, and the variables, for
  /// \p Target, such as "sm_90a". \p IR and \p Diags live longer.
  ModuleBuilder(const llvm::Module &IR, StringRef Target,
                DiagnosticEngine &Diags);
  ~ModuleBuilder();

  /// Lowers the body of a function, which \ref prepareForLowering or the back
  /// end's own passes were run over. What cannot be lowered is an unknown
  /// instruction. True on error (reported); the module is of no use then.
  bool lowerBody(const llvm::Function &F);

  /// Calls \p Visit for each debug location of an instruction that was lowered,
  /// and for those that it is inlined at.
  void visitLocations(
      llvm::function_ref<void(const SourceLocation &, const llvm::DILocation &)>
          Visit) const;

  /// The module, once all bodies are there. The builder knows its locations as
  /// long as the module lives.
  std::unique_ptr<Module> take();

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

/// The graphs of \p IR, which \ref prepareForLowering was run over, for
/// \p Target, such as "sm_90a". What cannot be lowered is an unknown
/// instruction. Null on error (reported).
std::unique_ptr<Module> lower(const llvm::Module &IR, StringRef Target,
                              DiagnosticEngine &Diags);

/// Gives the parameters of \p To's functions, which a back end wrote \p IR as,
/// the names that they have in the source.
void copySourceNames(const llvm::Module &IR, Module &To);

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_FRONTEND_LLVMIR_LLVMIR_H
