//===- HandOver.h - Runs that need LLVM IR go to ptx-predict-ir -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_HANDOVER_H
#define PTXPREDICT_TOOLS_HANDOVER_H

#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict::tool {

/// The arguments that \ref handOver passes on, as main got them.
void rememberArguments(char **Argv);

/// Becomes the ptx-predict-ir that lies beside this program, or on PATH. \p
/// Text is what was read of \p Path, which is given back if it was standard
/// input. Returns if there is no such program.
void handOver(StringRef Path, StringRef Text);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_HANDOVER_H
