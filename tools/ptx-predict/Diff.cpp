//===- Diff.cpp - ptx-predict diff BASE HEAD ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OutputFile.h"
#include "PredictionOptions.h"
#include "ProgressLine.h"
#include "ReviewOptions.h"
#include "Subcommands.h"
#include "ptxpredict/Driver/Inputs/InputList.h"
#include "ptxpredict/Driver/Records/Builds.h"
#include "ptxpredict/Report/Diff/DiffReport.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict diff BASE HEAD`; registered while it lives.
struct DiffCommandOptions : PredictionOptions {
  StringOpt GitBase{
      "git-base", cl::value_desc("revision"), cl::cat(category()),
      cl::desc("Compares files with their state at this git revision")};
  StringOpt MaxRegression{
      "max-regression", cl::value_desc("percent"), cl::cat(category()),
      cl::desc("Exits with 1 if a kernel's predicted time rises by more than "
               "this (default: no limit)")};
  StringOpt Noise{"noise", cl::value_desc("percent"), cl::cat(category()),
                  cl::desc("Ignores changes up to this share (default: 1%)")};
  StringOpt FailOn{"fail-on", cl::init("never"),
                   cl::value_desc("never|note|warning|error"),
                   cl::cat(category()),
                   cl::desc("Exits with 1 on a new finding of at least this "
                            "severity (default: never)")};
  StringOpt Format{"format", cl::init("text"),
                   cl::value_desc("text|json|markdown|html"),
                   cl::cat(category()), cl::desc("Form of the comparison")};
  StringOpt SourceRoot{
      "source-root", cl::value_desc("dir"), cl::cat(category()),
      cl::desc("Prints paths of sources relative to this folder")};

  ReviewOptions Review;

  DiffCommandOptions() : PredictionOptions("One line per kernel that changed") {
    Inputs.setDescription("<base> <head>, files or folders; with --git-base "
                          "<file>...");
    Profile.setHiddenFlag(cl::ReallyHidden); // of one build
    Verbose.setDescription("Every kernel and every change");
  }

  /// What it says goes before \p Config. True on error (reported).
  bool read(const LintConfig &Config, DiffOptions &Result) const {
    std::optional<double> NoiseShare = Config.Noise;
    Result.MaxRegression = Config.MaxRegression;
    if (readShare(MaxRegression, Result.MaxRegression) ||
        readShare(Noise, NoiseShare) || readFailOn(FailOn, Result.FailOn))
      return true;
    Result.Noise = NoiseShare.value_or(Result.Noise);
    return false;
  }
};

enum DiffFormat : unsigned {
  DiffAsText,
  DiffAsJSON,
  DiffAsMarkdown,
  DiffAsHTML
};

} // namespace

/// What two paths stand for. True on error (reported).
static bool findBuilds(ArrayRef<std::string> Paths, BuildFiles &Base,
                       BuildFiles &Head) {
  if (Paths.size() != 2)
    return usageError("diff takes two files or two folders, BASE and HEAD; or "
                      "any number of files with --git-base") != Done;
  auto IsFolder = [](StringRef Path) {
    return llvm::sys::fs::is_directory(Path);
  };
  if (Paths[0] == "-" && Paths[1] == "-")
    return usageError("standard input can be read only once") != Done;
  if (IsFolder(Paths[0]) != IsFolder(Paths[1]))
    return usageError("'" + Paths[IsFolder(Paths[0]) ? 0 : 1] +
                      "' is a folder, '" + Paths[IsFolder(Paths[0]) ? 1 : 0] +
                      "' is none: diff compares two of a kind") != Done;
  for (auto [Path, Files] : {std::pair(StringRef(Paths[0]), &Base),
                             std::pair(StringRef(Paths[1]), &Head)}) {
    Expected<BuildFiles> Found = findBuild(Path);
    if (!Found)
      return usageError(llvm::toString(Found.takeError())) != Done;
    *Files = std::move(*Found);
  }
  return false;
}

/// Calls \p Do with every path in \p B.
static void forEachPath(Build &B, llvm::function_ref<void(std::string &)> Do) {
  for (InputRecord &I : B.Inputs) {
    Do(I.Path);
    for (Diagnostic &D : I.Messages)
      Do(D.Path);
    for (KernelRecord &K : I.Kernels)
      for (FindingRecord &F : K.Findings) {
        Do(F.Found.Where.Path);
        for (std::string &Frame : F.Found.Where.InlinedAt)
          Do(Frame);
      }
  }
}

/// Pairs that were predicted for different devices: their targets are others.
static bool reportIncomparable(const DiffResult &R) {
  size_t Num = 0;
  const KernelDiff *First = nullptr;
  for (const KernelDiff &D : R.Kernels)
    if (!D.Devices.empty() &&
        llvm::none_of(D.Devices, [](const DeviceDiff &At) {
          return At.InBase && At.InHead;
        })) {
      First = First ? First : &D;
      ++Num;
    }
  if (Num == 0)
    return false;
  usageError("kernels of different targets are predicted for different "
             "devices: " +
             R.head(*First).Demangled +
             (Num > 1 ? " and " + Twine(Num - 1) + " more" : Twine("")) +
             "; name devices with --device");
  return true;
}

/// The configuration of the head, else of where the program is. True on error
/// (reported).
static bool readConfig(const ReviewOptions &O, StringRef Head, LintConfig &C) {
  if (O.NoConfig)
    return false;
  std::string Path = O.Config.empty() ? "" : absolutePath(O.Config);
  const ConfigOrigin Origin =
      O.Config.empty() ? ConfigOrigin::Found : ConfigOrigin::Named;
  if (O.Config.empty() && Head != "-")
    Path =
        findLintConfig(absolutePath(llvm::sys::fs::is_directory(Head)
                                        ? Head
                                        : llvm::sys::path::parent_path(Head)));
  if (Path.empty())
    Path = findLintConfig(absolutePath("."));
  if (Path.empty())
    return false;
  DiagnosticEngine Diags;
  const bool Failed =
      readInputFile(Path, Diags) || readLintConfig(Diags, C, Origin);
  printDiagnostics(&Diags);
  return Failed;
}

/// Findings of the rules that \p C wants, as severe as it says.
static void applyRules(const LintConfig &C, Build &B) {
  for (InputRecord &I : B.Inputs)
    for (KernelRecord &K : I.Kernels) {
      llvm::erase_if(K.Findings, [&](const FindingRecord &F) {
        return !C.Rules.wants(F.Found.Id);
      });
      for (FindingRecord &F : K.Findings)
        for (const ConfiguredSeverity &S : C.Severities)
          if (S.Rule.match(F.Found.Id))
            F.Found.Level = S.Level;
    }
}

namespace {

/// One comparison. What returns a bool is true on error (reported).
class DiffRun {
public:
  explicit DiffRun(DiffCommandOptions &O) : O(O) {}
  int run();

private:
  bool readOptions();
  bool findFiles(BuildFiles &Base, BuildFiles &Head);
  BuildsAnswer record(BuildFiles Base, BuildFiles Head);
  /// Takes rules and paths as the configuration wants them.
  void adapt(Build &B) const;
  bool write(const DiffResult &R) const;

  DiffCommandOptions &O;
  RecordRequest Request;
  DiffOptions Options;
  unsigned Format = DiffAsText;
  LintConfig Config;
  std::optional<GitRevision> Revision; ///< with --git-base
};

} // namespace

bool DiffRun::readOptions() {
  if (O.PredictionOptions::read(Request.Options) || O.Review.check() ||
      readConfig(O.Review, *std::prev(O.Inputs.end()), Config) ||
      O.read(Config, Options) ||
      readChoice("format", O.Format, {"text", "json", "markdown", "html"},
                 Format))
    return true;
  for (const StringOpt *Folder : {&O.SourceRoot, &O.GitBase})
    if (Folder->getNumOccurrences() != 0 && Folder->empty())
      return valueError(Folder->ArgStr,
                        Folder == &O.GitBase ? "a revision" : "a folder", "");
  if (!Request.Options.ProfilePath.empty())
    return usageError("--profile describes one build, but diff compares two") !=
           Done;
  return false;
}

/// Says which links are not followed.
static void noteLinksOut(const BuildFiles &Files) {
  std::string Text = describeLinksOut(Files.LinksOut);
  if (!Text.empty())
    errors() << "ptx-predict: warning: " << printable(Text) << '\n';
}

bool DiffRun::findFiles(BuildFiles &Base, BuildFiles &Head) {
  if (O.GitBase.empty())
    return findBuilds(O.Inputs, Base, Head);
  if (llvm::is_contained(O.Inputs, "-"))
    return usageError("standard input has no git revision") != Done;
  // The program that compiles it makes its own temporary folder.
  sendElsewhereByName(O.Inputs);
  Expected<GitRevision> Read =
      GitRevision::read(O.GitBase, O.Inputs, Request.Options.Read);
  if (!Read)
    return usageError(llvm::toString(Read.takeError())) != Done;
  Revision.emplace(std::move(*Read));
  Base = std::move(Revision->Base);
  Head = std::move(Revision->Head);
  return false;
}

BuildsAnswer DiffRun::record(BuildFiles Base, BuildFiles Head) {
  Request.Options = withConfig(std::move(Request.Options), Config);
  Request.Cache = O.Review.cache();
  ProgressLine Progress(O.Quiet);
  Request.OnProgress = [&](size_t Done, size_t All) {
    Progress.update("diff", Done, All, "inputs");
  };
  const ContentCache Cache = Request.Cache;
  BuildsAnswer Answer =
      recordBuilds(std::move(Base), std::move(Head), std::move(Request));
  Progress.clear();
  printDiagnostics(Answer.Messages);
  if (O.Verbose && !Answer.Failed)
    noteCached(Cache, Answer.NumCached, Answer.NumInputs);
  return Answer;
}

void DiffRun::adapt(Build &B) const {
  const std::string Root =
      O.SourceRoot.empty() ? Config.SourceRoot : absolutePath(O.SourceRoot);
  applyRules(Config, B);
  forEachPath(B, [&](std::string &Path) {
    if (Revision)
      Revision->rename(Path);
    makeRelative(Path, Root);
  });
  for (const InputRecord &I : B.Inputs)
    printDiagnostics(I.Messages);
}

bool DiffRun::write(const DiffResult &R) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const bool Colors = useColors(O.Output);
  OS.enable_colors(Colors);
  if (Format == DiffAsJSON)
    printDiffJSON(R, OS);
  else if (Format == DiffAsMarkdown)
    printDiffMarkdown(R, OS);
  else if (Format == DiffAsHTML)
    printDiffHTML(R, OS, O.verbosity());
  else
    printDiffText(R, OS, O.verbosity(), Colors);
  return writeResult(O.Output, Text);
}

int DiffRun::run() {
  BuildFiles Base, Head;
  if (readOptions() || findFiles(Base, Head))
    return NotDone;
  if (Revision && Revision->IsBeforeFirstCommit) {
    errors() << "ptx-predict: note: the repository has no commit yet; "
                "there is nothing to compare with\n";
    return Done;
  }
  noteLinksOut(Base);
  noteLinksOut(Head);
  BuildsAnswer Answer = record(std::move(Base), std::move(Head));
  if (Answer.Failed)
    return NotDone;
  adapt(Answer.Base);
  adapt(Answer.Head);
  DiffResult R =
      compareBuilds(std::move(Answer.Base), std::move(Answer.Head), Options);
  if (R.Kernels.empty() && R.Added.empty() && R.Removed.empty())
    return Answer.SomeFailed ? int(NotDone)
                             : usageError("there are no kernels to compare");
  const bool Incomparable = reportIncomparable(R);
  if (write(R) || Answer.SomeFailed || (Incomparable && Options.MaxRegression))
    return NotDone;
  return R.exceedsLimit() || R.hasFailingFinding() ? Found : Done;
}

int tool::runDiff(ArrayRef<const char *> Arguments) {
  DiffCommandOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Compares predictions for the kernels of two builds: "
                     "time, limiter, resources, instructions and findings."))
    return *Code;
  return DiffRun(O).run();
}
