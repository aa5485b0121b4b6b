//===- Lint.cpp - ptx-predict lint FILE... --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CounterOptions.h"
#include "LintInputs.h"
#include "OutputFile.h"
#include "PredictionOptions.h"
#include "ProgressLine.h"
#include "ReviewOptions.h"
#include "Subcommands.h"
#include "ptxpredict/Driver/Inputs/SourceTexts.h"
#include "ptxpredict/Driver/Records/Records.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Report/Lint/LintReport.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Review/Baseline.h"
#include "ptxpredict/Review/Judge.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict lint FILE...`; registered while it lives.
struct LintOptions : PredictionOptions {
  StringOpt Format{"format", cl::init("text"),
                   cl::value_desc("text|json|sarif|github|codequality|rdjson|"
                                  "compiler-explorer|junit|markdown"),
                   cl::cat(category()), cl::desc("Form of the findings")};
  StringOpt FailOn{"fail-on", cl::value_desc("never|note|warning|error"),
                   cl::cat(category()),
                   cl::desc("Exits with 1 on a new finding of at least this "
                            "severity (default: warning)")};
  StringOpt Least{"severity", cl::value_desc("note|warning|error"),
                  cl::cat(category()),
                  cl::desc("Hides findings below this severity (default: that "
                           "of --fail-on, at most warning)")};
  StringList Rules{"rules", cl::value_desc("glob,..."), cl::cat(category()),
                   cl::CommaSeparated,
                   cl::desc("Rules to check; '-GLOB' excludes, the last match "
                            "wins (default: all)")};
  StringOpt MinGain{"min-gain", cl::value_desc("share"), cl::cat(category()),
                    cl::desc("Hides findings that would save less than this "
                             "share of the time, such as 5%")};
  StringOpt Baseline{"baseline", cl::value_desc("file"), cl::cat(category()),
                     cl::desc("Known findings, which do not fail the run")};
  StringOpt WriteBaseline{
      "write-baseline", cl::value_desc("file"), cl::cat(category()),
      cl::desc("Writes all findings as a baseline and fails on none")};
  StringOpt SourceRoot{
      "source-root", cl::value_desc("dir"), cl::cat(category()),
      cl::desc("Prints paths relative to this folder (default: the "
               "configuration's, else the working directory)")};
  StringOpt Commands{"compile-commands", cl::value_desc("file"),
                     cl::cat(category()),
                     cl::desc("How sources are compiled (default: the nearest "
                              "compile_commands.json)")};
  StringList QueryDrivers{
      "query-driver", cl::value_desc("glob,..."), cl::cat(category()),
      cl::CommaSeparated,
      cl::desc("Compilers that compile_commands.json may run, by their paths, "
               "besides the clang and nvcc that are found without it")};
  ReviewOptions Review;
  cl::opt<bool> ListRules{"list-rules", cl::cat(category()),
                          cl::desc("Lists the rules and exits")};

  CounterOptions Counters;

  LintOptions() : PredictionOptions("One line per finding") {}
};

enum LintFormat : unsigned {
  LintAsText,
  LintAsJSON,
  LintAsSARIF,
  LintAsGitHub,
  LintAsCodeQuality,
  LintAsRDJSON,
  LintForCompilerExplorer,
  LintAsJUnit,
  LintAsMarkdown
};
constexpr StringRef LintFormats[] = {"text",
                                     "json",
                                     "sarif",
                                     "github",
                                     "codequality",
                                     "rdjson",
                                     "compiler-explorer",
                                     "junit",
                                     "markdown"};

/// What the command line says of findings, over what configurations say.
struct Choices {
  unsigned Format = LintAsText;
  std::optional<FailLevel> FailOn;
  std::optional<Severity> Least;
  std::optional<double> MinGain;
  std::optional<RuleSelection> Rules;
};

/// Inputs under one configuration.
struct Group {
  std::vector<size_t> Numbers; ///< of all inputs
  std::vector<DriverInput> Inputs;
  LintConfig Config; ///< with what the command line says
  const llvm::StringSet<> *Baseline = nullptr;
};

} // namespace

static int listRules(StringRef Output) {
  TextTable T(
      {TextTable::Align::Left, TextTable::Align::Left, TextTable::Align::Left});
  T.addRow({"rule", "severity", "fires when"});
  for (const Rule &R : allRules())
    T.addRow({R.Id.str(), toString(R.Level).str(), R.FiresWhen.str()});
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  T.print(OS, /*Indent=*/0);
  return writeResult(Output, Text) ? NotDone : Done;
}

/// Checks the values and moves them over. True on error (reported).
static bool readChoices(const LintOptions &O, Choices &C) {
  unsigned Level = 0;
  if (readChoice("format", O.Format, LintFormats, C.Format))
    return true;
  if (O.FailOn.getNumOccurrences() != 0) {
    if (readChoice("fail-on", O.FailOn, {"never", "note", "warning", "error"},
                   Level))
      return true;
    C.FailOn = parseFailLevel(O.FailOn);
  }
  if (O.Least.getNumOccurrences() != 0) {
    if (readChoice("severity", O.Least, {"note", "warning", "error"}, Level))
      return true;
    C.Least = parseFailLevel(O.Least)->From;
  }
  if (O.MinGain.getNumOccurrences() != 0 &&
      !(C.MinGain = parseShare(O.MinGain)))
    return valueError("min-gain", "a share of the time, such as 5% or 0.05",
                      O.MinGain);
  for (StringRef Glob : O.Rules) {
    if (!C.Rules)
      C.Rules.emplace();
    if (Error E = C.Rules->add(Glob)) {
      usageError("--rules: " + llvm::toString(std::move(E)));
      return true;
    }
  }
  for (const StringOpt *Path :
       {&O.Baseline, &O.WriteBaseline, &O.SourceRoot, &O.Commands})
    if (std::string Ignored; readPath(*Path, Ignored))
      return true;
  return O.Review.check() || readOneOf({&O.Baseline, &O.WriteBaseline});
}

/// True on error (reported).
static bool readQueryDrivers(const StringList &Texts, ReadOptions &Read) {
  for (StringRef Text : Texts) {
    Expected<OwnedGlob> Glob = OwnedGlob::create(Text);
    if (!Glob) {
      usageError("--query-driver: " + llvm::toString(Glob.takeError()));
      return true;
    }
    Read.QueryDrivers.push_back(std::move(*Glob));
  }
  return false;
}

/// \p C with what the command line says of findings.
static LintConfig merged(LintConfig C, const Choices &Over,
                         const LintOptions &O) {
  if (Over.FailOn)
    C.FailOn = Over.FailOn;
  if (Over.Least)
    C.Least = Over.Least;
  if (Over.MinGain)
    C.LeastGain = Over.MinGain;
  if (Over.Rules)
    C.Rules = *Over.Rules;
  if (!O.Baseline.empty())
    C.BaselineFile = O.Baseline;
  if (!O.WriteBaseline.empty())
    C.BaselineFile.clear();
  if (!O.SourceRoot.empty())
    C.SourceRoot = absolutePath(O.SourceRoot);
  if (C.SourceRoot.empty())
    C.SourceRoot = C.Path.empty() ? absolutePath(".")
                                  : llvm::sys::path::parent_path(C.Path).str();
  return C;
}

static LintPolicy policyOf(const Group &G) {
  LintPolicy P{G.Config};
  P.SourceRoot = G.Config.SourceRoot;
  P.Baseline = G.Baseline;
  if (G.Config.FailOn)
    P.FailOn = G.Config.FailOn->From;
  P.Least = G.Config.Least.value_or(
      std::max(Severity::Warning, P.FailOn.value_or(Severity::Warning)));
  return P;
}

namespace {

/// One run over all inputs.
class LintRun {
public:
  LintRun(const LintOptions &O, Choices C, DriverOptions Options)
      : O(O), Asked(std::move(C)), Options(std::move(Options)) {}
  int run();

private:
  const LintOptions &O;
  Choices Asked;
  DriverOptions Options;
  std::vector<Group> Groups;
  size_t NumInputs = 0;
  std::map<std::string, llvm::StringSet<>> Baselines;
  std::vector<InputRecord> Records;

  bool readBaselines();
  bool record();
  void print(const LintResult &R, raw_ostream &OS) const;
};

} // namespace

/// In the form that was asked for.
void LintRun::print(const LintResult &R, raw_ostream &OS) const {
  switch (Asked.Format) {
  case LintAsJSON:
    return printLintJSON(R, OS);
  case LintAsSARIF:
    return printSARIF(
        R, OS, Groups.empty() ? StringRef() : Groups[0].Config.SourceRoot);
  case LintAsGitHub:
    return printGitHubAnnotations(R, OS);
  case LintAsCodeQuality:
    return printCodeQuality(R, OS);
  case LintAsRDJSON:
    return printRDJSON(R, OS);
  case LintForCompilerExplorer:
    return printForCompilerExplorer(R, OS);
  case LintAsJUnit:
    return printJUnit(R, OS);
  case LintAsMarkdown:
    return printLintMarkdown(R, OS);
  default:
    return printLintText(R, OS, O.verbosity(), useColors(O.Output));
  }
}

/// True on error (reported).
bool LintRun::readBaselines() {
  bool Failed = false;
  for (Group &G : Groups) {
    const std::string &Path = G.Config.BaselineFile;
    if (Path.empty())
      continue;
    auto [It, IsNew] = Baselines.try_emplace(Path);
    G.Baseline = &It->second;
    if (!IsNew)
      continue;
    DiagnosticEngine Diags;
    if (O.Baseline.empty() && !G.Config.ProjectRoot.empty())
      Diags.hideLines();
    Failed |= readInputFile(Path, Diags) || readBaseline(Diags, It->second);
    printDiagnostics(&Diags);
  }
  return Failed;
}

/// Fills Records. True if options do not fit (reported).
bool LintRun::record() {
  Records.resize(NumInputs);
  ProgressLine Progress(O.Quiet);
  size_t NumBefore = 0, NumCached = 0;
  ContentCache Cache = O.Review.cache();
  bool UsesCounters = false;
  Options.CountersAreShared = Groups.size() > 1;
  for (Group &G : Groups) {
    RecordRequest R{withConfig(Options, G.Config), Cache};
    R.OnProgress = [&](size_t Done, size_t /*All*/) {
      Progress.update("lint", NumBefore + Done, NumInputs, "inputs");
    };
    RecordAnswer A = recordInputs(std::move(G.Inputs), std::move(R));
    Progress.clear();
    printDiagnostics(A.Messages);
    if (A.Failed)
      return true;
    for (size_t N = 0; N != A.Inputs.size(); ++N)
      Records[G.Numbers[N]] = std::move(A.Inputs[N]);
    NumBefore += G.Numbers.size();
    NumCached += A.NumCached;
    UsesCounters |= A.UsesCounters;
  }
  if (Options.CountersAreShared && !Options.CountersPath.empty() &&
      !UsesCounters)
    return usageError("--counters: no selected kernel has counters in " +
                      Options.CountersPath) != Done;
  if (O.Verbose)
    noteCached(Cache, NumCached, NumInputs);
  return false;
}

int LintRun::run() {
  LintInputs Inputs(Options.Read, O.Review.Config, O.Commands,
                    O.Review.NoConfig);
  for (StringRef Path : O.Inputs)
    Inputs.add(Path);
  printDiagnostics(Inputs.diagnostics());
  if (Inputs.hasBadConfig())
    return NotDone;
  bool Failed = Inputs.failed();

  std::vector<LintInput> All = Inputs.take();
  std::vector<std::string> Paths;
  Paths.reserve(All.size());
  for (const LintInput &In : All)
    Paths.push_back(In.Input.Path);
  sendElsewhereByName(Paths);
  NumInputs = All.size();
  llvm::MapVector<const LintConfig *, size_t> Numbers;
  for (size_t N = 0; N != All.size(); ++N) {
    auto [It, IsNew] = Numbers.insert({All[N].Config, Groups.size()});
    if (IsNew)
      Groups.emplace_back().Config = merged(*All[N].Config, Asked, O);
    Groups[It->second].Numbers.push_back(N);
    Groups[It->second].Inputs.push_back(std::move(All[N].Input));
  }
  if (readBaselines() || record())
    return NotDone;

  SourceTexts Sources;
  LintJudge Judge([&](StringRef Path, StringRef Input, StringRef Root) {
    return Sources.find(Path, Input, Root);
  });
  std::vector<const Group *> GroupOf(NumInputs);
  for (const Group &G : Groups)
    for (size_t N : G.Numbers)
      GroupOf[N] = &G;
  for (size_t N = 0; N != NumInputs; ++N) {
    Failed |= Records[N].Failed;
    printDiagnostics(Records[N].Messages);
    Judge.add(std::move(Records[N]), policyOf(*GroupOf[N]));
  }
  LintResult Result = Judge.finish();
  printDiagnostics(Result.Messages);
  // Forms that programs read also say what is wrong with what was named.
  for (const DiagnosticEngine *E : Inputs.diagnostics())
    llvm::append_range(Result.Messages, E->shown());

  bool WriteFailed = writeResult(O.Output, [&](raw_ostream &OS) {
    OS.enable_colors(useColors(O.Output));
    print(Result, OS);
    return std::error_code();
  });
  if (!O.WriteBaseline.empty() && !Failed) {
    WriteFailed |= writeResult(O.WriteBaseline, [&](raw_ostream &OS) {
      printBaseline(Result, OS);
      return std::error_code();
    });
    return WriteFailed ? NotDone : Done;
  }
  if (Failed || WriteFailed)
    return NotDone;
  return llvm::any_of(Result.Findings,
                      [](const LintFinding &F) { return F.Counts; })
             ? Found
             : Done;
}

int tool::runLint(ArrayRef<const char *> Arguments) {
  LintOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments,
          "Finds what slows down GPU kernels in PTX, LLVM IR, CUDA source, "
          "OpenCL C or machine code, for CI and commits: exits with 1 if "
          "anything is new."))
    return *Code;
  if (O.ListRules)
    return listRules(O.Output);
  DriverOptions Options;
  Choices Asked;
  if (O.read(Options) || O.Counters.read(Options) || readChoices(O, Asked) ||
      readQueryDrivers(O.QueryDrivers, Options.Read))
    return NotDone;
  return LintRun(O, std::move(Asked), std::move(Options)).run();
}
