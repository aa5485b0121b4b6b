//===- Parse.cpp - Textual IR and bitcode ---------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InputLines.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/SourceMgr.h"

using namespace ptxpredict;

/// The metadata that holds an instruction's line.
static constexpr StringRef LineKind = "ptxpredict.line";

template <typename EntityT>
static void setLine(EntityT &E, unsigned Line) {
  llvm::LLVMContext &C = E.getContext();
  auto *Value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(C), Line);
  E.setMetadata(LineKind,
                llvm::MDNode::get(C, llvm::ConstantAsMetadata::get(Value)));
}

template <typename EntityT>
static unsigned getLine(const EntityT &E) {
  if (const llvm::MDNode *N = E.getMetadata(LineKind))
    return unsigned(llvm::mdconst::extract<llvm::ConstantInt>(N->getOperand(0))
                        ->getZExtValue());
  return 0;
}

unsigned llvmir::inputLine(const llvm::Instruction &I) { return getLine(I); }
unsigned llvmir::inputLine(const llvm::Function &F) { return getLine(F); }

namespace {
/// Notes the lines that functions and instructions would have in the module's
/// text.
class LineWriter : public llvm::AssemblyAnnotationWriter {
public:
  void emitFunctionAnnot(const llvm::Function *F,
                         llvm::formatted_raw_ostream &OS) override {
    // Behind it come the attributes, as a comment, if there are any.
    bool HasComment = F->getAttributes().hasFnAttrs();
    Functions.emplace_back(F, OS.getLine() + (HasComment ? 2 : 1));
  }
  void emitInstructionAnnot(const llvm::Instruction *I,
                            llvm::formatted_raw_ostream &OS) override {
    Instructions.emplace_back(I, OS.getLine() + 1);
  }
  void apply() {
    for (auto &[F, Line] : Functions)
      setLine(const_cast<llvm::Function &>(*F), Line);
    for (auto &[I, Line] : Instructions)
      setLine(const_cast<llvm::Instruction &>(*I), Line);
  }

private:
  std::vector<std::pair<const llvm::Function *, unsigned>> Functions;
  std::vector<std::pair<const llvm::Instruction *, unsigned>> Instructions;
};

/// Turns what LLVM says of a module into our messages.
class Messages : public llvm::DiagnosticHandler {
public:
  explicit Messages(DiagnosticEngine &Diags) : Diags(Diags) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override {
    if (DI.getSeverity() != llvm::DS_Error)
      return true;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    llvm::DiagnosticPrinterRawOStream Printer(OS);
    DI.print(Printer);
    Diags.error(SMLoc(), Text);
    return true;
  }

private:
  DiagnosticEngine &Diags;
};
} // namespace

static std::unique_ptr<llvm::Module> parseText(DiagnosticEngine &Diags,
                                               llvm::LLVMContext &Context) {
  llvm::SMDiagnostic Problem;
  llvm::AsmParserContext Places;
  std::unique_ptr<llvm::Module> M = llvm::parseAssembly(
      llvm::MemoryBufferRef(Diags.text(), Diags.path()), Problem, Context,
      /*Slots=*/nullptr, [](StringRef, StringRef) { return std::nullopt; },
      &Places);
  if (!M) {
    // The parser's buffer is a view of the engine's.
    Diags.error(Problem.getLoc(), Problem.getMessage());
    return nullptr;
  }
  for (llvm::Function &F : *M) {
    if (F.isDeclaration())
      continue;
    if (auto Range = Places.getFunctionLocation(&F))
      setLine(F, Range->Start.Line + 1);
    for (llvm::Instruction &I : llvm::instructions(F))
      if (auto Range = Places.getInstructionLocation(&I))
        setLine(I, Range->Start.Line + 1);
  }
  return M;
}

static std::unique_ptr<llvm::Module> parseBitcode(DiagnosticEngine &Diags,
                                                  llvm::LLVMContext &Context) {
  Expected<std::unique_ptr<llvm::Module>> M = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(Diags.text(), Diags.path()), Context);
  if (!M) {
    Diags.error(
        SMLoc(),
        "this bitcode cannot be read: " + llvm::toString(M.takeError()) +
            "; bitcode of a newer LLVM than " + LLVM_VERSION_STRING +
            " is to be written as PTX there");
    return nullptr;
  }
  LineWriter Writer;
  llvm::raw_null_ostream Nowhere;
  (*M)->print(Nowhere, &Writer);
  Writer.apply();
  return std::move(*M);
}

/// Gives blocks without a name one that holds the number that they have in the
/// text, which passes change.
static void nameBlocks(llvm::Module &M) {
  llvm::ModuleSlotTracker Slots(&M, /*ShouldInitializeAllMetadata=*/false);
  for (llvm::Function &F : M) {
    if (F.isDeclaration())
      continue;
    Slots.incorporateFunction(F);
    SmallVector<std::pair<llvm::BasicBlock *, int>, 16> Unnamed;
    for (llvm::BasicBlock &BB : F)
      if (!BB.hasName())
        Unnamed.emplace_back(&BB, Slots.getLocalSlot(&BB));
    for (auto [BB, Slot] : Unnamed)
      BB->setName("bb" + Twine(Slot));
  }
}

bool llvmir::isBitcode(StringRef Text) {
  return Text.starts_with("BC\xc0\xde") || Text.starts_with("\xde\xc0\x17\x0b");
}

std::unique_ptr<llvm::Module> llvmir::parse(DiagnosticEngine &Diags,
                                            llvm::LLVMContext &Context) {
  Context.setDiagnosticHandler(std::make_unique<Messages>(Diags));
  bool Binary = isBitcode(Diags.text());
  if (!Binary && Diags.text().contains('\0')) {
    Diags.error(SMLoc(), "this is neither bitcode nor textual LLVM IR");
    return nullptr;
  }
  std::unique_ptr<llvm::Module> M =
      Binary ? parseBitcode(Diags, Context) : parseText(Diags, Context);
  if (!M || Diags.hasErrors())
    return nullptr;
  const llvm::Triple &Triple = M->getTargetTriple();
  if (!Triple.isNVPTX()) {
    Diags.error(SMLoc(),
                Triple.empty()
                    ? Twine("this module names no target; only LLVM IR for "
                            "'nvptx64-nvidia-cuda' is read")
                    : "this module is for '" + Triple.str() +
                          "', not for 'nvptx64-nvidia-cuda'; compile the "
                          "device code, as with 'clang --cuda-device-only "
                          "-S -emit-llvm'");
    return nullptr;
  }
  std::string Broken;
  llvm::raw_string_ostream OS(Broken);
  if (llvm::verifyModule(*M, &OS)) {
    Diags.error(SMLoc(), "this module is broken: " + StringRef(Broken).trim());
    return nullptr;
  }
  nameBlocks(*M);
  return M;
}
