//===- CodeOptions.h - Options that say how code is read --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_CODEOPTIONS_H
#define PTXPREDICT_TOOLS_CODEOPTIONS_H

#include "CommandLine.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"

namespace ptxpredict::tool {

/// The options of subcommands that take code of any language; registered while
/// it lives. What follows `--` is taken where --compiler is.
struct CodeOptions {
  StringOpt Lower{"lower", cl::value_desc("ptx|sass"), cl::cat(category()),
                  cl::desc("Analyses the PTX that LLVM's back end writes for "
                           "LLVM IR, CUDA and OpenCL source, or the machine "
                           "code of files that hold PTX as well, and of PTX "
                           "with --via=ptxas")};
  StringOpt Compiler{
      "compiler", cl::value_desc("path|clang|nvcc"), cl::cat(category()),
      cl::desc("Compiler of CUDA and OpenCL source, called with the arguments "
               "after -- (default: clang of LLVM's version, else, of CUDA, "
               "nvcc)")};

  /// Checks the values and moves them over. True on error (reported).
  bool read(ArrayRef<std::string> Inputs, ReadOptions &Result) const;
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_CODEOPTIONS_H
