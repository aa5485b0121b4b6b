//===- ModuleRemarks.h - Remarks about the kernels of a module --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_PLUGIN_MODULEREMARKS_H
#define PTXPREDICT_LIB_PLUGIN_MODULEREMARKS_H

#include "Options.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace ptxpredict::plugin {

/// The pass that remarks name.
constexpr const char PassName[] = "ptx-predict";

/// Whether anybody wants remarks of this pass.
bool areRemarksWanted(const llvm::Module &IR, const Options &O);

/// Says in a remark that something cannot be said. Nothing without a function
/// that it could be about.
void reportProblem(const llvm::Module &IR, StringRef Text);
void reportProblem(const llvm::Function &F, StringRef Text);

/// Lowers functions, then remarks on the kernels. What goes wrong, a crash too,
/// becomes a remark, after which nothing more happens.
class ModuleRemarks {
public:
  /// Remarks will be on functions of \p IR, of the code of \p Lowered, which
  /// may be the same module, for \p Processor, such as "sm_90a".
  ModuleRemarks(const llvm::Module &IR, const llvm::Module &Lowered,
                StringRef Processor, Options O);
  ~ModuleRemarks();

  /// Lowers a function that is ready for instruction selection.
  void lower(const llvm::Function &F);
  /// Predicts and judges all kernels.
  void emit();

private:
  void guard(llvm::function_ref<void()> Work);

  const llvm::Module &IR, &Lowered;
  std::string Processor;
  Options Asked;
  DiagnosticEngine Diags;
  std::unique_ptr<llvmir::ModuleBuilder> Builder; ///< from the first body on
  bool Stopped = false;
};

} // namespace ptxpredict::plugin

#endif // PTXPREDICT_LIB_PLUGIN_MODULEREMARKS_H
