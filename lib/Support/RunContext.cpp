//===- RunContext.cpp - What a run has in place of a process --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/RunContext.h"

using namespace ptxpredict;

static thread_local RunContext *Current = nullptr;

RunContext *RunContext::current() { return Current; }

RunContext::Scope::Scope(RunContext *Inner) : Outer(Current) {
  Current = Inner;
}

RunContext::Scope::~Scope() { Current = Outer; }
