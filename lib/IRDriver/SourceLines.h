//===- SourceLines.h - Lines of source in a graph ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_SOURCELINES_H
#define PTXPREDICT_LIB_IRDRIVER_SOURCELINES_H

#include "ptxpredict/Graph/Module.h"

namespace llvm {
class Module;
} // namespace llvm

namespace ptxpredict {

/// Makes the lines of \p M, which was compiled from the source \p Path, those
/// of the source, of what was inlined those of the outermost call. What debug
/// data put into another file, or nowhere, has the line of what stands before
/// it. Functions have those of their heads where \p IR, if there is any, says
/// them.
void useSourceLines(Module &M, StringRef Path, const llvm::Module *IR);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_SOURCELINES_H
