//===- PredictionOptions.cpp - Options that say what to predict -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PredictionOptions.h"
#include "OutputFile.h"
#include "ptxpredict/Model/BSP.h"
#include "ptxpredict/Model/LittlesLaw.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/TextSpool.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

static bool readSteps(const StringOpt &O, std::optional<uint64_t> &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  constexpr int64_t Most = int64_t(1) << 50;
  std::optional<int64_t> N = parseInteger(O);
  if (!N || *N <= 0 || *N > Most)
    return valueError(O.ArgStr, "a positive number of steps such as 2M",
                      O.getValue());
  Result = uint64_t(*N);
  return false;
}

static bool readTripCounts(const StringList &Texts, LaunchSpec &Spec) {
  for (StringRef Text : Texts) {
    auto [Place, Number] = Text.rsplit('=');
    std::optional<double> N = parseNumber(Number);
    if (Place.empty() || !N || *N < 0)
      return valueError("trip-count",
                        "LABEL=N, LINE=N or FILE:LINE=N, N a number from 0",
                        Text);
    Place.consume_front("$"); // the same loop without it
    Spec.TripCounts[Place.str()] = *N;
  }
  return false;
}

static bool readWork(StringRef Text, LaunchSpec &Spec) {
  if (Text.empty())
    return false;
  Spec.Work = parseNumber(Text);
  if (!Spec.Work || *Spec.Work < 0)
    return valueError("work", "a number of tiles from 0", Text);
  return false;
}

static bool readBranchProbabilities(const StringList &Texts, LaunchSpec &Spec) {
  for (StringRef Text : Texts) {
    auto [Place, Number] = Text.rsplit('=');
    std::optional<double> P = parseNumber(Number);
    if (Place.empty() || !P || *P < 0 || *P > 1)
      return valueError("branch-probability",
                        "LABEL=P, LINE=P or FILE:LINE=P, P a number from 0 to "
                        "1",
                        Text);
    Place.consume_front("$"); // the same branch without it
    Spec.BranchProbabilities[Place.str()] = *P;
  }
  return false;
}

bool PredictionOptions::read(DriverOptions &Result) const {
  unsigned Case = 0, ClocksChosen = 0;
  std::optional<unsigned> NumJobs;
  LaunchSpec &Spec = Result.Launch;
  if (Launch.read(Result) || readTripCounts(TripCounts, Spec) ||
      readBranchProbabilities(BranchProbabilities, Spec) ||
      readWork(Work, Spec) ||
      (!HasClockRanges && (readPositive(CoreMHz, Result.CoreMHz) ||
                           readPositive(MemMHz, Result.MemMHz))) ||
      readPositive(PowerLimit, Result.PowerLimitW) ||
      readChoice("clocks", Clocks, {"sustained", "boost", "base"},
                 ClocksChosen) ||
      readPositive(ActiveSMs, Result.ActiveSMs) ||
      readSteps(WorkLimit, Result.WorkLimit) ||
      readPositive(Registers, Result.Registers) ||
      readPositive(Lambda, Result.Model.Lambda) ||
      readPositive(Jobs, NumJobs) ||
      readPath(PtxasInfo, Result.PtxasInfoPath) ||
      readPath(Profile, Result.ProfilePath) || readVia(Via, Result.Via) ||
      readNames(Kernels, "a glob", Result.KernelGlobs) ||
      readNames(Devices, "a name that 'ptx-predict devices' lists, or all",
                Result.Devices) ||
      readNames(DeviceFiles, "a file", Result.DeviceFiles) ||
      readNames(Models, "a model's name, or all", Result.Models) ||
      readChoice("mwp-case", MWPCaseName, {"physical", "literal"}, Case) ||
      readOneOf({&Registers, &PtxasInfo, &Via}))
    return true;
  Result.Jobs = NumJobs.value_or(0);
  Result.Clocks = ClockChoice(ClocksChosen);
  Result.Model.Published = Published;
  Result.Model.Case = Case == 0 ? MWPCase::Physical : MWPCase::Literal;
  // Both say something of published models alone, and the default is none.
  if (Models.empty() && (Published || MWPCaseName.getNumOccurrences() != 0))
    Result.Models = {"mwp-cwp"};
  auto Wrong = [](const Twine &Message) { return usageError(Message) != Done; };
  if (Quiet && Verbose)
    return Wrong("--quiet and --verbose exclude each other");
  if (Result.Model.Lambda && llvm::none_of(Models, [](StringRef M) {
        return M == "all" || M == LittlesLawName || M == BSPName;
      }))
    return Wrong("--lambda is a number of littles-law and bsp; --model=NAME "
                 "asks for one of them");
  if (Output.empty())
    return valueError("o", "a file, or - for standard output", Output);
  if (Inputs.empty())
    return Wrong("no input file; try --help");
  if (llvm::is_contained(Inputs, ""))
    return Wrong("the name of an input file is empty");
  return Code.read(Inputs, Result.Read);
}

int tool::writeReport(Driver &D, const ReportForm &Form, StringRef Path,
                      bool WithoutKernels,
                      llvm::function_ref<void(const KernelReport &)> Seen) {
  const bool Colors = useColors(Path);
  TextSpool Texts;
  Report R =
      D.run([&](const Report &Head, size_t Number, const KernelReport &K) {
        std::string Text;
        llvm::raw_string_ostream OS(Text);
        OS.enable_colors(Colors);
        {
          StageTimer Timer(Stage::Report);
          Form.printKernel(Head, K, OS);
          Texts.add(Number, Text);
        }
        if (Seen)
          Seen(K);
      });
  printDiagnostics(D.diagnostics());
  if (D.hasUsageErrors())
    return NotDone;
  // Asked before the file is written: that needs memory, and a run that has
  // none leaves the file as it was.
  const bool HasErrors = D.hasErrors();
  // Nothing at all to say leaves a former report in its file.
  if (Texts.size() == 0 && !WithoutKernels && HasErrors)
    return NotDone;
  bool WriteFailed = writeResult(Path, [&](raw_ostream &OS) {
    OS.enable_colors(Colors);
    std::error_code EC;
    Form.print(
        R, Texts.size(),
        [&](size_t N, raw_ostream &To) {
          if (!EC)
            EC = Texts.print(N, To);
        },
        OS);
    return EC;
  });
  return WriteFailed || HasErrors ? NotDone : Done;
}
