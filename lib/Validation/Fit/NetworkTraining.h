//===- NetworkTraining.h - Weights of a network -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_VALIDATION_FIT_NETWORKTRAINING_H
#define PTXPREDICT_LIB_VALIDATION_FIT_NETWORKTRAINING_H

#include "ptxpredict/Model/PowerNetwork.h"
#include <random>

namespace ptxpredict {

/// What a network is to learn: inputs from 0 to 1, row by row, and outputs.
struct NetworkProblem {
  unsigned NumInputs = 0;
  std::vector<double> Inputs;
  std::vector<double> Targets;
  /// What an error of each row counts; 1 in the mean of their squares.
  std::vector<double> Weights;

  size_t numRows() const { return Targets.size(); }
  ArrayRef<double> row(size_t N) const {
    return ArrayRef(Inputs).slice(N * NumInputs, NumInputs);
  }
};

/// The same numbers everywhere, which std::uniform_real_distribution does not
/// promise: from 0 up to 1.
inline double uniform(std::mt19937_64 &Random) {
  return double(Random() >> 11) * 0x1p-53;
}

/// Of 4 - 4 - 1 neurons, with weights that are drawn from -0.5 to 0.5.
PowerNetwork drawNetwork(unsigned NumInputs, std::mt19937_64 &Random);

/// Goes on from N's weights to where rows' squared errors and, for each row,
/// \p Decay times the squared weights are least (Levenberg and Marquardt), for
/// at most so many steps.
void descend(PowerNetwork &N, const NetworkProblem &P, double Decay,
             unsigned Steps);

/// As published: error back-propagation, a row at a time, in a new order each
/// time over all.
void propagateBack(PowerNetwork &N, const NetworkProblem &P,
                   std::mt19937_64 &Random);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_VALIDATION_FIT_NETWORKTRAINING_H
