//===- LintText.cpp - What lint found, as text ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingText.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

void ptxpredict::printLintText(const LintResult &R, raw_ostream &To,
                               Verbosity V, bool Colors) {
  PrintableStream OS(To);
  std::vector<ShownFinding> Shown = shownFindings(R);
  for (const ShownFinding &S : Shown) {
    const LintFinding &F = *S.F;
    if (F.State != FindingState::New && V != Verbosity::Verbose)
      continue;
    if (V == Verbosity::Quiet) {
      printMessage(F.Found, OS, Colors);
      continue;
    }
    printWithLines(R, F, OS, Colors);
    printItem(OS, "in  ", kernelText(R, S));
    printGainAndHelp(F.Found, OS);
    if (F.State != FindingState::New) {
      auto [State, Why] = stateText(F);
      printItem(OS, State, Why);
    }
    OS << '\n';
  }
  OS << summaryLine(R, Shown) << '\n';
}
