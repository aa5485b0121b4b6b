//===- Command.cpp - The subcommand that the arguments ask for ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// Names that belong to subcommands of later versions, and are therefore no
/// files.
static constexpr StringRef Reserved[] = {"lint", "diff", "explain", "scenario",
                                         "train-power"};

static int run(SmallVectorImpl<const char *> &Arguments) {
  StringRef First = Arguments.size() > 1 ? Arguments[1] : "";
  if (First == "devices") {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = "ptx-predict devices";
    return runDevices(Arguments);
  }
  if (First == "advise") {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = "ptx-predict advise";
    return runAdvise(Arguments);
  }
  if (First == "occupancy") {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = "ptx-predict occupancy";
    return runOccupancy(Arguments);
  }
  if (First == "emulate") {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = "ptx-predict emulate";
    return runEmulate(Arguments);
  }
  if (First == "calibrate") {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = "ptx-predict calibrate";
    return runCalibrate(Arguments);
  }
  if (First == "rank") {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = "ptx-predict rank";
    return runRank(Arguments);
  }
  if (First == "validate") {
    Arguments.erase(Arguments.begin() + 1);
    Arguments[0] = "ptx-predict validate";
    return runValidate(Arguments);
  }
  if (llvm::is_contained(Reserved, First))
    return usageError("the subcommand '" + First +
                      "' is not in this version; a file of that name is './" +
                      First + "'");
  return runPredict(Arguments);
}

int tool::runCommand(ArrayRef<const char *> Given) {
  endQuietlyOnClosedPipe();
  SmallVector<const char *, 32> Arguments(Given.begin(), Given.end());
  if (Arguments.empty())
    Arguments.push_back("ptx-predict");
  int Code = run(Arguments);
  // A message that cannot be written does not change what is returned; LLVM's
  // stream would end the process with 1.
  llvm::errs().clear_error();
  return Code;
}
