//===- Plugin.cpp - The pass plugin for clang and opt ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CodeGenPass.h"
#include "ModuleRemarks.h"
#include "ptxpredict/Version.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <dlfcn.h>

using namespace ptxpredict;
using namespace ptxpredict::plugin;

namespace {

/// `opt -passes=ptx-predict`: what the code generator's passes do is done to a
/// copy of the module.
struct RemarksPass : llvm::PassInfoMixin<RemarksPass> {
  static bool isRequired() { return true; } // also at -O0

  llvm::PreservedAnalyses run(llvm::Module &IR, llvm::ModuleAnalysisManager &) {
    if (Options O = readOptions(); areRemarksWanted(IR, O))
      remark(IR, std::move(O));
    return llvm::PreservedAnalyses::all();
  }

private:
  /// The processor of modules whose functions name none.
  static constexpr StringRef DefaultProcessor = "sm_90";

  static void remark(const llvm::Module &IR, Options O) {
    if (!IR.getTargetTriple().isNVPTX())
      return reportProblem(IR, "this module is for '" +
                                   IR.getTargetTriple().str() +
                                   "', not for 'nvptx64-nvidia-cuda'");
    std::string Why;
    std::unique_ptr<llvm::TargetMachine> TM =
        llvmir::createTargetMachine(IR, DefaultProcessor, Why);
    if (!TM)
      return reportProblem(IR, Why);
    std::unique_ptr<llvm::Module> Copy = llvm::CloneModule(IR);
    llvmir::prepareForLowering(*Copy, *TM);
    ModuleRemarks Remarks(IR, *Copy, TM->getTargetCPU(), std::move(O));
    for (const llvm::Function &F : *Copy)
      if (!F.isDeclaration())
        Remarks.lower(F);
    Remarks.emit();
  }
};

} // namespace

static void registerPasses(llvm::PassBuilder &Builder) {
  Builder.registerPipelineParsingCallback(
      [](StringRef Name, llvm::ModulePassManager &PM,
         ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (Name != plugin::PassName)
          return false;
        PM.addPass(RemarksPass());
        return true;
      });
}

/// Whether the program that loads the plugin has the LLVM that the plugin was
/// linked with, not one of its own beside it.
static bool isSameLLVM() {
  void *Loaders = dlsym(RTLD_DEFAULT, "LLVMContextCreate");
  auto *Ours = reinterpret_cast<void *>(&LLVMContextCreate);
  return !Loaders || Loaders == Ours;
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  llvm::PassPluginLibraryInfo Info{LLVM_PLUGIN_API_VERSION, "PtxPredict",
                                   PTXPREDICT_VERSION, registerPasses, nullptr};
  if (isSameLLVM()) {
    registerOptions();
    registerCodeGenPass();
    return Info;
  }
  // The program refuses an interface of another version, or calls nothing.
  fprintf(
      stderr,
      "PtxPredict.so: this plugin is for programs of LLVM " LLVM_VERSION_STRING
      ", such as clang++-%d and opt-%d\n",
      LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
  Info.RegisterPassBuilderCallbacks = nullptr;
  return Info;
}
