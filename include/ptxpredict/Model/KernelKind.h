//===- KernelKind.h - What the time of a kernel hangs on --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// How far a model is off differs by what a kernel does. A kernel's kind comes
// from its counts, and from what limits it: nobody has to name it.
// docs/measurements/Accuracy.md has the errors of each kind.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_KERNELKIND_H
#define PTXPREDICT_MODEL_KERNELKIND_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Model/TimeLimiter.h"

namespace ptxpredict {

enum class KernelKind : uint8_t {
#define KERNEL_KIND(MEMBER, NAME, WORDS) MEMBER,
#include "ptxpredict/Model/KernelKinds.def"
};
constexpr unsigned NumKernelKinds = unsigned(KernelKind::Compute) + 1;

StringRef toString(KernelKind K);  ///< "shared-fma"
StringRef meaningOf(KernelKind K); ///< "many atomics"

/// The kind of \p K where \p Limiter limits it. Takes a look at each memory
/// instruction, and none at code.
KernelKind kindOf(const KernelCharacteristics &K, TimeLimiter Limiter);

/// An access of device memory whose place data decide: only bounds are known.
bool isGather(const MemoryCharacteristics &M);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_KERNELKIND_H
