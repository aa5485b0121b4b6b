//===- NodeRuns.cpp - A scenario on so many nodes -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NodeRuns.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace path = llvm::sys::path;

static ScenarioOptions scenarioOptions(const ScalingFile &File,
                                       const ScalingModelOptions &Options) {
  ScenarioOptions S;
  S.Path = besideFile(Options.Path, File.ScenarioPath);
  S.SystemName =
      Options.SystemName.empty() ? File.SystemName : Options.SystemName;
  S.DeviceFiles = Options.DeviceFiles;
  S.LinkFiles = Options.LinkFiles;
  S.By = Options.By;
  S.ModelChoice = Options.ModelChoice;
  S.Variables = Options.Variables;
  S.ChecksMemory = Options.ChecksMemory;
  return S;
}

std::string ptxpredict::besideFile(StringRef File, StringRef Name) {
  if (path::is_absolute(Name))
    return Name.str();
  llvm::SmallString<256> Path(path::parent_path(File));
  path::append(Path, Name);
  return Path.str().str();
}

NodeRuns::NodeRuns(const ScalingFile &File, const ScalingModelOptions &Options)
    : File(File), Options(Options), Run(scenarioOptions(File, Options)) {}

bool NodeRuns::prepare(DiagnosticEngine &Diags) {
  if (!Run.prepare())
    return true;
  SmallVector<StringRef, 16> Known;
  for (const ScenarioVariable &V : Run.scenario().Variables)
    Known.push_back(V.Name);
  bool Failed = false;
  auto Find = [&](StringRef Name, SMLoc Place) {
    const auto *At = llvm::find(Known, Name);
    if (At == Known.end()) {
      Diags.error(Place, "the scenario has no variable '" + Name + "'" +
                             meantOrListed(Name, Known));
      Failed = true;
    }
    return size_t(At - Known.begin());
  };
  SizeIndex = Find(File.SizeVariable, File.SizePlace);
  for (const ScalingSetting &S : File.Settings) {
    const size_t Index = Find(S.Name, S.Place);
    const bool IsReplaced = llvm::any_of(
        Options.Variables, [&](const auto &V) { return V.first == S.Name; });
    if (!IsReplaced)
      Base.Variables.emplace_back(Index, S.Value);
  }
  return Failed;
}

/// Seconds of the critical path that are messages and collective operations.
static double messageSeconds(const ScenarioTotals &T) {
  double Seconds = 0;
  for (const auto &[Kind, Of] : llvm::enumerate(T.PathSeconds)) {
    const OperationGroup G = groupOf(OperationKind(Kind));
    if (G == OperationGroup::Message || G == OperationGroup::Collective)
      Seconds += Of;
  }
  return Seconds;
}

std::optional<NodeRuns::Taken>
NodeRuns::run(double N, double P, bool ChecksMemory, ScalingError &Why) {
  const std::tuple<double, double, bool> Asked(N, P, ChecksMemory);
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (auto At = Runs.find(Asked); At != Runs.end())
      return At->second;
  }
  PlanRequest Request = Base;
  Request.Variables.emplace_back(SizeIndex, N);
  Request.NumNodes = uint64_t(P);
  Request.ChecksMemory = ChecksMemory;
  const ScenarioWhole W = Run.runAt(std::move(Request));
  if (!W.Point.Errors.empty()) {
    const PlanError &E = W.Point.Errors.front();
    Why = {E.Place, E.Text, /*IsOfScenario=*/true};
    return std::nullopt;
  }
  const ScenarioTotals &T = W.Point.Totals;
  const Taken Result{T.Seconds, T.Energy.totalJ(), messageSeconds(T)};
  std::lock_guard<std::mutex> Lock(Mutex);
  Runs[Asked] = Result;
  Assumed.insert(W.Tasks.Assumptions.begin(), W.Tasks.Assumptions.end());
  System = W.Point.System;
  return Result;
}

std::optional<ScalingPoint> NodeRuns::evaluate(double N, double P,
                                               ScalingError &Why) {
  // One node need not hold what p nodes do: E_1 is what it would take.
  const std::optional<Taken> One =
      run(N, 1, Options.ChecksMemory && P == 1, Why);
  const std::optional<Taken> All =
      One && P != 1 ? run(N, P, Options.ChecksMemory, Why) : One;
  if (!All)
    return std::nullopt;
  ScalingPoint R;
  R.N = N;
  R.P = P;
  R.Of.SequentialSeconds = One->Seconds;
  R.Of.OverheadSeconds = P * All->Seconds - One->Seconds;
  R.Of.NetworkSeconds = P * All->MessageSeconds;
  R.Of.SequentialJ = One->Joules;
  R.Of.OverheadJ = All->Joules - One->Joules;
  R.Sequential.On = One->Seconds;
  R.Overhead.Off = R.Of.NetworkSeconds;
  R.Overhead.On = R.Of.OverheadSeconds - R.Overhead.Off;
  return R;
}

std::vector<std::string> NodeRuns::assumptions() const {
  std::lock_guard<std::mutex> Lock(Mutex);
  std::set<std::string> All = Assumed;
  const std::vector<std::string> OfRun = Run.assumptions();
  All.insert(OfRun.begin(), OfRun.end());
  return {All.begin(), All.end()};
}

std::string NodeRuns::systemName() const {
  std::lock_guard<std::mutex> Lock(Mutex);
  return System;
}
