//===- KernelAnalysis.h - From a graph and a launch to characteristics *- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_KERNELANALYSIS_H
#define PTXPREDICT_CHARACTERISTICS_KERNELANALYSIS_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Graph/Module.h"

namespace ptxpredict {

/// The parameter that a launch's \p Key means, an index or a name; nothing if
/// \p Kernel has none of it.
std::optional<unsigned> parameterIndex(const InstructionGraph &Kernel,
                                       StringRef Key);

/// The launch of \p Kernel: what \p Spec says, else the kernel's directives,
/// else the defaults, each default added to \p Assumptions.
LaunchConfig resolveLaunch(const InstructionGraph &Kernel,
                           const LaunchSpec &Spec,
                           std::vector<Assumption> &Assumptions);

/// Everything that is known of \p Kernel at this launch, the functions that it
/// calls included. Cost is linear in the code. \p Assumptions (of the launch)
/// are taken over.
KernelCharacteristics analyzeKernel(const InstructionGraph &Kernel,
                                    const LaunchConfig &Launch,
                                    std::vector<Assumption> Assumptions);

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_KERNELANALYSIS_H
