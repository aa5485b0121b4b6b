//===- IRFrontend.cpp - LLVM IR as an input of the driver -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/IRDriver/IRFrontend.h"
#include "BackEnd.h"
#include "IRInput.h"
#include "LLVMChild.h"
#include "OpenCLKernels.h"
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
    if (IsOpenCL)
      finishOpenCLKernels(*IR);
    std::string Problem;
    TM = llvmir::createTargetMachine(*IR, DefaultProcessor, Problem);
    if (!TM)
      Diags.error(SMLoc(), Problem);
    return TM != nullptr;
  }
  /// The same in the process itself, where no child is made meanwhile.
  bool readHere(DiagnosticEngine &Diags) {
    auto Working = workInLLVM();
    return read(Diags);
  }
  void prepare() { llvmir::prepareForLowering(*IR, *TM); }

  bool IsOpenCL = false; ///< compiled from it
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
    ParsedIR Anew;
    Anew.IsOpenCL = Code.IsOpenCL;
    if (!PTX && Anew.readHere(Own))
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
                  /*IsCompiled=*/false, Diags, Options);
  }
};

} // namespace

/// Whether LLVM gets through \p Text, as far as the process will go with it.
/// What it only refuses it does get through. False with what it died of
/// (reported to \p Diags).
static bool survives(StringRef Text, bool Prepare, DiagnosticEngine &Diags) {
  Expected<ChildResult> Result = runLLVMInChild([&] {
    DiagnosticEngine Unheard(llvm::MemoryBuffer::getMemBuffer(Text));
    ParsedIR Trial;
    if (Trial.read(Unheard) && Prepare)
      Trial.prepare();
    return 0;
  });
  if (!Result) {
    Diags.error(SMLoc(), "cannot start a process for LLVM's reader: " +
                             llvm::toString(Result.takeError()));
    return false;
  }
  if (Result->ExitCode == 0)
    return true;
  Diags.error(SMLoc(), "LLVM " LLVM_VERSION_STRING " cannot read this: " +
                           whyEnded(*Result));
  return false;
}

std::unique_ptr<ParsedInput>
ptxpredict::readIR(std::unique_ptr<llvm::MemoryBuffer> Text, bool IsCompiled,
                   DiagnosticEngine &Diags, const ReadOptions &Options) {
  auto In = std::make_unique<IRInput>();
  In->Own.setBuffer(std::move(Text));
  In->Code.IsOpenCL = IsCompiled && looksLikeOpenCL(Diags.path());
  // What is said of text that the user gave has a place in it.
  DiagnosticEngine &OfCode = IsCompiled ? In->Own : Diags;
  // What the compiler wrote is right.
  if (!IsCompiled && !survives(OfCode.text(), !Options.LowerToPTX, Diags))
    return nullptr;
  bool Failed = !In->Code.readHere(OfCode);
  llvm::Module *IR = In->Code.IR.get();
  if (!Failed && Options.LowerToPTX) {
    std::optional<std::string> PTX = writePTX(*IR, *In->Code.TM, Diags);
    return PTX ? readWrittenPTX(*PTX, IsCompiled, IR, Diags) : nullptr;
  }
  if (!Failed) {
    auto Working = workInLLVM();
    In->Code.prepare();
    In->M = llvmir::lower(*IR, In->Code.TM->getTargetCPU(), OfCode);
  }
  if (IsCompiled)
    for (const Diagnostic &D : OfCode.diagnostics())
      Diags.add(D);
  if (!In->M || Diags.hasErrors())
    return nullptr;
  if (IsCompiled)
    useSourceLines(*In->M, Diags.path(), IR);
  return In;
}

void ptxpredict::registerIRFrontend() {
  static const IRFrontend TheFrontend;
  registerFrontend(TheFrontend);
  registerFrontend(cudaFrontend());
  registerFrontend(openCLFrontend());
}
