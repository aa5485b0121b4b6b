//===- ChildProcess.h - Work that another process does ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A child has no input, and ends when the process or thread that started it
// does: an interrupted run leaves none behind.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_CHILDPROCESS_H
#define PTXPREDICT_SUPPORT_CHILDPROCESS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace ptxpredict {

/// What a child that has ended left.
struct ChildResult {
  std::string Output;   ///< its standard output
  std::string Messages; ///< its standard error
  int ExitCode = 0;     ///< -1 if a signal ended it
  int Signal = 0;       ///< the one that did; 0 for none
};

/// The program \p Name in the folders of $PATH; nothing if there is none.
/// Folders that $PATH names relative to the current one are left out: that may
/// be a repository's, with programs of its own.
std::optional<std::string> findOnPath(StringRef Name);

/// Runs \p Program, a path, with \p Arguments, its own name left out, in
/// \p Folder if that is not empty. An error if it cannot be started there.
Expected<ChildResult> runProgram(const std::string &Program,
                                 ArrayRef<std::string> Arguments,
                                 const std::string &Folder = {});

/// Runs \p Work in a copy of this process, which ends with what it returns.
/// It may crash there. The copy has no other threads, and never gets what they
/// have locked: \p Others is held while it is made, so that nobody who holds it
/// shared is in the middle of anything then. Null where nothing of what others
/// lock is needed.
Expected<ChildResult> runInChild(llvm::function_ref<int()> Work,
                                 std::shared_mutex *Others = nullptr);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_CHILDPROCESS_H
