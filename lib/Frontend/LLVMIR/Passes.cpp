//===- Passes.cpp - What runs before instructions are chosen --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "llvm/CodeGen/Passes.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include <mutex>

using namespace ptxpredict;

/// The processor that most functions with a body name; empty if none does.
static StringRef processorOf(const llvm::Module &M) {
  llvm::StringMap<unsigned> Votes;
  StringRef Best;
  unsigned Most = 0;
  for (const llvm::Function &F : M) {
    StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString();
    if (F.isDeclaration() || CPU.empty())
      continue;
    if (unsigned N = ++Votes[CPU]; N > Most) {
      Most = N;
      Best = CPU;
    }
  }
  return Best;
}

/// The newest PTX that functions ask for, such as "+ptx88"; empty if none does.
static std::string versionOf(const llvm::Module &M) {
  unsigned Newest = 0;
  for (const llvm::Function &F : M) {
    StringRef Features =
        F.getFnAttribute("target-features").getValueAsString();
    for (StringRef Feature : llvm::split(Features, ',')) {
      unsigned Version = 0;
      if (Feature.consume_front("+ptx") && !Feature.getAsInteger(10, Version))
        Newest = std::max(Newest, Version);
    }
  }
  return Newest == 0 ? std::string() : "+ptx" + std::to_string(Newest);
}

std::unique_ptr<llvm::TargetMachine>
llvmir::createTargetMachine(const llvm::Module &M, StringRef CPU,
                            std::string &Error) {
  static std::once_flag Once;
  std::call_once(Once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  const llvm::Target *T =
      llvm::TargetRegistry::lookupTarget(M.getTargetTriple(), Error);
  if (!T)
    return nullptr;
  StringRef Named = processorOf(M);
  // A version that a module without a processor has may be too old for CPU.
  std::unique_ptr<llvm::TargetMachine> TM(T->createTargetMachine(
      M.getTargetTriple(), Named.empty() ? CPU : Named,
      Named.empty() ? std::string() : versionOf(M),
      llvm::TargetOptions(), std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Default));
  if (!TM)
    Error = "libLLVM was built without the NVPTX back end";
  return TM;
}

/// What the back end copies or sets with single instructions, in bytes; the
/// rest becomes a loop (NVPTXLowerAggrCopies).
static constexpr uint64_t MostCopiedInline = 128;

/// Makes loops of copies that are not short.
static void expandCopies(llvm::Function &F, const llvm::TargetMachine &TM) {
  SmallVector<llvm::MemIntrinsic *, 8> Long;
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB)
      if (auto *Copy = dyn_cast<llvm::MemIntrinsic>(&I)) {
        auto *Length = dyn_cast<llvm::ConstantInt>(Copy->getLength());
        if (!Length || Length->getValue().ugt(MostCopiedInline))
          Long.push_back(Copy);
      }
  for (llvm::MemIntrinsic *Copy : Long) {
    llvm::TargetTransformInfo TTI = TM.getTargetTransformInfo(F);
    if (auto *Set = dyn_cast<llvm::MemSetInst>(Copy))
      llvm::expandMemSetAsLoop(Set);
    else if (auto *Move = dyn_cast<llvm::MemMoveInst>(Copy))
      llvm::expandMemMoveAsLoop(Move, TTI);
    else
      llvm::expandMemCpyAsLoop(cast<llvm::MemCpyInst>(Copy), TTI);
    Copy->eraseFromParent();
  }
}

void llvmir::prepareForLowering(llvm::Module &M, llvm::TargetMachine &TM) {
  if (M.getDataLayout().isDefault())
    M.setDataLayout(TM.createDataLayout());
  llvm::legacy::PassManager PM;
  // The order of TargetPassConfig::addISelPasses, without the choice of
  // instructions itself.
  auto *Config = TM.createPassConfig(PM);
  PM.add(Config);
  PM.add(new llvm::MachineModuleInfoWrapperPass(&TM));
  PM.add(llvm::createTargetTransformInfoWrapperPass(TM.getTargetIRAnalysis()));
  PM.add(llvm::createPreISelIntrinsicLoweringPass());
  PM.add(llvm::createExpandIRInstsPass(TM.getOptLevel()));
  Config->addIRPasses();
  Config->addCodeGenPrepare();
  Config->setInitialized();
  PM.run(M);
  for (llvm::Function &F : M)
    if (!F.isDeclaration())
      expandCopies(F, TM);
}
