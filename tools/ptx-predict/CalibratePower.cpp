//===- CalibratePower.cpp - calibrate --power DATASET.yaml ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CalibratePower.h"
#include "OutputFile.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Model/PowerRegressionFile.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Validation/Fit/PowerTraining.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::tool;

using Align = TextTable::Align;
using InputKind = RegressionInput::KindTy;

namespace {

/// A device's rows, and what is learned from them.
struct LearningRows {
  std::vector<TrainingRow> Rows;
  std::vector<StringRef> Kernels; ///< by TrainingRow::Kernel
  std::set<unsigned> Datasets;
  size_t WithoutPower = 0, WithoutEvents = 0, WithoutPrediction = 0;
  TrainingResult Result;
};

} // namespace

bool PowerOptions::isAnyGiven() const {
  return llvm::any_of(
      ArrayRef<const StringOpt *>{&Regression, &Split, &Folds, &Seed, &Trainer},
      [](const StringOpt *O) { return O->getNumOccurrences() != 0; });
}

/// Checks the values and moves them over. True on error (reported).
static bool readTraining(const PowerOptions &O, const RowOptions &Rows,
                         TrainingOptions &Result, RegressionCounts &Counts) {
  unsigned Kind = 0, Split = 0, Trainer = 0, Inputs = 0;
  std::optional<unsigned> Folds;
  if (readChoice("regression", O.Regression, regressionKindNames(), Kind) ||
      readChoice("split", O.Split, regressionSplitNames(), Split) ||
      readChoice("trainer", O.Trainer, regressionTrainerNames(), Trainer) ||
      readChoice("inputs", Rows.Inputs, regressionCountsNames(), Inputs) ||
      readPositive(O.Folds, Folds))
    return true;
  if (Folds && *Folds < 2)
    return valueError("folds", "a whole number from 2", O.Folds);
  if (O.Seed.getNumOccurrences() != 0) {
    const std::optional<int64_t> Seed = parseInteger(O.Seed);
    if (!Seed || *Seed < 0)
      return valueError("seed", "a whole number from 0", O.Seed);
    Result.Seed = uint64_t(*Seed);
  }
  Result.Kind = RegressionKind(Kind);
  Result.Split = RegressionSplit(Split);
  Result.Trainer = RegressionTrainer(Trainer);
  Result.Folds = Folds.value_or(Result.Folds);
  Counts = RegressionCounts(Inputs);
  if (Result.Kind != RegressionKind::Network &&
      O.Trainer.getNumOccurrences() != 0)
    return usageError("--trainer is of --regression=ann") != Done;
  return false;
}

/// Events that a dataset declares; for static counts without any those that
/// boards of today tell apart. Both clocks stand behind them.
static std::vector<RegressionInput> inputsOf(const ValidationReport &R,
                                             RegressionCounts Counts) {
  std::vector<RegressionInput> Result;
  for (unsigned E = 0; E != NumPowerEvents; ++E)
    if (llvm::any_of(R.Datasets, [&](const ValidatedDataset &D) {
          return D.About.Events[E].has_value();
        }))
      Result.push_back({InputKind::Event, PowerEvent(E)});
  if (Result.empty() && Counts == RegressionCounts::Static)
    for (unsigned E = 0; E != NumPowerEvents; ++E)
      if (PowerEvent(E) == PowerEvent::Instructions ||
          E > unsigned(PowerEvent::TextureMisses))
        Result.push_back({InputKind::Event, PowerEvent(E)});
  if (Result.empty())
    return Result;
  Result.push_back({InputKind::CoreClock});
  Result.push_back({InputKind::MemoryClock});
  return Result;
}

/// The inputs of a row; nothing where one is missing.
static std::optional<std::vector<double>>
valuesOf(const ValidatedPoint &P, ArrayRef<RegressionInput> Inputs,
         RegressionCounts Counts) {
  const bool IsStatic = Counts == RegressionCounts::Static;
  const double TimeUs = IsStatic ? P.Answers.front().TimeUs->Value : P.TimeUs;
  const double Cycles = TimeUs * P.Point.CoreMHz;
  std::vector<double> Values;
  for (const RegressionInput &In : Inputs) {
    if (In.Kind != InputKind::Event) {
      Values.push_back(In.Kind == InputKind::CoreClock ? P.Point.CoreMHz
                                                       : P.Point.MemMHz);
      continue;
    }
    std::optional<double> N = P.Events[size_t(In.Event)];
    if (IsStatic) {
      const std::optional<Estimate> &E = P.Counted[size_t(In.Event)];
      N = E ? std::optional(E->Value) : std::nullopt;
    }
    if (!N)
      return std::nullopt;
    Values.push_back(*N / Cycles);
  }
  return Values;
}

static std::map<StringRef, LearningRows>
learningRows(const ValidationReport &R, ArrayRef<RegressionInput> Inputs,
             RegressionCounts Counts, StringRef Only) {
  std::map<StringRef, LearningRows> ByDevice;
  for (const ValidatedPoint &P : R.Points) {
    if (!Only.empty() && P.Device != Only)
      continue;
    LearningRows &Of = ByDevice[P.Device];
    if (!P.PowerW) {
      ++Of.WithoutPower;
      continue;
    }
    if (Counts == RegressionCounts::Static &&
        (P.Result != ValidatedPoint::Outcome::Predicted || P.Answers.empty() ||
         !P.Answers.front().TimeUs)) {
      ++Of.WithoutPrediction;
      continue;
    }
    std::optional<std::vector<double>> Values = valuesOf(P, Inputs, Counts);
    if (!Values) {
      ++Of.WithoutEvents;
      continue;
    }
    const StringRef Name = P.Kernel->Name;
    const size_t Kernel = llvm::find(Of.Kernels, Name) - Of.Kernels.begin();
    if (Kernel == Of.Kernels.size())
      Of.Kernels.push_back(Name);
    Of.Rows.push_back({std::move(*Values), *P.PowerW, unsigned(Kernel)});
    Of.Datasets.insert(P.Dataset);
  }
  return ByDevice;
}

/// Why nothing can be learned of a device; empty if something can.
static std::string whyNot(const LearningRows &Of, const TrainingOptions &O) {
  if (Of.Rows.empty()) {
    if (Of.WithoutPrediction != 0)
      return "no row has a prediction; ptx-predict validate says why";
    return Of.WithoutEvents != 0 ? "no row has a number for each of the events"
                                 : "no row has power: 'power_w' says which "
                                   "column it is in";
  }
  const bool ByKernel = O.Split == RegressionSplit::Kernel;
  const size_t Parts = ByKernel ? Of.Kernels.size() : Of.Rows.size();
  if (Parts < O.Folds)
    return plural(Parts, ByKernel ? "kernel" : "row") +
           " cannot be left out "
           "in " +
           std::to_string(O.Folds) + " parts; --folds=N takes fewer";
  return {};
}

/// The same of what was found while learning.
static std::string whyNot(const TrainingResult &R) {
  if (!R.Dependent.empty())
    return llvm::join(R.Dependent, ", ") +
           (R.Dependent.size() == 1 ? " follows" : " follow") +
           " from the other inputs in all rows: no line tells them apart; "
           "leave them out of 'events', or take --regression=ann";
  if (R.Regression.Kind != RegressionKind::Network && R.hasFewRows())
    return plural(R.Regression.Rows, "row") + " cannot decide " +
           plural(R.NumParameters, "coefficient");
  if (R.Regression.Inputs.empty())
    return "every input is the same in all rows";
  if (!(R.Regression.LeastW < R.Regression.MostW))
    return "the power is the same in all rows";
  return {};
}

/// What a reader may want to know, though it is no error.
static void noteAbout(StringRef Device, const LearningRows &Of) {
  auto Note = [&](const Twine &Text) { printNote(Device + ": " + Text); };
  if (Of.WithoutPower + Of.WithoutEvents + Of.WithoutPrediction != 0)
    Note("left out are " + Twine(Of.WithoutPower) + " rows without power, " +
         Twine(Of.WithoutEvents) + " without all events, " +
         Twine(Of.WithoutPrediction) + " without a prediction");
  std::vector<StringRef> Constant;
  for (StringRef Name : Of.Result.Constant)
    if (findPowerEvent(Name)) // a clock is an input where there are several
      Constant.push_back(Name);
  if (!Constant.empty())
    Note("the same in all rows and so of no use: " +
         llvm::join(Constant, ", "));
  if (Of.Result.hasFewRows())
    printWarning(Device + ": " + plural(Of.Rows.size(), "row") +
                 " are fewer than the " +
                 plural(Of.Result.NumParameters, "weight") + " of the network");
}

static void printRegressions(const std::map<StringRef, LearningRows> &ByDevice,
                             const TrainingOptions &O, bool Verbose,
                             raw_ostream &To) {
  PrintableStream OS(To);
  const bool ByKernel = O.Split == RegressionSplit::Kernel;
  OS << "power by regression " << toString(O.Kind) << ", "
     << (ByKernel ? "kernels" : "rows") << " left out in " << O.Folds
     << " parts, seed " << O.Seed << '\n';
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  T.addRow({"device", "rows", "kernels", "inputs", "error", "RMSE", "decay"});
  for (const auto &[Device, Of] : ByDevice) {
    const PowerRegression &R = Of.Result.Regression;
    T.addRow({Device.str(), std::to_string(Of.Rows.size()),
              std::to_string(Of.Kernels.size()),
              std::to_string(R.Inputs.size()),
              shortNumber(R.Error.MAPE * 100) + " %",
              shortNumber(R.Error.RMSEW) + " W",
              R.Decay > 0 ? shortNumber(R.Decay) : ""});
  }
  T.print(OS);
  OS << "error: mean of what a row is off that is left out; RMSE: mean over "
        "the kernels of the\nroot of the mean square; decay: of the weights, "
        "chosen by rows left out again\n";
  if (!Verbose)
    return;
  for (const auto &[Device, Of] : ByDevice) {
    OS << Device << '\n';
    TextTable Each({Align::Left, Align::Right, Align::Right, Align::Right});
    Each.addRow({"kernel", "rows", "error", "RMSE"});
    for (const KernelTrainingError &K : Of.Result.Kernels)
      Each.addRow({Of.Kernels[K.Kernel].str(), std::to_string(K.Rows),
                   shortNumber(K.MAPE * 100) + " %",
                   shortNumber(K.RMSEW) + " W"});
    Each.print(OS);
  }
}

/// What the rows of a device were, for its file.
static void addSources(PowerRegression &R, const LearningRows &Of,
                       const Validator &V, const ValidationReport &Rows) {
  for (unsigned D : Of.Datasets) {
    const Dataset &About = Rows.Datasets[D].About;
    R.Sources.push_back(
        {About.Name, llvm::sys::path::filename(About.CSV.Text).str(),
         llvm::toHex(
             llvm::SHA256::hash(llvm::arrayRefFromStringRef(V.tableText(D))),
             /*LowerCase=*/true)});
  }
}

int tool::calibratePower(const PowerOptions &O, const RowRequest &Q) {
  ValidateOptions Options;
  TrainingOptions Training;
  RegressionCounts Counts{};
  std::string Only;
  if (readRows(Q, Options, Only) || readTraining(O, Q.Rows, Training, Counts))
    return NotDone;
  if (!Q.Name.empty())
    return usageError("--name is of a device file; --power writes none");
  Options.Models = {bottleneckModel().name().str()};
  Options.Model.WithBounds = false;
  Options.KeepEvents = true;
  const bool IsStatic = Counts == RegressionCounts::Static;

  Validator V(std::move(Options));
  ValidationReport Ran;
  const bool IsReady = V.prepare();
  if (IsReady && IsStatic)
    Ran = V.run();
  printDiagnostics(V.diagnostics());
  if (!IsReady || V.hasErrors())
    return NotDone;
  const ValidationReport &Rows = IsStatic ? Ran : V.rows();
  const std::vector<RegressionInput> Inputs = inputsOf(Rows, Counts);
  if (Inputs.empty())
    return usageError("no dataset says what was counted: 'events' does, or "
                      "--inputs=static takes what the code says");
  std::map<StringRef, LearningRows> ByDevice =
      learningRows(Rows, Inputs, Counts, Only);
  if (ByDevice.empty())
    return usageError("no dataset has a row of " + Only);

  // A device that has nothing to learn from is left out beside others.
  std::string Why;
  for (auto It = ByDevice.begin(); It != ByDevice.end();) {
    LearningRows &Of = It->second;
    Why = whyNot(Of, Training);
    if (Why.empty()) {
      Of.Result = trainPower(Inputs, Of.Rows, Training);
      Why = whyNot(Of.Result);
    }
    if (Why.empty()) {
      noteAbout(It->first, Of);
      ++It;
      continue;
    }
    Why = (It->first + ": " + Why).str();
    if (ByDevice.size() == 1)
      return usageError(Why);
    printWarning(Why);
    It = ByDevice.erase(It);
  }

  if (!Q.Output.empty()) {
    if (ByDevice.size() != 1)
      return usageError("-o writes the file of one device; --device=NAME says "
                        "of which: " +
                        llvm::join(llvm::make_first_range(ByDevice), ", "));
    const auto &[Device, Of] = *ByDevice.begin();
    PowerRegression R = Of.Result.Regression;
    R.Device = Device.str();
    R.Counts = Counts;
    addSources(R, Of, V, Rows);
    std::string File;
    llvm::raw_string_ostream OS(File);
    printPowerRegression(R, OS);
    if (writeResult(Q.Output, File))
      return NotDone;
    if (Q.Output == "-")
      return Done;
  }
  return writeResult("-",
                     [&](raw_ostream &OS) {
                       printRegressions(ByDevice, Training, Q.Verbose, OS);
                       return std::error_code();
                     })
             ? NotDone
             : Done;
}
