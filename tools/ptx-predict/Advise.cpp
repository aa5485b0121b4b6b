//===- Advise.cpp - ptx-predict advise FILE... ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CounterOptions.h"
#include "PredictionOptions.h"
#include "Subcommands.h"
#include "ptxpredict/Report/Prediction/AdviceReport.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Support/SourceLines.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict advise FILE...`; registered while it lives.
struct AdviseOptions : PredictionOptions {
  CounterOptions Counters;
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json"),
                   cl::cat(category()), cl::desc("Form of the findings")};
  cl::opt<bool> Energy{
      "energy", cl::cat(category()),
      cl::desc("Also finds what saves energy and no time: lower "
               "clocks, fewer SMs")};
  cl::opt<bool> Placement{
      "placement", cl::cat(category()),
      cl::desc("With --energy: which SMs would be coolest where fewer do")};
  cl::opt<bool> Gated{"gated", cl::cat(category()),
                      cl::desc("With --energy: what fewer SMs would save if "
                               "those without blocks were off")};
  StringOpt FailOn{"fail-on", cl::init("never"),
                   cl::value_desc("never|note|warning|error"),
                   cl::cat(category()),
                   cl::desc("Exits with 1 on a finding of at least this "
                            "severity (default: never)")};
  StringOpt SourceRoot{
      "source-root", cl::value_desc("dir"), cl::cat(category()),
      cl::desc("Prints paths of sources relative to this folder")};

  AdviseOptions() : PredictionOptions("One line per finding") {}
};

} // namespace

int tool::runAdvise(ArrayRef<const char *> Arguments) {
  AdviseOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments,
          "Finds what slows down GPU kernels in PTX or machine code, "
          "what a fix would save, and how to fix it."))
    return *Code;

  DriverOptions Options;
  enum : unsigned { FormatText, FormatJSON };
  unsigned Format = FormatText;
  std::optional<Severity> FailOn;
  if (O.read(Options) || O.Counters.read(Options) ||
      readChoice("format", O.Format, {"text", "json"}, Format) ||
      readFailOn(O.FailOn, FailOn) ||
      (O.SourceRoot.getNumOccurrences() != 0 && O.SourceRoot.empty() &&
       valueError(O.SourceRoot.ArgStr, "a folder", O.SourceRoot)))
    return NotDone;
  if (!O.SourceRoot.empty())
    Options.SourceRoot = absolutePath(O.SourceRoot);
  if ((O.Placement || O.Gated) && !O.Energy)
    return usageError("--placement and --gated are of --energy");
  Options.FindDefects = true;
  Options.WithEnergy = O.Energy;
  Options.WithPlacement = O.Placement;
  Options.WithGated = O.Gated;
  Options.SuggestSettings =
      Format == FormatJSON || O.verbosity() == Verbosity::Verbose;

  Driver D(std::move(Options));
  if (!D.prepare()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }
  (void)D.readAll(O.Inputs);
  SourceLines Lines;
  auto ReadLine = [&](StringRef Path, unsigned Line, StringRef Input) {
    StringRef Text = D.textOf(Path, Input);
    return Text.empty() ? std::nullopt : Lines.find(Text, Line);
  };
  std::unique_ptr<ReportForm> Form =
      Format == FormatJSON
          ? adviceJSONForm()
          : adviceTextForm(O.verbosity(), useColors(O.Output), ReadLine);
  std::atomic<bool> Any{false};
  int Code = writeReport(
      D, *Form, O.Output, /*WithoutKernels=*/Format == FormatJSON,
      [&](const KernelReport &K) {
        if (FailOn && llvm::any_of(K.Findings, [&](const Finding &F) {
              return F.Level <= *FailOn;
            }))
          Any = true;
      });
  return Code == Done && Any ? Found : Code;
}
