//===- Lowering.cpp - A module of LLVM IR to instruction graphs -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "Heads.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

std::unique_ptr<Module> llvmir::lower(const llvm::Module &IR, StringRef Target,
                                      DiagnosticEngine &Diags) {
  auto M = std::make_unique<Module>();
  M->Frontend = "llvm-ir";
  M->Target = Target.copy(M->Allocator);
  M->AddressBits = IR.getDataLayout().getPointerSizeInBits(0);
  ModuleLowering Context(IR, *M, Diags);
  for (const llvm::Function &F : IR) {
    if (F.isDeclaration())
      continue;
    auto G = std::make_unique<InstructionGraph>();
    G->Parent = M.get();
    lowerHead(Context, F, *G);
    Context.addGraph(F, *G);
    M->Functions.push_back(std::move(G));
  }
  Context.lowerVariables();
  size_t Next = 0;
  for (const llvm::Function &F : IR)
    if (!F.isDeclaration() &&
        FunctionLowering(Context, F, *M->Functions[Next++]).lower())
      return nullptr;
  return M;
}
