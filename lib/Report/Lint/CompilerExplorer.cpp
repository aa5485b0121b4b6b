//===- CompilerExplorer.cpp - Findings for an editor beside code ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Compiler Explorer runs a tool on the text of an editor and reads what it
// prints line by line: `<source>:LINE:COLUMN: warning: TEXT` is tied to a line
// of that editor. The text is the tool's input, so a place in it comes first,
// even where debug data name a source that the editor does not have.
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingText.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// How Compiler Explorer calls the text of its editor.
static constexpr StringRef EditorName = "<source>";

static void printFinding(raw_ostream &OS, const LintResult &R,
                         const ShownFinding &S) {
  const Finding &F = S.F->Found;
  const FindingLocation &Where = F.Where;
  const bool IsInput = Where.Path == R.Inputs[S.F->Input].Path;
  const unsigned Line = IsInput ? Where.Line : Where.InputLine;
  OS << EditorName << ':';
  // Without a line it would not be tied to anything.
  OS << std::max(Line, 1U) << ':';
  if (IsInput && Where.Column != 0)
    OS << Where.Column << ':';
  // A message of several lines would only be tied by its first.
  OS << ' ' << toString(F.Level) << ": "
     << printable(llvm::join(llvm::split(F.messageWithId(), '\n'), " "))
     << '\n';
  printItem(OS, "in  ", kernelText(R, S));
  if (!IsInput && Where.Line != 0)
    printItem(
        OS, "from",
        Where.Path + ":" + std::to_string(Where.Line) +
            (Where.Column != 0 ? ":" + std::to_string(Where.Column) : ""));
  printGainAndHelp(F, OS);
  OS << '\n';
}

void ptxpredict::printForCompilerExplorer(const LintResult &R,
                                          raw_ostream &OS) {
  PrintableStream Out(OS);
  std::vector<ShownFinding> Shown = shownFindings(R);
  for (const ShownFinding &S : Shown)
    if (S.F->State == FindingState::New)
      printFinding(Out, R, S);
  Out << summaryLine(R, Shown) << '\n';
}
