//===- NetworkTraining.cpp - Weights of a network -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NetworkTraining.h"
#include "LeastSquares.h"
#include "Shuffle.h"
#include <cmath>
#include <numeric>

using namespace ptxpredict;

PowerNetwork ptxpredict::drawNetwork(unsigned NumInputs,
                                     std::mt19937_64 &Random) {
  PowerNetwork N;
  N.Widths = {NumInputs, 4, 4, 1};
  N.Weights.resize(PowerNetwork::numWeights(N.Widths));
  for (double &W : N.Weights)
    W = uniform(Random) - 0.5;
  return N;
}

namespace {

/// The rows' errors, and below them the weights, which are to be small.
class NetworkErrors : public LeastSquaresTypes {
public:
  NetworkErrors(PowerNetwork &N, const NetworkProblem &P, double Decay)
      : N(N), P(P), OfWeight(std::sqrt(Decay * double(P.numRows()))),
        Gradient(N.Weights.size()) {}

  int inputs() const { return int(N.Weights.size()); }
  int values() const { return int(P.numRows() + N.Weights.size()); }

  int operator()(const Eigen::VectorXd &At, Eigen::VectorXd &Errors) {
    moveTo(At);
    const size_t Rows = P.numRows();
    for (size_t R = 0; R != Rows; ++R)
      Errors[Eigen::Index(R)] =
          (N.evaluate(P.row(R)) - P.Targets[R]) * P.Weights[R];
    Errors.tail(At.size()) = OfWeight * At;
    return 0;
  }

  int df(const Eigen::VectorXd &At, Eigen::MatrixXd &Slopes) {
    moveTo(At);
    Slopes.setZero();
    const size_t Rows = P.numRows();
    for (size_t R = 0; R != Rows; ++R) {
      N.evaluate(P.row(R), Gradient);
      for (size_t I = 0; I != Gradient.size(); ++I)
        Slopes(Eigen::Index(R), Eigen::Index(I)) = Gradient[I] * P.Weights[R];
    }
    for (Eigen::Index I = 0; I != At.size(); ++I)
      Slopes(Eigen::Index(Rows) + I, I) = OfWeight;
    return 0;
  }

private:
  void moveTo(const Eigen::VectorXd &At) {
    std::copy(At.begin(), At.end(), N.Weights.begin());
  }

  PowerNetwork &N;
  const NetworkProblem &P;
  double OfWeight;
  std::vector<double> Gradient;
};

} // namespace

void ptxpredict::descend(PowerNetwork &N, const NetworkProblem &P, double Decay,
                         unsigned Steps) {
  NetworkErrors Errors(N, P, Decay);
  Eigen::VectorXd At =
      Eigen::Map<const Eigen::VectorXd>(N.Weights.data(), Errors.inputs());
  Eigen::LevenbergMarquardt<NetworkErrors> Search(Errors);
  constexpr double LeastGain = 1e-5;
  Search.parameters.ftol = LeastGain;
  // Steps that fail are tried again, shorter; they evaluate, too.
  Search.parameters.maxfev = int(2 * Steps);
  Search.minimizeInit(At);
  for (unsigned I = 0; I != Steps; ++I)
    if (Search.minimizeOneStep(At) != Eigen::LevenbergMarquardtSpace::Running)
      break;
  std::copy(At.begin(), At.end(), N.Weights.begin());
}

void ptxpredict::propagateBack(PowerNetwork &N, const NetworkProblem &P,
                               std::mt19937_64 &Random) {
  constexpr unsigned Epochs = 1000;
  constexpr double Rate = 0.2;
  std::vector<size_t> Order(P.numRows());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::vector<double> Gradient(N.Weights.size());
  for (unsigned E = 0; E != Epochs; ++E) {
    shuffle(Order, Random);
    for (size_t R : Order) {
      const double Error = N.evaluate(P.row(R), Gradient) - P.Targets[R];
      for (size_t I = 0; I != Gradient.size(); ++I)
        N.Weights[I] -= Rate * Error * Gradient[I];
    }
  }
}
