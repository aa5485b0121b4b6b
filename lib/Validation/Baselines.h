//===- Baselines.h - What a model should be better than ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Two predictions that stand beside those of the models. Neither knows how long
// anything waits, or how warps and blocks share a multiprocessor.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_VALIDATION_BASELINES_H
#define PTXPREDICT_LIB_VALIDATION_BASELINES_H

#include "ptxpredict/Model/BottleneckKernel.h"
#include "ptxpredict/Validation/Validate.h"

namespace ptxpredict {

constexpr StringRef RooflineName = "roofline", MedianName = "device median";

/// After S. Williams, A. Waterman and D. Patterson, Roofline: an insightful
/// visual performance model, CACM 52(4), 2009, with the counts of our own
/// model: what takes longest of the issue slots, the arithmetic pipes and the
/// bytes of device memory, each at its nominal rate on all SMs that get a
/// block.
BottleneckKernel rooflineOf(const KernelOnDevice &On);

/// Answers model R.Median: for each row the median of what was measured in all
/// other rows of its dataset on its device that are not shown apart. Nothing
/// where there is none.
void answerMedians(ValidationReport &R);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_VALIDATION_BASELINES_H
