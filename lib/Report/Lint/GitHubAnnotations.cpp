//===- GitHubAnnotations.cpp - Findings for GitHub's runner ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// "Workflow commands for GitHub Actions": the runner takes lines that begin
// with `::error` and the like out of the output and shows them at the code.
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// What must not stand in a command, by its code. Of a property, which ends at
/// a comma or a colon, these too.
static void printEscaped(raw_ostream &OS, StringRef Text, bool IsProperty) {
  for (char C : printable(Text, "\r\n"))
    if (C == '%')
      OS << "%25";
    else if (C == '\r')
      OS << "%0D";
    else if (C == '\n')
      OS << "%0A";
    else if (C == ':' && IsProperty)
      OS << "%3A";
    else if (C == ',' && IsProperty)
      OS << "%2C";
    else
      OS << C;
}

namespace {
/// What the runner shows at a place; without a path on the run itself.
struct Annotation {
  Severity Level;
  StringRef Path;
  unsigned Line, Column; ///< from 1; 0: unknown
  StringRef Title, Message;
};
} // namespace

static void printCommand(raw_ostream &OS, const Annotation &A) {
  OS << "::" << (A.Level == Severity::Note ? "notice" : toString(A.Level))
     << ' ';
  if (!A.Path.empty()) {
    OS << "file=";
    printEscaped(OS, A.Path, /*IsProperty=*/true);
    OS << ',';
  }
  if (A.Line != 0)
    OS << "line=" << A.Line << ',';
  if (A.Line != 0 && A.Column != 0)
    OS << "col=" << A.Column << ',';
  OS << "title=";
  printEscaped(OS, A.Title, /*IsProperty=*/true);
  OS << "::";
  printEscaped(OS, A.Message, /*IsProperty=*/false);
  OS << '\n';
}

static void printMessages(raw_ostream &OS, ArrayRef<Diagnostic> Messages) {
  for (const Diagnostic &D : Messages)
    if (D.Level != Severity::Note) // they belong to what stands before them
      printCommand(
          OS, {D.Level, D.Path, D.Line, D.Column, "ptx-predict", D.Message});
}

void ptxpredict::printGitHubAnnotations(const LintResult &R, raw_ostream &OS) {
  for (const InputRecord &In : R.Inputs)
    printMessages(OS, In.Messages);
  printMessages(OS, R.Messages);
  std::vector<ShownFinding> Shown = shownFindings(R);
  for (const ShownFinding &S : Shown) {
    const Finding &F = S.F->Found;
    if (S.F->State == FindingState::New)
      printCommand(OS,
                   {F.Level, F.Where.Path, F.Where.Line, F.Where.Column, F.Id,
                    messageWithDetails(F) + "\nin: " + kernelText(R, S)});
  }
  OS << summaryLine(R, Shown) << '\n';
}
