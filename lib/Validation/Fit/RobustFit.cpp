//===- RobustFit.cpp - Parameters that measurements speak for -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/RobustFit.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

/// Errors below this count by their square.
static constexpr double Rounding = 0.05;
/// Of numeric derivatives.
static constexpr double Step = 1e-4;
static constexpr unsigned MaxSteps = 40;
/// Of the cost, from one step to the next.
static constexpr double LeastGain = 1e-6;

/// The errors' distance from 0, rounded off.
static double lengthOf(double Error) { return std::hypot(Error, Rounding); }

static double costOf(const FitProblem &P, ArrayRef<double> X,
                     ArrayRef<double> Errors) {
  double Sum = 0;
  for (size_t R = 0; R != Errors.size(); ++R)
    if (std::isfinite(Errors[R]))
      Sum += P.Weights[R] * (lengthOf(Errors[R]) - Rounding);
  for (size_t I = 0; I != X.size(); ++I)
    Sum += X[I] * X[I] / (P.Sigmas[I] * P.Sigmas[I]);
  return Sum;
}

double ptxpredict::costOf(const FitProblem &P, ArrayRef<double> Parameters) {
  std::vector<double> Errors(P.Weights.size());
  P.ErrorsAt(Parameters, Errors);
  return ::costOf(P, Parameters, Errors);
}

namespace {

/// A symmetric positive definite matrix, row by row.
class Matrix {
public:
  explicit Matrix(size_t N) : N(N), Cells(N * N) {}
  double &at(size_t I, size_t J) { return Cells[I * N + J]; }
  /// Solves for \p B in place, by Cholesky's factors.
  void solve(std::vector<double> &B);

private:
  size_t N;
  std::vector<double> Cells;
};

} // namespace

void Matrix::solve(std::vector<double> &B) {
  for (size_t I = 0; I != N; ++I)
    for (size_t J = 0; J <= I; ++J) {
      double Sum = at(I, J);
      for (size_t K = 0; K != J; ++K)
        Sum -= at(I, K) * at(J, K);
      at(I, J) = I == J ? std::sqrt(Sum) : Sum / at(J, J);
    }
  for (size_t I = 0; I != N; ++I) {
    for (size_t K = 0; K != I; ++K)
      B[I] -= at(I, K) * B[K];
    B[I] /= at(I, I);
  }
  for (size_t I = N; I-- != 0;) {
    for (size_t K = I + 1; K != N; ++K)
      B[I] -= at(K, I) * B[K];
    B[I] /= at(I, I);
  }
}

std::vector<double> ptxpredict::fitRobustly(const FitProblem &P) {
  const size_t NumRows = P.Weights.size(), Num = P.Sigmas.size();
  std::vector<double> X(Num), Errors(NumRows), Moved(NumRows);
  std::vector<std::vector<double>> Slopes(Num, std::vector<double>(NumRows));
  P.ErrorsAt(X, Errors);
  double Cost = ::costOf(P, X, Errors);
  double Damping = 1e-3;
  for (unsigned N = 0; N != MaxSteps; ++N) {
    for (size_t I = 0; I != Num; ++I) {
      std::vector<double> Beside = X;
      Beside[I] += Step;
      P.ErrorsAt(Beside, Moved);
      for (size_t R = 0; R != NumRows; ++R) {
        double Slope = (Moved[R] - Errors[R]) / Step;
        Slopes[I][R] = std::isfinite(Slope) ? Slope : 0;
      }
    }
    // |e| is e^2 / |e|: squares with weights.
    std::vector<double> Gradient(Num), Scaled(NumRows);
    Matrix Curvature(Num);
    for (size_t R = 0; R != NumRows; ++R)
      Scaled[R] =
          std::isfinite(Errors[R]) ? P.Weights[R] / lengthOf(Errors[R]) : 0;
    for (size_t I = 0; I != Num; ++I) {
      const double Hold = 2 / (P.Sigmas[I] * P.Sigmas[I]);
      Gradient[I] = Hold * X[I];
      for (size_t R = 0; R != NumRows; ++R)
        if (Scaled[R] != 0)
          Gradient[I] += Scaled[R] * Slopes[I][R] * Errors[R];
      for (size_t J = 0; J <= I; ++J) {
        double Sum = I == J ? Hold : 0;
        for (size_t R = 0; R != NumRows; ++R)
          Sum += Scaled[R] * Slopes[I][R] * Slopes[J][R];
        Curvature.at(I, J) = Sum;
      }
    }
    // The shortest of the steps tried is far below what matters.
    double Gain = 0;
    for (unsigned Try = 0; Try != 10 && Gain <= 0; ++Try) {
      Matrix Damped = Curvature;
      for (size_t I = 0; I != Num; ++I)
        Damped.at(I, I) *= 1 + Damping;
      std::vector<double> To = Gradient;
      Damped.solve(To);
      for (size_t I = 0; I != Num; ++I)
        To[I] = X[I] - std::clamp(To[I], -1.0, 1.0);
      P.ErrorsAt(To, Moved);
      const double There = ::costOf(P, To, Moved);
      if (There < Cost) {
        Gain = Cost - There;
        Cost = There;
        X = std::move(To);
        std::swap(Errors, Moved);
        Damping = std::max(Damping / 5, 1e-9);
      } else {
        Damping *= 5;
      }
    }
    if (Gain <= LeastGain * Cost)
      break;
  }
  return X;
}
