//===- LoweredIR.cpp - LLVM IR that a test has as text --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoweredIR.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {
struct Parsed {
  DiagnosticEngine Diags;
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> IR;
  std::unique_ptr<llvm::TargetMachine> TM;

  explicit Parsed(StringRef Text) {
    Diags.setBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text, "test.ll"));
    IR = parse(Diags, Context);
    std::string Problem;
    llvm::raw_string_ostream OS(Problem);
    Diags.print(OS, false);
    if (IR)
      TM = createTargetMachine(*IR, "sm_90", Problem);
    EXPECT_TRUE(TM) << Problem;
  }
};
} // namespace

LoweredIR::LoweredIR(const Twine &Text) {
  std::string Whole = "target triple = \"nvptx64-nvidia-cuda\"\n" + Text.str();
  M = lower(Whole);
  PTX = throughBackEnd(Whole);
}

LoweredIR::~LoweredIR() = default;

std::unique_ptr<Module> LoweredIR::lower(StringRef Text) {
  Parsed P(Text);
  if (!P.TM)
    return nullptr;
  prepareForLowering(*P.IR, *P.TM);
  std::unique_ptr<Module> Out =
      llvmir::lower(*P.IR, P.TM->getTargetCPU(), P.Diags);
  EXPECT_FALSE(P.Diags.hasErrors());
  if (!Out)
    return nullptr;
  for (const auto &G : Out->Functions)
    EXPECT_EQ(verify(*G), "");
  for (const Diagnostic &D : P.Diags.diagnostics())
    Diags.add(D);
  return Out;
}

std::unique_ptr<Module> LoweredIR::throughBackEnd(StringRef Text) {
  Parsed P(Text);
  if (!P.TM)
    return nullptr;
  P.IR->setDataLayout(P.TM->createDataLayout()); // as llc does
  llvm::SmallString<0> Written;
  llvm::raw_svector_ostream OS(Written);
  llvm::legacy::PassManager Passes;
  EXPECT_FALSE(P.TM->addPassesToEmitFile(Passes, OS, nullptr,
                                         llvm::CodeGenFileType::AssemblyFile));
  Passes.run(*P.IR);
  PTXDiags.setBuffer(llvm::MemoryBuffer::getMemBufferCopy(Written, "test.ptx"));
  std::unique_ptr<ptx::AST> Tree = ptx::parse(PTXDiags);
  std::string Messages;
  llvm::raw_string_ostream Out(Messages);
  PTXDiags.print(Out, false);
  EXPECT_EQ(Messages, "");
  return PTXDiags.hasErrors() ? nullptr : ptx::lower(*Tree, PTXDiags);
}

unsigned LoweredIR::count(const Module &M, StringRef Mnemonic, StringRef Name) {
  unsigned N = 0;
  if (const InstructionGraph *G = M.function(Name))
    G->forEachInstruction(
        [&](const Instruction &I) { N += I.Mnemonic == Mnemonic; });
  return N;
}

std::string LoweredIR::messages() const {
  std::string Out;
  for (const Diagnostic &D : Diags.diagnostics())
    Out += (toString(D.Level) + ": " + D.Message + "\n").str();
  return Out;
}

std::vector<uint8_t> LoweredIR::run(const Module &M, size_t Bytes,
                                    ArrayRef<int64_t> Numbers) {
  const InstructionGraph *K = M.function("k");
  if (!K)
    return {};
  LaunchConfig Launch;
  Launch.Block = {32, 1, 1};
  Launch.Args[0].Kind = ArgumentValue::KindTy::Buffer;
  Launch.Args[0].Buffer = "b";
  for (auto [N, Value] : llvm::enumerate(Numbers))
    Launch.Args[unsigned(N + 1)].Integer = Value;
  Emulation Run(*K, Launch, EmulationOptions());
  BufferSpec Spec;
  Spec.Type = "u8";
  Spec.Count = Bytes;
  EXPECT_EQ(llvm::toString(Run.addBuffer("b", Spec, "")), "");
  Expected<EmulationResult> R = Run.run();
  if (!R) {
    ADD_FAILURE() << llvm::toString(R.takeError());
    return {};
  }
  if (R->Fault)
    ADD_FAILURE() << R->Fault->Message;
  MutableArrayRef<uint8_t> Contents = Run.buffer("b");
  return {Contents.begin(), Contents.end()};
}

void LoweredIR::expectSameResults(size_t Bytes,
                                  ArrayRef<int64_t> Numbers) const {
  ASSERT_TRUE(M && PTX);
  EXPECT_EQ(run(*M, Bytes, Numbers), run(*PTX, Bytes, Numbers));
}
