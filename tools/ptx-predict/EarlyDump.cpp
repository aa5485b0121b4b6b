//===- EarlyDump.cpp - --dump=ptx until the driver links ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/Support/raw_ostream.h"
#if __has_include("ptxpredict/Frontend/PTX/Lower.h")
#include "ptxpredict/Frontend/PTX/Lower.h"
#endif

using namespace ptxpredict;

int main(int Argc, char **Argv) {
  bool Failed = false;
  StringRef Dump = "ptx";
  for (int I = 1; I < Argc; ++I) {
    StringRef A = Argv[I];
    if (A.consume_front("--dump=")) {
      Dump = A;
      continue;
    }
    DiagnosticEngine Diags;
    auto Buffer = readInputFile(A);
    if (!Buffer) {
      llvm::errs() << A << ": error: " << llvm::toString(Buffer.takeError())
                   << '\n';
      Failed = true;
      continue;
    }
    Diags.setBuffer(std::move(*Buffer));
    auto Tree = ptx::parse(Diags);
    if (!Diags.hasErrors() && Dump == "ptx")
      ptx::print(*Tree, llvm::outs());
#if __has_include("ptxpredict/Frontend/PTX/Lower.h")
    else if (!Diags.hasErrors())
      if (auto M = ptx::lower(*Tree, Diags))
        Dump == "graph" ? M->print(llvm::outs()) : M->printDOT(llvm::outs());
#endif
    Diags.print(llvm::errs(), false);
    Failed |= Diags.hasErrors();
  }
  return Failed ? 2 : 0;
}
