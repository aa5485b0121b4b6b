//===- Ranking.h - A tuning space by predicted time -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_RANKING_RANKING_H
#define PTXPREDICT_REPORT_RANKING_RANKING_H

#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

/// "schema" and "version" of the JSON. The version rises when a key is renamed
/// or taken away.
constexpr StringRef RankingSchemaName = "ptx-predict/ranking";
constexpr unsigned RankingSchemaVersion = 1;

/// What a ranking sorts by.
enum class RankBy { Time, Energy };
StringRef toString(RankBy By); ///< "time", "energy"

/// Something that a candidate takes time with.
struct RankedCost {
  StringRef Text;               ///< static: "shared-memory wavefronts"
  TimeLimiterSet Limiters = {}; ///< of kernels that it makes slower
  double Amount = 0;            ///< of the whole launch
  /// Of the predicted time, microseconds, where the model says; else NaN.
  double Us = 0;
  bool IsWaiting = false; ///< which warps do at the same time
};

/// One prediction of a candidate, without what only its report needs.
struct RankedPrediction {
  std::string Device, Model;
  double CoreMHz = 0, MemMHz = 0;
  std::optional<Estimate> TimeUs, PowerW, EnergyJ;
  Estimate Registers;
  Occupancy Occ;
  TimeLimiter Limiter = TimeLimiter::None;
  std::string Reason; ///< it cannot be predicted; empty if it can
  std::vector<RankedCost> Costs;
  double BusySMs = 0; ///< that the grid has blocks for
  /// Of an SM that has blocks: those of the occupancy, or fewer if the grid has
  /// not that many.
  double ResidentWarps = 0;
  /// What the busiest SM has of the blocks over what an even split would give
  /// it; NaN where the model does not say.
  double Imbalance = 0;

  /// What it is sorted by; nothing if that is not known.
  std::optional<Estimate> value(RankBy By) const {
    return By == RankBy::Time ? TimeUs : EnergyJ;
  }
};

/// A kernel of a file at one launch.
struct RankedCandidate {
  std::string Path;
  std::string Kernel, Demangled;
  std::string LaunchFile;  ///< empty without one
  unsigned LaunchLine = 0; ///< of its launch there; 0 without
  Dim3 Grid, Block, Cluster;
  uint64_t DynamicSharedBytes = 0;
  std::vector<RankedPrediction> Predictions; ///< by device, then by model

  RankedCandidate(const Report &Head, const KernelReport &K,
                  StringRef LaunchFile);
};

/// A candidate's place on one device by one model.
struct RankedPlace {
  const RankedCandidate *Candidate = nullptr;
  const RankedPrediction *Predicted = nullptr;
  size_t Rank = 0; ///< from 1; equal predictions keep the order of files
  /// The value lies within the interval of that of the place before.
  bool IsTie = false;
  /// The value over that of the place before, less 1; 0 for the first.
  double Slower = 0;
  /// What separates it from the place before, most important first; empty for
  /// the first, and where nothing that is known does.
  std::vector<std::string> Reasons;
};

/// The candidates on one device by one model.
struct DeviceRanking {
  StringRef Device, Model;
  double CoreMHz = 0, MemMHz = 0;
  std::vector<RankedPlace> Places; ///< the first ones
  size_t Ranked = 0;               ///< how many candidates have a place
  /// The last place's value over that of the first; 1 without any.
  double Spread = 1;
  /// Those without a place, in the order of files: the device does not run
  /// them, or what is sorted by is not known of them.
  std::vector<RankedPlace> Unranked;
};

struct Ranking {
  RankBy By = RankBy::Time;
  std::vector<RankedCandidate> Candidates; ///< in the order of files
  /// Kernels that no launch of their launch file is for, though it has launches
  /// of others, in the order of files: they are no candidates.
  struct LeftOutKernel {
    std::string Path, Kernel, Demangled, LaunchFile;
  };
  std::vector<LeftOutKernel> LeftOut;
  std::vector<std::string> Premises;
  std::vector<Diagnostic> Diagnostics;

  /// Sorts them for every device and model that they were predicted for, and
  /// keeps \p Top places of each. The result refers to this.
  std::vector<DeviceRanking> sort(size_t Top) const;
};

/// What separates \p Later from \p Earlier, by \p By: two things at most.
std::vector<std::string> reasonsBetween(const RankedPrediction &Earlier,
                                        const RankedPrediction &Later,
                                        RankBy By);

/// A table of each device and model; for Quiet the best candidate of each.
void printRankingText(const Ranking &R, size_t Top, raw_ostream &OS,
                      Verbosity V, bool Colors);
/// One JSON object, schema "ptx-predict/ranking"
/// (docs/schemas/ranking.schema.json).
void printRankingJSON(const Ranking &R, size_t Top, raw_ostream &OS);
/// A header, then a row for each place.
void printRankingCSV(const Ranking &R, size_t Top, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_RANKING_RANKING_H
