//===- LintMarkdown.cpp - What lint found, for a comment ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// GitHub's and GitLab's Markdown. Names and places are code, in which nothing
// is a mark; messages are escaped.
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingText.h"
#include "Report/Writers/MarkdownText.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static std::string row(const LintResult &R, const ShownFinding &S) {
  const Finding &F = S.F->Found;
  std::string Place = F.Where.Path;
  if (F.Where.Line != 0)
    Place += ":" + std::to_string(F.Where.Line);
  std::string Kernel = markdownCode(kernelText(R, {S.F, 1}));
  if (S.Count != 1)
    Kernel = std::to_string(S.Count) + ", such as " + Kernel;
  std::string Row =
      ("| " + toString(F.Level) + " | " + markdownCode(Place) + " | " + Kernel +
       " | " + markdownText(F.Message) + " " + markdownCode(F.Id) + " | " +
       markdownText(gainText(F, "")) + " |")
          .str();
  if (S.F->State != FindingState::New) {
    auto [State, Why] = stateText(*S.F);
    Row += (" " + State + " " + markdownText(Why) + " |").str();
  }
  return Row + "\n";
}

/// The rows of those that \p Is, as many as \p Left has bytes for.
template <typename Predicate>
static void printRows(raw_ostream &OS, const LintResult &R,
                      ArrayRef<ShownFinding> Shown, size_t &Left,
                      Predicate Is) {
  size_t Dropped = 0;
  for (const ShownFinding &S : Shown) {
    if (!Is(*S.F))
      continue;
    std::string Row = Dropped == 0 ? row(R, S) : "";
    if (Dropped != 0 || Row.size() > Left) {
      ++Dropped;
      continue;
    }
    Left -= Row.size();
    OS << Row;
  }
  if (Dropped != 0)
    OS << "\nand " << Dropped << " more\n";
}

void ptxpredict::printLintMarkdown(const LintResult &R, raw_ostream &OS) {
  constexpr StringRef Head = "| severity | place | kernel | message | gain |",
                      Rule = "|---|---|---|---|---|";
  std::vector<ShownFinding> Shown = shownFindings(R);
  LintSummary S = summarize(R, Shown);
  size_t Left = MaxCommentBytes;
  OS << "**ptx-predict**: " << summaryLine(R, Shown) << '\n';
  if (S.newOnes() != 0) {
    OS << '\n' << Head << '\n' << Rule << '\n';
    printRows(OS, R, Shown, Left, [](const LintFinding &F) {
      return F.State == FindingState::New;
    });
  }
  if (S.Known + S.Suppressed != 0) {
    OS << "\n<details><summary>" << S.Known << " in the baseline, "
       << S.Suppressed << " suppressed</summary>\n\n"
       << Head << " state |\n"
       << Rule << "---|\n";
    printRows(OS, R, Shown, Left, [](const LintFinding &F) {
      return F.State != FindingState::New;
    });
    OS << "\n</details>\n";
  }
}
