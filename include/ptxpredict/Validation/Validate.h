//===- Validate.h - Predictions of everything that was measured -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_VALIDATE_H
#define PTXPREDICT_VALIDATION_VALIDATE_H

#include "ptxpredict/Driver/Pipeline/CodeFile.h"
#include "ptxpredict/Launch/LaunchFile.h"
#include "ptxpredict/Scenario/Trace/TraceCode.h"
#include "ptxpredict/Validation/Dataset/Points.h"
#include "ptxpredict/Validation/Dataset/ProfiledKernels.h"
#include "ptxpredict/Validation/Fit/PowerRefit.h"
#include "ptxpredict/Validation/Fit/Refit.h"
#include <deque>
#include <map>

namespace ptxpredict {

/// Rows that are predicted with bottleneck's parameters fitted to the others.
enum class RefitBy { None, Kernel, Device, KernelAndDevice };

/// As --refit names it: "kernel-and-device".
StringRef toString(RefitBy By);

/// A core clock and a memory clock, MHz.
struct ClocksMHz {
  double Core = 0, Memory = 0;
};

struct ValidateOptions {
  std::vector<std::string> Datasets; ///< paths
  std::vector<std::string> Profiles; ///< paths of profilers' tables
  // Of the profiles:
  std::vector<std::string> Code; ///< paths
  std::string Device;            ///< empty: the profile names it
  std::string LaunchFile;        ///< path; empty without one
  // What is in neither of these folders is looked for beside the dataset.
  std::string DataFolder;          ///< of CSV files; empty without one
  std::string CodeFolder;          ///< of code; empty without one
  std::vector<std::string> Models; ///< names; empty or "all": every model
  std::vector<std::string> DeviceFiles;
  std::vector<std::string> Only; ///< names of kernels; empty: all
  /// What was counted of a kernel at these clocks stands in place of estimates
  /// in all of its rows; kernels without counters there have no prediction.
  std::optional<ClocksMHz> CountersAt;
  /// The same of each row's own counters, for those that have some.
  bool WithOwnCounters = false;
  ModelOptions Model;
  bool Ablation = false; ///< bottleneck without each of its parts, too
  RefitBy Refit = RefitBy::None;
  unsigned Jobs = 0;       ///< threads; 0: one a core
  bool KeepTerms = false;  ///< fills ModelAnswer::Terms and PowerUnits
  bool KeepEvents = false; ///< fills ValidatedPoint::Counted
};

/// What a model says of a row.
struct ModelAnswer {
  std::optional<Estimate> TimeUs; ///< nothing where the model has no answer
  std::optional<Estimate> PowerW; ///< of the board
  TimeLimiter Limiter = TimeLimiter::None;
  /// As the model tells it; nothing of a model that does not.
  std::optional<KernelKind> Kind;
  bool HasRange = true;     ///< the time's bounds say where it may lie
  std::string Problem;      ///< why there is no time
  std::string NoUpperBound; ///< why the time has none; empty if it has
  /// The model's own counts, where it has them as terms.
  std::array<std::optional<double>, NumMeasuredCounts> Counts;
  // Where they are kept:
  std::vector<Term> Terms;
  std::vector<UnitPower> PowerUnits;
};

/// A row that was measured, with what the models say of it.
struct ValidatedPoint : MeasuredPoint {
  enum class Outcome { Predicted, NoCode, NoCounters, Failed };

  unsigned Dataset = 0; ///< index into ValidationReport::Datasets
  unsigned Line = 0;    ///< of the CSV file
  const ptxpredict::Device *On = nullptr;
  DevicePoint Point;
  size_t Task = 0; ///< equal for rows of one kernel and launch
  Outcome Result = Outcome::Predicted;
  bool HasCounters = false;         ///< of its own, where these are asked for
  std::vector<ModelAnswer> Answers; ///< by model; empty unless predicted
  PowerEventCounts Counted;         ///< of the code, where they are kept
};

struct ValidatedDataset {
  Dataset About;
  bool IsProfile = false; ///< made of what a profiler wrote
  std::string Path;
  DatasetPoints Rows; ///< how many are not there; Points has moved on
  size_t NumPoints = 0, NoCode = 0, NoCounters = 0, Failed = 0;
  size_t numPredicted() const {
    return NumPoints - NoCode - NoCounters - Failed;
  }
  std::optional<RefitResult> Refit; ///< its answers have moved on
};

/// Everything that a view of a validation shows.
struct ValidationReport {
  std::vector<std::string> Models;
  /// Parts of bottleneck; the last models are that one, \ref Whole, without
  /// each of them, and only the ablation's table shows them.
  ArrayRef<StringRef> Removed;
  size_t Whole = 0;
  RefitBy Refit = RefitBy::None;
  /// What any model should be better than, as two models: see Baselines.h of
  /// the library. 0 where there are none.
  size_t Roofline = 0, Median = 0;
  bool isMedian(size_t Model) const { return Median != 0 && Model == Median; }
  bool isBaseline(size_t Model) const {
    return isMedian(Model) || (Roofline != 0 && Model == Roofline);
  }
  size_t numShown() const { return Models.size() - Removed.size(); }
  std::deque<ValidatedDataset> Datasets; ///< points refer to their kernels
  /// What devices draw by all rows with power, where they are refitted.
  std::vector<FittedPower> Power;
  std::vector<ValidatedPoint> Points; ///< by dataset, in the order of the file
};

/// A file of code that the drawn rows need.
struct NeededCode {
  std::string Path;
  std::string Requires; ///< how it is made, for people
  size_t Rows = 0;
  bool Exists = false;
};

/// Reads datasets, predicts their rows. Not thread-safe.
class Validator {
public:
  explicit Validator(ValidateOptions Options);

  /// Reads datasets, tables and devices and checks names. False if the run
  /// cannot go on (reported).
  bool prepare();

  ArrayRef<const Model *> models() const { return Models; }
  /// What run() will predict the rows of.
  const ValidationReport &rows() const { return Report; }
  /// The text of a dataset's CSV file.
  StringRef tableText(size_t Dataset) const;
  /// The files that run() will read, sorted by path.
  std::vector<NeededCode> neededCode() const;

  /// Predicts every row. \p OnProgress is told how many of all tasks are done,
  /// by several threads, one at a time.
  ValidationReport
  run(llvm::function_ref<void(size_t Done, size_t All)> OnProgress = nullptr);

  std::vector<const DiagnosticEngine *> diagnostics() const;
  bool hasErrors() const;

private:
  class Run;
  /// A launch file that rows name.
  struct Launches {
    DiagnosticEngine *Diags = nullptr; ///< null of one that is not there
    LaunchFile File;
  };
  DiagnosticEngine &open(StringRef Path);
  bool prepareModels();
  /// Columns that are bottleneck's, fitted or without parts.
  bool prepareVariants();
  bool hasVariants() const;
  bool prepareDataset(StringRef Path);
  /// Makes a dataset of what a profiler wrote.
  bool prepareProfile(StringRef Path);
  /// The kernels of Options.Code. False on error (reported).
  bool readProfiledCode();
  /// What \p K ran on; null on error (reported).
  const ptxpredict::Device *deviceOf(const ProfiledKernel &K,
                                     DiagnosticEngine &Diags);
  void setLaunch(const ProfiledKernel &K, const TraceCode &Of,
                 ValidatedPoint &P);
  /// Adds the row of \p K to \p D, unless it is not asked for.
  void addProfiled(const ProfiledKernel &K, const TraceCode &Of,
                   ValidatedDataset &D, DiagnosticEngine &Diags);
  /// Sets what follows from a point's device and place.
  void finish(ValidatedPoint &P, SMLoc Place, const DiagnosticEngine &Table);
  /// Reads a launch file, unless it has been read. False on error (reported; to
  /// \p Diags at \p Place if it is not there).
  bool readLaunches(const std::string &Path, DiagnosticEngine &Diags,
                    SMLoc Place);
  /// Whether a row has counters at the clocks that are asked for (reported).
  void checkCountersAt();
  bool findDevices(const Dataset &D, DiagnosticEngine &Diags);
  /// Where the dataset's code \p Name lies.
  std::string codePath(const ValidatedDataset &D, StringRef Name) const;
  /// Where the launch file of a row lies.
  static std::string launchPath(const ValidatedDataset &D,
                                const MeasuredPoint &P);

  ValidateOptions Options;
  DiagnosticEngine General; ///< what has no file
  std::vector<std::unique_ptr<DiagnosticEngine>> Engines;
  std::vector<DiagnosticEngine *> DatasetEngines;     ///< by dataset
  std::vector<const DiagnosticEngine *> TableEngines; ///< the same
  DeviceRegistry Registry{DeviceRegistry::Sources::Dropped};
  SharedDevices Devices{Registry};
  std::vector<const Model *> Models;
  std::map<std::string, Launches> LaunchFiles; ///< by path
  size_t RefitColumn = 0;                      ///< where one is asked for
  std::vector<TraceCode> ProfiledCode;
  /// By the name and the capability in the profile; null after an error.
  std::map<std::pair<std::string, std::string>, const Device *> ProfiledDevices;
  std::vector<std::unique_ptr<CSVFile>> Tables;
  ValidationReport Report; ///< until run() hands it out
};

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_VALIDATE_H
