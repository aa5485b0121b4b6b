//===- LintMarkdown.cpp - What lint found, for a comment ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// GitHub's and GitLab's Markdown. Names and places are code, in which nothing
// is a mark; messages are escaped.
//===----------------------------------------------------------------------===//
#include "FindingText.h"
#include "LintViews.h"
#include "ptxpredict/Report/SVG.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// GitHub refuses comments of more than 65536 characters. What follows the
/// tables takes little.
static constexpr size_t MaxBytes = 60000;

static std::string validText(StringRef Text) {
  return llvm::json::isUTF8(Text) ? Text.str() : llvm::json::fixUTF8(Text);
}

/// \p Text in a cell of a table.
static std::string escapeCell(StringRef Raw) {
  std::string Text = validText(Raw), Result;
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    if (StringRef("\\`*_[]|~").contains(C))
      (Result += '\\') += C;
    else if ((C & 0x80) != 0)
      Result += C;
    else
      Result += escapeHTML(StringRef(&C, 1));
    // @name would send mail, #1 be a link, and :100: a picture.
    if ((C == '@' || C == '#' || C == ':') && I + 1 != Text.size() &&
        llvm::isAlnum(Text[I + 1]))
      Result += "<!-- -->";
  }
  return Result;
}

/// \p Text as code in a cell of a table.
static std::string codeCell(StringRef Raw) {
  std::string Text;
  size_t Run = 0, Longest = 0;
  for (char C : validText(Raw)) {
    Run = C == '`' ? Run + 1 : 0;
    Longest = std::max(Longest, Run);
    if (C == '|')
      Text += '\\'; // tables are parsed first
    Text += (unsigned char)C < 0x20 || C == 0x7f ? ' ' : C;
  }
  if (Text.empty())
    return Text;
  std::string Fence(Longest + 1, '`'), Pad(Longest == 0 ? 0 : 1, ' ');
  return Fence + Pad + Text + Pad + Fence;
}

static std::string row(const LintResult &R, const ShownFinding &S) {
  const Finding &F = S.F->Found;
  std::string Place = F.Where.Path;
  if (F.Where.Line != 0)
    Place += ":" + std::to_string(F.Where.Line);
  std::string Kernel = codeCell(kernelText(R, {S.F, 1}));
  if (S.Count != 1)
    Kernel = std::to_string(S.Count) + ", such as " + Kernel;
  std::string Row =
      ("| " + toString(F.Level) + " | " + codeCell(Place) + " | " + Kernel +
       " | " + escapeCell(F.Message) + " " + codeCell(F.Id) + " | " +
       escapeCell(gainText(F, "")) + " |")
          .str();
  if (S.F->State != FindingState::New) {
    auto [State, Why] = stateText(*S.F);
    Row += (" " + State + " " + escapeCell(Why) + " |").str();
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
  size_t Left = MaxBytes;
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
