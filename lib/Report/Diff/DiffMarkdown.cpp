//===- DiffMarkdown.cpp - A comparison, for a comment ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DiffParts.h"
#include "Report/Writers/MarkdownText.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static constexpr StringRef ArrowText = " \xe2\x86\x92 "; // U+2192

/// Longer names of kernels are cut.
static constexpr unsigned MaxNameColumns = 60;

/// "2 new, 1 gone"; what does not matter is left out.
static std::string countFindings(const KernelDiff &D) {
  size_t New = 0, Gone = 0, Other = 0;
  for (const FindingDiff *F : shownFindings(D, /*All=*/false))
    ++(F->What == FindingChange::New    ? New
       : F->What == FindingChange::Gone ? Gone
                                        : Other);
  SmallVector<std::string, 3> Parts;
  if (New != 0)
    Parts.push_back(std::to_string(New) + " new");
  if (Gone != 0)
    Parts.push_back(std::to_string(Gone) + " gone");
  if (Other != 0)
    Parts.push_back(std::to_string(Other) + " of another severity");
  return llvm::join(Parts, ", ");
}

/// The rows of a kernel in the table: one for each device.
static std::string tableRows(const DiffResult &R, const KernelDiff &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const ValueDiff *Spills = nullptr;
  for (const ValueDiff &V : D.Values)
    if (V.What == DiffValue::Spills)
      Spills = &V;
  for (const DeviceDiff &At : D.Devices) {
    const std::string Change = slowdownText(At);
    const StringRef Mark =
        At.TimeUs.Matters && !Change.empty() ? "**" : StringRef();
    std::string Limiter = plainNameOf(At.HeadLimiter).str();
    if (At.BaseLimiter != At.HeadLimiter)
      Limiter = (plainNameOf(At.BaseLimiter) + ArrowText + Limiter).str();
    OS << "| " << markdownCode(fit(R.head(D).Demangled, MaxNameColumns))
       << " |";
    for (const std::string &Cell :
         {deviceText(D, At), beforeAfter(At.TimeUs, ArrowText)})
      OS << ' ' << markdownText(Cell) << " |";
    OS << ' ' << Mark << Change << Mark << " |";
    for (const std::string &Cell :
         {Limiter, beforeAfter(At.Registers, ArrowText),
          Spills ? beforeAfter(*Spills, ArrowText) : std::string(),
          beforeAfter(At.Occupancy, ArrowText), countFindings(D)})
      OS << ' ' << markdownText(Cell) << " |";
    OS << '\n';
  }
  return Text;
}

/// What else there is to say of a kernel, behind a line that opens it.
static std::string details(const DiffResult &R, const KernelDiff &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const KernelRecord &Base = R.base(D), &Head = R.head(D);
  OS << "<details><summary><code>" << escapeHTML(Head.Demangled)
     << "</code></summary>\n\n"
     << markdownCode(R.Base.Inputs[D.Pair.Base.Input].Path);
  if (R.Base.Inputs[D.Pair.Base.Input].Path !=
      R.Head.Inputs[D.Pair.Head.Input].Path)
    OS << ArrowText << markdownCode(R.Head.Inputs[D.Pair.Head.Input].Path);
  if (std::string How = pairText(R, D); !How.empty())
    OS << "; " << markdownText(How);
  OS << "\n\n";
  if (D.OtherLaunch)
    OS << "Another launch: grid " << toString(Base.Grid) << ", block "
       << toString(Base.Block) << ArrowText << "grid " << toString(Head.Grid)
       << ", block " << toString(Head.Block) << "\n\n";
  OS << "| | | before | after | change |\n|---|---|--:|--:|--:|\n";
  for (const DiffRow &Row : diffRows(D, /*All=*/false)) {
    OS << '|';
    for (const std::string &Cell :
         {Row.Where, Row.What, Row.Before, Row.After, Row.Change})
      OS << ' ' << markdownText(Cell) << " |";
    OS << '\n';
  }
  std::vector<const FindingDiff *> Findings = shownFindings(D, /*All=*/false);
  if (!Findings.empty())
    OS << '\n';
  for (const FindingDiff *F : Findings) {
    const Finding &Found = F->Record.Found;
    OS << "- **" << stateText(*F) << "** " << markdownCode(Found.Id) << " at "
       << markdownCode(placeText(Found.Where)) << ": "
       << markdownText(Found.Message) << '\n';
  }
  OS << "\n</details>\n";
  return Text;
}

/// Prints parts until there are \p Left bytes of them. How many are left out.
template <typename Range, typename Fn>
static size_t printWithin(raw_ostream &OS, size_t &Left, const Range &Parts,
                          Fn TextOf) {
  size_t Dropped = 0;
  for (const auto &Part : Parts) {
    std::string Text = Dropped == 0 ? TextOf(Part) : std::string();
    if (Dropped != 0 || Text.size() > Left) {
      ++Dropped;
      continue;
    }
    Left -= Text.size();
    OS << Text;
  }
  return Dropped;
}

static void printOthers(raw_ostream &OS, size_t &Left, StringRef What,
                        const Build &B, ArrayRef<KernelRef> Kernels) {
  if (Kernels.empty())
    return;
  OS << "\n<details><summary>" << Kernels.size() << ' ' << What
     << "</summary>\n\n";
  const size_t Dropped = printWithin(OS, Left, Kernels, [&](KernelRef K) {
    return "- " + markdownCode(kernelAt(B, K).Demangled) + " in " +
           markdownCode(B.Inputs[K.Input].Path) + "\n";
  });
  if (Dropped != 0)
    OS << "- and " << Dropped << " more\n";
  OS << "\n</details>\n";
}

void ptxpredict::printDiffMarkdown(const DiffResult &R, raw_ostream &OS) {
  const std::vector<const KernelDiff *> Changed =
      shownKernels(R, /*All=*/false);
  size_t Left = MaxCommentBytes;
  OS << "**ptx-predict**: " << diffHeadline(R) << '\n';
  if (std::string Worst = worstText(R); !Worst.empty())
    OS << '\n' << markdownText(Worst) << '\n';
  if (!Changed.empty()) {
    OS << "\n| kernel | device | time | change | limited by | registers | "
          "spills | occupancy | findings |\n"
          "|---|---|--:|--:|---|--:|--:|--:|---|\n";
    const size_t Dropped =
        printWithin(OS, Left, Changed,
                    [&](const KernelDiff *D) { return tableRows(R, *D); });
    if (Dropped != 0)
      OS << "\nand " << Dropped << " more\n";
    OS << '\n';
    (void)printWithin(OS, Left, Changed,
                      [&](const KernelDiff *D) { return details(R, *D); });
  }
  printOthers(OS, Left, "added", R.Head, R.Added);
  printOthers(OS, Left, "removed", R.Base, R.Removed);
  if (R.anythingMatters())
    OS << "\nPredicted without a GPU; what changes by up to "
       << shortNumber(R.Options.Noise * 100)
       << " % is taken for the same. ~ is an estimate, ? rests on an "
          "assumption.\n";
}
