//===- Command.cpp - The subcommand that the arguments ask for ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Help.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "TimeReportOption.h"
#include "UnfinishedFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Thread.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// Names that belong to subcommands of later versions, and are therefore no
/// files.
static constexpr StringRef Reserved[] = {"train-power"};

ArrayRef<Subcommand> tool::subcommands() {
  static constexpr Subcommand All[] = {
      {"advise", "ptx-predict advise",
       "says what slows kernels down and what changes gain", runAdvise},
      {"calibrate", "ptx-predict calibrate",
       "writes a device file from results of microbenchmarks", runCalibrate},
      {"clocks", "ptx-predict clocks",
       "finds the clocks that kernels should run at", runClocks},
      {"devices", "ptx-predict devices",
       "lists GPUs, or shows one with the source of every number", runDevices},
      {"diff", "ptx-predict diff", "compares the predicted times of two builds",
       runDiff},
      {"emulate", "ptx-predict emulate",
       "runs kernels on the CPU: results, counts, races", runEmulate},
      {"explain", "ptx-predict explain", "says what a name in a result means",
       runExplain},
      {"help", "ptx-predict help", "shows the options of a subcommand",
       runHelp},
      {"lint", "ptx-predict lint", "finds what slows kernels down, for CI",
       runLint},
      {"objects", "ptx-predict objects",
       "lists the GPU code in cubins, fat binaries, libraries and programs",
       runObjects},
      {"occupancy", "ptx-predict occupancy",
       "computes how many blocks an SM holds", runOccupancy},
      {"rank", "ptx-predict rank",
       "sorts kernels and launches by predicted time", runRank},
      {"scaling", "ptx-predict scaling",
       "says how energy and efficiency change with nodes and clocks",
       runScaling},
      {"scenario", "ptx-predict scenario",
       "predicts an application on a described system", runScenario},
      {"split", "ptx-predict split", "shares a kernel's work out among devices",
       runSplit},
      {"systems", "ptx-predict systems",
       "lists systems, or shows one with the source of every number",
       runSystems},
      {"transfer", "ptx-predict transfer",
       "computes how long bytes take over links", runTransfer},
      {"validate", "ptx-predict validate",
       "compares predictions with measured times", runValidate},
  };
  return All;
}

static const Subcommand *findSubcommand(StringRef Name) {
  for (const Subcommand &S : subcommands())
    if (Name == S.Name)
      return &S;
  return nullptr;
}

static int runPredictOr(const Subcommand *S, StringRef Program) {
  const char *const Arguments[] = {S ? S->Program : Program.data()};
  return S ? S->Run(ArrayRef(Arguments)) : runPredict(ArrayRef(Arguments));
}

/// Whether \p First, which is no subcommand, is no file either, although it
/// looks like neither an option nor a path (reported).
static bool isNoName(StringRef First) {
  if (First.empty() || First.find_first_of("-@") == 0 ||
      First.find_first_of("./\\") != StringRef::npos ||
      llvm::sys::fs::exists(First))
    return false;
  std::vector<StringRef> Names;
  for (const Subcommand &S : subcommands())
    Names.push_back(S.Name);
  usageError("there is no subcommand and no file '" + First + "'" +
             meantOrListed(First, Names, "'ptx-predict --help'"));
  return true;
}

/// `ptx-predict --complete WORD...`, for the scripts of the shells.
static int complete(ArrayRef<const char *> Given) {
  std::vector<StringRef> Words(Given.begin(), Given.end());
  ArrayRef<StringRef> Rest = Words;
  const Subcommand *S = nullptr;
  if (Words.size() > 1 && (S = findSubcommand(Words.front())))
    Rest = Rest.drop_front();
  if (Rest.size() > 1 && llvm::is_contained(Rest.drop_back(), "--"))
    return Done; // the compiler's own
  askForHelp(HelpForm::Completion, Rest);
  return runPredictOr(S, "ptx-predict");
}

int tool::runHelp(ArrayRef<const char *> Arguments) {
  StringList Names(cl::Positional, cl::desc("[<subcommand>]"),
                   cl::cat(category()));
  if (std::optional<int> Code = parseArguments(
          Arguments, "Shows what a subcommand does and its options, or those "
                     "of predictions and all subcommands."))
    return *Code;
  if (Names.size() > 1)
    return usageError("help takes one subcommand");
  const Subcommand *S = nullptr;
  if (!Names.empty() && !(S = findSubcommand(Names.front()))) {
    std::vector<StringRef> Known;
    for (const Subcommand &K : subcommands())
      Known.push_back(K.Name);
    return usageError("there is no subcommand '" + Names.front() + "'" +
                      meantOrListed(Names.front(), Known));
  }
  Names.removeArgument();
  askForHelp(HelpForm::Text);
  return runPredictOr(S, "ptx-predict");
}

static int run(SmallVectorImpl<const char *> &Arguments) {
  StringRef First = Arguments.size() > 1 ? Arguments[1] : "";
  if (const Subcommand *S = findSubcommand(First)) {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = S->Program;
    return S->Run(Arguments);
  }
  if (First == "--complete")
    return complete(ArrayRef(Arguments).drop_front(2));
  if (llvm::is_contained(Reserved, First))
    return usageError(
        "the subcommand '" + First +
        "' is not in this version; for a file of that name write './" + First +
        "'");
  if (Arguments.size() == 1) {
    llvm::errs() << shortUsage();
    return NotDone;
  }
  if (isNoName(First))
    return NotDone;
  return runPredict(Arguments);
}

/// What LLVM does not survive ends the run like a wrong input.
static void reportFatal(void *, const char *Reason, bool) {
  removeUnfinished();
  llvm::errs() << "ptx-predict: error: LLVM cannot go on with this input: "
               << printable(Reason) << '\n';
  llvm::errs().flush();
  ::_exit(NotDone);
}

int tool::runCommand(ArrayRef<const char *> Given) {
  endQuietlyOnClosedPipe();
  llvm::install_fatal_error_handler(reportFatal);
  removeUnfinishedOnSignals();
  SmallVector<const char *, 32> Arguments(Given.begin(), Given.end());
  if (Arguments.empty())
    Arguments.push_back("ptx-predict");
  int Code = NotDone;
  runWithFullStack([&] { Code = run(Arguments); });
  printTimeReport();
  // A message that cannot be written does not change what is returned; LLVM's
  // stream would end the process with 1.
  llvm::errs().clear_error();
  return Code;
}
