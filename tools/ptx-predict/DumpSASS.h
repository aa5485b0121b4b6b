//===- DumpSASS.h - --dump=sass ---------------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_DUMPSASS_H
#define PTXPREDICT_TOOLS_DUMPSASS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace ptxpredict::tool {

/// What --dump=sass is asked for.
struct SASSRequest {
  ArrayRef<std::string> Inputs, Globs;
  StringRef Architecture; ///< "sm_90"; empty for the newest in each file
  StringRef Output;
  bool AsJSON = false;
};

/// Prints the machine code of files. The process's exit code.
int dumpSASS(const SASSRequest &Request);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_DUMPSASS_H
