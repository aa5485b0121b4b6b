//===- IRInput.h - LLVM IR as an input of the driver ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_IRINPUT_H
#define PTXPREDICT_LIB_IRDRIVER_IRINPUT_H

#include "ptxpredict/Driver/Inputs/Frontend.h"

namespace ptxpredict {

/// Reads \p Code, IR as text or bitcode, which is the text of \p Diags or was
/// compiled from it (\p IsCompiled); to Diags goes what is wrong with it.
std::unique_ptr<ParsedInput> readIR(std::unique_ptr<llvm::MemoryBuffer> Code,
                                    bool IsCompiled, DiagnosticEngine &Diags,
                                    const ReadOptions &Options);

/// What reads CUDA source, and what OpenCL C.
const Frontend &cudaFrontend();
const Frontend &openCLFrontend();

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_IRINPUT_H
