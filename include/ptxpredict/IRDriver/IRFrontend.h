//===- IRFrontend.h - LLVM IR and source as inputs --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_IRDRIVER_IRFRONTEND_H
#define PTXPREDICT_IRDRIVER_IRFRONTEND_H

namespace ptxpredict {

/// Makes the driver read LLVM IR, textual and bitcode, and CUDA and OpenCL
/// source, which is compiled.
void registerIRFrontend();

} // namespace ptxpredict

#endif // PTXPREDICT_IRDRIVER_IRFRONTEND_H
