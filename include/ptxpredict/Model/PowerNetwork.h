//===- PowerNetwork.h - A feed-forward network of sigmoids ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Song, PhD dissertation, Virginia Tech, 2013, section 5.4-C, equation
// (5.1). docs/models/LearnedPower.md says what the source leaves open (S61).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_POWERNETWORK_H
#define PTXPREDICT_MODEL_POWERNETWORK_H

#include "ptxpredict/Support/LLVM.h"
#include <vector>

namespace ptxpredict {

/// Neurons in layers, each of which takes all outputs of the layer before it.
struct PowerNetwork {
  /// More neurons no layer has, nor the inputs, and more layers no network.
  static constexpr unsigned MaxWidth = 32, MaxLayers = 4;

  SmallVector<unsigned, 4> Widths; ///< of the inputs and of each layer
  /// Neuron by neuron: its bias, and its weight of each input.
  std::vector<double> Weights;

  static size_t numWeights(ArrayRef<unsigned> Widths);

  /// The last layer's only output by (5.1), from 0 to 1. Allocates nothing.
  double evaluate(ArrayRef<double> Inputs) const;
  /// The same, with how it changes with each weight.
  double evaluate(ArrayRef<double> Inputs,
                  MutableArrayRef<double> Gradient) const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_POWERNETWORK_H
