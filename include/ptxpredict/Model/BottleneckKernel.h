//===- BottleneckKernel.h - Our own model of a kernel on a GPU *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_BOTTLENECKKERNEL_H
#define PTXPREDICT_MODEL_BOTTLENECKKERNEL_H

#include "ptxpredict/Model/BottleneckSetup.h"

namespace ptxpredict {

/// What the model says of a kernel on a device at any point. Refers to neither;
/// other parameters cost well under a microsecond.
class BottleneckKernel {
public:
  BottleneckKernel(const KernelOnDevice &On, BottleneckParts Without,
                   bool WithBounds = true);

  const BottleneckParameters &parameters() const { return Set; }
  void setParameters(const BottleneckParameters &To);

  /// Inputs and results at one point, and what they amount to.
  struct Evaluation {
    BottleneckInputs Inputs;
    BottleneckResult Result;
    PointPrediction Answer;
  };
  Evaluation evaluate(const DevicePoint &P) const;
  /// Times in us at \p P for each of KernelOnDevice::OccEnds; empty without
  /// bounds.
  SmallVector<double, 2> timesAtRegisters(const DevicePoint &P) const;
  /// The limiter by the resource that takes longest alone, whoever waits for it
  /// at a barrier: that by which kinds of kernels were measured.
  TimeLimiter longestAlone(const Evaluation &E) const;
  /// Of what is likely; the ends have others.
  const BottleneckSetup &value() const { return Value; }

  const BottleneckCounts &counts() const { return Value.Counts; }
  /// Hit rates are known.
  bool hasHits() const { return Value.HasHits; }

private:
  BottleneckParameters Set;
  BottleneckSetup Value, Low, High; ///< one for each number of the counts
  /// Value with other registers, where they let other blocks reside.
  SmallVector<BottleneckSetup, 2> AtRegisters;
  bool WithBounds;           ///< else Low and High are Value
  ptxpredict::Status Status; ///< of the results
  double NumSMs, BlocksPerSM, Occupied;

  TimeLimiter limiterOf(BottleneckResource R, const Evaluation &E) const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_BOTTLENECKKERNEL_H
