//===- Passes.cpp - What runs before instructions are chosen --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "llvm/CodeGen/Passes.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
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

/// The first PTX that has a processor, times ten (PTX ISA, Release Notes); 0
/// for those that are not known. The back end puts up with nothing older.
static unsigned oldestVersionOf(StringRef CPU) {
  if (CPU.ends_with("f")) // families of processors
    return CPU.starts_with("sm_11") ? 90 : 88;
  return llvm::StringSwitch<unsigned>(CPU)
      .Cases({"sm_20", "sm_21", "sm_30", "sm_35"}, 32)
      .Cases({"sm_32", "sm_50"}, 40)
      .Cases({"sm_37", "sm_52"}, 41)
      .Case("sm_53", 42)
      .Cases({"sm_60", "sm_61", "sm_62"}, 50)
      .Case("sm_70", 60)
      .Case("sm_72", 61)
      .Case("sm_75", 63)
      .Case("sm_80", 70)
      .Case("sm_86", 71)
      .Case("sm_87", 74)
      .Cases({"sm_89", "sm_90"}, 78)
      .Case("sm_90a", 80)
      .Cases({"sm_100", "sm_100a", "sm_101", "sm_101a"}, 86)
      .Cases({"sm_120", "sm_120a"}, 87)
      .Cases({"sm_103", "sm_103a", "sm_121", "sm_121a"}, 88)
      .Cases({"sm_88", "sm_110", "sm_110a"}, 90)
      .Default(0);
}

/// The newest PTX that functions ask for, such as "+ptx88". Empty, which is the
/// oldest that \p CPU has, if none does or that is newer still: other compilers
/// write what is older than the processor.
static std::string versionFor(const llvm::Module &M, StringRef CPU) {
  unsigned Newest = 0;
  for (const llvm::Function &F : M)
    for (StringRef Feature : llvm::split(
             F.getFnAttribute("target-features").getValueAsString(), ','))
      if (unsigned Version = 0;
          Feature.consume_front("+ptx") && !Feature.getAsInteger(10, Version))
        Newest = std::max(Newest, Version);
  return Newest == 0 || Newest < oldestVersionOf(CPU)
             ? std::string()
             : "+ptx" + std::to_string(Newest);
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
  if (StringRef Named = processorOf(M); !Named.empty())
    CPU = Named;
  std::unique_ptr<llvm::TargetMachine> TM(T->createTargetMachine(
      M.getTargetTriple(), CPU, versionFor(M, CPU), llvm::TargetOptions(),
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
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
