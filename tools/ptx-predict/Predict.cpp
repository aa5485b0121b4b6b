//===- Predict.cpp - ptx-predict FILE... ----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchOptions.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "ptxpredict/Analysis/StaticCountsPrint.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/TextSpool.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict FILE...`; registered while it lives.
struct PredictOptions {
  StringList Inputs{cl::Positional, cl::desc("<file>..."), cl::cat(category())};
  StringList Kernels{
      "kernel", cl::value_desc("glob"), cl::cat(category()),
      cl::desc("Kernels to predict, by mangled or demangled name (default: "
               "all; repeatable)")};
  LaunchOptions Launch;
  StringList Devices{
      "device", cl::value_desc("name"), cl::cat(category()),
      cl::desc("Device to predict for, or 'all' (default: the representative "
               "of the input's .target; repeatable)")};
  StringList DeviceFiles{"device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Adds a device, for --device (repeatable)")};
  StringOpt CoreMHz{"core-mhz", cl::value_desc("number"), cl::cat(category()),
                    cl::desc("Core clock (default: the device's boost clock)")};
  StringOpt MemMHz{"mem-mhz", cl::value_desc("number"), cl::cat(category()),
                   cl::desc("Memory clock as nvidia-smi prints it (default: "
                            "the device's)")};
  StringOpt ActiveSMs{"active-sms", cl::value_desc("number"),
                      cl::cat(category()),
                      cl::desc("SMs that get blocks (default: all)")};
  StringList Models{"model", cl::value_desc("name"), cl::cat(category()),
                    cl::desc("Model, or 'all' (default: mwp-cwp; "
                             "repeatable)")};
  cl::opt<bool> Published{"published", cl::cat(category()),
                          cl::desc("Models as published, without additions")};
  StringOpt MWPCaseName{"mwp-case", cl::init("physical"),
                        cl::value_desc("physical|literal"), cl::cat(category()),
                        cl::desc("Reading of MWP-CWP's case rule (default: "
                                 "physical)")};
  StringOpt Registers{"registers", cl::value_desc("number"),
                      cl::cat(category()),
                      cl::desc("Exact registers of a thread")};
  StringOpt PtxasInfo{"ptxas-info", cl::value_desc("log"), cl::cat(category()),
                      cl::desc("Output of 'ptxas -v', for exact registers")};
  StringOpt Via{"via", cl::value_desc("ptxas[=path]"), cl::cat(category()),
                cl::desc("Asks a ptxas of yours for exact registers (default: "
                         "that on PATH or in $CUDA_HOME/bin)")};
  StringOpt Profile{"profile", cl::value_desc("file.json"), cl::cat(category()),
                    cl::desc("Counts of 'ptx-predict emulate --profile-out', "
                             "in place of estimates")};
  StringList TripCounts{"trip-count", cl::value_desc("label|line=number"),
                        cl::cat(category()),
                        cl::desc("How often a loop runs (default: 64 where it "
                                 "cannot be known; repeatable)")};
  StringList BranchProbabilities{
      "branch-probability", cl::value_desc("label|line=number"),
      cl::cat(category()),
      cl::desc("How often a branch is taken, from 0 to 1 (repeatable)")};
  StringList Sweeps{
      "sweep", cl::value_desc("what=from:to[:step]|a,b,c"), cl::cat(category()),
      cl::desc("Predicts every value of active-sms, core-mhz, mem-mhz, "
               "bandwidth, warps, block, grid, registers, dynamic-smem or "
               "arg:NAME (repeatable)")};
  StringOpt Jobs{"j", cl::Prefix, cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Threads that analyse (default: one a core)")};
  StringOpt Format{"format", cl::init("text"),
                   cl::value_desc("text|json|csv|html"), cl::cat(category()),
                   cl::desc("Form of the report")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the report goes (default: -, standard "
                            "output)")};
  StringList Dumps{"dump",
                   cl::value_desc("ptx|graph|dot|uniformity|values|frequency|"
                                  "memory|dependence|locality|characteristics|"
                                  "prediction"),
                   cl::cat(category()),
                   cl::desc("Prints a stage's result in place of the report "
                            "(repeatable)")};
  cl::opt<bool> Quiet{"quiet", cl::cat(category()),
                      cl::desc("One line a prediction")};
  cl::opt<bool> Verbose{"verbose", cl::cat(category()),
                        cl::desc("Everything, not one screen a kernel")};
};

enum Dump : unsigned {
  DumpPTX,
  DumpGraph,
  DumpDOT,
  DumpUniformity,
  DumpValues,
  DumpFrequency,
  DumpMemory,
  DumpDependence,
  DumpLocality,
  DumpCharacteristics,
  DumpPrediction
};
constexpr StringRef DumpNames[] = {
    "ptx",      "graph",           "dot",       "uniformity",
    "values",   "frequency",       "memory",    "dependence",
    "locality", "characteristics", "prediction"};

enum OutputFormat : unsigned { FormatText, FormatJSON, FormatCSV, FormatHTML };
constexpr StringRef FormatNames[] = {"text", "json", "csv", "html"};

} // namespace

static bool readTripCounts(const StringList &Texts, LaunchSpec &Spec) {
  for (StringRef Text : Texts) {
    auto [Place, Number] = Text.rsplit('=');
    std::optional<double> N = parseNumber(Number);
    if (Place.empty() || !N || *N < 0)
      return valueError("trip-count", "LABEL=N or LINE=N, N a number from 0",
                        Text);
    Place.consume_front("$"); // the same loop without it
    Spec.TripCounts[Place.str()] = *N;
  }
  return false;
}

static bool readBranchProbabilities(const StringList &Texts, LaunchSpec &Spec) {
  for (StringRef Text : Texts) {
    auto [Place, Number] = Text.rsplit('=');
    std::optional<double> P = parseNumber(Number);
    if (Place.empty() || !P || *P < 0 || *P > 1)
      return valueError("branch-probability",
                        "LABEL=P or LINE=P, P a number from 0 to 1", Text);
    Place.consume_front("$"); // the same branch without it
    Spec.BranchProbabilities[Place.str()] = *P;
  }
  return false;
}

/// Checks the values and moves them over. True on error (reported).
static bool convert(PredictOptions &O, DriverOptions &Result) {
  unsigned Case = 0;
  std::optional<unsigned> Jobs;
  LaunchSpec &Launch = Result.Launch;
  if (O.Launch.read(Result) || readTripCounts(O.TripCounts, Launch) ||
      readBranchProbabilities(O.BranchProbabilities, Launch) ||
      readPositive(O.CoreMHz, Result.CoreMHz) ||
      readPositive(O.MemMHz, Result.MemMHz) ||
      readPositive(O.ActiveSMs, Result.ActiveSMs) ||
      readPositive(O.Registers, Result.Registers) ||
      readPositive(O.Jobs, Jobs) ||
      readPath(O.PtxasInfo, Result.PtxasInfoPath) ||
      readPath(O.Profile, Result.ProfilePath) || readVia(O.Via, Result.Via) ||
      readNames(O.Kernels, "a glob", Result.KernelGlobs) ||
      readNames(O.Devices, "a name that 'ptx-predict devices' lists, or all",
                Result.Devices) ||
      readNames(O.DeviceFiles, "a file", Result.DeviceFiles) ||
      readNames(O.Models, "a model's name, or all", Result.Models) ||
      readChoice("mwp-case", O.MWPCaseName, {"physical", "literal"}, Case))
    return true;
  if (readOneOf({&O.Registers, &O.PtxasInfo, &O.Via}))
    return true;
  if (O.Quiet && O.Verbose) {
    usageError("--quiet and --verbose exclude each other");
    return true;
  }
  for (StringRef Text : O.Sweeps) {
    Expected<SweepAxis> Axis = parseSweep(Text);
    if (!Axis) {
      usageError(llvm::toString(Axis.takeError()));
      return true;
    }
    Result.Sweeps.push_back(std::move(*Axis));
  }
  Result.Jobs = Jobs.value_or(0);
  Result.Model.Published = O.Published;
  Result.Model.Case = Case == 0 ? MWPCase::Physical : MWPCase::Literal;
  return false;
}

/// Prints the graph, or those of the kernels that --kernel chooses.
static void dumpGraph(Driver &D, const Module &M, bool Chosen, bool DOT,
                      raw_ostream &OS) {
  if (!Chosen)
    return DOT ? M.printDOT(OS) : M.print(OS);
  for (const InstructionGraph *G : D.selectKernels(M)) {
    HeldBodies Bodies(*G);
    if (!Bodies.failed())
      DOT ? G->printDOT(OS) : G->print(OS);
  }
}

/// Prints what an analysis says of all kernels that are in the report, each at
/// its launch.
static void dumpAnalysis(Driver &D, const Report &R,
                         ArrayRef<const ParsedInput *> Inputs, unsigned Which,
                         raw_ostream &OS) {
  // The report has the same kernels in the same order, but for failed ones.
  auto Next = R.Kernels.begin();
  for (const ParsedInput *In : Inputs)
    for (const InstructionGraph *G : D.selectKernels(In->module())) {
      if (Next == R.Kernels.end() || Next->Characteristics.Name != G->Name)
        continue;
      const LaunchConfig &Launch = (Next++)->Characteristics.Launch;
      HeldBodies Bodies(*G);
      if (Bodies.failed())
        continue;
      ControlFlow CF(*G);
      Expressions E(Launch);
      Values V(*G, CF, Launch, E);
      if (Which == DumpValues) {
        V.print(OS);
        continue;
      }
      StaticCounts Counts =
          countStatically(V, Launch, StaticCountsBudget, Which == DumpLocality);
      if (Which == DumpUniformity)
        printUniformity(V, Counts, Launch, OS);
      else if (Which == DumpFrequency)
        printFrequency(V, Counts, Launch, OS);
      else if (Which == DumpDependence)
        printDependence(V, Counts, Launch, OS);
      else if (Which == DumpLocality)
        printLocality(V, Counts, Launch, OS);
      else
        printMemory(V, Counts, Launch, OS);
    }
}

static void printDump(Driver &D, const Report &R,
                      ArrayRef<const ParsedInput *> Inputs, unsigned Which,
                      bool Chosen, raw_ostream &OS) {
  switch (Which) {
  case DumpPrediction:
    return printPredictions(R, OS);
  case DumpCharacteristics:
    for (const KernelReport &K : R.Kernels)
      print(K.Characteristics, OS);
    return;
  case DumpUniformity:
  case DumpValues:
  case DumpFrequency:
  case DumpMemory:
  case DumpDependence:
  case DumpLocality:
    return dumpAnalysis(D, R, Inputs, Which, OS);
  case DumpPTX:
    for (const ParsedInput *In : Inputs)
      In->print(OS);
    return;
  default:
    for (const ParsedInput *In : Inputs)
      dumpGraph(D, In->module(), Chosen, Which == DumpDOT, OS);
  }
}

/// The form of the report that was asked for.
static std::unique_ptr<ReportForm>
makeForm(const PredictOptions &O, const Driver &D, const ModelOptions &Options,
         unsigned Format, bool Colors, std::vector<std::string> Sweeps) {
  switch (Format) {
  case FormatJSON:
    return jsonForm();
  case FormatCSV: {
    std::vector<StringRef> Terms;
    for (const Model *M : D.models())
      for (StringRef Term : M->termNames())
        if (!llvm::is_contained(Terms, Term))
          Terms.push_back(Term);
    return csvForm(std::move(Sweeps), std::move(Terms));
  }
  case FormatHTML:
    return htmlForm(Options);
  default:
    return textForm(O.Quiet     ? Verbosity::Quiet
                    : O.Verbose ? Verbosity::Verbose
                                : Verbosity::Normal,
                    Colors);
  }
}

/// Predicts and writes the report. A kernel's part of it is printed as soon as
/// the kernel is done, so that no kernel's data wait for the others.
/// \p WithoutKernels: a report in which there are none is one, too.
static int report(Driver &D, const ReportForm &Form, bool Colors,
                  bool WithoutKernels, StringRef Path) {
  TextSpool Texts;
  Report R =
      D.run([&](const Report &Head, size_t Number, const KernelReport &K) {
        std::string Text;
        llvm::raw_string_ostream OS(Text);
        OS.enable_colors(Colors);
        Form.printKernel(Head, K, OS);
        Texts.add(Number, Text);
      });
  printDiagnostics(D.diagnostics());
  if (D.hasUsageErrors())
    return NotDone;
  // Nothing at all to say leaves a former report in its file.
  if (Texts.size() == 0 && !WithoutKernels && D.hasErrors())
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
  return WriteFailed || D.hasErrors() ? NotDone : Done;
}

int tool::runPredict(ArrayRef<const char *> Arguments) {
  PredictOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Predicts the run time of GPU kernels in PTX from their "
                     "code. See also: ptx-predict devices --help"))
    return *Code;

  DriverOptions Options;
  unsigned Format = FormatText;
  std::vector<unsigned> Dumps;
  if (convert(O, Options) ||
      readChoice("format", O.Format, FormatNames, Format))
    return NotDone;
  for (StringRef Name : O.Dumps)
    if (readChoice("dump", Name, DumpNames, Dumps.emplace_back()))
      return NotDone;
  if (O.Output.empty()) {
    valueError("o", "a file, or - for standard output", O.Output);
    return NotDone;
  }
  if (O.Inputs.empty())
    return usageError("no input file; try --help");
  if (llvm::is_contained(O.Inputs, ""))
    return usageError("the name of an input file is empty");

  bool Chosen = !Options.KernelGlobs.empty();
  std::vector<std::string> Sweeps;
  Sweeps.reserve(Options.Sweeps.size());
  for (const SweepAxis &A : Options.Sweeps)
    Sweeps.push_back(A.Name);
  Options.ShowCode = Format == FormatHTML && Dumps.empty();
  const ModelOptions Model = Options.Model;
  Driver D(std::move(Options));
  if (!D.prepare()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }
  std::vector<const ParsedInput *> Inputs;
  for (StringRef Path : O.Inputs)
    if (const ParsedInput *In = D.read(Path))
      Inputs.push_back(In);

  if (StringRef Path = D.characteristicsInput(); !Path.empty())
    for (unsigned Which : Dumps)
      if (Which < DumpCharacteristics)
        return usageError("--dump=" + DumpNames[Which] + ": " + Path +
                          " holds characteristics, not code; ask the PTX that "
                          "they are from");

  bool Colors = useColors(O.Output);
  if (Dumps.empty())
    return report(D, *makeForm(O, D, Model, Format, Colors, std::move(Sweeps)),
                  Colors,
                  /*WithoutKernels=*/Format != FormatText, O.Output);
  Report R;
  if (Chosen || llvm::any_of(Dumps, [](unsigned Which) {
        return Which >= DumpUniformity;
      }))
    R = D.run();
  if (D.hasUsageErrors()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS.enable_colors(Colors);
  for (unsigned Which : Dumps)
    printDump(D, R, Inputs, Which, Chosen, OS);
  printDiagnostics(D.diagnostics());
  // Nothing at all to say leaves a former report in its file.
  bool WriteFailed =
      (!Text.empty() || !D.hasErrors()) && writeResult(O.Output, Text);
  return WriteFailed || D.hasErrors() ? NotDone : Done;
}
