//===- LLVMChild.h - LLVM's work in a child process -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// There is code at which LLVM ends the process that it is in. It does so in a
// child, and the run goes on with the other inputs.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_LLVMCHILD_H
#define PTXPREDICT_LIB_IRDRIVER_LLVMCHILD_H

#include "ptxpredict/Support/ChildProcess.h"

namespace ptxpredict {

/// Held while a thread works in LLVM's code for IR, which locks things of its
/// own: no child is made meanwhile. Never in a child, nor by who starts one.
[[nodiscard]] std::shared_lock<std::shared_mutex> workInLLVM();

/// Runs \p Work, LLVM's, in a copy of this process.
Expected<ChildResult> runLLVMInChild(llvm::function_ref<int()> Work);

/// LLVM's own words where it ended the child by them; empty if it did not.
std::string fatalWords(const ChildResult &R);

/// Why a child that did not return 0 ended: LLVM's own words, else "it ended by
/// signal 11 (Segmentation fault)".
std::string whyEnded(const ChildResult &R);

/// One line, without tabs and addresses of the process, which differ from run
/// to run.
std::string cleaned(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_LLVMCHILD_H
