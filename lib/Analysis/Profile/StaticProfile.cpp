//===- StaticProfile.cpp - What a launch executes, without running it -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Analysis/Symbolic/BlockDigits.h"
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

/// Adds what is wanted beside the counts, once all is finished.
static void addExtras(ProfileWalker &Walker, const ProfileExtras &Extras,
                      StaticProfile &Result) {
  if (Extras.HasClasses)
    Walker.countClasses(Result);
  if (Extras.HasRoles)
    Walker.countRoles(Result);
}

/// Everything, at a grid that is taken apart as \p Program takes its indices;
/// nothing if that is not possible or not enough.
static std::optional<StaticProfile> profileApart(const SymbolicValues &V,
                                                 const PreparedProgram &Program,
                                                 uint64_t Budget,
                                                 const ProfileExtras &Extras) {
  std::vector<const Expression *> Evaluated;
  Program.forEachBlock([&](const PreparedBlock &P) {
    llvm::append_range(Evaluated, P.Conditions);
    llvm::append_range(Evaluated, P.Addresses);
  });
  const std::optional<LaunchConfig> Apart =
      takeGridApart(*Program.Launch, Evaluated);
  if (!Apart)
    return std::nullopt;
  Expressions E(*Apart);
  const SymbolicValues Own(V.graph(), V.controlFlow(), *Apart, E);
  const PreparedProgram Taken =
      ProgramBuilder(Own, *Apart, Effort::All).build();
  ProfileWalker Walker(Taken, Own, Budget, Extras.HasRecords);
  if (!Walker.run())
    return std::nullopt;
  StaticProfile Result = Walker.finish();
  addExtras(Walker, Extras, Result);
  for (BarrierReach &B : Result.Barriers)
    B.Block = Apart->Digits->blockAt(B.Block);
  return Result;
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
  for (Effort E :
       {Effort::All, Effort::Some, Effort::Couple, Effort::Few, Effort::One}) {
    const PreparedProgram Program = ProgramBuilder(V, Launch, E).build();
    ProfileWalker Walker(Program, V, E == Effort::Few ? 4 * Budget : Budget,
                         Extras.HasRecords);
    // The least effort needs no budget.
    const bool IsDone = Walker.run() || E == Effort::One;
    std::optional<StaticProfile> Found;
    if (IsDone)
      Found = Walker.finish();
    const bool IsWhole =
        Found && !(Found->Records &&
                   (Found->Records->IsLarge || Found->Records->IsPartial));
    // Hardly two blocks may be alike, while their digits are.
    if (E == Effort::All && !IsWhole)
      if (std::optional<StaticProfile> Apart =
              profileApart(V, Program, Budget, Extras))
        return std::move(*Apart);
    if (!Found)
      continue;
    addExtras(Walker,
              {/*HasRecords=*/false, Extras.HasClasses,
               Extras.HasRoles && E == Effort::All},
              *Found);
    if (Extras.HasRoles && E != Effort::All)
      countRoles(V, Launch, Budget, *Found);
    return std::move(*Found);
  }
  llvm_unreachable("the least effort always suffices");
}
