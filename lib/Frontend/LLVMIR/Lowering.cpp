//===- Lowering.cpp - A module of LLVM IR to instruction graphs -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "Heads.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

struct ModuleBuilder::Impl {
  Impl(const llvm::Module &IR, StringRef Target, DiagnosticEngine &Diags)
      : M(makeModule(IR, Target)), Context(IR, *M, Diags) {}

  static std::unique_ptr<Module> makeModule(const llvm::Module &IR,
                                            StringRef Target) {
    auto M = std::make_unique<Module>();
    M->Frontend = FrontendKind::LLVMIR;
    M->Target = Target.copy(M->Allocator);
    M->AddressBits = IR.getDataLayout().getPointerSizeInBits(0);
    M->IsTriton = llvm::any_of(IR.debug_compile_units(),
                               [](const llvm::DICompileUnit *U) {
                                 return U->getProducer() == "triton";
                               });
    return M;
  }

  std::unique_ptr<Module> M;
  ModuleLowering Context;
  llvm::DenseMap<const llvm::Function *, InstructionGraph *> Graphs;
  unsigned LastLine = 0; ///< that was given to an instruction without one
};

ModuleBuilder::ModuleBuilder(const llvm::Module &IR, StringRef Target,
                             DiagnosticEngine &Diags)
    : State(std::make_unique<Impl>(IR, Target, Diags)) {
  for (const llvm::Function &F : IR) {
    if (F.isDeclaration())
      continue;
    auto G = std::make_unique<InstructionGraph>();
    G->Parent = State->M.get();
    lowerHead(State->Context, F, *G);
    State->Context.addGraph(F, *G);
    State->Graphs[&F] = G.get();
    State->M->Functions.push_back(std::move(G));
  }
  State->Context.lowerVariables();
}

ModuleBuilder::~ModuleBuilder() = default;

/// Gives instructions of a function that was not parsed, and has no lines,
/// numbers for them: what is said of code tells its instructions apart by line.
static void numberLines(InstructionGraph &G, unsigned &Last) {
  for (Block *B : G.Blocks) {
    B->Line = Last + 1;
    for (Instruction *I : B->Instructions)
      I->Line = ++Last;
  }
}

bool ModuleBuilder::lowerBody(const llvm::Function &F) {
  StageTimer Timer(Stage::Lower);
  InstructionGraph *G = State->Graphs.lookup(&F);
  if (!G)
    return false;
  if (FunctionLowering(State->Context, F, *G).lower())
    return true;
  if (G->Line == 0)
    numberLines(*G, State->LastLine);
  return false;
}

void ModuleBuilder::visitLocations(
    llvm::function_ref<void(const SourceLocation &, const llvm::DILocation &)>
        Visit) const {
  for (const auto &[L, S] : State->Context.locations())
    Visit(*S, *L);
}

std::unique_ptr<Module> ModuleBuilder::take() { return std::move(State->M); }

std::unique_ptr<Module> llvmir::lower(const llvm::Module &IR, StringRef Target,
                                      DiagnosticEngine &Diags) {
  ModuleBuilder Builder(IR, Target, Diags);
  for (const llvm::Function &F : IR)
    if (!F.isDeclaration() && Builder.lowerBody(F))
      return nullptr;
  return Builder.take();
}
