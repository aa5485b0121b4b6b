//===- SplitLinks.h - The links of devices that share work ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_SPLITLINKS_H
#define PTXPREDICT_SCENARIO_PLAN_SPLITLINKS_H

#include "ptxpredict/Model/KernelSplit.h"
#include "ptxpredict/Scenario/Plan/SystemLayout.h"

namespace ptxpredict {

/// The way over all of \p Links one after another: their startups, and the
/// seconds a byte of the slowest. What no file says of them is added to
/// \p Assumed, each once.
SplitLink splitLinkOver(ArrayRef<const Link *> Links, HostMemory Memory,
                        std::vector<std::string> &Assumed);

/// The parts with devices of a system's first kind of node, CPUs first: of
/// each component as many sides as the node has of it, with its links to the
/// nearest CPU, and with its power where the system says it. An error where a
/// GPU is joined to no CPU, or there are more than MostSplitParties.
Expected<std::vector<SplitSide>>
splitSidesOf(const System &S, HostMemory Memory,
             std::vector<std::string> &Assumed);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_SPLITLINKS_H
