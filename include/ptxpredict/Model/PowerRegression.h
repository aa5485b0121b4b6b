//===- PowerRegression.h - Power that was learned from rows -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Song, PhD dissertation, Virginia Tech, 2013, section 5.4: power of a board
// from events per cycle, by multiple linear regression (MLR, and MLR+ with all
// events) or by a network (BP-ANN). docs/models/LearnedPower.md has the
// equations, the errata followed and how well it does.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_POWERREGRESSION_H
#define PTXPREDICT_MODEL_POWERREGRESSION_H

#include "ptxpredict/Model/PowerEvents.h"
#include "ptxpredict/Model/PowerNetwork.h"
#include <string>

namespace ptxpredict {

enum class RegressionKind : uint8_t { MLR, MLRPlus, Network };
/// As --regression names them: "mlr", "mlr+", "ann".
ArrayRef<StringRef> regressionKindNames();
inline StringRef toString(RegressionKind K) {
  return regressionKindNames()[size_t(K)];
}

/// Which rows a cross-validation leaves out together.
enum class RegressionSplit : uint8_t { Random, Kernel };
/// "random", "kernel".
ArrayRef<StringRef> regressionSplitNames();

enum class RegressionTrainer : uint8_t { LevenbergMarquardt, BackPropagation };
/// "levenberg-marquardt", "backprop".
ArrayRef<StringRef> regressionTrainerNames();

/// Where the counts came from.
enum class RegressionCounts : uint8_t { Counted, Static };
/// "counted", "static".
ArrayRef<StringRef> regressionCountsNames();

/// A number that power is learned from, and within what it was trained.
struct RegressionInput {
  enum class KindTy : uint8_t { Event, CoreClock, MemoryClock };
  KindTy Kind = KindTy::Event;
  PowerEvent Event{}; ///< per core cycle of the launch (4.1 of the section)
  double Least = 0, Most = 1;

  StringRef name() const; ///< "l2_read", "core_mhz", "mem_mhz"
  std::string unit() const;
  bool isWithin(double V) const { return V >= Least && V <= Most; }
  /// From 0 to 1 within the bounds; values beyond them are held at them.
  double scaled(double V) const;
};
constexpr unsigned MaxRegressionInputs = NumPowerEvents + 2;
static_assert(MaxRegressionInputs <= PowerNetwork::MaxWidth);

/// How far off rows were that were left out.
struct RegressionError {
  double MAPE = 0;  ///< mean of |predicted / measured - 1|
  double RMSEW = 0; ///< of watts, in the mean over the kernels
};

/// Where rows came from.
struct RegressionSource {
  std::string Dataset, CSV, SHA256; ///< of the CSV file's text, in hex
};

struct PowerRegression {
  RegressionKind Kind = RegressionKind::MLR;
  std::string Device;
  std::vector<RegressionInput> Inputs;
  double LeastW = 0, MostW = 1; ///< that was measured
  /// Of a linear one: W, then W for each unit of each input.
  std::vector<double> Coefficients;
  PowerNetwork Network; ///< of the other: inputs from 0 to 1, power 0.1 to 0.9

  // How it came about.
  RegressionCounts Counts = RegressionCounts::Counted;
  RegressionSplit Split = RegressionSplit::Random;
  unsigned Folds = 0;
  RegressionError Error; ///< of the folds
  uint64_t Seed = 0;
  RegressionTrainer Trainer = RegressionTrainer::LevenbergMarquardt;
  double Decay = 0; ///< of weights, of a row's weight
  size_t Rows = 0, Kernels = 0;
  std::vector<RegressionSource> Sources;

  /// Watts of the board; a linear one is not held within its bounds, nor above
  /// 0. \p Values: of the inputs, in their units. Allocates nothing.
  double watts(ArrayRef<double> Values) const;
};

/// What the outputs 0.1 and 0.9 of a network mean: between them power is a
/// straight line.
constexpr double LeastTarget = 0.1, MostTarget = 0.9;
inline double toTarget(double Watts, double LeastW, double MostW) {
  return LeastTarget +
         (MostTarget - LeastTarget) * (Watts - LeastW) / (MostW - LeastW);
}
inline double fromTarget(double Target, double LeastW, double MostW) {
  return LeastW +
         (Target - LeastTarget) / (MostTarget - LeastTarget) * (MostW - LeastW);
}

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_POWERREGRESSION_H
