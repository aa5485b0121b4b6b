//===- BackEnd.h - PTX as LLVM's back end writes it -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_BACKEND_H
#define PTXPREDICT_LIB_IRDRIVER_BACKEND_H

#include "ptxpredict/Support/Diagnostics.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace ptxpredict {

/// The PTX that LLVM's NVPTX back end writes for \p M. It runs in a child
/// process, for there is code at which it ends the process that it is in.
/// Nothing on error, which is reported with the back end's own words, where
/// \p Diags' text or debug data say that the function stands.
std::optional<std::string> writePTX(llvm::Module &M, llvm::TargetMachine &TM,
                                    DiagnosticEngine &Diags);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_BACKEND_H
