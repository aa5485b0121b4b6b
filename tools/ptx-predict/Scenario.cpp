//===- Scenario.cpp - ptx-predict scenario APP.yaml -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "OneModel.h"
#include "OutputFile.h"
#include "ScenarioImport.h"
#include "Subcommands.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict scenario APP.yaml`; registered while it lives.
struct ScenarioCommand {
  cl::opt<std::string> Input{cl::Positional, cl::desc("<app.yaml>"),
                             cl::cat(category())};
  StringOpt System{"system", cl::value_desc("name|file.yaml"),
                   cl::cat(category()),
                   cl::desc("The system that it runs on (default: the "
                            "scenario's)")};
  StringList Set{"set", cl::value_desc("name=value"), cl::cat(category()),
                 cl::desc("Value of a variable (repeatable)")};
  StringList Sweep{
      "sweep", cl::value_desc("what=values"), cl::cat(category()),
      cl::desc("Every value of var:NAME=FROM:TO[:STEP], nodes=A,B,... or "
               "system=A,B,... (repeatable: all combinations)")};
  StringOpt Points{"points", cl::value_desc("from:to"), cl::cat(category()),
                   cl::desc("Only these points of the sweep, from 0")};
  StringOpt Best{"best", cl::value_desc("time|energy|ed|e2d|ed2"),
                 cl::cat(category()),
                 cl::desc("Names the point of the sweep where that is least")};
  StringOpt Model{"model", cl::value_desc("name"), cl::cat(category()),
                  cl::desc("What kernels are predicted by (default: "
                           "bottleneck)")};
  StringList DeviceFiles{"device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Adds a device (repeatable)")};
  StringList LinkFiles{"link-file", cl::value_desc("file.yaml"),
                       cl::cat(category()),
                       cl::desc("Adds a link (repeatable)")};
  cl::opt<bool> NoMemoryLimit{
      "no-memory-limit", cl::cat(category()),
      cl::desc("More than a device's memory may be allocated")};
  StringOpt Format{"format", cl::init("text"),
                   cl::value_desc("text|json|csv|html"), cl::cat(category()),
                   cl::desc("Form of the answer")};
  StringOpt TraceOut{"trace-out", cl::value_desc("file.json"),
                     cl::cat(category()),
                     cl::desc("Also writes the timeline for Perfetto")};
  StringOpt Measured{"measured", cl::value_desc("trace.csv"),
                     cl::cat(category()),
                     cl::desc("Compares with a measured power: PowerPack's "
                              "columns, or a log of nvidia-smi")};
  StringOpt FromNsys{"from-nsys", cl::value_desc("trace.csv"),
                     cl::cat(category()),
                     cl::desc("Writes the scenario of what 'nsys stats "
                              "--report cuda_gpu_trace --format csv' says")};
  StringList Code{"code", cl::value_desc("file.ptx"), cl::cat(category()),
                  cl::desc("Of --from-nsys: kernels that are predicted in "
                           "place of their measured times (repeatable)")};
  StringOpt Jobs{"j", cl::Prefix, cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Points that run at once (default: one a core)")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the answer goes (default: -, standard "
                            "output)")};
  cl::opt<bool> Verbose{"verbose", cl::cat(category()),
                        cl::desc("Also prints what the tables leave out, and "
                                 "the critical path")};

  bool read(ScenarioOptions &Result, std::optional<unsigned> &BestBy,
            unsigned &Form) const;

private:
  bool readVariables(ScenarioOptions &Result) const;
  bool readPoints(ScenarioOptions &Result) const;
};

enum ScenarioFormat : unsigned {
  ScenarioText,
  ScenarioJSON,
  ScenarioCSV,
  ScenarioHTML
};

} // namespace

bool ScenarioCommand::readVariables(ScenarioOptions &Result) const {
  for (StringRef Text : Set) {
    const auto [Name, Value] = Text.split('=');
    std::optional<double> Number = parseNumber(Value);
    if (Name.empty() || !Number)
      return valueError("set", "NAME=VALUE, a number", Text);
    Result.Variables.emplace_back(Name.str(), *Number);
  }
  return false;
}

bool ScenarioCommand::readPoints(ScenarioOptions &Result) const {
  if (Points.getNumOccurrences() == 0)
    return false;
  const auto [From, To] = StringRef(Points).split(':');
  size_t First = 0, Last = 0;
  if (From.getAsInteger(10, First) || To.getAsInteger(10, Last) || Last < First)
    return valueError("points", "FROM:TO, numbers of points from 0", Points);
  Result.FirstPoint = First;
  Result.LastPoint = Last;
  return false;
}

bool ScenarioCommand::read(ScenarioOptions &Result,
                           std::optional<unsigned> &BestBy,
                           unsigned &Form) const {
  Result.Path = Input;
  Result.ChecksMemory = !NoMemoryLimit;
  if (readPath(System, Result.SystemName) ||
      readNames(DeviceFiles, "a file", Result.DeviceFiles) ||
      readNames(LinkFiles, "a file", Result.LinkFiles) ||
      readVariables(Result) || readPoints(Result) ||
      readChoice("format", Format, {"text", "json", "csv", "html"}, Form))
    return true;
  if (Jobs.getNumOccurrences() != 0 &&
      (StringRef(Jobs).getAsInteger(10, Result.Jobs) || Result.Jobs == 0))
    return valueError("j", "a number from 1", Jobs);
  for (StringRef Text : Sweep) {
    Expected<ScenarioAxis> Axis = parseScenarioAxis(Text);
    if (!Axis)
      return usageError(llvm::toString(Axis.takeError())) != Done;
    Result.Axes.push_back(std::move(*Axis));
  }
  if (Best.getNumOccurrences() != 0) {
    unsigned By = 0;
    if (readChoice("best", Best, scenarioObjectives(), By))
      return true;
    BestBy = By;
  }
  if (readOneModel(Model, Result.By))
    return true;
  Result.ModelChoice.WithBounds = false;
  if (Result.Axes.empty() && (BestBy || Points.getNumOccurrences() != 0))
    return usageError("--best and --points are of a --sweep") != Done;
  if (!Result.Axes.empty() && Form == ScenarioHTML)
    return usageError("--format=html is of one run; not with --sweep") != Done;
  if (!Result.Axes.empty() && TraceOut.getNumOccurrences() != 0)
    return usageError("--trace-out is of one run; not with --sweep") != Done;
  if (!Result.Axes.empty() && Measured.getNumOccurrences() != 0)
    return usageError("--measured is of one run; not with --sweep") != Done;
  if (Result.Axes.empty() && Form == ScenarioCSV)
    return usageError("--format=csv is of a --sweep") != Done;
  return false;
}

/// Compares with the measured trace. True on error (reported).
static bool compare(ScenarioReport &R, StringRef Path) {
  DiagnosticEngine Diags;
  MeasuredTrace Trace;
  const bool Failed =
      readInputFile(Path, Diags) || readMeasuredTrace(Diags, Trace);
  printDiagnostics(&Diags);
  if (!Failed)
    R.Measured = compareWithMeasured(labelsOf(R), Trace);
  return Failed;
}

/// One run: everything of it.
static int runOne(ScenarioRun &Run, const ScenarioCommand &C, unsigned Form) {
  ScenarioWhole Whole = Run.runWhole(0);
  printDiagnostics(Run.diagnostics());
  if (Run.hasErrors())
    return NotDone;
  ScenarioReport R = makeScenarioReport(Run, Whole);
  if (C.Measured.getNumOccurrences() != 0 && compare(R, C.Measured))
    return NotDone;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  switch (Form) {
  case ScenarioJSON:
    printScenarioJSON(R, OS);
    break;
  case ScenarioHTML:
    printScenarioHTML(R, OS);
    break;
  default:
    printScenarioText(R, OS, C.Verbose);
    break;
  }
  if (C.TraceOut.getNumOccurrences() != 0) {
    std::string Trace;
    llvm::raw_string_ostream TraceOS(Trace);
    printScenarioTrace(R, TraceOS);
    if (writeResult(C.TraceOut, Trace))
      return NotDone;
  }
  return writeResult(C.Output, Text) ? NotDone : Done;
}

static int runSweep(ScenarioRun &Run, const ScenarioCommand &C, unsigned Form,
                    std::optional<unsigned> BestBy) {
  const std::vector<ScenarioPoint> Points = Run.runAll();
  printDiagnostics(Run.diagnostics());
  ScenarioSweepReport R{
      Run.scenario(), Run.options().Axes, Points, Run.assumptions(), {}};
  if (BestBy)
    R.Best = ScenarioObjective(*BestBy);
  const bool AllFailed =
      llvm::all_of(Points, [](const auto &P) { return !P.Errors.empty(); });
  if (AllFailed)
    return NotDone;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Form == ScenarioJSON)
    printSweepJSON(R, OS);
  else if (Form == ScenarioCSV)
    printSweepCSV(R, OS);
  else
    printSweepText(R, OS);
  return writeResult(C.Output, Text) || Run.hasErrors() ? NotDone : Done;
}

int tool::runScenario(ArrayRef<const char *> Arguments) {
  ScenarioCommand C;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Predicts how long an application takes on a described "
                     "system: its kernels, copies and messages, and what it "
                     "costs in energy."))
    return *Code;
  if (C.FromNsys.getNumOccurrences() != 0) {
    if (!C.Input.empty())
      return usageError("--from-nsys writes a scenario; it takes none");
    return importScenario({C.FromNsys, C.System, C.Code, C.Output});
  }
  if (!C.Code.empty())
    return usageError("--code is of --from-nsys");
  if (C.Input.empty())
    return usageError("a scenario is missing: ptx-predict scenario APP.yaml");
  ScenarioOptions Options;
  std::optional<unsigned> BestBy;
  unsigned Form = ScenarioText;
  if (C.read(Options, BestBy, Form))
    return NotDone;
  ScenarioRun Run(std::move(Options));
  if (!Run.prepare()) {
    printDiagnostics(Run.diagnostics());
    return NotDone;
  }
  return Run.options().Axes.empty() ? runOne(Run, C, Form)
                                    : runSweep(Run, C, Form, BestBy);
}
