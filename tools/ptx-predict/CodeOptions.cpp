//===- CodeOptions.cpp - Options that say how code is read ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CodeOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

bool CodeOptions::read(ArrayRef<std::string> Inputs,
                       ReadOptions &Result) const {
  unsigned Which = 0;
  if (Lower.getNumOccurrences() != 0 &&
      readChoice(Lower.ArgStr, Lower, {"ptx", "sass"}, Which))
    return true;
  if (Compiler.getNumOccurrences() != 0 && Compiler.empty())
    return valueError(Compiler.ArgStr, "clang, nvcc or a program's path",
                      Compiler);
  Result.LowerToPTX = Lower.getNumOccurrences() != 0;
  Result.LowerToSASS = Which == 1;
  Result.Compiler = Compiler;
  Result.CompilerArguments = compilerArguments().vec();
  Result.CompilerMessages = &errors();
  if (Result.CompilerArguments.empty() || llvm::any_of(Inputs, looksLikeSource))
    return false;
  usageError("arguments after '--' go to the CUDA compiler or to OpenCL's, but "
             "no input is CUDA or OpenCL source");
  return true;
}
