//===- Thread.h - Threads with a stack of a known size ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// How deeply a function's loops, or the scopes of a file, may be nested is
// limited so that this stack suffices. What `ulimit -s` says is not asked: it
// may be less, and where it is "unlimited" the C library gives threads 2 MiB.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_THREAD_H
#define PTXPREDICT_SUPPORT_THREAD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <exception>
#include <functional>
#include <pthread.h>

namespace ptxpredict {

/// Bytes of stack that every analysis gets.
constexpr size_t StackBytes = size_t(8) << 20;

/// A thread that is waited for when the object ends. It has the RunContext of
/// the one that starts it.
class Thread {
public:
  explicit Thread(std::function<void()> Work);
  /// False: the system refused it, and nobody does the work.
  bool isRunning() const { return IsRunning; }
  Thread(const Thread &) = delete;
  Thread &operator=(const Thread &) = delete;
  ~Thread();

  /// Waits for it, and throws what it ended with: that memory is gone, where a
  /// program catches that.
  void join();

private:
  std::function<void()> Work;
  std::exception_ptr Thrown;
  pthread_t Handle{};
  bool IsRunning = false, IsJoined = false;

  void wait();
};

/// Calls \p Work, in a thread if the stack here may not grow to StackBytes.
/// For the first thread of a program, whose stack the limit is of.
void runWithFullStack(llvm::function_ref<void()> Work);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_THREAD_H
