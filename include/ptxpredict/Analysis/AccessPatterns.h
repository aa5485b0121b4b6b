//===- AccessPatterns.h - What memory instructions touch --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_ACCESSPATTERNS_H
#define PTXPREDICT_ANALYSIS_ACCESSPATTERNS_H

#include "ptxpredict/Analysis/LinearForms.h"
#include "ptxpredict/Support/Assumption.h"
#include "ptxpredict/Support/Estimate.h"

namespace ptxpredict {

/// What one memory instruction costs a request, in the mean over the places at
/// which an unknown lane-uniform part of its address may lie.
struct AccessPattern {
  std::optional<int64_t> LaneStrideBytes; ///< between neighbouring lanes
  Count ActiveLanes;
  std::optional<Count> Sectors, Lines;   ///< global, local and generic
  std::optional<Count> Wavefronts;       ///< shared
  std::optional<Count> CC10, CC12, CC20; ///< transactions by older rules
};

/// A first, simple rule: the lanes of the block's first warp, all taken to be
/// active, stand for all warps. An address that depends on a parameter without
/// a value takes every lane to a sector of its own (assumed, with the option
/// that says the value); one that depends on loaded data likewise (unknown).
AccessPattern accessPattern(const Instruction &I, const MemoryEffect &E,
                            const LinearForms &Forms,
                            std::vector<Assumption> &Assumptions);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_ACCESSPATTERNS_H
