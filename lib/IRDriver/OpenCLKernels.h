//===- OpenCLKernels.h - Kernels as clang compiles OpenCL C -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_OPENCLKERNELS_H
#define PTXPREDICT_LIB_IRDRIVER_OPENCLKERNELS_H

namespace llvm {
class Module;
} // namespace llvm

namespace ptxpredict {

/// Makes kernels of \p M, which clang compiled from OpenCL C, such as a
/// driver's compiler has them. clang gives each a function with its body that
/// it then calls and never inlines: such a body becomes the kernel's, unless
/// others call it too. Of the size of a work group that a kernel demands the
/// back end knows nothing: it becomes the attribute that says so. Nor has it
/// instructions for what libclc makes of native_exp and native_log: they become
/// those with which CUDA computes __expf and __logf.
void finishOpenCLKernels(llvm::Module &M);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_OPENCLKERNELS_H
