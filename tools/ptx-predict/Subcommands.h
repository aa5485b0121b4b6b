//===- Subcommands.h - One function a subcommand ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_SUBCOMMANDS_H
#define PTXPREDICT_TOOLS_SUBCOMMANDS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

namespace ptxpredict::tool {

/// One row of the table of subcommands.
struct Subcommand {
  StringRef Name;      ///< "lint"
  const char *Program; ///< "ptx-predict lint", as usage and messages call it
  StringRef Summary;   ///< one line, without a full stop
  int (*Run)(ArrayRef<const char *> Arguments);
};
/// All of them, by name.
ArrayRef<Subcommand> subcommands();

/// The whole command, with main's arguments. The process's exit code.
int runCommand(ArrayRef<const char *> Arguments);

// Arguments[0] is the command's name, the subcommand's own is taken out. Each
// returns the process's exit code.

/// `ptx-predict FILE…`
int runPredict(ArrayRef<const char *> Arguments);
/// `ptx-predict devices [NAME…]`
int runDevices(ArrayRef<const char *> Arguments);
/// `ptx-predict occupancy --block=B` and `ptx-predict occupancy FILE…`
int runOccupancy(ArrayRef<const char *> Arguments);
/// `ptx-predict advise FILE…`
int runAdvise(ArrayRef<const char *> Arguments);
/// `ptx-predict clocks FILE…`
int runClocks(ArrayRef<const char *> Arguments);
/// `ptx-predict diff BASE HEAD`
int runDiff(ArrayRef<const char *> Arguments);
/// `ptx-predict explain [NAME…]`
int runExplain(ArrayRef<const char *> Arguments);
/// `ptx-predict help [SUBCOMMAND]`
int runHelp(ArrayRef<const char *> Arguments);
/// `ptx-predict lint FILE…`
int runLint(ArrayRef<const char *> Arguments);
/// `ptx-predict objects FILE…`
int runObjects(ArrayRef<const char *> Arguments);
/// `ptx-predict rank FILE…`
int runRank(ArrayRef<const char *> Arguments);
/// `ptx-predict scenario APP.yaml`
int runScenario(ArrayRef<const char *> Arguments);
/// `ptx-predict scaling FILE.yaml`
int runScaling(ArrayRef<const char *> Arguments);
/// `ptx-predict split FILE…`
int runSplit(ArrayRef<const char *> Arguments);
/// `ptx-predict systems [NAME…]`
int runSystems(ArrayRef<const char *> Arguments);
/// `ptx-predict transfer BYTES…`
int runTransfer(ArrayRef<const char *> Arguments);
/// `ptx-predict calibrate RESULTS.yaml`
int runCalibrate(ArrayRef<const char *> Arguments);
/// `ptx-predict emulate FILE…`
int runEmulate(ArrayRef<const char *> Arguments);
/// `ptx-predict validate DATASET…`
int runValidate(ArrayRef<const char *> Arguments);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_SUBCOMMANDS_H
