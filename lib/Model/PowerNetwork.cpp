//===- PowerNetwork.cpp - A feed-forward network of sigmoids --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/PowerNetwork.h"
#include <cassert>
#include <cmath>

using namespace ptxpredict;

size_t PowerNetwork::numWeights(ArrayRef<unsigned> Widths) {
  size_t N = 0;
  for (size_t L = 1; L < Widths.size(); ++L)
    N += size_t(Widths[L]) * (Widths[L - 1] + 1);
  return N;
}

namespace {
/// What every neuron gives, by layer.
using Outputs = double[PowerNetwork::MaxLayers][PowerNetwork::MaxWidth];
} // namespace

static double forward(const PowerNetwork &N, ArrayRef<double> Inputs,
                      Outputs &Z) {
  assert(Inputs.size() == N.Widths.front() && N.Widths.back() == 1 &&
         N.Widths.size() - 1 <= PowerNetwork::MaxLayers);
  const double *Before = Inputs.data();
  const double *Weight = N.Weights.data();
  const size_t NumLayers = N.Widths.size() - 1;
  for (size_t L = 0; L != NumLayers; ++L) {
    for (unsigned J = 0; J != N.Widths[L + 1]; ++J) {
      double Net = *Weight++;
      for (unsigned I = 0; I != N.Widths[L]; ++I)
        Net += *Weight++ * Before[I];
      Z[L][J] = 1 / (1 + std::exp(-Net));
    }
    Before = Z[L];
  }
  return Z[NumLayers - 1][0];
}

double PowerNetwork::evaluate(ArrayRef<double> Inputs) const {
  Outputs Z;
  return forward(*this, Inputs, Z);
}

double PowerNetwork::evaluate(ArrayRef<double> Inputs,
                              MutableArrayRef<double> Gradient) const {
  Outputs Z, Delta;
  const double Y = forward(*this, Inputs, Z);
  const size_t NumLayers = Widths.size() - 1;
  Delta[NumLayers - 1][0] = Y * (1 - Y);
  size_t End = Weights.size(); // of the layer's weights
  for (size_t L = NumLayers; L-- != 0;) {
    const double *Before = L == 0 ? Inputs.data() : Z[L - 1];
    const unsigned Width = Widths[L];
    const size_t Begin = End - size_t(Widths[L + 1]) * (Width + 1);
    if (L != 0)
      std::fill_n(Delta[L - 1], Width, 0.0);
    size_t At = Begin;
    for (unsigned J = 0; J != Widths[L + 1]; ++J) {
      const double D = Delta[L][J];
      Gradient[At++] = D;
      for (unsigned I = 0; I != Width; ++I, ++At) {
        if (L != 0)
          Delta[L - 1][I] += D * Weights[At];
        Gradient[At] = D * Before[I];
      }
    }
    if (L != 0)
      for (unsigned I = 0; I != Width; ++I)
        Delta[L - 1][I] *= Before[I] * (1 - Before[I]);
    End = Begin;
  }
  return Y;
}
