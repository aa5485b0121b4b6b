//===- BackEnd.cpp - PTX as LLVM's back end writes it ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BackEnd.h"
#include "LLVMChild.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <unistd.h>

using namespace ptxpredict;

/// The child tells errors in lines that begin so; then come the file, line and
/// column, the function, and the words.
static constexpr StringRef ErrorMark = "ptx-predict-error\t";

namespace {

/// Tells the parent of errors.
class Teller : public llvm::DiagnosticHandler {
public:
  bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override {
    if (DI.getSeverity() != llvm::DS_Error)
      return true;
    AnyError = true;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    llvm::DiagnosticPrinterRawOStream Printer(OS);
    DI.print(Printer);
    raw_ostream &To = llvm::errs();
    To << ErrorMark;
    StringRef Function, Path, Words = Text;
    unsigned Line = 0, Column = 0;
    if (isa<llvm::DiagnosticInfoUnsupported>(DI)) {
      const auto &U = cast<llvm::DiagnosticInfoUnsupported>(DI);
      Function = U.getFunction().getName();
      // "k.cu:3:4: in function k void (ptr): WORDS"
      if (size_t At = Words.find("): "); At != StringRef::npos)
        Words = Words.drop_front(At + 3);
      if (U.isLocationAvailable())
        U.getLocation(Path, Line, Column);
    }
    To << Path << '\t' << Line << '\t' << Column << '\t' << Function << '\t'
       << cleaned(Words) << '\n';
    return true;
  }

  bool AnyError = false;
};

} // namespace

/// The child's work: its exit code.
static int compile(llvm::Module &M, llvm::TargetMachine &TM) {
  llvm::EnablePrettyStackTrace();
  auto Handler = std::make_unique<Teller>();
  const Teller &Told = *Handler;
  M.getContext().setDiagnosticHandler(std::move(Handler));
  llvm::SmallString<0> Text;
  llvm::raw_svector_ostream OS(Text);
  llvm::legacy::PassManager PM;
  if (TM.addPassesToEmitFile(PM, OS, nullptr,
                             llvm::CodeGenFileType::AssemblyFile))
    return 1;
  PM.run(M);
  llvm::raw_fd_ostream Out(STDOUT_FILENO, /*shouldClose=*/false);
  Out << Text;
  Out.flush();
  llvm::errs().flush();
  return Told.AnyError ? 1 : 0;
}

/// Where the definition of \p F stands in IR that is text.
static SMLoc definition(StringRef Text, StringRef F) {
  for (StringRef Quote : {"", "\""}) {
    std::string Name = ("@" + Quote + F + Quote + "(").str();
    for (size_t At = Text.find(Name); At != StringRef::npos;
         At = Text.find(Name, At + 1)) {
      size_t Start = Text.take_front(At).rfind('\n') + 1;
      if (Text.substr(Start).starts_with("define "))
        return SMLoc::getFromPointer(Text.data() + At);
    }
  }
  return SMLoc();
}

/// Reports an error in \p F, which may be empty, at the source if there is
/// debug data.
static void report(const llvm::Module &M, StringRef F, StringRef Words,
                   Diagnostic D, DiagnosticEngine &Diags) {
  std::string Message =
      ("LLVM's NVPTX back end cannot compile " +
       (F.empty() ? Twine("this") : "'" + F + "'") + ": " + Words)
          .str();
  SMLoc Place = F.empty() ? SMLoc() : definition(Diags.text(), F);
  const llvm::Function *Body = M.getFunction(F);
  if (D.Path.empty() && !Place.isValid() && Body && Body->getSubprogram()) {
    D.Path = Body->getSubprogram()->getFilename();
    D.Line = Body->getSubprogram()->getLine();
  }
  if (D.Path.empty() || Place.isValid())
    return Diags.error(Place, Message);
  D.Message = std::move(Message);
  D.HasText = false;
  Diags.add(std::move(D));
}

/// The function of "Running pass 'P' on function '@F'".
static StringRef functionOf(StringRef StackDump) {
  size_t At = StackDump.rfind("on function '@");
  if (At == StringRef::npos)
    return {};
  return StackDump.substr(At + strlen("on function '@")).split('\'').first;
}

std::optional<std::string> ptxpredict::writePTX(llvm::Module &M,
                                                llvm::TargetMachine &TM,
                                                DiagnosticEngine &Diags) {
  Expected<ChildResult> Result =
      runLLVMInChild([&]() -> int { return compile(M, TM); });
  if (!Result) {
    Diags.error(SMLoc(), "cannot start a process for LLVM's NVPTX back end: " +
                             llvm::toString(Result.takeError()));
    return std::nullopt;
  }
  if (Result->ExitCode == 0)
    return std::move(Result->Output);

  std::string Fatal = fatalWords(*Result);
  for (StringRef Line : llvm::split(Result->Messages, '\n')) {
    if (!Line.consume_front(ErrorMark))
      continue;
    SmallVector<StringRef, 5> Fields;
    Line.split(Fields, '\t', /*MaxSplit=*/4);
    if (Fields.size() != 5)
      continue;
    Diagnostic D;
    D.Path = Fields[0];
    (void)Fields[1].getAsInteger(10, D.Line);
    (void)Fields[2].getAsInteger(10, D.Column);
    report(M, Fields[3], Fields[4], std::move(D), Diags);
  }
  if (!Diags.hasErrors() || !Fatal.empty())
    report(M, functionOf(Result->Messages), whyEnded(*Result), {}, Diags);
  return std::nullopt;
}
