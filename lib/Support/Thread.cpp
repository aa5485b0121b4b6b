//===- Thread.cpp - Threads with a stack of a known size ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Thread.h"
#include "ptxpredict/Support/RunContext.h"
#include "llvm/Support/ErrorHandling.h"
#include <sys/resource.h>

using namespace ptxpredict;

extern "C" {
static void *runThread(void *Work) {
  (*static_cast<std::function<void()> *>(Work))();
  return nullptr;
}
}

Thread::Thread(std::function<void()> Given)
    : Work([this, Do = std::move(Given), Context = RunContext::current()] {
        const RunContext::Scope Inherited(Context);
        try {
          Do();
        } catch (...) {
          Thrown = std::current_exception();
        }
      }) {
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes) != 0)
    return;
  IsRunning = pthread_attr_setstacksize(&Attributes, StackBytes) == 0 &&
              pthread_create(&Handle, &Attributes, runThread, &Work) == 0;
  pthread_attr_destroy(&Attributes);
}

void Thread::wait() {
  if (IsRunning && !IsJoined)
    pthread_join(Handle, nullptr);
  IsJoined = true;
}

Thread::~Thread() { wait(); }

void Thread::join() {
  wait();
  if (Thrown)
    std::rethrow_exception(std::exchange(Thrown, nullptr));
}

void ptxpredict::runWithFullStack(llvm::function_ref<void()> Work) {
  rlimit Limit;
  if (getrlimit(RLIMIT_STACK, &Limit) != 0 || Limit.rlim_cur >= StackBytes) {
    Work();
    return;
  }
  Thread Own(Work);
  if (!Own.isRunning())
    llvm::report_bad_alloc_error("no thread");
  Own.join();
}
