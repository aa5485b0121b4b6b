//===- Rank.cpp - ptx-predict rank FILE... --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Rank.h"
#include "OutputFile.h"
#include "PowerModelOption.h"
#include "PredictionOptions.h"
#include "Subcommands.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict rank FILE...`; registered while it lives.
struct RankOptions : PredictionOptions {
  PowerModelOption PowerModel;
  StringOpt Top{"top", cl::init("10"), cl::value_desc("number|all"),
                cl::cat(category()),
                cl::desc("Number of candidates shown (default: 10)")};
  StringOpt By{"by", cl::init("time"), cl::value_desc("time|energy"),
               cl::cat(category()),
               cl::desc("What sorts the candidates (default: time)")};
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json|csv"),
                   cl::cat(category()), cl::desc("Form of the ranking")};
  std::vector<std::string> Launches; ///< --launch, each of them
  RankOptions() : PredictionOptions("One line per device: the best candidate") {
    Launch.Launch.setNumOccurrencesFlag(cl::ZeroOrMore);
    Launch.Launch.setDescription("Launch file (default: NAME.yaml beside "
                                 "NAME.ptx; repeatable)");
    Launch.Launch.setCallback(
        [this](const std::string &File) { Launches.push_back(File); });
    Profile.setHiddenFlag(cl::ReallyHidden); // of one launch
    Verbose.setDescription(
        "Also prints everything that is not ranked, and why");
  }
};

enum RankFormat : unsigned { RankText, RankJSON, RankCSV };

} // namespace

/// The number of places. True on error (reported).
static bool readTop(const StringOpt &O, size_t &Result) {
  if (O == "all") {
    Result = SIZE_MAX;
    return false;
  }
  std::optional<int64_t> N = parseInteger(O);
  if (!N || *N < 1)
    return valueError(O.ArgStr, "a number from 1, or all", O);
  Result = size_t(*N);
  return false;
}

int tool::runRank(ArrayRef<const char *> Arguments) {
  RankOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Ranks kernels in PTX or machine code, each at each of "
                     "its launches, by predicted time. A <file> may be a "
                     "folder of *.ptx, *.cubin and *.fatbin, and a launch "
                     "file stands for the code beside it."))
    return *Code;

  DriverOptions Options;
  unsigned Format = RankText, By = 0;
  size_t Top = 0;
  if (O.read(Options) || O.PowerModel.read(Options.Model) ||
      readTop(O.Top, Top) || readChoice("by", O.By, {"time", "energy"}, By) ||
      readChoice("format", O.Format, {"text", "json", "csv"}, Format))
    return NotDone;
  if (!Options.ProfilePath.empty())
    return usageError(
        "--profile describes one launch, but rank compares several");
  Options.LaunchFilePath.clear(); // each input has its own
  for (StringRef File : O.Launches)
    if (File.empty())
      return usageError("--launch takes a file; not ''");
  if (llvm::count(O.Inputs, "-") > 1 ||
      (llvm::is_contained(O.Inputs, "-") && O.Launches.size() > 1))
    return usageError(
        "standard input can be read only once, with one launch file");

  DiagnosticEngine Problems;
  std::vector<RankInput> Inputs =
      findRankInputs(O.Inputs, O.Launches, Problems);
  Ranking R = rank(Options, Inputs, RankBy(By));
  llvm::append_range(R.Diagnostics, Problems.diagnostics());

  printDiagnostics(R.Diagnostics);
  const bool Errors = llvm::any_of(R.Diagnostics, [](const Diagnostic &D) {
    return D.Level == Severity::Error;
  });
  // Nothing at all to say leaves a former ranking in its file.
  if (R.Candidates.empty() && (Errors || Format == RankText))
    return Errors ? NotDone : Done;

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const bool Colors = useColors(O.Output);
  OS.enable_colors(Colors);
  if (Format == RankJSON)
    printRankingJSON(R, Top, OS);
  else if (Format == RankCSV)
    printRankingCSV(R, Top, OS);
  else
    printRankingText(R, Top, OS, O.verbosity(), Colors);
  return writeResult(O.Output, Text) || Errors ? NotDone : Done;
}
