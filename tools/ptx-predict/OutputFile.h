//===- OutputFile.h - Writing results -------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_OUTPUTFILE_H
#define PTXPREDICT_TOOLS_OUTPUTFILE_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <system_error>

namespace ptxpredict::tool {

/// Lets \p Write write to \p Path, "-" being standard output. A regular file,
/// also one behind a link, is written aside in its own folder and renamed, so
/// that a reader sees the old content or the new; anything else, such as
/// /dev/null or a pipe, is written directly. True on error (reported), which
/// may be one that \p Write returns.
bool writeResult(StringRef Path,
                 llvm::function_ref<std::error_code(raw_ostream &)> Write);
bool writeResult(StringRef Path, StringRef Text);

/// Writes what llvm::outs() still holds. True on error (reported).
bool flushStandardOutput();

/// A pipe that its reader closes ends the program quietly.
void endQuietlyOnClosedPipe();

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_OUTPUTFILE_H
