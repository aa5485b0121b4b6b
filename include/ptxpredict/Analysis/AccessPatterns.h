//===- AccessPatterns.h - What memory instructions touch --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_ACCESSPATTERNS_H
#define PTXPREDICT_ANALYSIS_ACCESSPATTERNS_H

#include "ptxpredict/Analysis/LinearForms.h"
#include "ptxpredict/Support/Assumption.h"
#include "ptxpredict/Support/Estimate.h"
#include <tuple>

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
class AccessPatterns {
public:
  explicit AccessPatterns(const LinearForms &Forms) : Forms(Forms) {}

  AccessPattern of(const Instruction &I, const MemoryEffect &E,
                   std::vector<Assumption> &Assumptions);

private:
  const LinearForms &Forms;
  /// Accesses of one shape, which most are, are counted once. What decides is
  /// the strides, what is unknown, the place within 128 bytes, the width and
  /// the space.
  using Shape = std::tuple<LinearForm::Strides, unsigned, uint64_t, uint64_t,
                           unsigned, unsigned>;
  std::map<Shape, AccessPattern> Known;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_ACCESSPATTERNS_H
