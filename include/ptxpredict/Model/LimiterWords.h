//===- LimiterWords.h - What people call what limits a time -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_LIMITERWORDS_H
#define PTXPREDICT_MODEL_LIMITERWORDS_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// What the time of \p P goes to, most first: resources with a share of it.
/// Empty for a model that does not say.
std::vector<const ResourceUse *> resourcesByShare(const Prediction &P);

/// A part of the time, of a model that shares it out without resources.
struct ComponentShare {
  std::string Name; ///< "shared conflict"
  double Share;
};
/// The parts that \p P's terms share_… name, most first, without those that
/// take none.
std::vector<ComponentShare> componentShares(const Prediction &P);

/// What a report for people calls a resource of \p P. Of the latency it says
/// why it cannot be hidden: "memory latency", "few blocks".
StringRef plainNameOf(const ResourceUse &U, const Prediction &P,
                      const KernelCharacteristics &K);

/// What a report for people says that \p P is limited by: the words of the
/// resource with the largest share, or else of the limiter. Where blocks leave
/// SMs empty it is "few blocks", where they fill all of them in part "partial
/// wave". Empty without an answer.
StringRef limitedBy(const Prediction &P, const KernelCharacteristics &K);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_LIMITERWORDS_H
