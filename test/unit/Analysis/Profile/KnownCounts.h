//===- KnownCounts.h - What is called known against a run -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_ANALYSIS_PROFILE_KNOWNCOUNTS_H
#define PTXPREDICT_TEST_UNIT_ANALYSIS_PROFILE_KNOWNCOUNTS_H

#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "ptxpredict/Launch/Profile.h"
#include <cmath>
#include <map>

namespace ptxpredict {

/// Compares counts with those of a run of the same launch.
struct KnownCounts {
  unsigned Known = 0, Open = 0;         ///< numbers
  std::vector<std::string> Differences; ///< of known ones, and broken bounds

  KnownCounts(const StaticProfile &S, const KernelProfile &Ran) {
    for (const InstructionProfile &I : Ran.Instructions)
      ByPlace[{I.Function, I.Id}] = &I;
    for (const auto &F : S.Functions)
      for (const Block *B : F->G->Blocks)
        for (const Instruction *I : B->Instructions)
          if (!I->isPseudo())
            if (auto It = ByPlace.find({F->G->Name.str(), I->Id});
                It != ByPlace.end())
              compare(*F, *I, *It->second);
  }

private:
  void compare(const FunctionCounts &F, const Instruction &I,
               const InstructionProfile &W) {
    const BlockCounts &B = F.Blocks[I.Parent->Number];
    expect(I, "executions", B.Runs, double(W.Executions));
    const GuardCounts *G = F.guard(I);
    expect(I, "lanes", G ? G->Lanes : B.Lanes, double(W.Lanes));
    if (G && I.IsTerminator && !I.IsExit) {
      expect(I, "jumps", G->Any, double(W.Jumps));
      expect(I, "divergent", G->Split, double(W.Divergent));
    }
    ArrayRef<AccessCounts> Accesses = F.accesses(I);
    if (Accesses.size() != 1)
      return;
    const AccessCounts &A = Accesses.front();
    MemoryProfile M = W.Memory.value_or(MemoryProfile());
    expect(I, "requests", A.Requests, double(M.Requests));
    if (M.Requests == 0)
      return;
    auto Mean = [&](const char *What, const std::optional<Estimate> &C,
                    uint64_t Sum) {
      if (C)
        expect(I, What, *C, double(Sum) / double(M.Requests));
    };
    Mean("lanes a request", A.ActiveLanes, M.Lanes);
    Mean("sectors", A.Sectors, M.Sectors);
    Mean("lines", A.Lines, M.Lines);
    Mean("wavefronts", A.Wavefronts, M.Wavefronts);
    Mean("cc10", A.CC10, M.Transactions[0]);
    Mean("cc12", A.CC12, M.Transactions[1]);
    Mean("cc20", A.CC20, M.Transactions[2]);
  }
  void expect(const Instruction &I, const char *What, const Estimate &C,
              double Ran) {
    ++(C.isKnown() ? Known : Open);
    double Slack = 1e-9 * std::max(1.0, Ran);
    if (C.isKnown() ? std::abs(C.Value - Ran) <= Slack
                    : C.Low - Slack <= Ran && Ran <= C.High + Slack)
      return;
    Differences.push_back((I.Mnemonic + " at line " + Twine(I.Line) + ": " +
                           What + " " +
                           (C.isKnown() ? "known as " + std::to_string(C.Value)
                                        : "from " + std::to_string(C.Low) +
                                              " to " + std::to_string(C.High)) +
                           ", but " + std::to_string(Ran) + " ran")
                              .str());
  }

  std::map<std::pair<std::string, unsigned>, const InstructionProfile *>
      ByPlace;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_ANALYSIS_PROFILE_KNOWNCOUNTS_H
