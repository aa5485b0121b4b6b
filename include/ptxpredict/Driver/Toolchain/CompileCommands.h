//===- CompileCommands.h - How a project compiles its sources ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_TOOLCHAIN_COMPILECOMMANDS_H
#define PTXPREDICT_DRIVER_TOOLCHAIN_COMPILECOMMANDS_H

#include "ptxpredict/Driver/Inputs/Frontend.h"
#include <map>

namespace ptxpredict {

/// How one source, CUDA or OpenCL C, is compiled.
struct CompileCommand {
  std::string File;   ///< absolute
  std::string Folder; ///< where the compiler works
  std::string Compiler;
  /// Without the file, what says where results and lists of headers go, and
  /// what only the host's compiler reads.
  std::vector<std::string> Arguments;

  /// \p Base, with what this command says.
  ReadOptions readOptions(ReadOptions Base) const;
};

/// The sources, CUDA and OpenCL C, of a compile_commands.json (clang's "JSON
/// Compilation Database Format").
class CompileCommands {
public:
  /// Reads the text of \p Diags. True on error (reported).
  bool read(DiagnosticEngine &Diags);

  ArrayRef<CompileCommand> commands() const { return Commands; }
  /// The first command of the file at \p Path, absolute; null without one.
  const CompileCommand *find(StringRef Path) const;
  /// Those whose sources include the file at \p Path, absolute, perhaps through
  /// others. Found in the text: conditions do not count, and `#include MACRO`
  /// is not seen.
  std::vector<const CompileCommand *> including(StringRef Path) const;

private:
  std::vector<CompileCommand> Commands; ///< in the order of the file
  std::map<std::string, size_t, std::less<>> ByFile;
};

/// The nearest compile_commands.json in \p Folder, absolute, in its folder
/// `build`, or above; empty if there is none.
std::string findCompileCommands(StringRef Folder);

/// Whether a file is a header that sources may include, by its name.
bool looksLikeHeader(StringRef Path);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_TOOLCHAIN_COMPILECOMMANDS_H
