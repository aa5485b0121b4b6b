//===- Scaling.cpp - ptx-predict scaling FILE.yaml ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "OneModel.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Driver/Pipeline/Sweep.h"
#include "ptxpredict/Scenario/Scaling/ScalingView.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict scaling FILE.yaml`; registered while it lives.
struct ScalingCommand {
  cl::opt<std::string> Input{cl::Positional, cl::desc("<file.yaml>"),
                             cl::cat(category())};
  StringOpt N{"n", cl::value_desc("values"), cl::cat(category()),
              cl::desc("Sizes, in place of the file's: FROM:TO[:STEP] or "
                       "A,B,...")};
  StringOpt P{"p", cl::value_desc("values"), cl::cat(category()),
              cl::desc("Numbers of processors, likewise")};
  StringOpt F{"f", cl::value_desc("values"), cl::cat(category()),
              cl::desc("Clocks in GHz, likewise")};
  StringList Set{"set", cl::value_desc("name=value"), cl::cat(category()),
                 cl::desc("Value of a variable (repeatable)")};
  StringOpt Efficiency{"efficiency", cl::value_desc("theta"),
                       cl::cat(category()),
                       cl::desc("The efficiency that --solve looks for")};
  StringOpt Solve{"solve", cl::value_desc("n|f"), cl::cat(category()),
                  cl::desc("The size, or the clock, of that efficiency "
                           "(default: n)")};
  StringOpt By{"by", cl::value_desc("energy|time"), cl::cat(category()),
               cl::desc("Which efficiency: E_1/E_p (default) or T_1/T_p")};
  cl::opt<bool> Published{
      "published", cl::cat(category()),
      cl::desc("As printed: vectors hold at p = 1, powers have no fixed part")};
  StringOpt Model{"model", cl::value_desc("name"), cl::cat(category()),
                  cl::desc("What kernels are predicted by (default: "
                           "bottleneck)")};
  StringOpt Device{"device", cl::value_desc("name"), cl::cat(category()),
                   cl::desc("The GPU of kernels (default: the file's)")};
  StringOpt System{"system", cl::value_desc("name|file.yaml"),
                   cl::cat(category()),
                   cl::desc("The system of a scenario (default: the file's)")};
  StringList DeviceFiles{"device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Adds a device (repeatable)")};
  StringList LinkFiles{"link-file", cl::value_desc("file.yaml"),
                       cl::cat(category()),
                       cl::desc("Adds a link (repeatable)")};
  cl::opt<bool> NoMemoryLimit{"no-memory-limit", cl::cat(category()),
                              cl::desc("Memory bounds no size")};
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json|csv"),
                   cl::cat(category()), cl::desc("Form of the answer")};
  StringOpt Jobs{"j", cl::Prefix, cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Points computed at once (default: one a core)")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the answer goes (default: -, standard "
                            "output)")};
  cl::opt<bool> Verbose{"verbose", cl::cat(category()),
                        cl::desc("Also prints what the tables leave out, and "
                                 "all terms of every point")};

  bool read(ScalingOptions &Result, unsigned &Form) const;

private:
  bool readAxes(ScalingOptions &Result) const;
  bool readQuestion(ScalingOptions &Result) const;
};

enum ScalingFormat : unsigned { ScalingText, ScalingJSON, ScalingCSV };

} // namespace

bool ScalingCommand::readAxes(ScalingOptions &Result) const {
  const std::tuple<const StringOpt *, StringRef, std::vector<double> *> Axes[] =
      {{&N, "n", &Result.N}, {&P, "p", &Result.P}, {&F, "f", &Result.F}};
  for (const auto &[Option, Name, Into] : Axes) {
    if (Option->getNumOccurrences() == 0)
      continue;
    Expected<std::vector<double>> Values =
        parseSweepNumbers(Name, *Option, /*AreCounts=*/Name == "p");
    if (!Values) {
      llvm::consumeError(Values.takeError());
      return valueError(Name,
                        "FROM:TO[:STEP] or A,B,C, numbers above 0" +
                            Twine(Name == "p" ? ", whole ones" : ""),
                        *Option);
    }
    *Into = std::move(*Values);
  }
  for (StringRef Text : Set) {
    const auto [Name, Value] = Text.split('=');
    std::optional<double> Number = parseNumber(Value);
    if (Name.empty() || !Number)
      return valueError("set", "NAME=VALUE, a number", Text);
    Result.Variables.emplace_back(Name.str(), *Number);
  }
  return false;
}

bool ScalingCommand::readQuestion(ScalingOptions &Result) const {
  unsigned Choice = 0;
  if (By.getNumOccurrences() != 0) {
    if (readChoice("by", By, {"energy", "time"}, Choice))
      return true;
    Result.Measure = ScalingMeasure(Choice);
  }
  if (readPositive(Efficiency, Result.Efficiency))
    return true;
  if (Solve.getNumOccurrences() != 0) {
    if (readChoice("solve", Solve, {"n", "f"}, Choice))
      return true;
    Result.Solve = ScalingUnknown(Choice);
  } else if (Result.Efficiency) {
    Result.Solve = ScalingUnknown::Size;
  }
  if (Result.Solve == ScalingUnknown::Size && !Result.Efficiency)
    return usageError("--solve=n needs --efficiency=THETA, such as 0.9") !=
           Done;
  if (By.getNumOccurrences() != 0 && Result.Solve != ScalingUnknown::Size)
    return usageError("--by is of --solve=n") != Done;
  return false;
}

bool ScalingCommand::read(ScalingOptions &Result, unsigned &Form) const {
  Result.Path = Input;
  Result.Published = Published;
  Result.ModelChoice.WithBounds = false;
  Result.ChecksMemory = !NoMemoryLimit;
  if (readPath(System, Result.SystemName) ||
      readPath(Device, Result.DeviceName) ||
      readNames(DeviceFiles, "a file", Result.DeviceFiles) ||
      readNames(LinkFiles, "a file", Result.LinkFiles) || readAxes(Result) ||
      readChoice("format", Format, {"text", "json", "csv"}, Form) ||
      readQuestion(Result) || readOneModel(Model, Result.By))
    return true;
  if (Jobs.getNumOccurrences() != 0 &&
      (StringRef(Jobs).getAsInteger(10, Result.Jobs) || Result.Jobs == 0))
    return valueError("j", "a number from 1", Jobs);
  return false;
}

int tool::runScaling(ArrayRef<const char *> Arguments) {
  ScalingCommand C;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Says how the energy efficiency of a parallel program "
                     "changes with its size, its processors and their clock, "
                     "and which size or clock keeps it."))
    return *Code;
  if (C.Input.empty())
    return usageError("a file is missing: ptx-predict scaling FILE.yaml");
  ScalingOptions Options;
  unsigned Form = ScalingText;
  if (C.read(Options, Form))
    return NotDone;
  ScalingRun Run(std::move(Options));
  if (!Run.prepare()) {
    printDiagnostics(Run.diagnostics());
    return NotDone;
  }
  const ScalingReport R = Run.run();
  printDiagnostics(Run.diagnostics());
  if (R.NumAnswers == 0)
    return NotDone;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Form == ScalingJSON)
    printScalingJSON(R, OS);
  else if (Form == ScalingCSV)
    printScalingCSV(R, OS);
  else
    printScalingText(R, OS, C.Verbose);
  return writeResult(C.Output, Text) || Run.hasErrors() ? NotDone : Done;
}
