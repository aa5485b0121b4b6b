//===- SourceFrontend.cpp - CUDA and OpenCL source as inputs --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Compiler.h"
#include "IRInput.h"
#include "Libclc.h"
#include "WrittenPTX.h"
#include "ptxpredict/Driver/Toolchain/HarmlessArguments.h"
#include "ptxpredict/Support/ChildProcess.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace ptxpredict;

/// What to do about what a compiler complained of; empty if that is not known.
static StringRef adviceOn(StringRef Messages, const SourceCompiler &Compiler) {
  if (!Compiler.IsNVCC && (Messages.contains("cannot find CUDA installation") ||
                           Messages.contains("cannot find libdevice")))
    return "; name the folder of a CUDA toolkit with '-- --cuda-path=DIR', or, "
           "without one, declare in the source what it uses and compile it "
           "with '-- -nocudainc -nocudalib'";
  return {};
}

/// "'a', 'b'", of many only the first.
static std::string quoted(ArrayRef<std::string> Texts) {
  constexpr size_t Most = 32;
  std::string Result;
  for (StringRef Text : Texts.take_front(Most))
    Result += (Result.empty() ? "'" : ", '") + Text.str() + "'";
  if (Texts.size() > Most)
    Result += " and " + std::to_string(Texts.size() - Most) + " more";
  return Result;
}

/// What OpenCL C at \p Path is linked with; empty if that needs nothing of
/// ours. Nothing without libclc (reported).
static std::optional<std::string> libraryFor(const SourceCompiler &Compiler,
                                             const ReadOptions &Options,
                                             DiagnosticEngine &Diags) {
  constexpr StringRef Flag = "-mlink-builtin-bitcode";
  if (!looksLikeOpenCL(Diags.path()) ||
      llvm::is_contained(Options.CompilerArguments, Flag))
    return "";
  std::optional<std::string> Found = findLibclc(Compiler.Path);
  if (!Found)
    Diags.error(SMLoc(), "the functions of OpenCL C are in libclc's " +
                             Twine(LibclcName) + ", which is neither beside '" +
                             Compiler.Path + "' nor in " +
                             llvm::join(libclcFolders(), ", ") +
                             "; install libclc (on Debian the package libclc-" +
                             Twine(LLVM_VERSION_MAJOR) +
                             "), or name the file with '-- -Xclang " + Flag +
                             " -Xclang FILE'");
  return Found;
}

namespace {

class SourceFrontend : public Frontend {
public:
  SourceFrontend(StringRef Name, bool (*Accepts)(StringRef Path))
      : Name(Name), Accepts(Accepts) {}
  StringRef name() const override { return Name; }
  bool accepts(StringRef Path, StringRef) const override {
    return Accepts(Path);
  }
  std::unique_ptr<ParsedInput> read(DiagnosticEngine &Diags,
                                    const ReadOptions &Options) const override {
    Expected<SourceCompiler> Compiler = SourceCompiler::find(Options, Diags);
    if (!Compiler) {
      Diags.error(SMLoc(), llvm::toString(Compiler.takeError()));
      return nullptr;
    }
    llvm::SmallString<128> Path(Diags.path());
    if (!Options.CompilerFolder.empty())
      (void)llvm::sys::fs::make_absolute(Path);
    if (Compiler->IsNVCC && !isSafeForNVCC(Path)) {
      Diags.error(SMLoc(), "nvcc would let a shell act upon this name; give "
                           "the file, or its folder, a name without '$', '`', "
                           "quotes, backslashes and control characters");
      return nullptr;
    }
    std::optional<std::string> Libclc = libraryFor(*Compiler, Options, Diags);
    if (!Libclc)
      return nullptr;
    CompilerCall Call = callFor(*Compiler, Path, Options, *Libclc);
    if (!Call.Refused.empty())
      Diags.note(SMLoc(), "the compiler is not given what may do harm in the "
                          "compile command: " +
                              quoted(Call.Refused) +
                              "; what it needs may follow '--'");
    Expected<ChildResult> Result =
        runProgram(Compiler->Path, Call.Arguments, Options.CompilerFolder);
    if (!Result) {
      Diags.error(SMLoc(), "cannot run '" + Compiler->Path +
                               "': " + llvm::toString(Result.takeError()));
      return nullptr;
    }
    if (Options.CompilerMessages) {
      static std::mutex Mutex; // several files may be read at once
      std::lock_guard<std::mutex> Lock(Mutex);
      // Its own text, but with what sources bring.
      *Options.CompilerMessages << printable(Result->Messages, "\n\t");
      Options.CompilerMessages->flush();
    }
    if (Result->ExitCode != 0) {
      Diags.error(SMLoc(), "'" + Compiler->Path + "' " +
                               (Result->ExitCode < 0 ? "was ended by a signal"
                                                     : "does not compile it") +
                               adviceOn(Result->Messages, *Compiler));
      return nullptr;
    }
    if (!Call.LeftOut.empty())
      Diags.note(SMLoc(), "compiled for " + Call.Architecture +
                              ", the first architecture that was asked for; "
                              "not for " +
                              llvm::join(Call.LeftOut, ", "));
    if (Compiler->IsNVCC)
      return readWrittenPTX(Result->Output, /*IsCompiled=*/true,
                            /*From=*/nullptr, Diags);
    return readIR(llvm::MemoryBuffer::getMemBufferCopy(
                      Result->Output, "the LLVM IR of " + Diags.path()),
                  /*IsCompiled=*/true, Diags, Options);
  }

private:
  StringRef Name;
  bool (*Accepts)(StringRef Path);
};

} // namespace

const Frontend &ptxpredict::cudaFrontend() {
  static const SourceFrontend TheFrontend("cuda", looksLikeCUDA);
  return TheFrontend;
}

const Frontend &ptxpredict::openCLFrontend() {
  static const SourceFrontend TheFrontend("opencl", looksLikeOpenCL);
  return TheFrontend;
}
