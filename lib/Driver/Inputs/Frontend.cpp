//===- Frontend.cpp - What reads an input, chosen by its content ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "PTXFrontend.h"
#include "SASSFrontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

namespace {

class LoweredInput : public ParsedInput {
public:
  explicit LoweredInput(std::unique_ptr<Module> M) : M(std::move(M)) {}
  const Module &module() const override { return *M; }
  void print(raw_ostream &OS) const override { M->print(OS); }
  std::optional<StringRef> ptx(DiagnosticEngine &) const override {
    return std::nullopt;
  }

private:
  std::unique_ptr<Module> M;
};

} // namespace

std::unique_ptr<ParsedInput>
ptxpredict::makeLoweredInput(std::unique_ptr<Module> M) {
  return std::make_unique<LoweredInput>(std::move(M));
}

/// Built at the first use: no static constructor.
static std::vector<const Frontend *> &registry() {
  static std::vector<const Frontend *> Frontends;
  return Frontends;
}

void ptxpredict::registerFrontend(const Frontend &F) {
  registry().push_back(&F);
}

/// What an input that no front end reads is, and what to do about it; empty if
/// nothing speaks against PTX.
static std::string whyNotPTX(StringRef Path, StringRef Text) {
  constexpr StringRef Nothing =
      " holds neither PTX nor machine code for sm_70 or newer "
      "('ptx-predict objects' lists what is in it)";
  if (Text.starts_with("\x7f"
                       "ELF"))
    return ("an ELF file (cubin or object)" + Nothing).str();
  if (Text.starts_with("\x50\xed\x55\xba"))
    return ("a fat binary" + Nothing).str();
  if (Text.starts_with("MZ") || Text.starts_with("!<arch>\n"))
    return ("an executable, object or library" + Nothing).str();

  if (looksLikeIR(Path, Text))
    return "LLVM IR is read by ptx-predict-ir, which is neither beside "
           "ptx-predict nor on PATH; compile it to PTX with 'llc "
           "-march=nvptx64 "
           "-mcpu=sm_90' and predict that";
  if (looksLikeCUDA(Path))
    return "CUDA source is compiled by ptx-predict-ir, which is neither beside "
           "ptx-predict nor on PATH; compile it to PTX with 'nvcc -ptx' or "
           "'clang "
           "-S --cuda-device-only' and predict that";
  if (looksLikeOpenCL(Path))
    return "OpenCL C is compiled by ptx-predict-ir, which is neither beside "
           "ptx-predict nor on PATH; compile it to PTX with 'clang -x cl "
           "-target "
           "nvptx64--nvidiacl -S' and predict that";
  return {};
}

/// Whether a module of textual IR starts so; comments aside.
static bool startsLikeIR(StringRef Text) {
  if (Text.ltrim().starts_with("; ModuleID"))
    return true;
  for (Text = Text.ltrim(); Text.consume_front(";"); Text = Text.ltrim())
    Text = Text.substr(Text.find('\n'));
  return llvm::any_of(
      std::initializer_list<StringRef>{"source_filename", "target datalayout",
                                       "target triple", "define ", "declare ",
                                       "module asm"},
      [Text](StringRef Start) { return Text.starts_with(Start); });
}

bool ptxpredict::looksLikeIR(StringRef Path, StringRef Text) {
  return Text.starts_with("BC\xc0\xde") ||
         Text.starts_with("\xde\xc0\x17\x0b") || startsLikeIR(Text) ||
         llvm::StringSwitch<bool>(llvm::sys::path::extension(Path))
             .CasesLower({".ll", ".bc"}, true)
             .Default(false);
}

bool ptxpredict::looksLikeCUDA(StringRef Path) {
  return llvm::sys::path::extension(Path).equals_insensitive(".cu");
}

bool ptxpredict::looksLikeOpenCL(StringRef Path) {
  return llvm::sys::path::extension(Path).equals_insensitive(".cl");
}

bool ptxpredict::looksLikeSource(StringRef Path) {
  return looksLikeCUDA(Path) || looksLikeOpenCL(Path);
}

bool ProjectCommand::isNVCC() const {
  return llvm::sys::path::filename(Compiler).contains("nvcc");
}

/// What is called for an input that this program's front ends do not read.
static void (*Elsewhere)(StringRef Path, StringRef Text) = nullptr;

void ptxpredict::sendElsewhere(void (*Send)(StringRef, StringRef)) {
  Elsewhere = Send;
}

void ptxpredict::sendElsewhereByName(ArrayRef<std::string> Paths) {
  for (StringRef Path : Paths)
    if (Elsewhere && (looksLikeIR(Path, "") || looksLikeSource(Path)))
      return Elsewhere(Path, "");
}

const Frontend *ptxpredict::findFrontend(DiagnosticEngine &Diags) {
  for (auto It = registry().rbegin(); It != registry().rend(); ++It)
    if ((*It)->accepts(Diags.path(), Diags.text()))
      return *It;
  if (sassFrontend().accepts(Diags.path(), Diags.text()))
    return &sassFrontend();
  if (Elsewhere && (looksLikeIR(Diags.path(), Diags.text()) ||
                    looksLikeSource(Diags.path())))
    Elsewhere(Diags.path(), Diags.text()); // comes back if it cannot
  std::string Why = whyNotPTX(Diags.path(), Diags.text());
  if (Why.empty())
    return &ptxFrontend();
  Diags.error(SMLoc(), Why);
  return nullptr;
}
