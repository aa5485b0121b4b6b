//===- Refit.cpp - Bottleneck's parameters, fitted to others' rows --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/Refit.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Validation/Fit/RobustFit.h"
#include <cmath>
#include <map>

using namespace ptxpredict;

/// The most rows of a kind that a fit looks at.
static constexpr size_t MaxDefaultRows = 50, MaxOtherRows = 10;

namespace {

struct ParameterFacts {
  double BottleneckParameters::*Member;
  StringRef Key;
  double Lowest, Highest, Sigma;
};
constexpr ParameterFacts AllParameters[] = {
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  {&BottleneckParameters::MEMBER, KEY, LOWEST, HIGHEST, SIGMA},
#include "ptxpredict/Device/BottleneckParameters.def"
};

/// Those that are fitted.
ArrayRef<ParameterFacts> parameters() {
  static const std::vector<ParameterFacts> Fitted = [] {
    std::vector<ParameterFacts> Some;
    for (const ParameterFacts &P : AllParameters)
      if (P.Sigma > 0)
        Some.push_back(P);
    return Some;
  }();
  return Fitted;
}

/// \p To becomes \p Of with factors of these logarithms.
void scale(const BottleneckParameters &Of, ArrayRef<double> Logs,
           BottleneckParameters &To) {
  for (auto [N, P] : llvm::enumerate(parameters()))
    To.*P.Member =
        std::clamp(Of.*P.Member * std::exp(Logs[N]), P.Lowest, P.Highest);
}

/// Rows of one launch on one device.
struct Launch {
  const BottleneckKernel *Kernel;
  std::vector<const RefitRow *> Rows;
};

} // namespace

/// So many of \p Rows, evenly spread.
static void take(ArrayRef<const RefitRow *> Rows, size_t Most,
                 std::vector<const RefitRow *> &To) {
  const size_t Num = std::min(Rows.size(), Most);
  for (size_t N = 0; N != Num; ++N)
    To.push_back(Rows[N * Rows.size() / Num]);
}

/// What fits look at, in the order of the rows' kinds.
static std::vector<const RefitRow *> sample(ArrayRef<RefitRow> Rows) {
  std::map<StringRef, std::array<std::vector<const RefitRow *>, 2>> Kinds;
  for (const RefitRow &R : Rows)
    if (R.IsFitted)
      Kinds[R.Kind][R.IsDefault ? 0 : 1].push_back(&R);
  std::vector<const RefitRow *> Some;
  for (const auto &[Kind, Of] : Kinds) {
    take(Of[0], MaxDefaultRows, Some);
    take(Of[1], MaxOtherRows, Some);
  }
  return Some;
}

/// Fits to all rows that are not of \p Without.
static std::vector<double> fitParameters(ArrayRef<const RefitRow *> Rows,
                                         const LeftOut &Without) {
  std::vector<Launch> Launches;
  std::map<const BottleneckKernel *, size_t> Places;
  for (const RefitRow *R : Rows) {
    if (Without.covers(R->Group))
      continue;
    auto [At, IsNew] = Places.try_emplace(R->Kernel, Launches.size());
    if (IsNew)
      Launches.push_back({R->Kernel, {}});
    Launches[At->second].Rows.push_back(R);
  }
  FitProblem Problem;
  for (const Launch &L : Launches)
    Problem.Weights.insert(Problem.Weights.end(), L.Rows.size(), 1);
  for (const ParameterFacts &P : parameters())
    Problem.Sigmas.push_back(P.Sigma);
  auto ErrorsAt = [&](ArrayRef<double> Logs, MutableArrayRef<double> Errors) {
    BottleneckParameters Set;
    size_t N = 0;
    for (const Launch &L : Launches) {
      BottleneckSetup Setup = L.Kernel->value();
      scale(L.Kernel->parameters(), Logs, Set);
      Setup.setParameters(Set);
      for (const RefitRow *R : L.Rows)
        Errors[N++] = std::log(
            evaluateBottleneck(Setup.inputs(R->Point)).TimeUs / R->TimeUs);
    }
  };
  Problem.ErrorsAt = ErrorsAt;
  return fitRobustly(Problem);
}

RefitResult ptxpredict::refitBottleneck(ArrayRef<RefitRow> Rows,
                                        unsigned Jobs) {
  std::vector<const RefitRow *> Some = sample(Rows);
  std::map<LeftOut, size_t> Groups; // to the fit without it
  for (const RefitRow &R : Rows)
    Groups.try_emplace(R.Group, 0);
  std::vector<LeftOut> Names;
  for (auto &[Name, N] : Groups) {
    N = Names.size();
    Names.push_back(Name);
  }
  // The last fit is without none.
  std::vector<std::vector<double>> Fits(Names.size() + 1);
  forEachInParallel(Fits.size(), Jobs, [&](size_t N) {
    Fits[N] = fitParameters(Some, N < Names.size() ? Names[N] : LeftOut());
  });

  RefitResult Result;
  Result.Groups = Names.size();
  Result.FittedRows = Some.size();
  std::map<const BottleneckKernel *, std::pair<size_t, BottleneckKernel>> Ready;
  for (const RefitRow &R : Rows) {
    const size_t Group = Groups[R.Group];
    auto [At, IsNew] = Ready.try_emplace(R.Kernel, std::pair(Group, *R.Kernel));
    if (IsNew || At->second.first != Group) {
      BottleneckParameters Set = R.Kernel->parameters();
      scale(R.Kernel->parameters(), Fits[Group], Set);
      At->second.first = Group;
      At->second.second.setParameters(Set);
    }
    Result.Answers.push_back(At->second.second.evaluate(R.Point).Answer);
  }
  for (auto [N, P] : llvm::enumerate(parameters())) {
    RefittedParameter &Of = Result.Parameters.emplace_back();
    Of.Key = P.Key;
    Of.Sigma = P.Sigma;
    Of.All = std::exp(Fits.back()[N]);
    for (size_t G = 0; G != Names.size(); ++G) {
      const double Factor = std::exp(Fits[G][N]);
      if (G == 0 || Factor < Of.Least) {
        Of.Least = Factor;
        Of.LeastWithout = Names[G].text();
      }
      if (G == 0 || Factor > Of.Most) {
        Of.Most = Factor;
        Of.MostWithout = Names[G].text();
      }
    }
  }
  return Result;
}
