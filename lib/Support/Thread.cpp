//===- Thread.cpp - Threads with a stack of a known size ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Thread.h"
#include "llvm/Support/ErrorHandling.h"
#include <sys/resource.h>

using namespace ptxpredict;

extern "C" {
static void *runThread(void *Work) {
  (*static_cast<std::function<void()> *>(Work))();
  return nullptr;
}
}

Thread::Thread(std::function<void()> Given) : Work(std::move(Given)) {
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes) != 0)
    return;
  IsRunning = pthread_attr_setstacksize(&Attributes, StackBytes) == 0 &&
              pthread_create(&Handle, &Attributes, runThread, &Work) == 0;
  pthread_attr_destroy(&Attributes);
}

Thread::~Thread() {
  if (IsRunning)
    pthread_join(Handle, nullptr);
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
}
