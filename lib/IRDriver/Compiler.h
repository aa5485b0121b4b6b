//===- Compiler.h - The compiler of CUDA and OpenCL source ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_COMPILER_H
#define PTXPREDICT_LIB_IRDRIVER_COMPILER_H

#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "llvm/Support/Error.h"

namespace ptxpredict {

/// A compiler that was found.
struct SourceCompiler {
  std::string Path;
  bool IsNVCC = false;     ///< writes PTX; clang writes LLVM IR
  bool IsOurClang = false; ///< a clang of this LLVM

  /// \p Asked is a path, "clang" or "nvcc"; empty for the first one that there
  /// is: of CUDA clang++-22, a clang++ of that version, nvcc; of OpenCL C
  /// (\p OfOpenCL) clang-22, a clang of that version. nvcc compiles none.
  static Expected<SourceCompiler> find(StringRef Asked, bool OfOpenCL);
  /// For the source of \p Diags: the one that the user asks for, else that of
  /// the project's command if it may be run, else the first one that there is.
  /// \p Diags gets a note where the project names another one.
  static Expected<SourceCompiler> find(const ReadOptions &Options,
                                       DiagnosticEngine &Diags);
};

/// How one file is compiled.
struct CompilerCall {
  std::vector<std::string> Arguments;
  /// The architectures that were asked for and are not compiled for.
  std::vector<std::string> LeftOut;
  /// Arguments of the project's command that may do harm.
  std::vector<std::string> Refused;
  std::string Architecture; ///< the one that is
};

/// The call that writes device code of \p Path to standard output. What
/// \p Options give goes before what is ours, and of that what is harmless of
/// the project's before the user's. OpenCL C is linked with \p Libclc, the path
/// of findLibclc(); empty if the user's arguments name it.
CompilerCall callFor(const SourceCompiler &Compiler, StringRef Path,
                     const ReadOptions &Options, StringRef Libclc = {});

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_COMPILER_H
