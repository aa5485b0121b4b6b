//===- LearnedPower.h - A kernel's power by a regression --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_LEARNEDPOWER_H
#define PTXPREDICT_MODEL_LEARNEDPOWER_H

#include "ptxpredict/Model/PowerRegression.h"

namespace ptxpredict {

/// A regression made ready for a kernel on its device: the events of the launch
/// are counted once. Any number of threads may ask it.
class LearnedPower {
public:
  /// \p Of: of On's device, and outlives this.
  LearnedPower(const KernelOnDevice &On, const PowerRegression &Of);

  /// Events that nothing counts, by name; empty if the regression can answer.
  ArrayRef<StringRef> missing() const { return Missing; }
  explicit operator bool() const { return Missing.empty(); }

  /// Watts of the board in the mean over a launch that takes \p Cycles of the
  /// core clock; bounds are those of the cycles' ends and twice the error that
  /// was seen in training. Allocates nothing.
  Estimate watts(const DevicePoint &P, const Estimate &Cycles) const;

  /// Fills PowerW, EnergyJ, Learned and notes of \p Result, whose Cycles a
  /// model has filled: which events nothing counts, and which inputs are beyond
  /// what was trained.
  void addTo(Prediction &Result, const DevicePoint &P) const;

private:
  using Values = std::array<double, MaxRegressionInputs>;
  ArrayRef<double> valuesAt(const DevicePoint &P, double Cycles,
                            Values &Into) const;

  const PowerRegression *Of;
  std::array<double, MaxRegressionInputs> Counts{}; ///< of events, by input
  ptxpredict::Status Status = Status::Estimated;    ///< of these
  SmallVector<StringRef, 4> Missing;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_LEARNEDPOWER_H
