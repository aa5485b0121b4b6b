//===- OutOfMemory.h - What happens when memory is gone ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_OUTOFMEMORY_H
#define PTXPREDICT_TOOLS_OUTOFMEMORY_H

namespace ptxpredict::tool {

/// From now on memory or a thread that cannot be had ends the program with a
/// message and exit code 2. What the system takes back by itself (SIGKILL) does
/// not come here.
void endOnOutOfMemory();

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_OUTOFMEMORY_H
