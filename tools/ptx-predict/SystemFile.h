//===- SystemFile.h - A system by its name or its file ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_SYSTEMFILE_H
#define PTXPREDICT_TOOLS_SYSTEMFILE_H

#include "ptxpredict/Scenario/System/System.h"

namespace ptxpredict::tool {

/// The system of that name, else of that file. Null on error (reported).
std::unique_ptr<System> readSystem(StringRef Name, const SystemParts &Parts);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_SYSTEMFILE_H
