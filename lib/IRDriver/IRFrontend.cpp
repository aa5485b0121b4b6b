//===- IRFrontend.cpp - LLVM IR as an input of the driver -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/IRDriver/IRFrontend.h"
#include "BackEnd.h"
#include "IRInput.h"
#include "SourceLines.h"
#include "WrittenPTX.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace ptxpredict;

/// The processor of modules whose functions name none.
static constexpr StringRef DefaultProcessor = "sm_90";

namespace {

/// IR as it was parsed, and the back end for it.
struct ParsedIR {
  /// False on error (reported).
  bool read(DiagnosticEngine &Diags) {
    IR = llvmir::parse(Diags, Context);
    if (!IR)
      return false;
    std::string Problem;
    TM = llvmir::createTargetMachine(*IR, DefaultProcessor, Problem);
    if (!TM)
      Diags.error(SMLoc(), Problem);
    return TM != nullptr;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> IR;
  std::unique_ptr<llvm::TargetMachine> TM;
};

class IRInput : public ParsedInput {
public:
  const Module &module() const override { return *M; }
  void print(raw_ostream &OS) const override { Code.IR->print(OS, nullptr); }
  std::optional<StringRef> ptx(DiagnosticEngine &Diags) const override {
    // The passes have changed Code.
    if (ParsedIR Anew; !PTX && Anew.read(Own))
      PTX = writePTX(*Anew.IR, *Anew.TM, Diags);
    return PTX;
  }

  mutable DiagnosticEngine Own; ///< holds the IR's text
  ParsedIR Code;
  std::unique_ptr<Module> M;
  mutable std::optional<std::string> PTX;
};

class IRFrontend : public Frontend {
public:
  StringRef name() const override { return toString(FrontendKind::LLVMIR); }
  bool accepts(StringRef Path, StringRef Text) const override {
    return looksLikeIR(Path, Text);
  }
  std::unique_ptr<ParsedInput> read(DiagnosticEngine &Diags,
                                    const ReadOptions &Options) const override {
    return readIR(llvm::MemoryBuffer::getMemBuffer(Diags.text(), Diags.path()),
                  /*IsCUDA=*/false, Diags, Options);
  }
};

} // namespace

std::unique_ptr<ParsedInput>
ptxpredict::readIR(std::unique_ptr<llvm::MemoryBuffer> Text, bool IsCUDA,
                   DiagnosticEngine &Diags, const ReadOptions &Options) {
  auto In = std::make_unique<IRInput>();
  In->Own.setBuffer(std::move(Text));
  // What is said of text that the user gave has a place in it.
  DiagnosticEngine &OfCode = IsCUDA ? In->Own : Diags;
  bool Failed = !In->Code.read(OfCode);
  llvm::Module *IR = In->Code.IR.get();
  if (!Failed && Options.LowerToPTX) {
    std::optional<std::string> PTX = writePTX(*IR, *In->Code.TM, Diags);
    return PTX ? readWrittenPTX(*PTX, IsCUDA, IR, Diags) : nullptr;
  }
  if (!Failed) {
    llvmir::prepareForLowering(*IR, *In->Code.TM);
    In->M = llvmir::lower(*IR, In->Code.TM->getTargetCPU(), OfCode);
  }
  if (IsCUDA)
    for (const Diagnostic &D : OfCode.diagnostics())
      Diags.add(D);
  if (!In->M || Diags.hasErrors())
    return nullptr;
  if (IsCUDA)
    useSourceLines(*In->M, Diags.path(), IR);
  return In;
}

void ptxpredict::registerIRFrontend() {
  static const IRFrontend TheFrontend;
  registerFrontend(TheFrontend);
  registerFrontend(cudaFrontend());
}
