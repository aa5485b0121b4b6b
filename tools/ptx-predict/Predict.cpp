//===- Predict.cpp - ptx-predict FILE... ----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "CounterOptions.h"
#include "DumpSASS.h"
#include "MeasuredOptions.h"
#include "OutputFile.h"
#include "PowerModelOption.h"
#include "PredictionOptions.h"
#include "Subcommands.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict FILE...`; registered while it lives.
struct PredictOptions : PredictionOptions {
  StringList Sweeps{
      "sweep", cl::value_desc("what=from:to[:step]|a,b,c"), cl::cat(category()),
      cl::desc("Predicts every value of active-sms, core-mhz, mem-mhz, "
               "bandwidth, warps, block, grid, registers, dynamic-smem or "
               "arg:NAME (repeatable)")};
  StringOpt Format{"format", cl::init("text"),
                   cl::value_desc("text|json|csv|html"), cl::cat(category()),
                   cl::desc("Form of the report")};
  StringList Dumps{"dump",
                   cl::value_desc("ptx|graph|dot|uniformity|values|frequency|"
                                  "memory|forms|dependence|locality|roles|"
                                  "characteristics|prediction|counters|sass"),
                   cl::cat(category()),
                   cl::desc("Prints a stage's result in place of the report "
                            "(repeatable)")};

  CounterOptions Counters;
  PowerModelOption PowerModel;
  MeasuredOptions Measured;

  StringOpt Architecture{
      "arch", cl::value_desc("sm_90"), cl::cat(category()),
      cl::desc("With --dump=sass: for which architecture (default: the newest "
               "in the file)")};

  StringOpt Compare{"compare", cl::value_desc("ir,ptx|ptx,sass"),
                    cl::cat(category()),
                    cl::desc("Compares the analysis of LLVM IR with that of "
                             "the PTX that LLVM's back end writes, or that of "
                             "PTX with that of a cubin of it")};

  PredictOptions() : PredictionOptions("One line per prediction") {}
};

enum Dump : unsigned {
  DumpPTX,
  DumpGraph,
  DumpDOT,
  DumpUniformity,
  DumpValues,
  DumpFrequency,
  DumpMemory,
  DumpForms,
  DumpDependence,
  DumpLocality,
  DumpRoles,
  DumpCharacteristics,
  DumpPrediction,
  DumpCounters,
  DumpSASS
};
constexpr StringRef DumpNames[] = {
    "ptx",       "graph",           "dot",        "uniformity", "values",
    "frequency", "memory",          "forms",      "dependence", "locality",
    "roles",     "characteristics", "prediction", "counters",   "sass"};

enum OutputFormat : unsigned { FormatText, FormatJSON, FormatCSV, FormatHTML };
constexpr StringRef FormatNames[] = {"text", "json", "csv", "html"};

} // namespace

/// Checks the values and moves them over. True on error (reported).
static bool readSweeps(const StringList &Texts, DriverOptions &Result) {
  for (StringRef Text : Texts) {
    Expected<SweepAxis> Axis = parseSweep(Text);
    if (!Axis) {
      usageError(llvm::toString(Axis.takeError()));
      return true;
    }
    Result.Sweeps.push_back(std::move(*Axis));
  }
  return false;
}

/// --counters and --launch-index. True on error (reported).
static bool readCounterOptions(const PredictOptions &O,
                               ArrayRef<unsigned> Dumps,
                               DriverOptions &Result) {
  return O.Counters.read(Result) || O.PowerModel.read(Result.Model) ||
         (!Result.CountersPath.empty() &&
          llvm::is_contained(Dumps, DumpCharacteristics) &&
          usageError("--dump=characteristics has no room for --counters") !=
              Done);
}

namespace {
/// What dumps show.
struct DumpSource {
  Driver &D;
  const Report &R; ///< of dumps that need one
  ArrayRef<const ParsedInput *> Inputs;
  bool HasGlobs;      ///< --kernel chooses
  uint64_t WorkLimit; ///< of analyses
};
} // namespace

/// Prints the graph, or those of the kernels that --kernel chooses.
static void dumpGraph(const DumpSource &From, const Module &M, bool DOT,
                      raw_ostream &OS) {
  if (!From.HasGlobs)
    return DOT ? M.printDOT(OS) : M.print(OS);
  for (const InstructionGraph *G : From.D.selectKernels(M)) {
    HeldBodies Bodies(*G);
    if (!Bodies.failed())
      DOT ? G->printDOT(OS) : G->print(OS);
  }
}

/// Prints what an analysis says of all kernels that are in the report, each at
/// its launch.
static void dumpAnalysis(const DumpSource &From, unsigned Which,
                         raw_ostream &OS) {
  // The report has the same kernels in the same order, but for failed ones.
  auto Next = From.R.Kernels.begin();
  for (const ParsedInput *In : From.Inputs)
    for (const InstructionGraph *G : From.D.selectKernels(In->module())) {
      if (Next == From.R.Kernels.end() ||
          Next->Characteristics->Name != G->Name)
        continue;
      const LaunchConfig &Launch = (Next++)->Characteristics->Launch;
      HeldBodies Bodies(*G);
      if (Bodies.failed())
        continue;
      Expressions E(Launch);
      SymbolicValues V(*G, G->analysis<ControlFlow>(), Launch, E);
      if (Which == DumpValues) {
        V.print(OS);
        continue;
      }
      StaticProfile Counts =
          profileStatically(V, Launch, From.WorkLimit,
                            {/*HasRecords=*/Which == DumpLocality,
                             /*HasClasses=*/false,
                             /*HasRoles=*/Which == DumpRoles});
      if (Which == DumpUniformity)
        printUniformity(V, Counts, Launch, OS);
      else if (Which == DumpFrequency)
        printFrequency(V, Counts, Launch, OS);
      else if (Which == DumpDependence)
        printDependence(V, Counts, Launch, OS);
      else if (Which == DumpForms)
        printForms(V, Counts, Launch, OS);
      else if (Which == DumpLocality)
        printLocality(V, Counts, Launch, OS);
      else if (Which == DumpRoles)
        printRoles(V, Counts, Launch, OS);
      else
        printMemory(V, Counts, Launch, OS);
    }
}

static void printDump(const DumpSource &From, unsigned Which, raw_ostream &To) {
  PrintableStream OS(To, "\n\t"); // PTX has tabs
  switch (Which) {
  case DumpPrediction:
    return printPredictions(From.R, OS);
  case DumpCounters:
    return printCounters(From.R, OS);
  case DumpCharacteristics:
    for (const KernelReport &K : From.R.Kernels)
      print(*K.Characteristics, OS);
    return;
  case DumpUniformity:
  case DumpValues:
  case DumpFrequency:
  case DumpMemory:
  case DumpForms:
  case DumpDependence:
  case DumpLocality:
  case DumpRoles:
    return dumpAnalysis(From, Which, OS);
  case DumpPTX:
    for (const ParsedInput *In : From.Inputs)
      In->print(OS);
    return;
  default:
    for (const ParsedInput *In : From.Inputs)
      dumpGraph(From, In->module(), Which == DumpDOT, OS);
  }
}

/// The form of the report that was asked for.
static std::unique_ptr<ReportForm>
makeForm(const PredictOptions &O, const Driver &D, const ModelOptions &Options,
         unsigned Format, std::vector<std::string> Sweeps) {
  switch (Format) {
  case FormatJSON:
    return jsonForm();
  case FormatCSV: {
    std::vector<StringRef> Terms;
    for (const Model *M : D.models())
      for (StringRef Term : M->termNames())
        if (!llvm::is_contained(Terms, Term))
          Terms.push_back(Term);
    return csvForm(std::move(Sweeps), std::move(Terms), !O.Measured.Us.empty());
  }
  case FormatHTML:
    return htmlForm(Options, /*HasSweep=*/!Sweeps.empty());
  default:
    return textForm(O.verbosity(), useColors(O.Output));
  }
}

/// --compare: the same kernels by two routes to machine code.
static int predictByRoutes(const PredictOptions &O,
                           const DriverOptions &Options) {
  unsigned Routes = 0, Format = FormatText;
  if (readChoice("compare", O.Compare, {"ir,ptx", "ptx,sass"}, Routes) ||
      readChoice("format", O.Format, {"text", "json"}, Format))
    return NotDone;
  if (!O.Dumps.empty() || !Options.Sweeps.empty() || Options.Read.LowerToPTX)
    return usageError("--compare excludes --dump, --sweep and --lower");
  return (Routes == 0 ? compareIRWithPTX : comparePTXWithSASS)(
      Options, O.Inputs, Format == FormatJSON, O.Output);
}

/// --dump: what is asked, one behind the other.
static int writeDumps(Driver &D, ArrayRef<const ParsedInput *> Inputs,
                      ArrayRef<unsigned> Dumps, const DriverOptions &Options,
                      StringRef Output) {
  const bool HasGlobs = !Options.KernelGlobs.empty();
  Report R;
  if (HasGlobs || llvm::any_of(Dumps, [](unsigned Which) {
        return Which >= DumpUniformity;
      }))
    R = D.run();
  if (D.hasUsageErrors()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS.enable_colors(useColors(Output));
  for (unsigned Which : Dumps)
    printDump({D, R, Inputs, HasGlobs,
               Options.WorkLimit.value_or(StaticProfileBudget)},
              Which, OS);
  printDiagnostics(D.diagnostics());
  // Nothing at all to say leaves a former report in its file.
  bool WriteFailed =
      (!Text.empty() || !D.hasErrors()) && writeResult(Output, Text);
  return WriteFailed || D.hasErrors() ? NotDone : Done;
}

int tool::runPredict(ArrayRef<const char *> Arguments) {
  PredictOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Predicts the run time of GPU kernels in PTX, LLVM IR, "
                     "CUDA source or OpenCL C from their code."))
    return *Code;

  DriverOptions Options;
  unsigned Format = FormatText;
  std::vector<unsigned> Dumps;
  if (O.read(Options) || readSweeps(O.Sweeps, Options) ||
      readChoice("format", O.Format, FormatNames, Format))
    return NotDone;
  for (StringRef Name : O.Dumps)
    if (readChoice("dump", Name, DumpNames, Dumps.emplace_back()))
      return NotDone;
  if (readCounterOptions(O, Dumps, Options) ||
      O.Measured.read(Options.Measured))
    return NotDone;
  if (Format == FormatHTML && !Options.Measured.Times.empty())
    return usageError("--measured-us: a page has no place for it; text, json "
                      "and csv have");

  if (O.Compare.getNumOccurrences() != 0)
    return predictByRoutes(O, Options);
  if (llvm::is_contained(Dumps, DumpSASS)) {
    if (Dumps.size() != 1)
      return usageError("--dump=sass is a listing by itself: it excludes other "
                        "dumps");
    if (Format != FormatText && Format != FormatJSON)
      return usageError("--dump=sass is text or json");
    return dumpSASS({O.Inputs, Options.KernelGlobs, O.Architecture, O.Output,
                     Format == FormatJSON});
  }
  if (!O.Architecture.empty())
    return usageError("--arch is of --dump=sass");

  std::vector<std::string> Sweeps;
  Sweeps.reserve(Options.Sweeps.size());
  for (const SweepAxis &A : Options.Sweeps)
    Sweeps.push_back(A.Name);
  Options.ShowCode = Format == FormatHTML && Dumps.empty();
  const bool IsScreen =
      Format == FormatText && O.verbosity() == Verbosity::Normal;
  Options.CountLines = IsScreen && Dumps.empty() && Options.Sweeps.empty();
  Options.FindDefects =
      Options.ShowCode || ((Format == FormatJSON || IsScreen) &&
                           Dumps.empty() && Options.Sweeps.empty());
  Options.WithEnergy = false;
  Driver D(Options);
  if (!D.prepare()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }
  std::vector<const ParsedInput *> Inputs = D.readAll(O.Inputs);

  if (StringRef Path = D.characteristicsInput(); !Path.empty())
    for (unsigned Which : Dumps)
      if (Which < DumpCharacteristics)
        return usageError(
            "--dump=" + DumpNames[Which] + ": " + Path +
            " holds characteristics, not code; use the PTX that they describe");

  if (!Dumps.empty())
    return writeDumps(D, Inputs, Dumps, Options, O.Output);
  std::atomic<bool> AnyKernel{false}, AnyAnswer{false};
  const int Code = writeReport(
      D, *makeForm(O, D, Options.Model, Format, std::move(Sweeps)), O.Output,
      /*WithoutKernels=*/Format != FormatText, [&](const KernelReport &K) {
        AnyKernel = true;
        if (llvm::any_of(K.Predictions,
                         [](const Prediction &P) { return P.TimeUs; }))
          AnyAnswer = true;
      });
  return AnyKernel && !AnyAnswer ? NotDone : Code;
}
