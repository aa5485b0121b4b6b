//===- Frontend.h - What reads an input, chosen by its content --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_INPUTS_FRONTEND_H
#define PTXPREDICT_DRIVER_INPUTS_FRONTEND_H

#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Support/Diagnostics.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict {

/// How a project compiles a source. It comes with the sources: nothing of it is
/// run or passed on unless it is known to be harmless.
struct ProjectCommand {
  std::string Compiler; ///< a path, or a program's name
  std::vector<std::string> Arguments;

  bool isNVCC() const;
};

/// How inputs are read that are no PTX.
struct ReadOptions {
  /// Of LLVM IR the PTX that LLVM's back end writes is analysed.
  bool LowerToPTX = false;
  /// Machine code is analysed: of a file that holds PTX as well, and what an
  /// assembler makes of PTX.
  bool LowerToSASS = false;
  /// What compiles source: "clang", "nvcc" or a program's path; empty for what
  /// is found.
  std::string Compiler;
  std::vector<std::string> CompilerArguments; ///< of the user
  std::optional<ProjectCommand> Project;      ///< goes before the user's
  /// Globs of paths: the project's compilers that may be run, besides those
  /// that are found without it.
  std::vector<OwnedGlob> QueryDrivers;
  /// Where the compiler works; empty for where the program does.
  std::string CompilerFolder;
  /// The compute capability to compile for, such as 90, unless the arguments
  /// say; 0 for the default.
  unsigned ComputeCapability = 0;
  /// Takes what compilers print; null for nobody.
  raw_ostream *CompilerMessages = nullptr;
};

/// One input as its front end understood it. Its names point into the buffer of
/// the DiagnosticEngine that it was read from.
class ParsedInput {
public:
  virtual ~ParsedInput() = default;
  virtual const Module &module() const = 0;
  /// The input in its own language, as --dump=ptx shows it.
  virtual void print(raw_ostream &OS) const = 0;
  /// PTX for an assembler. Nothing on error, reported in \p Diags.
  virtual std::optional<StringRef> ptx(DiagnosticEngine &Diags) const = 0;
};

/// Code that was never text: it has no PTX for an assembler.
std::unique_ptr<ParsedInput> makeLoweredInput(std::unique_ptr<Module> M);

/// Text or object code to a Module. Stateless.
class Frontend {
public:
  virtual ~Frontend() = default;
  /// The name in reports: "ptx".
  virtual StringRef name() const = 0;
  /// Whether the input is in this language. \p Path is what the user gave.
  virtual bool accepts(StringRef Path, StringRef Text) const = 0;
  /// Null on error (reported).
  virtual std::unique_ptr<ParsedInput>
  read(DiagnosticEngine &Diags, const ReadOptions &Options) const = 0;
};

/// Adds a front end, asked before those that are there. \p F lives as long as
/// the program. PTX is there from the start.
void registerFrontend(const Frontend &F);

/// Whether a file is LLVM IR, textual or bitcode; by its content or name.
bool looksLikeIR(StringRef Path, StringRef Text);
/// Whether a file is CUDA source, by its name.
bool looksLikeCUDA(StringRef Path);
/// Whether a file is OpenCL C, by its name.
bool looksLikeOpenCL(StringRef Path);
/// Whether a file is one of both: what a compiler makes code of.
bool looksLikeSource(StringRef Path);

/// \p Send is called for an input that is LLVM IR or source and that no front
/// end here accepts. It hands the whole run to a program that reads it,
/// and comes back only if there is none.
void sendElsewhere(void (*Send)(StringRef Path, StringRef Text));

/// The same, before anything is read, for inputs with a name that says so.
void sendElsewhereByName(ArrayRef<std::string> Paths);

/// The front end of the engine's buffer. Null, with an error that says what to
/// do instead, for what none reads: machine code, and languages of later front
/// ends.
const Frontend *findFrontend(DiagnosticEngine &Diags);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_FRONTEND_H
