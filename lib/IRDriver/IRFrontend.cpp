//===- IRFrontend.cpp - LLVM IR as an input of the driver -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/IRDriver/IRFrontend.h"
#include "ptxpredict/Driver/Frontend.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace ptxpredict;

/// The processor of modules whose functions name none.
static constexpr StringRef DefaultProcessor = "sm_90";

namespace {

class IRInput : public ParsedInput {
public:
  const Module &module() const override { return *M; }
  void print(raw_ostream &OS) const override { IR->print(OS, nullptr); }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> IR;
  std::unique_ptr<Module> M;
};

class IRFrontend : public Frontend {
public:
  StringRef name() const override { return "llvm-ir"; }
  bool accepts(StringRef Path, StringRef Text) const override {
    return looksLikeIR(Path, Text);
  }
  std::unique_ptr<ParsedInput> read(DiagnosticEngine &Diags) const override {
    auto In = std::make_unique<IRInput>();
    In->IR = llvmir::parse(Diags, In->Context);
    if (!In->IR)
      return nullptr;
    std::string Problem;
    std::unique_ptr<llvm::TargetMachine> TM =
        llvmir::createTargetMachine(*In->IR, DefaultProcessor, Problem);
    if (!TM) {
      Diags.error(SMLoc(), Problem);
      return nullptr;
    }
    llvmir::prepareForLowering(*In->IR, *TM);
    In->M = llvmir::lower(*In->IR, TM->getTargetCPU(), Diags);
    if (!In->M || Diags.hasErrors())
      return nullptr;
    return In;
  }
};

} // namespace

void ptxpredict::registerIRFrontend() {
  static const IRFrontend TheFrontend;
  registerFrontend(TheFrontend);
}
