//===- LintViews.cpp - What several forms of lint need --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingText.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>
#include <tuple>

using namespace ptxpredict;

/// Demangled names may have thousands of characters.
static constexpr unsigned MaxName = 200;

std::vector<ShownFinding> ptxpredict::shownFindings(const LintResult &R) {
  // By the first of those at one place, then by state.
  struct Group {
    size_t Count = 0, Shown = 0;
  };
  std::vector<std::array<Group, 3>> Groups(R.Findings.size());
  auto GroupOf = [&](const LintFinding &F) -> Group & {
    return Groups[F.SameAs][unsigned(F.State)];
  };
  for (auto [Index, F] : llvm::enumerate(R.Findings))
    if (Group &G = GroupOf(F); ++G.Count == 1 || F.SameAs == Index)
      G.Shown = Index;
  std::vector<ShownFinding> Shown;
  for (auto [Index, F] : llvm::enumerate(R.Findings))
    if (const Group &G = GroupOf(F); G.Shown == Index)
      Shown.push_back({&F, G.Count});
  return Shown;
}

LintSummary ptxpredict::summarize(const LintResult &R,
                                  ArrayRef<ShownFinding> Shown) {
  LintSummary S;
  for (const ShownFinding &One : Shown) {
    if (One.F->State == FindingState::Known)
      ++S.Known;
    else if (One.F->State == FindingState::Suppressed)
      ++S.Suppressed;
    else
      ++(One.F->Found.Level == Severity::Error     ? S.Errors
         : One.F->Found.Level == Severity::Warning ? S.Warnings
                                                   : S.Notes);
  }
  // They stand by input, then by kernel.
  const LintFinding *Last = nullptr;
  for (const LintFinding &F : R.Findings) {
    if (F.State != FindingState::New)
      continue;
    bool SameInput = Last && Last->Input == F.Input;
    S.Inputs += !SameInput;
    S.Kernels += !SameInput || Last->Kernel != F.Kernel;
    Last = &F;
  }
  return S;
}

std::string ptxpredict::summaryLine(const LintResult &R,
                                    ArrayRef<ShownFinding> Shown) {
  LintSummary S = summarize(R, Shown);
  std::string Text;
  if (S.newOnes() != 0) {
    SmallVector<std::string, 3> Levels;
    for (auto [Count, Level] : {std::pair(S.Errors, Severity::Error),
                                std::pair(S.Warnings, Severity::Warning),
                                std::pair(S.Notes, Severity::Note)})
      if (Count != 0)
        Levels.push_back(plural(Count, toString(Level)));
    Text = plural(S.newOnes(), "finding") + " in " +
           plural(S.Kernels, "kernel") + " of " + plural(S.Inputs, "input") +
           ": " + llvm::join(Levels, ", ");
  } else {
    size_t NumKernels = 0;
    for (const InputRecord &In : R.Inputs)
      NumKernels += In.Kernels.size();
    Text = (S.Known + S.Suppressed != 0 ? "no new findings in "
                                        : "no findings in ") +
           plural(NumKernels, "kernel") + " of " +
           plural(R.Inputs.size(), "input");
  }
  SmallVector<std::string, 3> Others;
  if (S.Known != 0)
    Others.push_back(std::to_string(S.Known) + " in the baseline");
  if (S.Suppressed != 0)
    Others.push_back(std::to_string(S.Suppressed) + " suppressed");
  if (R.NumGone != 0)
    Others.push_back(std::to_string(R.NumGone) +
                     " of the baseline no longer found");
  if (!Others.empty())
    Text += "; " + llvm::join(Others, ", ");
  if (size_t Failed = llvm::count_if(
          R.Inputs, [](const InputRecord &In) { return In.Failed; }))
    Text += "; " + plural(Failed, "input") + " failed";
  return Text;
}

std::vector<const LintFinding *> ptxpredict::worstFindings(const LintResult &R,
                                                           size_t Most) {
  std::vector<const LintFinding *> Result;
  Result.reserve(R.Findings.size());
  for (const LintFinding &F : R.Findings)
    Result.push_back(&F);
  if (Result.size() <= Most)
    return Result;
  auto Rank = [](const LintFinding &F) {
    // A finding without a price may be worth nothing.
    return std::tuple(F.State, F.Found.Level, -F.Found.bestGain().value_or(0));
  };
  llvm::stable_sort(Result, [&](const LintFinding *A, const LintFinding *B) {
    return Rank(*A) < Rank(*B);
  });
  Result.resize(Most);
  llvm::sort(Result); // they stand in one array
  return Result;
}

const KernelRecord &ptxpredict::kernelOf(const LintResult &R,
                                         const LintFinding &F) {
  return R.Inputs[F.Input].Kernels[F.Kernel];
}

std::string ptxpredict::kernelText(const LintResult &R, const ShownFinding &S) {
  std::string Name = fit(kernelOf(R, *S.F).Demangled, MaxName);
  return S.Count == 1 ? Name : plural(S.Count, "kernel") + ", such as " + Name;
}

StringRef ptxpredict::toString(FindingState S) {
  switch (S) {
  case FindingState::New:
    return "new";
  case FindingState::Known:
    return "known";
  case FindingState::Suppressed:
    return "suppressed";
  }
  llvm_unreachable("all states are handled");
}

std::pair<StringRef, std::string> ptxpredict::stateText(const LintFinding &F) {
  switch (F.State) {
  case FindingState::New:
    return {};
  case FindingState::Known:
    return {"known", "in the baseline"};
  case FindingState::Suppressed: {
    std::string Text =
        F.SuppressedInSource ? "in the source" : "by the configuration";
    if (!F.Reason.empty())
      Text += ": " + F.Reason;
    return {"suppressed", Text};
  }
  }
  llvm_unreachable("all states are handled");
}

void ptxpredict::printWithLines(const LintResult &R, const LintFinding &F,
                                raw_ostream &OS, bool Colors) {
  printWithLines(F.Found, R.Inputs[F.Input].Path, OS, Colors,
                 [&](StringRef Path, unsigned /*Line*/) {
                   std::optional<StringRef> Text;
                   if (Path == F.Found.Where.Path)
                     Text = F.SourceLine;
                   else if (!F.InputLine.empty())
                     Text = F.InputLine;
                   return Text;
                 });
}

std::string ptxpredict::messageWithDetails(const Finding &F) {
  std::string Text = F.Message;
  if (!F.Gains.empty())
    Text += "\ngain: " + gainText(F);
  if (!F.Help.empty())
    Text += "\nhelp: " + F.Help;
  return Text;
}
