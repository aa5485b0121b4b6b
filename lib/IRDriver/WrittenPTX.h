//===- WrittenPTX.h - PTX that a compiler wrote for an input ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_WRITTENPTX_H
#define PTXPREDICT_LIB_IRDRIVER_WRITTENPTX_H

#include "ptxpredict/Driver/Inputs/Frontend.h"

namespace llvm {
class Module;
} // namespace llvm

namespace ptxpredict {

/// Reads \p Text, the PTX of the input of \p Diags, to which what is wrong with
/// it is reported. If that is source (\p IsCompiled) the lines are the
/// source's. Parameters have their names of \p From, what the PTX was made of;
/// null if that is not known.
std::unique_ptr<ParsedInput> readWrittenPTX(StringRef Text, bool IsCompiled,
                                            const llvm::Module *From,
                                            DiagnosticEngine &Diags);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_WRITTENPTX_H
