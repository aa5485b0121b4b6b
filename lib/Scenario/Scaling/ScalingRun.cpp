//===- ScalingRun.cpp - From a scaling file to tables and answers ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Scaling/ScalingRun.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <deque>

using namespace ptxpredict;

/// Parts of the range of n where a point is a prediction or a run, not a few
/// formulas.
static constexpr unsigned StepsOfPredictions = 16;
/// Sizes that tell whether n matters at all.
static constexpr unsigned StepsOfCategory = 8;

struct ScalingRun::Impl {
  ScalingOptions Options;
  DiagnosticEngine General; ///< of the command line
  DiagnosticEngine Diags;   ///< of the file
  ScalingFile File;
  DeviceRegistry Registry;
  std::deque<DiagnosticEngine> Files; ///< of devices
  std::optional<SharedDevices> Devices;
  std::unique_ptr<ScalingModel> Of;
  std::vector<double> Clocks;

  explicit Impl(ScalingOptions Options) : Options(std::move(Options)) {}

  bool replaceAxis(ScalingAxis &A, StringRef Option,
                   const std::vector<double> &Values);
  bool findDevice(ScalingModelOptions &M);
  std::optional<double> efficiency(double N, double P, double F,
                                   ScalingError &Why) const;
  std::optional<double> clockEfficiency(double N, double P, double F,
                                        ScalingError &Why) const;
  void fillRows(ScalingReport &R);
  void solveSizes(ScalingReport &R);
  void solveClocks(ScalingReport &R);
  SizeAnswer solveSizeAt(double P, double F) const;
  std::optional<ScalingCategory> category(const ScalingReport &R) const;
  std::string where(std::optional<double> N, double P, double F) const;
};

ScalingRun::ScalingRun(ScalingOptions Options)
    : State(std::make_unique<Impl>(std::move(Options))) {}
ScalingRun::~ScalingRun() = default;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool ScalingRun::Impl::replaceAxis(ScalingAxis &A, StringRef Option,
                                   const std::vector<double> &Values) {
  for (double V : Values)
    if (std::optional<StringRef> Why = whyNoSize(A, V)) {
      General.error({}, Option + ": " + shortestDecimal(V) + " " + *Why);
      return false;
    }
  if (!Values.empty())
    A.Values = Values;
  return true;
}

bool ScalingRun::Impl::findDevice(ScalingModelOptions &M) {
  const bool IsGiven = !Options.DeviceName.empty();
  if (File.Form == ScalingForm::Scenario && !IsGiven)
    return true; // it reads devices itself
  for (StringRef Path : Options.DeviceFiles) {
    DiagnosticEngine &D = Files.emplace_back();
    if (readInputFile(Path, D) || Registry.addFile(D))
      return false;
  }
  const StringRef Name = IsGiven ? Options.DeviceName : File.DeviceName;
  if (Name.empty())
    return true;
  if (File.Form != ScalingForm::Kernels) {
    if (IsGiven)
      General.error({}, File.Form == ScalingForm::Vectors
                            ? "--device is of kernels; this file has vectors"
                            : "--device is of kernels; the devices of a "
                              "scenario are its system's");
    else
      Diags.error(File.DevicePlace, "a device is of kernels; this file has "
                                    "vectors");
    return false;
  }
  Expected<const Device *> D = Devices->find(Name);
  if (!D) {
    const std::string Text = llvm::toString(D.takeError());
    if (IsGiven)
      General.error({}, "--device: " + Text);
    else
      Diags.error(File.DevicePlace, Text);
    return false;
  }
  M.GPU = *D;
  return true;
}

bool ScalingRun::prepare() {
  Impl &I = *State;
  const ScalingOptions &O = I.Options;
  if (readInputFile(O.Path, I.Diags) || parseScaling(I.Diags, I.File))
    return false;
  if (!I.replaceAxis(I.File.N, "-n", O.N) ||
      !I.replaceAxis(I.File.P, "-p", O.P) ||
      !I.replaceAxis(I.File.F, "-f", O.F))
    return false;
  auto Wrong = [&](const Twine &Message) {
    I.General.error({}, Message);
    return false;
  };
  I.Clocks = I.File.F.Values;
  llvm::sort(I.Clocks);
  I.Clocks.erase(std::unique(I.Clocks.begin(), I.Clocks.end()), I.Clocks.end());
  if (I.Clocks.empty())
    I.Clocks.push_back(0);
  if (I.File.N.Values.size() * I.File.P.Values.size() * I.Clocks.size() >
      MaxScalingPoints)
    return Wrong("n, p and f have more than " + Twine(MaxScalingPoints) +
                 " points together");
  if (O.Solve == ScalingUnknown::Clock && I.Clocks.size() < 2)
    return Wrong("--solve=f chooses among clocks; the file has fewer than two "
                 "('f: [2.4, 2.8]', or -f 2.4,2.8)");
  if (I.File.Form != ScalingForm::Scenario &&
      (!O.SystemName.empty() || !O.LinkFiles.empty()))
    return Wrong((O.SystemName.empty() ? "--link-file" : "--system") +
                 Twine(" is of a scenario; this file has none"));
  I.Devices.emplace(I.Registry);
  ScalingModelOptions M;
  M.Path = O.Path;
  M.By = O.By;
  M.ModelChoice = O.ModelChoice;
  M.Published = O.Published;
  M.SystemName = O.SystemName;
  M.DeviceFiles = O.DeviceFiles;
  M.LinkFiles = O.LinkFiles;
  M.ChecksMemory = O.ChecksMemory;
  M.Variables = O.Variables;
  if (!I.findDevice(M))
    return false;
  I.Of = std::make_unique<ScalingModel>(I.File, std::move(M), *I.Devices);
  return !I.Of->prepare(I.Diags, I.General);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// " (n 3, p 4, f 2.8)"
std::string ScalingRun::Impl::where(std::optional<double> N, double P,
                                    double F) const {
  std::string Text = " (";
  if (N)
    Text += File.N.Name + " " + shortestDecimal(*N) + ", ";
  Text += File.P.Name + " " + shortestDecimal(P);
  if (F > 0)
    Text += ", f " + shortestDecimal(F);
  return Text + ")";
}

std::optional<double>
ScalingRun::Impl::clockEfficiency(double N, double P, double F,
                                  ScalingError &Why) const {
  const std::optional<ScalingPoint> At = Of->evaluate(N, P, F, Why);
  const std::optional<ScalingPoint> Base =
      At ? Of->evaluate(N, 1, Clocks.front(), Why) : At;
  if (!Base)
    return std::nullopt;
  return ptxpredict::clockEfficiency(Base->Of.SequentialJ, At->Of.parallelJ());
}

void ScalingRun::Impl::fillRows(ScalingReport &R) {
  for (double F : Clocks)
    for (double P : File.P.Values)
      for (double N : File.N.Values)
        R.Rows.push_back({N, P, F, {}, {}, {}});
  forEachInParallel(R.Rows.size(), numThreads(Options.Jobs), [&](size_t Index) {
    ScalingRow &Row = R.Rows[Index];
    Row.Point = Of->evaluate(Row.N, Row.P, Row.F, Row.Error);
    if (Row.Point && Clocks.size() > 1)
      Row.ClockEfficiency = clockEfficiency(Row.N, Row.P, Row.F, Row.Error);
  });
  for (const ScalingRow &Row : R.Rows) {
    if (!Row.Point)
      Of->report(Row.Error, where(Row.N, Row.P, Row.F), Diags);
    R.NumAnswers += Row.Point.has_value();
  }
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::optional<double> ScalingRun::Impl::efficiency(double N, double P, double F,
                                                   ScalingError &Why) const {
  const std::optional<ScalingPoint> At = Of->evaluate(N, P, F, Why);
  if (!At)
    return std::nullopt;
  return Options.Measure == ScalingMeasure::Time ? At->Of.timeEfficiency()
                                                 : At->Of.efficiency();
}

SizeAnswer ScalingRun::Impl::solveSizeAt(double P, double F) const {
  SizeAnswer A{P, F, {}, {}, {}};
  SizeRange Range{File.N.From, File.N.To, File.N.IsWhole};
  if (File.Form != ScalingForm::Vectors)
    Range.Steps = StepsOfPredictions;
  if (P == 1 && !Options.Published) { // EE is 1 by definition
    ScalingError Why;
    const std::optional<double> E = efficiency(Range.From, P, F, Why);
    if (!E) {
      A.Error = std::move(Why);
      return A;
    }
    A.Of.Lowest = A.Of.Highest = *E;
    A.Of.Status =
        *Options.Efficiency <= 1 ? ScalingStatus::Every : ScalingStatus::None;
    return A;
  }
  A.Of = solveSize(
      [&](double N) {
        ScalingError Why;
        std::optional<double> E = efficiency(N, P, F, Why);
        if (!E && A.Error.Text.empty())
          A.Error = std::move(Why);
        return E;
      },
      Range, *Options.Efficiency);
  return A;
}

void ScalingRun::Impl::solveSizes(ScalingReport &R) {
  for (double F : Clocks)
    for (double P : File.P.Values)
      R.Sizes.push_back({P, F, {}, {}, {}});
  forEachInParallel(R.Sizes.size(), numThreads(Options.Jobs),
                    [&](size_t Index) {
                      SizeAnswer &A = R.Sizes[Index];
                      A = solveSizeAt(A.P, A.F);
                    });
  const SizeAnswer *Before = nullptr;
  for (SizeAnswer &A : R.Sizes) {
    if (A.Of.Status == ScalingStatus::NoAnswer)
      Of->report(A.Error, where({}, A.P, A.F), Diags);
    else
      ++R.NumAnswers;
    if (Before && Before->F == A.F && Before->P != A.P &&
        Before->Of.Status == ScalingStatus::Found &&
        A.Of.Status == ScalingStatus::Found)
      A.Growth = std::log(A.Of.N / Before->Of.N) / std::log(A.P / Before->P);
    Before = &A;
  }
}

void ScalingRun::Impl::solveClocks(ScalingReport &R) {
  for (double P : File.P.Values)
    for (double N : File.N.Values)
      R.ClockAnswers.push_back({N, P, {}, {}, {}});
  forEachInParallel(
      R.ClockAnswers.size(), numThreads(Options.Jobs), [&](size_t Index) {
        ClockAnswer &A = R.ClockAnswers[Index];
        for (double F : Clocks) {
          std::optional<double> E = clockEfficiency(A.N, A.P, F, A.Error);
          if (!E) {
            A.Efficiencies.clear();
            return;
          }
          A.Efficiencies.push_back(*E);
        }
        A.Of = solveClock(A.Efficiencies, Options.Efficiency);
      });
  for (const ClockAnswer &A : R.ClockAnswers) {
    if (A.Efficiencies.empty())
      Of->report(A.Error, where(A.N, A.P, 0), Diags);
    else
      ++R.NumAnswers;
  }
}

std::optional<ScalingCategory>
ScalingRun::Impl::category(const ScalingReport &R) const {
  // At the highest clock.
  const double F = Clocks.back();
  const double P = *llvm::max_element(File.P.Values);
  const double Smallest = *llvm::min_element(File.N.Values);
  CategoryFacts Facts;
  if (P == 1)
    return std::nullopt;
  for (const ScalingRow &Row : R.Rows)
    if (Row.Point && Row.F == F)
      Facts.LowestEfficiency =
          std::min(Facts.LowestEfficiency, Row.Point->Of.efficiency());
  ScalingError Why;
  const std::optional<ScalingPoint> At = Of->evaluate(Smallest, P, F, Why);
  if (!At)
    return std::nullopt;
  Facts.ComputeSeconds = At->computeSeconds();
  Facts.MemorySeconds = At->memorySeconds();
  Facts.NetworkSeconds = At->Of.NetworkSeconds;
  SizeRange Range{File.N.From, File.N.To, File.N.IsWhole, StepsOfCategory};
  const SizeSolution Over = solveSize(
      [&](double N) -> std::optional<double> {
        const std::optional<ScalingPoint> Each = Of->evaluate(N, P, F, Why);
        if (!Each)
          return std::nullopt;
        return Each->Of.efficiency();
      },
      Range, /*Theta=*/HUGE_VAL); // never reached: the ends alone
  Facts.ChangeOverN = Over.Highest - Over.Lowest;
  Facts.LowestEfficiency = std::min(Facts.LowestEfficiency, Over.Lowest);
  return categoryOf(Facts);
}

ScalingReport ScalingRun::run() {
  Impl &I = *State;
  ScalingReport R;
  R.File = &I.File;
  R.Options = &I.Options;
  R.Clocks = I.Clocks;
  if (I.Options.Solve == ScalingUnknown::Size) {
    I.solveSizes(R);
  } else if (I.Options.Solve == ScalingUnknown::Clock) {
    I.solveClocks(R);
  } else {
    I.fillRows(R);
    R.Category = I.category(R);
  }
  R.Machine = I.Of->machineName();
  R.Assumptions = I.Of->assumptions();
  return R;
}

std::vector<const DiagnosticEngine *> ScalingRun::diagnostics() const {
  std::vector<const DiagnosticEngine *> All{&State->General, &State->Diags};
  for (const DiagnosticEngine &D : State->Files)
    All.push_back(&D);
  if (State->Of)
    llvm::append_range(All, State->Of->messages());
  return All;
}

bool ScalingRun::hasErrors() const {
  return llvm::any_of(diagnostics(),
                      [](const DiagnosticEngine *D) { return D->hasErrors(); });
}
