//===- ScenarioRun.cpp - From a scenario file to what it takes ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/ScenarioRun.h"
#include "ptxpredict/Driver/Pipeline/Sweep.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <deque>
#include <set>

using namespace ptxpredict;
namespace path = llvm::sys::path;

Expected<ScenarioAxis> ptxpredict::parseScenarioAxis(StringRef Text) {
  auto Wrong = [](const Twine &Message) {
    return llvm::createStringError("--sweep: " + Message);
  };
  const auto [Name, Values] = Text.split('=');
  if (Name.empty() || Values.empty())
    return Wrong("it takes var:NAME=FROM:TO[:STEP], nodes=… or system=A,B; "
                 "not '" +
                 Text + "'");
  ScenarioAxis Axis;
  StringRef Variable = Name;
  if (Variable.consume_front("var:")) {
    Axis.What = ScenarioAxis::WhatTy::Variable;
    if (Variable.empty())
      return Wrong("'var:' lacks the variable's name");
  } else if (Name == "system") {
    Axis.What = ScenarioAxis::WhatTy::System;
    SmallVector<StringRef, 8> Items;
    Values.split(Items, ',');
    for (StringRef Item : Items) {
      if (Item.empty() || llvm::is_contained(Axis.Systems, Item))
        return Wrong("'system' takes different names of systems; not '" +
                     Values + "'");
      Axis.Systems.push_back(Item.str());
    }
  } else if (Name != "nodes") {
    return Wrong("nothing is called '" + Name + "'" +
                 meantOrListed(Name, {"var:NAME", "nodes", "system"}));
  }
  Axis.Name = Variable.str();
  if (Axis.What == ScenarioAxis::WhatTy::System)
    return Axis;
  Expected<std::vector<double>> Numbers =
      parseSweepNumbers(Name, Values, Axis.What == ScenarioAxis::WhatTy::Nodes);
  if (!Numbers)
    return Numbers.takeError();
  Axis.Numbers = std::move(*Numbers);
  return Axis;
}

/// The folder of the file at \p Path.
static StringRef folderOf(StringRef Path) {
  const StringRef Folder = path::parent_path(Path);
  return Folder.empty() ? "." : Folder;
}

namespace {

/// A system and the messages of its file.
struct ReadSystem {
  std::string Name; ///< as it was asked for
  std::unique_ptr<DiagnosticEngine> Diags;
  std::unique_ptr<System> Of;
};

} // namespace

struct ScenarioRun::Impl {
  ScenarioOptions Options;
  DiagnosticEngine General; ///< of the command line
  DiagnosticEngine Diags;   ///< of the scenario
  Scenario S;
  DeviceRegistry Registry;
  LinkRegistry Links;
  std::deque<DiagnosticEngine> Files; ///< of devices and links
  std::deque<ReadSystem> Systems;
  std::optional<SharedDevices> Devices;
  std::unique_ptr<KernelTimes> Kernels;
  std::vector<std::pair<size_t, double>> Given; ///< variables of --set
  std::vector<size_t> AxisVariables;            ///< by axis
  std::vector<const Operation *> Operations;
  std::set<std::string> Assumed;

  explicit Impl(ScenarioOptions Options) : Options(std::move(Options)) {}

  bool readParts();
  bool readSystems();
  bool readSystem(StringRef Name, SMLoc Place);
  bool findVariables();
  std::optional<size_t> variable(StringRef Name);
  /// Reads the point's indices on its axes.
  std::vector<size_t> indicesOf(size_t Number) const;
  ScenarioWhole plan(size_t Number);
  void runOn(const System &On, const PlanRequest &Request, ScenarioWhole &W);
  void simulateWhole(ScenarioWhole &W);
  void report(const PlanError &E, const Twine &Where);
  void report(const ScenarioPoint &P);
};

ScenarioRun::ScenarioRun(ScenarioOptions Options)
    : State(std::make_unique<Impl>(std::move(Options))) {}
ScenarioRun::~ScenarioRun() = default;

const Scenario &ScenarioRun::scenario() const { return State->S; }
const ScenarioOptions &ScenarioRun::options() const { return State->Options; }

size_t ScenarioRun::numPoints() const {
  size_t Points = 1;
  for (const ScenarioAxis &A : State->Options.Axes)
    Points = std::min(Points * A.size(), MaxSweepPoints + 1);
  return Points;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool ScenarioRun::Impl::readParts() {
  bool Failed = false;
  for (StringRef File : Options.DeviceFiles) {
    DiagnosticEngine &D = Files.emplace_back();
    Failed |= readInputFile(File, D) || Registry.addFile(D);
  }
  for (StringRef File : Options.LinkFiles) {
    DiagnosticEngine &D = Files.emplace_back();
    Failed |= readInputFile(File, D) || Links.addFile(D);
  }
  return !Failed;
}

bool ScenarioRun::Impl::readSystem(StringRef Name, SMLoc Place) {
  ReadSystem &R = Systems.emplace_back();
  R.Name = Name.str();
  R.Diags = std::make_unique<DiagnosticEngine>();
  auto Wrong = [&](const Twine &Message) {
    Place.isValid() ? Diags.error(Place, Message)
                    : General.error({}, "--system: " + Message);
    return false;
  };
  if (std::optional<StringRef> Text = embeddedSystem(Name)) {
    R.Diags->setBuffer(
        llvm::MemoryBuffer::getMemBuffer(*Text, (Name + ".yaml").str()));
  } else {
    std::string File = Name.str();
    if (Place.isValid()) { // of the scenario, so beside it and in its project
      llvm::SmallString<256> Path(path::parent_path(Options.Path));
      path::append(Path, Name);
      File = path::is_absolute(Name) ? Name.str() : Path.str().str();
      if (llvm::sys::fs::exists(File) &&
          !isInProject(File, projectRoot(folderOf(Options.Path))))
        return Wrong("'" + Name +
                     "' lies outside of the scenario's project; "
                     "--system=FILE takes it from anywhere");
    }
    if (!llvm::sys::fs::is_regular_file(File))
      return Wrong(
          "there is no system '" + Name + "', and no such file" +
          meantOrListed(Name, embeddedSystemNames(), "'ptx-predict systems'"));
    if (readInputFile(File, *R.Diags))
      return false;
  }
  R.Of = parseSystem(*R.Diags, {Registry, Links});
  return R.Of != nullptr;
}

bool ScenarioRun::Impl::readSystems() {
  for (const ScenarioAxis &A : Options.Axes)
    if (A.What == ScenarioAxis::WhatTy::System) {
      if (!Options.SystemName.empty()) {
        General.error({}, "--sweep: 'system' and --system contradict each "
                          "other");
        return false;
      }
      bool Good = true;
      for (StringRef Name : A.Systems)
        Good &= readSystem(Name, {});
      return Good;
    }
  if (!Options.SystemName.empty())
    return readSystem(Options.SystemName, {});
  if (!S.SystemName.empty())
    return readSystem(S.SystemName, S.SystemPlace);
  if (Diags.hasErrors()) // perhaps it does, below what is wrong
    return false;
  General.error({}, "the scenario names no system; --system=NAME|FILE does "
                    "('ptx-predict systems' lists those that there are)");
  return false;
}

std::optional<size_t> ScenarioRun::Impl::variable(StringRef Name) {
  for (const auto &[Index, V] : llvm::enumerate(S.Variables))
    if (V.Name == Name)
      return Index;
  return std::nullopt;
}

bool ScenarioRun::Impl::findVariables() {
  SmallVector<StringRef, 16> Names;
  for (const ScenarioVariable &V : S.Variables)
    Names.push_back(V.Name);
  auto Missing = [&](StringRef Option, StringRef Name) {
    General.error({}, Option + ": the scenario has no variable '" + Name + "'" +
                          meantOrListed(Name, Names));
    return false;
  };
  for (const auto &[Name, Value] : Options.Variables) {
    std::optional<size_t> Index = variable(Name);
    if (!Index)
      return Missing("--set", Name);
    Given.emplace_back(*Index, Value);
  }
  for (const ScenarioAxis &A : Options.Axes) {
    for (const ScenarioAxis &B : ArrayRef(Options.Axes.data(), &A))
      if (A.What == B.What && A.Name == B.Name) {
        General.error({}, "--sweep: '" + A.Name + "' is given twice");
        return false;
      }
    size_t Index = 0;
    if (A.What == ScenarioAxis::WhatTy::Variable) {
      std::optional<size_t> Found = variable(A.Name);
      if (!Found)
        return Missing("--sweep", A.Name);
      Index = *Found;
    }
    AxisVariables.push_back(Index);
  }
  return true;
}

bool ScenarioRun::prepare() {
  Impl &I = *State;
  if (readInputFile(I.Options.Path, I.Diags) || !I.readParts())
    return false;
  const bool Failed = parseScenario(I.Diags, I.S);
  if (!I.readSystems() || Failed)
    return false;
  if (!I.findVariables())
    return false;
  const size_t Points = numPoints();
  auto Wrong = [&](const Twine &Message) {
    I.General.error({}, Message);
    return false;
  };
  if (Points > MaxSweepPoints)
    return Wrong("--sweep: the axes have more than " + Twine(MaxSweepPoints) +
                 " points together");
  for (const ScenarioAxis &A : I.Options.Axes)
    for (const ReadSystem &R : I.Systems)
      if (A.What == ScenarioAxis::WhatTy::Nodes && R.Of->Nodes.size() != 1)
        return Wrong(
            "--sweep: 'nodes' takes a system with one kind of node; '" +
            R.Of->Name + "' has " + Twine(R.Of->Nodes.size()));
  if (I.Options.FirstPoint >= Points ||
      (I.Options.LastPoint && (*I.Options.LastPoint >= Points ||
                               *I.Options.LastPoint < I.Options.FirstPoint)))
    return Wrong("--points: there are points 0 to " + Twine(Points - 1));
  I.Operations = listOperations(I.S);
  I.Devices.emplace(I.Registry);
  I.Kernels = std::make_unique<KernelTimes>(
      I.S,
      KernelTimeOptions{I.Options.By, I.Options.ModelChoice,
                        path::parent_path(I.Options.Path).str(),
                        projectRoot(folderOf(I.Options.Path))},
      *I.Devices);
  return !I.Kernels->read(I.Diags);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::vector<size_t> ScenarioRun::Impl::indicesOf(size_t Number) const {
  std::vector<size_t> Indices(Options.Axes.size());
  for (size_t N = Options.Axes.size(); N-- != 0;) {
    Indices[N] = Number % Options.Axes[N].size();
    Number /= Options.Axes[N].size();
  }
  return Indices;
}

ScenarioWhole ScenarioRun::Impl::plan(size_t Number) {
  ScenarioWhole W;
  W.Point.Number = Number;
  PlanRequest Request;
  Request.Variables = Given;
  Request.ChecksMemory = Options.ChecksMemory;
  const System *On = Systems.front().Of.get();
  const std::vector<size_t> Indices = indicesOf(Number);
  for (const auto &[N, A] : llvm::enumerate(Options.Axes)) {
    switch (A.What) {
    case ScenarioAxis::WhatTy::Variable:
      llvm::erase_if(
          Request.Variables,
          [Own = AxisVariables[N]](const auto &V) { return V.first == Own; });
      Request.Variables.emplace_back(AxisVariables[N], A.Numbers[Indices[N]]);
      break;
    case ScenarioAxis::WhatTy::Nodes:
      Request.NumNodes = uint64_t(A.Numbers[Indices[N]]);
      break;
    case ScenarioAxis::WhatTy::System:
      On = Systems[Indices[N]].Of.get();
      break;
    }
    W.Point.Values.push_back(A.What == ScenarioAxis::WhatTy::System
                                 ? A.Systems[Indices[N]]
                                 : shortestDecimal(A.Numbers[Indices[N]]));
  }
  runOn(*On, Request, W);
  return W;
}

void ScenarioRun::Impl::runOn(const System &On, const PlanRequest &Request,
                              ScenarioWhole &W) {
  W.Point.System = On.Name;
  W.Layout =
      std::make_unique<SystemLayout>(On, Request.NumNodes, S.ConcurrentKernels);
  W.Tasks = makePlan(S, *W.Layout, *Kernels, Request);
  W.Point.Errors = W.Tasks.Errors;
  if (W.Point.Errors.empty())
    simulateWhole(W);
}

ScenarioWhole ScenarioRun::runAt(PlanRequest Request) const {
  for (const auto &Given : State->Given)
    if (llvm::none_of(Request.Variables,
                      [&](const auto &V) { return V.first == Given.first; }))
      Request.Variables.push_back(Given);
  ScenarioWhole W;
  const System &On = *State->Systems.front().Of;
  if (Request.NumNodes && On.Nodes.size() != 1)
    W.Point.Errors.push_back(
        {{},
         "a number of nodes takes a system with one kind of node; '" + On.Name +
             "' has " + std::to_string(On.Nodes.size())});
  else
    State->runOn(On, Request, W);
  return W;
}

/// "process 0 of 'worker'"
static std::string nameOf(const Scenario &S, const Plan &P, TaskNumber T) {
  const PlannedProcess &Of = P.Processes[P.Tasks[T].Process];
  return "process " + std::to_string(Of.Rank) + " of '" +
         S.Processes[Of.Label].Label + "'";
}

void ScenarioRun::Impl::simulateWhole(ScenarioWhole &W) {
  W.When = simulate(W.Tasks.Graph);
  if (W.When.Stuck.empty()) {
    W.Point.Totals = totalsOf(S, *W.Layout, W.Tasks, W.When);
    return;
  }
  // Each operation of the cycle, with both places.
  const std::vector<TaskNumber> Cycle = findCycle(W.Tasks.Graph, W.When.Stuck);
  for (const auto &[N, Task] : llvm::enumerate(Cycle)) {
    const TaskNumber Other = Cycle[(N + 1) % Cycle.size()];
    const Operation &Own = W.Tasks.operation(Operations, Task);
    const Operation &Next = W.Tasks.operation(Operations, Other);
    W.Point.Errors.push_back(
        {Own.Place,
         (N == 0 ? "processes wait for each other for ever: " : "") +
             toString(Own.Kind).str() + " of " + nameOf(S, W.Tasks, Task) +
             " waits for " + toString(Next.Kind).str() + " of " +
             nameOf(S, W.Tasks, Other),
         Next.Place, "which is here"});
  }
}

void ScenarioRun::Impl::report(const ScenarioPoint &P) {
  std::string Where;
  for (const auto &[A, Value] : llvm::zip(Options.Axes, P.Values))
    Where += (Where.empty() ? " (" : ", ") + A.Name + " " + Value;
  if (!Where.empty())
    Where += ")";
  for (const PlanError &E : P.Errors)
    report(E, Where);
}

void ScenarioRun::Impl::report(const PlanError &E, const Twine &Where) {
  Diags.error(E.Place, E.Text + Where);
  if (E.OtherPlace.isValid())
    Diags.note(E.OtherPlace, E.OtherText);
}

void ScenarioRun::report(const PlanError &E, const Twine &Where) {
  State->report(E, Where);
}

std::vector<ScenarioPoint> ScenarioRun::runAll() {
  const ScenarioOptions &O = State->Options;
  const size_t End = O.LastPoint ? *O.LastPoint + 1 : numPoints();
  std::vector<ScenarioPoint> Points(End - O.FirstPoint);
  std::vector<std::vector<std::string>> Assumed(Points.size());
  forEachInParallel(Points.size(), numThreads(O.Jobs), [&](size_t N) {
    ScenarioWhole W = State->plan(O.FirstPoint + N);
    Points[N] = std::move(W.Point);
    Assumed[N] = std::move(W.Tasks.Assumptions);
  });
  for (const ScenarioPoint &P : Points)
    State->report(P);
  for (const auto &All : Assumed)
    State->Assumed.insert(All.begin(), All.end());
  return Points;
}

ScenarioWhole ScenarioRun::runWhole(size_t Number) {
  ScenarioWhole W = State->plan(Number);
  State->report(W.Point);
  State->Assumed.insert(W.Tasks.Assumptions.begin(), W.Tasks.Assumptions.end());
  return W;
}

std::vector<std::string> ScenarioRun::assumptions() const {
  std::vector<std::string> All(State->Assumed.begin(), State->Assumed.end());
  if (State->Kernels)
    llvm::append_range(All, State->Kernels->assumptions());
  llvm::sort(All);
  return All;
}

std::vector<const DiagnosticEngine *> ScenarioRun::diagnostics() const {
  std::vector<const DiagnosticEngine *> All{&State->General, &State->Diags};
  for (const DiagnosticEngine &D : State->Files)
    All.push_back(&D);
  for (const ReadSystem &R : State->Systems)
    All.push_back(R.Diags.get());
  if (State->Kernels)
    llvm::append_range(All, State->Kernels->messages());
  return All;
}

bool ScenarioRun::hasErrors() const {
  return llvm::any_of(diagnostics(),
                      [](const DiagnosticEngine *D) { return D->hasErrors(); });
}
