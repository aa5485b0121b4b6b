//===- RunContext.h - What a run has in place of a process ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_RUNCONTEXT_H
#define PTXPREDICT_SUPPORT_RUNCONTEXT_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace ptxpredict {

/// One of several runs in a process. A thread has at most one, and threads that
/// it starts (Thread.h) have the same; those of a program that is one run have
/// none.
class RunContext {
public:
  /// Read in place of files of these names.
  llvm::StringMap<StringRef> Texts;

  /// The calling thread's; null without one.
  static RunContext *current();

  /// Gives the calling thread a context while it lives.
  class Scope {
  public:
    explicit Scope(RunContext *Inner);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    RunContext *Outer;
  };
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_RUNCONTEXT_H
