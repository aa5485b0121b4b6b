//===- Command.cpp - The subcommand that the arguments ask for ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "TimeReportOption.h"
#include "UnfinishedFile.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Thread.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// Names that belong to subcommands of later versions, and are therefore no
/// files.
static constexpr StringRef Reserved[] = {"scenario", "train-power"};

namespace {
struct Subcommand {
  StringRef Name;
  const char *Program; ///< as usage and messages call it
  int (*Run)(ArrayRef<const char *> Arguments);
};
} // namespace

static constexpr Subcommand Subcommands[] = {
    {"advise", "ptx-predict advise", runAdvise},
    {"calibrate", "ptx-predict calibrate", runCalibrate},
    {"devices", "ptx-predict devices", runDevices},
    {"diff", "ptx-predict diff", runDiff},
    {"emulate", "ptx-predict emulate", runEmulate},
    {"explain", "ptx-predict explain", runExplain},
    {"lint", "ptx-predict lint", runLint},
    {"occupancy", "ptx-predict occupancy", runOccupancy},
    {"rank", "ptx-predict rank", runRank},
    {"validate", "ptx-predict validate", runValidate},
};

static int run(SmallVectorImpl<const char *> &Arguments) {
  StringRef First = Arguments.size() > 1 ? Arguments[1] : "";
  for (const Subcommand &S : Subcommands)
    if (First == S.Name) {
      Arguments.erase(Arguments.begin() + 1);
      Arguments[0] = S.Program;
      return S.Run(Arguments);
    }
  if (llvm::is_contained(Reserved, First))
    return usageError(
        "the subcommand '" + First +
        "' is not in this version; for a file of that name write './" + First +
        "'");
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
