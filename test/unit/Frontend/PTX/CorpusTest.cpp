//===- CorpusTest.cpp - Every PTX file of the suite, to its graphs --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// The PTX files of a folder of the suite, compressed ones too.
std::vector<std::string> inputs(StringRef Folder) {
  std::vector<std::string> Paths;
  std::error_code EC;
  for (llvm::sys::fs::recursive_directory_iterator I(Folder, EC), End;
       I != End && !EC; I.increment(EC)) {
    StringRef Path = I->path();
    if (Path.ends_with(".ptx") || Path.ends_with(".ptx.gz"))
      Paths.push_back(Path.str());
  }
  EXPECT_FALSE(EC) << EC.message();
  return Paths;
}

TEST(PTXCorpus, EveryOpcodeIsKnownAndEveryGraphHolds) {
  unsigned NumKernels = 0;
  for (const std::string &Path : inputs(PTXPREDICT_TEST_INPUTS "/kernels")) {
    SCOPED_TRACE(Path);
    auto Buffer = readInputFile(Path);
    ASSERT_TRUE(!!Buffer) << llvm::toString(Buffer.takeError());
    DiagnosticEngine Diags(std::move(*Buffer));
    std::unique_ptr<ptx::AST> AST = ptx::parse(Diags);
    std::unique_ptr<Module> M = AST ? ptx::lower(*AST, Diags) : nullptr;
    for (const Diagnostic &D : Diags.diagnostics())
      ADD_FAILURE() << D.Line << ": " << D.Message;
    ASSERT_NE(M, nullptr);
    for (const auto &F : M->Functions) {
      EXPECT_EQ(verify(*F), "");
      F->forEachInstruction([](const Instruction &I) {
        if (I.IsUnknown)
          ADD_FAILURE() << "unknown opcode " << I.Mnemonic.str();
      });
      NumKernels += F->IsKernel;
    }
  }
  EXPECT_GE(NumKernels, 40u);
}

} // namespace
