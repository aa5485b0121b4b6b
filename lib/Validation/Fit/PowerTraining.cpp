//===- PowerTraining.cpp - Regressions of power from rows -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/PowerTraining.h"
#include "NetworkTraining.h"
#include "Shuffle.h"
#include "llvm/ADT/STLExtras.h"
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

using namespace ptxpredict;

/// Steps of a descent at each decay of weights, and of the last one.
static constexpr unsigned Steps = 10, LastSteps = 30;
/// From strong to weak, each going on from the one before.
static constexpr double Decays[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
/// Parts of the rows by which a decay is chosen.
static constexpr unsigned InnerFolds = 3;
/// Rows by which it is chosen, at most: more of them do not change it.
static constexpr size_t InnerRows = 600;

double ptxpredict::rootMeanSquare(ArrayRef<double> MeasuredW,
                                  ArrayRef<double> PredictedW) {
  double Sum = 0;
  for (auto [M, P] : llvm::zip_equal(MeasuredW, PredictedW))
    Sum += (M - P) * (M - P);
  return std::sqrt(Sum / double(MeasuredW.size()));
}

namespace {

/// A regression, and which of the rows' inputs it takes.
struct Trained {
  PowerRegression R;
  SmallVector<unsigned, MaxRegressionInputs> Columns;

  double watts(const TrainingRow &Row) const {
    double Values[MaxRegressionInputs];
    for (size_t I = 0; I != Columns.size(); ++I)
      Values[I] = Row.Inputs[Columns[I]];
    return R.watts(ArrayRef(Values, Columns.size()));
  }
};

using RowNumbers = std::vector<unsigned>;

class Trainer {
public:
  Trainer(ArrayRef<RegressionInput> Inputs, ArrayRef<TrainingRow> Rows,
          const TrainingOptions &Options)
      : Inputs(Inputs), Rows(Rows), Options(Options) {}

  TrainingResult run();

private:
  /// The plain line has no events of textures.
  bool takes(const RegressionInput &In) const {
    return Options.Kind != RegressionKind::MLR ||
           In.Kind != RegressionInput::KindTy::Event ||
           infoOf(In.Event).IsInMLR;
  }
  /// The number of the fold of each of \p Numbers.
  std::vector<unsigned> foldsOf(const RowNumbers &Numbers, unsigned Folds,
                                std::mt19937_64 &Random) const;
  /// Bounds of the inputs, without those that are the same in all rows.
  Trained begin(const RowNumbers &Numbers) const;
  Trained train(const RowNumbers &Numbers, std::mt19937_64 &Random) const;
  /// The inputs that follow from others, of a fit that is not to be.
  SmallVector<unsigned, 4> fitLine(Trained &T, const RowNumbers &Numbers) const;
  void fitNetwork(Trained &T, const RowNumbers &Numbers,
                  std::mt19937_64 &Random) const;
  double chooseDecay(RowNumbers Numbers, std::mt19937_64 &Random) const;
  NetworkProblem problemOf(const Trained &T, const RowNumbers &Numbers) const;
  void crossValidate(TrainingResult &Result) const;

  ArrayRef<RegressionInput> Inputs;
  ArrayRef<TrainingRow> Rows;
  const TrainingOptions &Options;
};

} // namespace

std::vector<unsigned> Trainer::foldsOf(const RowNumbers &Numbers,
                                       unsigned Folds,
                                       std::mt19937_64 &Random) const {
  std::vector<unsigned> Groups;
  if (Options.Split == RegressionSplit::Random) {
    Groups.resize(Numbers.size());
    std::iota(Groups.begin(), Groups.end(), 0U);
  } else {
    for (unsigned N : Numbers)
      Groups.push_back(Rows[N].Kernel);
    llvm::sort(Groups);
    Groups.erase(std::unique(Groups.begin(), Groups.end()), Groups.end());
  }
  shuffle(Groups, Random);
  std::map<unsigned, unsigned> FoldOf;
  for (auto [Position, Group] : llvm::enumerate(Groups))
    FoldOf[Group] = unsigned(Position) % Folds;
  std::vector<unsigned> Result;
  Result.reserve(Numbers.size());
  for (auto [Position, N] : llvm::enumerate(Numbers))
    Result.push_back(
        FoldOf[Options.Split == RegressionSplit::Random ? unsigned(Position)
                                                        : Rows[N].Kernel]);
  return Result;
}

Trained Trainer::begin(const RowNumbers &Numbers) const {
  constexpr double Huge = std::numeric_limits<double>::infinity();
  Trained T;
  T.R.Kind = Options.Kind;
  for (unsigned C = 0; C != Inputs.size(); ++C) {
    RegressionInput In = Inputs[C];
    if (!takes(In))
      continue;
    In.Least = Huge;
    In.Most = -Huge;
    for (unsigned N : Numbers) {
      In.Least = std::min(In.Least, Rows[N].Inputs[C]);
      In.Most = std::max(In.Most, Rows[N].Inputs[C]);
    }
    if (!(In.Least < In.Most))
      continue;
    T.R.Inputs.push_back(In);
    T.Columns.push_back(C);
  }
  T.R.LeastW = Huge;
  T.R.MostW = -Huge;
  for (unsigned N : Numbers) {
    T.R.LeastW = std::min(T.R.LeastW, Rows[N].Watts);
    T.R.MostW = std::max(T.R.MostW, Rows[N].Watts);
  }
  return T;
}

SmallVector<unsigned, 4> Trainer::fitLine(Trained &T,
                                          const RowNumbers &Numbers) const {
  const auto NumRows = Eigen::Index(Numbers.size()),
             NumColumns = Eigen::Index(T.Columns.size()) + 1;
  Eigen::MatrixXd A(NumRows, NumColumns);
  Eigen::VectorXd Watts(NumRows);
  for (Eigen::Index R = 0; R != NumRows; ++R) {
    const TrainingRow &Row = Rows[Numbers[size_t(R)]];
    Watts[R] = Row.Watts;
    A(R, 0) = 1;
    for (Eigen::Index C = 1; C != NumColumns; ++C)
      A(R, C) = T.R.Inputs[size_t(C - 1)].scaled(
          Row.Inputs[T.Columns[size_t(C - 1)]]);
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> QR;
  constexpr double Threshold = 1e-10;
  QR.setThreshold(Threshold);
  QR.compute(A);
  const Eigen::VectorXd X = QR.solve(Watts); // 0 of those that follow
  T.R.Coefficients.assign(1, X[0]);
  for (Eigen::Index C = 1; C != NumColumns; ++C) {
    const RegressionInput &In = T.R.Inputs[size_t(C - 1)];
    const double Slope = X[C] / (In.Most - In.Least);
    T.R.Coefficients.push_back(Slope);
    T.R.Coefficients.front() -= Slope * In.Least;
  }
  SmallVector<unsigned, 4> Dependent;
  for (Eigen::Index C = QR.rank(); C != NumColumns; ++C)
    if (const int Column = QR.colsPermutation().indices()[C]; Column != 0)
      Dependent.push_back(T.Columns[size_t(Column - 1)]);
  llvm::sort(Dependent);
  return Dependent;
}

NetworkProblem Trainer::problemOf(const Trained &T,
                                  const RowNumbers &Numbers) const {
  NetworkProblem P;
  P.NumInputs = unsigned(T.Columns.size());
  double Squares = 0;
  for (unsigned N : Numbers) {
    const TrainingRow &Row = Rows[N];
    for (auto [C, In] : llvm::zip(T.Columns, T.R.Inputs))
      P.Inputs.push_back(In.scaled(Row.Inputs[C]));
    P.Targets.push_back(toTarget(Row.Watts, T.R.LeastW, T.R.MostW));
    // Errors are shares of what was measured.
    P.Weights.push_back(1 / Row.Watts);
    Squares += P.Weights.back() * P.Weights.back();
  }
  const double Scale = std::sqrt(double(Numbers.size()) / Squares);
  for (double &W : P.Weights)
    W *= Scale;
  return P;
}

/// The decay at which rows that are left out again are predicted best.
double Trainer::chooseDecay(RowNumbers Numbers, std::mt19937_64 &Random) const {
  if (Numbers.size() > InnerRows) {
    shuffle(Numbers, Random);
    Numbers.resize(InnerRows);
  }
  double Errors[std::size(Decays)] = {};
  const std::vector<unsigned> Folds = foldsOf(Numbers, InnerFolds, Random);
  for (unsigned F = 0; F != InnerFolds; ++F) {
    RowNumbers In, Out;
    for (auto [N, Fold] : llvm::zip(Numbers, Folds))
      (Fold == F ? Out : In).push_back(N);
    if (In.empty() || Out.empty())
      continue;
    Trained T = begin(In);
    if (T.Columns.empty() || !(T.R.LeastW < T.R.MostW))
      continue;
    const NetworkProblem P = problemOf(T, In);
    T.R.Network = drawNetwork(P.NumInputs, Random);
    for (size_t D = 0; D != std::size(Decays); ++D) {
      descend(T.R.Network, P, Decays[D], Steps);
      for (unsigned N : Out)
        Errors[D] += std::fabs(T.watts(Rows[N]) / Rows[N].Watts - 1);
    }
  }
  return Decays[std::min_element(std::begin(Errors), std::end(Errors)) -
                std::begin(Errors)];
}

void Trainer::fitNetwork(Trained &T, const RowNumbers &Numbers,
                         std::mt19937_64 &Random) const {
  T.R.Trainer = Options.Trainer;
  const NetworkProblem P = problemOf(T, Numbers);
  if (Options.Trainer == RegressionTrainer::BackPropagation) {
    T.R.Network = drawNetwork(P.NumInputs, Random);
    propagateBack(T.R.Network, P, Random);
    return;
  }
  T.R.Decay = chooseDecay(Numbers, Random);
  T.R.Network = drawNetwork(P.NumInputs, Random);
  for (double Decay : Decays) {
    const bool IsLast = Decay == T.R.Decay;
    descend(T.R.Network, P, Decay, IsLast ? LastSteps : Steps);
    if (IsLast)
      break;
  }
}

Trained Trainer::train(const RowNumbers &Numbers,
                       std::mt19937_64 &Random) const {
  Trained T = begin(Numbers);
  if (Options.Kind != RegressionKind::Network || T.Columns.empty() ||
      !(T.R.LeastW < T.R.MostW)) {
    // Rows that are all the same are as good as a line.
    T.R.Kind = Options.Kind == RegressionKind::Network ? RegressionKind::MLRPlus
                                                       : Options.Kind;
    fitLine(T, Numbers);
  } else {
    fitNetwork(T, Numbers, Random);
  }
  return T;
}

void Trainer::crossValidate(TrainingResult &Result) const {
  RowNumbers All(Rows.size());
  std::iota(All.begin(), All.end(), 0U);
  std::mt19937_64 Random(Options.Seed);
  const std::vector<unsigned> Folds = foldsOf(All, Options.Folds, Random);
  std::vector<double> Predicted(Rows.size());
  for (unsigned F = 0; F != Options.Folds; ++F) {
    RowNumbers In, Out;
    for (unsigned N : All)
      (Folds[N] == F ? Out : In).push_back(N);
    if (In.empty() || Out.empty())
      continue;
    const Trained T = train(In, Random);
    for (unsigned N : Out)
      Predicted[N] = T.watts(Rows[N]);
  }
  std::map<unsigned, RowNumbers> ByKernel;
  for (unsigned N : All)
    ByKernel[Rows[N].Kernel].push_back(N);
  RegressionError &Error = Result.Regression.Error;
  for (const auto &[Kernel, Numbers] : ByKernel) {
    KernelTrainingError &K = Result.Kernels.emplace_back();
    K.Kernel = Kernel;
    K.Rows = Numbers.size();
    std::vector<double> M, P;
    for (unsigned N : Numbers) {
      M.push_back(Rows[N].Watts);
      P.push_back(Predicted[N]);
      K.MAPE += std::fabs(P.back() / M.back() - 1) / double(K.Rows);
    }
    K.RMSEW = rootMeanSquare(M, P);
    Error.MAPE += K.MAPE * double(K.Rows) / double(Rows.size());
    Error.RMSEW += K.RMSEW / double(ByKernel.size());
  }
}

TrainingResult Trainer::run() {
  TrainingResult Result;
  RowNumbers All(Rows.size());
  std::iota(All.begin(), All.end(), 0U);
  Trained T = begin(All);
  for (unsigned C = 0; C != Inputs.size(); ++C) {
    const RegressionInput &In = Inputs[C];
    if (takes(In) && !llvm::is_contained(T.Columns, C))
      Result.Constant.push_back(In.name());
  }
  const bool IsNetwork = Options.Kind == RegressionKind::Network;
  Result.NumParameters =
      IsNetwork
          ? PowerNetwork::numWeights({unsigned(T.Columns.size()), 4, 4, 1})
          : T.Columns.size() + 1;
  Result.Regression = T.R;
  Result.Regression.Rows = Rows.size();
  if (T.Columns.empty() || (!IsNetwork && Result.hasFewRows()))
    return Result;
  if (!IsNetwork) {
    for (unsigned C : fitLine(T, All))
      Result.Dependent.push_back(Inputs[C].name());
    if (!Result.Dependent.empty())
      return Result;
  } else {
    std::mt19937_64 Random(Options.Seed);
    T = train(All, Random);
  }
  Result.Regression = std::move(T.R);
  PowerRegression &R = Result.Regression;
  R.Rows = Rows.size();
  R.Split = Options.Split;
  R.Folds = Options.Folds;
  R.Seed = Options.Seed;
  crossValidate(Result);
  R.Kernels = Result.Kernels.size();
  return Result;
}

TrainingResult ptxpredict::trainPower(ArrayRef<RegressionInput> Inputs,
                                      ArrayRef<TrainingRow> Rows,
                                      const TrainingOptions &Options) {
  return Trainer(Inputs, Rows, Options).run();
}
