//===- Compiler.h - The compiler of CUDA source -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_COMPILER_H
#define PTXPREDICT_LIB_IRDRIVER_COMPILER_H

#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "llvm/Support/Error.h"

namespace ptxpredict {

/// A compiler that was found.
struct CUDACompiler {
  std::string Path;
  bool IsNVCC = false; ///< writes PTX; clang writes LLVM IR

  /// \p Asked is a path, "clang" or "nvcc"; empty for the first one that there
  /// is: clang++-22, a clang++ of that version, nvcc.
  static Expected<CUDACompiler> find(StringRef Asked);
};

/// How one file is compiled.
struct CompilerCall {
  std::vector<std::string> Arguments;
  /// The architectures that were asked for and are not compiled for.
  std::vector<std::string> LeftOut;
  std::string Architecture; ///< the one that is
};

/// The call that writes device code of \p Path to standard output. What
/// \p Options give goes before what is ours.
CompilerCall callFor(const CUDACompiler &Compiler, StringRef Path,
                     const ReadOptions &Options);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_COMPILER_H
