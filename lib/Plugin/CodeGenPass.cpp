//===- CodeGenPass.cpp - Remarks from code generation ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CodeGenPass.h"
#include "ModuleRemarks.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"

using namespace ptxpredict;
using namespace ptxpredict::plugin;

namespace {

/// Functions come by after the passes over IR and before their instructions are
/// selected; the kernels are judged when all have come by. Changes nothing.
class CodeGenPass : public llvm::FunctionPass {
public:
  static char ID;

  explicit CodeGenPass(StringRef Processor)
      : FunctionPass(ID), Processor(Processor) {}

  StringRef getPassName() const override { return plugin::PassName; }
  void getAnalysisUsage(llvm::AnalysisUsage &Usage) const override {
    Usage.setPreservesAll();
  }

  bool doInitialization(llvm::Module &IR) override {
    Remarks.reset();
    if (Options O = readOptions(); areRemarksWanted(IR, O))
      Remarks = std::make_unique<ModuleRemarks>(IR, IR, Processor, O);
    return false;
  }
  bool runOnFunction(llvm::Function &F) override {
    if (Remarks)
      Remarks->lower(F);
    return false;
  }
  bool doFinalization(llvm::Module &) override {
    if (Remarks)
      Remarks->emit();
    Remarks.reset();
    return false;
  }

private:
  std::string Processor;
  std::unique_ptr<ModuleRemarks> Remarks; ///< null where nobody wants any
};

char CodeGenPass::ID = 0;

} // namespace

/// The last of the back end's passes before instruction selection, at every
/// level of optimisation.
static constexpr StringRef LastPass = "alloca-hoisting";

static void addPass(llvm::TargetMachine &TM, llvm::TargetPassConfig *Config) {
  if (!TM.getTargetTriple().isNVPTX())
    return;
  const llvm::PassInfo *Last =
      llvm::PassRegistry::getPassRegistry()->getPassInfo(LastPass);
  if (!Last) {
    llvm::errs() << "ptx-predict: warning: this compiler's back end has no "
                    "pass '"
                 << LastPass << "'; there will be no remarks\n";
    return;
  }
  Config->insertPass(Last->getTypeInfo(), new CodeGenPass(TM.getTargetCPU()));
}

void plugin::registerCodeGenPass() {
  // As long as the process: so is LLVM's list of them.
  static auto *Registered = new llvm::RegisterTargetPassConfigCallback(
      [](llvm::TargetMachine &TM, llvm::PassManagerBase &,
         llvm::TargetPassConfig *Config) { addPass(TM, Config); });
  (void)Registered;
}
