//===- Accuracy.cpp - How far predictions are off -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Accuracy.h"
#include "SetRanks.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <set>

using namespace ptxpredict;

/// Traffic below this is noise of the counters: 1 MiB in sectors of 32 B.
static constexpr double LeastSectors = 32768;

using PointList = std::vector<const ValidatedPoint *>;

static double medianOf(std::vector<double> Values) {
  if (Values.empty())
    return NAN;
  llvm::sort(Values);
  size_t Half = Values.size() / 2;
  return Values.size() % 2 ? Values[Half]
                           : (Values[Half - 1] + Values[Half]) / 2;
}

static const ModelAnswer *answer(const ValidatedPoint &P, size_t Model) {
  if (P.Answers.empty() || !P.Answers[Model].TimeUs)
    return nullptr;
  return &P.Answers[Model];
}

/// The rows that a model predicts, in their order. Without any where what it
/// says of a row is not of that row.
static PredictedTimes timesOf(ArrayRef<const ValidatedPoint *> Points,
                              const ValidationReport &R, size_t Model) {
  PredictedTimes T;
  if (R.isMedian(Model))
    return T;
  for (const ValidatedPoint *P : Points)
    if (const ModelAnswer *A = answer(*P, Model)) {
      T.Measured.push_back(P->TimeUs);
      T.Predicted.push_back(A->TimeUs->Value);
    }
  return T;
}

static double predicted(const ValidatedPoint &P, size_t Model) {
  return P.Answers[Model].TimeUs->Value;
}

static ErrorSummary summarize(ArrayRef<const ValidatedPoint *> Points,
                              size_t Model) {
  std::vector<double> Errors, Logs, Distances, Powers;
  size_t Closed = 0, Inside = 0, PowerInside = 0;
  for (const ValidatedPoint *P : Points) {
    const ModelAnswer *A = answer(*P, Model);
    if (!A)
      continue;
    double Ratio = A->TimeUs->Value / P->TimeUs;
    Errors.push_back(std::fabs(Ratio - 1));
    Logs.push_back(std::log(Ratio));
    Distances.push_back(std::fabs(Logs.back()));
    if (A->HasRange && std::isfinite(A->TimeUs->High)) {
      ++Closed;
      Inside += P->TimeUs >= A->TimeUs->Low && P->TimeUs <= A->TimeUs->High;
    }
    if (!A->PowerW || !P->PowerW)
      continue;
    Powers.push_back(std::fabs(A->PowerW->Value / *P->PowerW - 1));
    PowerInside +=
        *P->PowerW >= A->PowerW->Low && *P->PowerW <= A->PowerW->High;
  }
  ErrorSummary S;
  S.Rows = Errors.size();
  S.MAPE = meanOf(Errors);
  S.Median = medianOf(Errors);
  S.Factor = std::exp(meanOf(Distances));
  S.Bias = std::exp(meanOf(Logs));
  auto Share = [](size_t Num, size_t Of) {
    return Of == 0 ? NAN : double(Num) / double(Of);
  };
  S.Closed = Closed;
  S.Coverage = Share(Inside, Closed);
  S.PowerCoverage = Share(PowerInside, Powers.size());
  S.PowerRows = Powers.size();
  S.PowerMAPE = meanOf(Powers);
  return S;
}

namespace {

class AccuracyMaker {
public:
  AccuracyMaker(const ValidationReport &R, size_t NumWorst)
      : R(R), NumModels(R.Models.size()), NumWorst(NumWorst) {}

  Accuracy make(std::optional<unsigned> Dataset);

private:
  const ValidationReport &R;
  size_t NumModels, NumWorst;
  Accuracy Result;
  PointList Points; ///< that count

  AccuracyGroup group(ArrayRef<const ValidatedPoint *> Of) const;
  /// Groups in the order in which their first rows stand.
  template <typename KeyFn, typename NameFn>
  std::vector<AccuracyGroup> groupBy(ArrayRef<const ValidatedPoint *> Of,
                                     KeyFn Key, NameFn Name) const;
  void rankSets();
  void rankKernels();
  void findScaling();
  void compareCounts();
  void findLimiters();
  void findWorst();
};

} // namespace

AccuracyGroup AccuracyMaker::group(ArrayRef<const ValidatedPoint *> Of) const {
  AccuracyGroup G;
  G.Rows = Of.size();
  G.LeastUs = HUGE_VAL;
  for (const ValidatedPoint *P : Of) {
    G.LeastUs = std::min(G.LeastUs, P->TimeUs);
    G.MostUs = std::max(G.MostUs, P->TimeUs);
  }
  for (size_t M = 0; M != NumModels; ++M)
    G.Models.push_back(summarize(Of, M));
  return G;
}

template <typename KeyFn, typename NameFn>
std::vector<AccuracyGroup>
AccuracyMaker::groupBy(ArrayRef<const ValidatedPoint *> Of, KeyFn Key,
                       NameFn Name) const {
  std::map<std::string, size_t> Places;
  std::vector<PointList> Lists;
  for (const ValidatedPoint *P : Of) {
    auto [At, IsNew] = Places.try_emplace(Key(*P), Lists.size());
    if (IsNew)
      Lists.emplace_back();
    Lists[At->second].push_back(P);
  }
  std::vector<AccuracyGroup> Groups;
  for (const PointList &L : Lists) {
    Groups.push_back(group(L));
    Name(Groups.back(), *L.front());
  }
  return Groups;
}

/// "dataset", set: two datasets' sets are never one.
static std::string setKey(const ValidatedPoint &P) {
  return std::to_string(P.Dataset) + "\n" + P.Set;
}

void AccuracyMaker::rankSets() {
  std::map<std::string, size_t> Places;
  std::vector<PointList> Lists;
  for (const ValidatedPoint *P : Points) {
    if (R.Datasets[P->Dataset].About.Set.empty())
      continue;
    auto [At, IsNew] = Places.try_emplace(setKey(*P), Lists.size());
    if (IsNew)
      Lists.emplace_back();
    Lists[At->second].push_back(P);
  }
  std::vector<std::vector<SetRanking>> ByModel(NumModels);
  for (const PointList &L : Lists) {
    RankedSet S;
    S.Name = L.front()->Set;
    S.Rows = L.size();
    S.BestUs = HUGE_VAL;
    for (const ValidatedPoint *P : L)
      S.BestUs = std::min(S.BestUs, P->TimeUs);
    for (size_t M = 0; M != NumModels; ++M) {
      S.Models.push_back(rankSet(timesOf(L, R, M)));
      ByModel[M].push_back(S.Models.back());
    }
    Result.Sets.push_back(std::move(S));
  }
  for (size_t M = 0; M != NumModels; ++M)
    Result.Ranks.push_back(summarizeRanks(ByModel[M]));
}

void AccuracyMaker::rankKernels() {
  std::map<std::string, PointList> Devices;
  for (const ValidatedPoint *P : Points)
    if (P->IsDefault && !R.Datasets[P->Dataset].About.Default.empty())
      Devices[std::to_string(P->Dataset) + "\n" + P->Device].push_back(P);
  for (size_t M = 0; M != NumModels; ++M) {
    std::vector<SetRanking> Ranks;
    for (const auto &[Device, L] : Devices) {
      std::set<StringRef> Kernels;
      for (const ValidatedPoint *P : L)
        Kernels.insert(P->Kernel->Name);
      if (Kernels.size() >= LeastRankedRows)
        Ranks.push_back(rankSet(timesOf(L, R, M)));
    }
    Result.KernelRanks.push_back(summarizeRanks(Ranks));
  }
}

/// Within one kernel, launch and device, against its default row.
void AccuracyMaker::findScaling() {
  std::map<std::tuple<unsigned, size_t, StringRef>, PointList> Groups;
  for (const ValidatedPoint *P : Points) {
    const Dataset &D = R.Datasets[P->Dataset].About;
    if (!D.Default.empty() && (D.CoreMHz || D.MemMHz))
      Groups[{P->Dataset, P->Task, P->Device}].push_back(P);
  }
  std::vector<std::vector<double>> Errors(NumModels);
  for (const auto &[Key, L] : Groups) {
    auto Found =
        llvm::find_if(L, [](const ValidatedPoint *P) { return P->IsDefault; });
    if (Found == L.end())
      continue;
    const ValidatedPoint &Base = **Found;
    for (const ValidatedPoint *P : L)
      for (size_t M = 0; M != NumModels; ++M)
        if (P != &Base && answer(*P, M) && answer(Base, M)) {
          double Measured = P->TimeUs / Base.TimeUs;
          double Ratio = predicted(*P, M) / predicted(Base, M);
          Errors[M].push_back(std::fabs(Ratio - Measured) / Measured);
        }
  }
  for (size_t M = 0; M != NumModels; ++M)
    Result.Scaling.push_back({Errors[M].size(), meanOf(Errors[M])});
}

/// Counts hold at any clock: one row of each kernel, launch and device.
void AccuracyMaker::compareCounts() {
  std::map<std::tuple<unsigned, size_t, StringRef>, const ValidatedPoint *> One;
  for (const ValidatedPoint *P : Points) {
    const ValidatedPoint *&Chosen = One[{P->Dataset, P->Task, P->Device}];
    if (!Chosen || (P->IsDefault && !Chosen->IsDefault))
      Chosen = P;
  }
  // Counted / measured, by kernel.
  std::map<StringRef, std::vector<double>> OfKernel;
  std::map<StringRef, size_t> Places;
  for (const AccuracyGroup &G : Result.Kernels) {
    Places[G.Kernel] = Result.CountsOfKernels.size();
    Result.CountsOfKernels.push_back({G.Kernel, {}});
    Result.CountsOfKernels.back().Models.resize(NumModels);
  }
  Result.Counts.resize(NumModels);
  for (size_t M = 0; M != NumModels; ++M)
    for (unsigned C = 0; C != NumMeasuredCounts; ++C) {
      bool IsTraffic = MeasuredCount(C) == MeasuredCount::DRAMSectors ||
                       MeasuredCount(C) == MeasuredCount::L2Sectors;
      std::vector<double> Errors;
      OfKernel.clear();
      for (const auto &[Key, P] : One) {
        if (P->Answers.empty())
          continue;
        const std::optional<double> &Measured = P->Counters[C],
                                    &Counted = P->Answers[M].Counts[C];
        if (!Measured || !Counted ||
            !(*Measured > (IsTraffic ? LeastSectors : 0)))
          continue;
        double Ratio = *Counted / *Measured;
        Errors.push_back(std::fabs(Ratio - 1));
        OfKernel[P->Kernel->Name].push_back(Ratio);
      }
      Result.Counts[M][C] = {Errors.size(), medianOf(Errors)};
      for (const auto &[Kernel, Ratios] : OfKernel)
        Result.CountsOfKernels[Places[Kernel]].Models[M][C] = {
            Ratios.size(), medianOf(Ratios)};
    }
}

void AccuracyMaker::findLimiters() {
  for (size_t M = 0; M != NumModels; ++M) {
    std::map<TimeLimiter, PointList> ByLimiter;
    for (const ValidatedPoint *P : Points)
      if (const ModelAnswer *A = answer(*P, M); A && !R.isBaseline(M))
        ByLimiter[A->Limiter].push_back(P);
    auto &Of = Result.Limiters.emplace_back();
    for (const auto &[Limiter, L] : ByLimiter)
      Of.emplace_back(Limiter, summarize(L, M));
    llvm::stable_sort(Of, [](const auto &A, const auto &B) {
      return A.second.Rows > B.second.Rows;
    });
  }
}

void AccuracyMaker::findWorst() {
  for (size_t M = 0; M != NumModels; ++M) {
    auto &Worst = Result.Worst.emplace_back();
    for (const ValidatedPoint *P : Points)
      if (answer(*P, M) && !R.isBaseline(M))
        Worst.push_back(
            {size_t(P - R.Points.data()), predicted(*P, M) / P->TimeUs});
    llvm::stable_sort(Worst, [](const WorstRow &A, const WorstRow &B) {
      return std::fabs(std::log(A.Ratio)) > std::fabs(std::log(B.Ratio));
    });
    if (Worst.size() > NumWorst)
      Worst.resize(NumWorst);
  }
}

Accuracy AccuracyMaker::make(std::optional<unsigned> Dataset) {
  PointList Apart, Default;
  bool HasDefault = false;
  for (const ValidatedPoint &P : R.Points) {
    if ((Dataset && P.Dataset != *Dataset) ||
        P.Result != ValidatedPoint::Outcome::Predicted)
      continue;
    if (!P.Kernel->Apart.empty()) {
      Apart.push_back(&P);
      continue;
    }
    Points.push_back(&P);
    HasDefault |= !R.Datasets[P.Dataset].About.Default.empty();
    if (P.IsDefault)
      Default.push_back(&P);
  }
  Result.All = group(Points);
  auto OfDevice = [](const ValidatedPoint &P) { return P.Device; };
  auto OfKernel = [](const ValidatedPoint &P) { return P.Kernel->Name; };
  auto SetDevice = [](AccuracyGroup &G, const ValidatedPoint &P) {
    G.Device = P.Device;
  };
  if (HasDefault) {
    Result.Default = group(Default);
    Result.DefaultDevices = groupBy(Default, OfDevice, SetDevice);
  }
  Result.Devices = groupBy(Points, OfDevice, SetDevice);
  Result.Kernels =
      groupBy(Points, OfKernel, [&](AccuracyGroup &G, const ValidatedPoint &P) {
        G.Kernel = P.Kernel->Name;
      });
  Result.Kinds = groupBy(
      Points, [](const ValidatedPoint &P) { return P.Kernel->Kind; },
      [](AccuracyGroup &G, const ValidatedPoint &P) {
        G.Kind = P.Kernel->Kind;
      });
  Result.DeviceKernels = groupBy(
      Points,
      [&](const ValidatedPoint &P) { return P.Device + "\n" + P.Kernel->Name; },
      [&](AccuracyGroup &G, const ValidatedPoint &P) {
        G.Device = P.Device;
        G.Kernel = P.Kernel->Name;
      });
  Result.Apart = groupBy(
      Apart, [](const ValidatedPoint &P) { return P.Kernel->Apart; },
      [&](AccuracyGroup &G, const ValidatedPoint &P) {
        G.Apart = P.Kernel->Apart;
      });
  rankSets();
  rankKernels();
  findScaling();
  compareCounts();
  findLimiters();
  findWorst();
  return std::move(Result);
}

Accuracy ptxpredict::computeAccuracy(const ValidationReport &R,
                                     std::optional<unsigned> Dataset,
                                     size_t NumWorst) {
  return AccuracyMaker(R, NumWorst).make(Dataset);
}

std::vector<RemovedPart> ptxpredict::ablationOf(const ValidationReport &R,
                                                const Accuracy &A) {
  std::vector<RemovedPart> Parts;
  auto Of = [&](size_t Model) {
    const ErrorSummary &E = A.All.Models[Model];
    return RemovedPart{"", E.Rows, E.MAPE, E.Median,
                       A.Ranks[Model].MeanSpearman};
  };
  if (R.Removed.empty() || A.All.Rows == 0)
    return Parts;
  for (auto [N, Part] : llvm::enumerate(R.Removed)) {
    Parts.push_back(Of(R.numShown() + N));
    Parts.back().Part = Part;
  }
  llvm::stable_sort(Parts, [](const RemovedPart &X, const RemovedPart &Y) {
    return X.MAPE > Y.MAPE;
  });
  Parts.insert(Parts.begin(), Of(R.Whole));
  return Parts;
}

ShownModels::ShownModels(const ValidationReport &R) {
  for (size_t M = 0; M != R.numShown(); ++M) {
    if (llvm::none_of(R.Points, [&](const ValidatedPoint &P) {
          return answer(P, M) != nullptr;
        })) {
      Silent.push_back(M);
      continue;
    }
    auto First = llvm::find_if(Models, [&](size_t Other) {
      return llvm::all_of(R.Points, [&](const ValidatedPoint &P) {
        const ModelAnswer *A = answer(P, M), *B = answer(P, Other);
        return !A == !B && (!A || A->TimeUs->Value == B->TimeUs->Value);
      });
    });
    if (First == Models.end())
      Models.push_back(M);
    else
      Alike.emplace_back(M, *First);
  }
}

std::vector<std::string> ShownModels::notes(const ValidationReport &R) const {
  std::vector<std::string> Notes;
  Notes.reserve(Alike.size() + Silent.size());
  for (auto [Model, Other] : Alike)
    Notes.push_back("The times of " + R.Models[Model] + " are those of " +
                    R.Models[Other] + ".");
  for (size_t M : Silent)
    Notes.push_back(R.Models[M] + " has no time for any row.");
  if (R.Refit != RefitBy::None) {
    const bool IsBoth = R.Refit == RefitBy::KernelAndDevice;
    StringRef By = R.Refit == RefitBy::Kernel ? "kernel" : "device";
    Notes.push_back(
        IsBoth ? "Refitted: each kernel on each device of a dataset is "
                 "predicted with parameters that are fitted to the rows of its "
                 "other kernels on other devices."
               : ("Refitted: each " + By +
                  " of a dataset is predicted with parameters that are "
                  "fitted to the rows of its other " +
                  By + "s.")
                     .str());
  }
  return Notes;
}
