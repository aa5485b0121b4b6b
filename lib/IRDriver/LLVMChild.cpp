//===- LLVMChild.cpp - LLVM's work in a child process ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LLVMChild.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace ptxpredict;

/// A line of the child that begins so has LLVM's last words.
static constexpr StringRef FatalMark = "ptx-predict-fatal\t";

static std::shared_mutex &mutexOfLLVM() {
  static std::shared_mutex Mutex;
  return Mutex;
}

std::shared_lock<std::shared_mutex> ptxpredict::workInLLVM() {
  return std::shared_lock<std::shared_mutex>(mutexOfLLVM());
}

std::string ptxpredict::cleaned(StringRef Text) {
  std::string Result;
  // What is after the first line are the nodes that a node is made of.
  for (StringRef Word : llvm::split(Text.split('\n').first, ' ')) {
    StringRef Number = Word;
    if (Number.consume_front("0x") && Number.consume_back(":") &&
        llvm::all_of(Number, llvm::isHexDigit))
      continue;
    if (!Result.empty())
      Result += ' ';
    for (char C : Word)
      Result += C == '\t' ? ' ' : C;
  }
  return Result;
}

/// Called in the child for code that the back end gives up at.
static void tellAndEnd(void *, const char *Reason, bool) {
  llvm::errs() << '\n' << FatalMark << cleaned(Reason) << '\n';
  llvm::sys::RunSignalHandlers(); // prints which function it was at
  llvm::errs().flush();
  _exit(1);
}

static void tellOutOfMemory() { tellAndEnd(nullptr, "out of memory", false); }

/// Makes the process, a copy, one that may end in any way: its last words go to
/// the parent, and handlers of this program see no signal of it.
static void becomeExpendable() {
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(tellAndEnd);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { tellOutOfMemory(); });
  std::set_new_handler(tellOutOfMemory);
  std::set_terminate(std::abort);
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    (void)std::signal(Signal, SIG_DFL);
  rlimit None = {};
  (void)setrlimit(RLIMIT_CORE, &None);
}

Expected<ChildResult>
ptxpredict::runLLVMInChild(llvm::function_ref<int()> Work) {
  return runInChild(
      [&] {
        becomeExpendable();
        return Work();
      },
      &mutexOfLLVM());
}

std::string ptxpredict::fatalWords(const ChildResult &R) {
  for (StringRef Line : llvm::split(R.Messages, '\n'))
    if (Line.consume_front(FatalMark))
      return Line.str();
  return {};
}

std::string ptxpredict::whyEnded(const ChildResult &R) {
  if (std::string Words = fatalWords(R); !Words.empty())
    return Words;
  if (R.Signal == 0)
    return "it ended without a reason";
  const char *Name = sigdescr_np(R.Signal);
  return "it ended by signal " + std::to_string(R.Signal) +
         (Name ? " (" + std::string(Name) + ")" : "");
}
