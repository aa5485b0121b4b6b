//===- ArgumentTargets.h - Where arguments go in a kernel -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_ARGUMENTTARGETS_H
#define PTXPREDICT_CHARACTERISTICS_ARGUMENTTARGETS_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict {

/// The parameter that a launch's \p Key means, an index, its name or the name
/// in the source; nothing if \p Kernel has none of it.
std::optional<unsigned> parameterIndex(const InstructionGraph &Kernel,
                                       StringRef Key);
/// The names that \ref parameterIndex knows.
void addParameterNames(const InstructionGraph &Kernel,
                       std::vector<StringRef> &Names);

/// What an argument is to one kernel.
struct ArgumentTarget {
  std::optional<unsigned> Parameter; ///< nothing: the kernel has none of it
  bool IsPart = false;               ///< of the parameter
  uint64_t Offset = 0;               ///< of the part, bytes
  ArgumentPart Part;
  std::string Problem; ///< why the value has no place there; else empty
};
ArgumentTarget findTarget(const InstructionGraph &Kernel,
                          const LaunchArgument &Argument);

struct ArgumentProblem {
  const LaunchArgument *Argument = nullptr;
  std::string Message;
};
/// What is wrong with arguments for all of \p Kernels: each must fit one of
/// them, and parts of one parameter must not overlap unless they are the same.
/// \p NoKernel begins the message where none has the parameter: "no selected
/// kernel has a". \p Args must outlive the result.
std::vector<ArgumentProblem>
findArgumentProblems(ArrayRef<LaunchArgument> Args,
                     ArrayRef<const InstructionGraph *> Kernels,
                     StringRef NoKernel);

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_ARGUMENTTARGETS_H
