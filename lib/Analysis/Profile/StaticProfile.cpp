//===- StaticProfile.cpp - What a launch executes, without running it -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProfileWalker.h"
#include "ProgramBuilder.h"
#include "ptxpredict/Support/TimeReport.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

const FunctionCounts *StaticProfile::of(const InstructionGraph &G) const {
  for (const auto &F : Functions)
    if (F->G == &G)
      return F.get();
  return nullptr;
}

/// One block can be looked at where the launch is too much.
static void countRoles(const SymbolicValues &V, const LaunchConfig &Launch,
                       uint64_t Budget, StaticProfile &Result) {
  const PreparedProgram Program =
      ProgramBuilder(V, Launch, Effort::All).build();
  ProfileWalker(Program, V, Budget, /*HasRecords=*/false).countRoles(Result);
}

StaticProfile ptxpredict::profileStatically(const SymbolicValues &V,
                                            const LaunchConfig &Launch,
                                            uint64_t Budget,
                                            const ProfileExtras &Extras) {
  StageTimer Timer(Stage::StaticProfile);
  for (Effort E : {Effort::All, Effort::Some, Effort::Few, Effort::One}) {
    const PreparedProgram Program = ProgramBuilder(V, Launch, E).build();
    ProfileWalker Walker(Program, V, E == Effort::Few ? 4 * Budget : Budget,
                         Extras.HasRecords);
    // The least effort needs no budget.
    if (!Walker.run() && E != Effort::One)
      continue;
    StaticProfile Result = Walker.finish();
    if (Extras.HasClasses)
      Walker.countClasses(Result);
    if (Extras.HasRoles && E == Effort::All)
      Walker.countRoles(Result);
    else if (Extras.HasRoles)
      countRoles(V, Launch, Budget, Result);
    return Result;
  }
  llvm_unreachable("the least effort always suffices");
}
