//===- KernelAnalysis.h - A graph to characteristics ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_KERNELANALYSIS_H
#define PTXPREDICT_CHARACTERISTICS_KERNELANALYSIS_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Launch/Profile.h"

namespace ptxpredict {

/// The launch of \p Kernel: what \p Spec says, else the kernel's directives,
/// else the defaults, each default added to \p Assumptions.
LaunchConfig resolveLaunch(const InstructionGraph &Kernel,
                           const LaunchSpec &Spec,
                           std::vector<Assumption> &Assumptions);

/// Everything that is known of \p Kernel at this launch, the functions that it
/// calls included. Cost is linear in the code. \p Assumptions (of the launch)
/// are taken over. Counts are those of \p Profile, if there is one, as far as
/// they were counted: per warp, and estimates where not the whole of the same
/// launch was run. \p WorkLimit, in steps, replaces StaticProfileBudget.
KernelCharacteristics
analyzeKernel(const InstructionGraph &Kernel, const LaunchConfig &Launch,
              std::vector<Assumption> Assumptions,
              const KernelProfile *Profile = nullptr,
              std::optional<uint64_t> WorkLimit = std::nullopt);

/// Why \p Profile is not of \p Kernel's code, whose body must be there; empty
/// if it is.
std::string whyNotOf(const KernelProfile &Profile,
                     const InstructionGraph &Kernel);

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_KERNELANALYSIS_H
