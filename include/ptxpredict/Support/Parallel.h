//===- Parallel.h - Work shared among threads -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_PARALLEL_H
#define PTXPREDICT_SUPPORT_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace ptxpredict {

/// \p Jobs, or as many as the machine has processors if that is 0.
size_t numThreads(size_t Jobs);

/// Calls \p Do once for each number below \p Num, lower ones earlier, on at
/// most \p Threads threads, of which this one is one; on fewer where the system
/// refuses them.
void forEachInParallel(size_t Num, size_t Threads,
                       llvm::function_ref<void(size_t)> Do);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_PARALLEL_H
