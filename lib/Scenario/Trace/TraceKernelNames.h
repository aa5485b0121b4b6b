//===- TraceKernelNames.h - Names of kernels as traces have them *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// nsys shows NVIDIA's spelling of demangled names, which is another than
// LLVM's: "void f<(int)4, (bool)1>(const float *)" for
// "void f<4, true>(float const*)", and "<unnamed>" for an anonymous namespace.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_TRACE_TRACEKERNELNAMES_H
#define PTXPREDICT_LIB_SCENARIO_TRACE_TRACEKERNELNAMES_H

#include "ptxpredict/Support/LLVM.h"
#include <string>

namespace ptxpredict {

/// The function's name alone: "f" of "void ns::f<(int)4>(float *)"; the text
/// where it is no such name. Without the range of NVTX before it, "step/f".
StringRef functionNameOf(StringRef Demangled);

/// What is the same for both spellings of a name, without its return type.
std::string comparableName(StringRef Demangled);

/// Whether a demangled name says template arguments or parameters.
bool saysArguments(StringRef Demangled);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_TRACE_TRACEKERNELNAMES_H
