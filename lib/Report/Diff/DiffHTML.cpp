//===- DiffHTML.cpp - A comparison as a page ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DiffParts.h"
#include "ptxpredict/Report/Writers/HTMLStyle.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static constexpr StringRef Arrow = " \xe2\x86\x92 "; // U+2192

/// What keeps a page small: kernels with a section, rows of the table of
/// kernels, names of a list, devices of a chart.
static constexpr size_t MaxSections = 200, MaxRows = 4000, MaxNames = 500,
                        MaxBars = 12, MaxFindings = 40;
/// Of more kernels only the first one is unfolded.
static constexpr size_t MaxUnfolded = 4;
static constexpr unsigned MaxPageColumns = 300;

static std::string nameText(StringRef Name) {
  return escapeHTML(fit(Name, MaxPageColumns));
}

namespace {

class DiffPage {
public:
  DiffPage(const DiffResult &R, bool All, raw_ostream &OS)
      : R(R), Kernels(shownKernels(R, All)), All(All), OS(OS) {}

  void print();

private:
  const DiffResult &R;
  std::vector<const KernelDiff *> Kernels; ///< the most slowed down first
  bool All;
  raw_ostream &OS;

  size_t numSections() const { return std::min(Kernels.size(), MaxSections); }
  void printKernelTable();
  void printSection(size_t Number);
  void printTimes(const KernelDiff &D);
  void printRows(const KernelDiff &D);
  void printFindings(const KernelDiff &D);
  void printOthers(StringRef What, const Build &B, ArrayRef<KernelRef> Others);
  void printMessages();
};

} // namespace

/// "+12 %" in words that need no colour, with a colour.
static std::string changeHTML(const DiffRow &Row) {
  const std::string Text = escapeHTML(Row.Change);
  return Row.Matters && !Text.empty() ? "<b>" + Text + "</b>" : Text;
}

void DiffPage::printKernelTable() {
  OS << "<nav class=\"card\" aria-label=\"Kernels\">\n<div "
        "class=\"scroll\"><table class=\"kernels\"><thead><tr><th>kernel</th>"
        "<th>device</th><th class=\"num\">time</th><th "
        "class=\"num\">change</th><th>limited by</th></tr></thead><tbody>\n";
  size_t Rows = 0;
  for (const auto &[N, D] : llvm::enumerate(Kernels)) {
    if (Rows >= MaxRows)
      break;
    for (const DeviceDiff &At : D->Devices) {
      ++Rows;
      OS << "<tr><td class=\"name\">";
      const std::string Name = nameText(R.head(*D).Demangled);
      if (N < numSections())
        OS << "<a href=\"#k" << N << "\">" << Name << "</a>";
      else
        OS << "<span>" << Name << "</span>";
      const std::string Change = escapeHTML(slowdownText(At));
      std::string Limiter = plainNameOf(At.HeadLimiter).str();
      if (At.BaseLimiter != At.HeadLimiter)
        Limiter = (plainNameOf(At.BaseLimiter) + Arrow + Limiter).str();
      OS << "</td><td>" << escapeHTML(deviceText(*D, At))
         << "</td><td class=\"num\">"
         << escapeHTML(beforeAfter(At.TimeUs, Arrow))
         << "</td><td class=\"num\">"
         << (At.TimeUs.Matters && !Change.empty() ? "<b>" + Change + "</b>"
                                                  : Change)
         << "</td><td>" << escapeHTML(Limiter) << "</td></tr>\n";
    }
  }
  OS << "</tbody></table></div>\n";
  if (numSections() != Kernels.size())
    OS << "<p class=\"hint\">Those without a link have no room on this page: "
          "ask for them with --kernel=GLOB.</p>\n";
  OS << "</nav>\n";
}

/// The times before and after as bars.
void DiffPage::printTimes(const KernelDiff &D) {
  svg::BarChart Chart;
  Chart.Title = "Predicted time before and after";
  for (const DeviceDiff &At : D.Devices) {
    if (Chart.Bars.size() + 2 > MaxBars)
      break;
    auto Add = [&](StringRef When, const std::optional<Estimate> &T,
                   unsigned Color) {
      if (T)
        Chart.Bars.push_back({(deviceText(D, At) + ", " + When).str(), T->Value,
                              shortTime(T->Value), Color});
    };
    constexpr unsigned BeforeColor = 7, AfterColor = 0;
    Add("before", At.TimeUs.Base, BeforeColor);
    Add("after", At.TimeUs.Head, AfterColor);
  }
  if (Chart.Bars.empty())
    return;
  OS << "<div class=\"charts\"><figure><figcaption>Predicted "
        "time</figcaption>\n";
  svg::print(Chart, OS);
  OS << "</figure></div>\n";
}

void DiffPage::printRows(const KernelDiff &D) {
  OS << "<div class=\"scroll\"><table><thead><tr><th></th><th></th><th "
        "class=\"num\">before</th><th class=\"num\">after</th><th "
        "class=\"num\">change</th></tr></thead><tbody>\n";
  for (const DiffRow &Row : diffRows(D, All)) {
    OS << "<tr><td>" << escapeHTML(Row.Where) << "</td><td>"
       << escapeHTML(Row.What) << "</td>";
    for (const std::string &Cell :
         {escapeHTML(Row.Before), escapeHTML(Row.After), changeHTML(Row)})
      OS << "<td class=\"num\">" << Cell << "</td>";
    OS << "</tr>\n";
  }
  OS << "</tbody></table></div>\n";
}

void DiffPage::printFindings(const KernelDiff &D) {
  const std::vector<const FindingDiff *> Shown = shownFindings(D, All);
  if (Shown.empty())
    return;
  OS << "<h3>Findings</h3>\n<ul class=\"findings\">\n";
  const size_t Num = std::min(Shown.size(), MaxFindings);
  for (const FindingDiff *F : ArrayRef(Shown).take_front(Num))
    OS << "<li><b>" << escapeHTML(stateText(*F)) << "</b> at <code>"
       << escapeHTML(placeText(F->Record.Found.Where))
       << "</code>: " << escapeHTML(F->Record.Found.Message) << " <code>["
       << escapeHTML(F->Record.Found.Id) << "]</code></li>\n";
  if (Num != Shown.size())
    OS << "<li>and " << Shown.size() - Num << " more</li>\n";
  OS << "</ul>\n";
}

void DiffPage::printSection(size_t Number) {
  const KernelDiff &D = *Kernels[Number];
  const KernelRecord &Base = R.base(D), &Head = R.head(D);
  const std::string Name = nameText(Head.Demangled);
  const bool IsOpen = Number == 0 || numSections() <= MaxUnfolded;
  OS << "<section class=\"card\" aria-label=\"" << Name
     << "\">\n<a class=\"top\" href=\"#top\">all kernels</a>\n<details "
        "class=\"kernel\""
     << (IsOpen ? " open" : "") << "><summary><h2 class=\"name\">" << Name
     << "</h2></summary>\n<div id=\"k" << Number << "\">\n<p class=\"where\">"
     << escapeHTML(pathsText(R, D, Arrow));
  if (const std::string How = pairText(R, D); !How.empty())
    OS << "; " << escapeHTML(How);
  OS << "</p>\n";
  if (D.OtherLaunch)
    OS << "<p class=\"note\">another launch: grid " << toString(Base.Grid)
       << ", block " << toString(Base.Block) << Arrow << "grid "
       << toString(Head.Grid) << ", block " << toString(Head.Block) << "</p>\n";
  printTimes(D);
  printRows(D);
  printFindings(D);
  OS << "</div>\n</details>\n</section>\n";
}

void DiffPage::printOthers(StringRef What, const Build &B,
                           ArrayRef<KernelRef> Others) {
  if (Others.empty())
    return;
  OS << "<section class=\"card\" aria-label=\"Kernels " << What
     << "\">\n<details><summary>" << Others.size()
     << (Others.size() == 1 ? " kernel " : " kernels ") << What
     << "</summary>\n<ul class=\"findings\">\n";
  const size_t Num = std::min(Others.size(), MaxNames);
  for (KernelRef K : Others.take_front(Num))
    OS << "<li><span class=\"name\">" << nameText(kernelAt(B, K).Demangled)
       << "</span> in " << nameText(B.Inputs[K.Input].Path) << "</li>\n";
  if (Num != Others.size())
    OS << "<li>and " << Others.size() - Num << " more</li>\n";
  OS << "</ul>\n</details>\n</section>\n";
}

void DiffPage::printMessages() {
  std::vector<const Diagnostic *> Messages;
  auto Add = [&](ArrayRef<Diagnostic> More) {
    llvm::append_range(Messages, llvm::make_pointer_range(More));
  };
  Add(R.Messages);
  for (const Build *B : {&R.Base, &R.Head})
    for (const InputRecord &I : B->Inputs)
      Add(I.Messages);
  if (Messages.empty())
    return;
  OS << "<h3>Messages</h3>\n<ul>\n";
  const size_t Num = std::min(Messages.size(), MaxNames);
  for (const Diagnostic *D : ArrayRef(Messages).take_front(Num)) {
    OS << "<li class=\"" << toString(D->Level) << "\">";
    if (!D->Path.empty())
      OS << nameText(D->Path) << ':';
    if (D->Line != 0)
      OS << D->Line << ':' << D->Column << ':';
    OS << ' ' << toString(D->Level) << ": " << escapeHTML(D->Message)
       << "</li>\n";
  }
  if (Num != Messages.size())
    OS << "<li>and " << Messages.size() - Num << " more</li>\n";
  OS << "</ul>\n";
}

void DiffPage::print() {
  std::string Hint = worstText(R);
  html::printHead({"comparison", diffHeadline(R), escapeHTML(Hint)}, OS);
  if (!Kernels.empty())
    printKernelTable();
  OS << "<main>\n";
  for (size_t N = 0; N != numSections(); ++N)
    printSection(N);
  if (Kernels.empty())
    OS << "<p class=\"card\">No kernel changed by more than "
       << shortNumber(R.Options.Noise * 100) << " %.</p>\n";
  printOthers("added", R.Head, R.Added);
  printOthers("removed", R.Base, R.Removed);
  OS << "</main>\n<footer>\n";
  printMessages();
  OS << "<p>Predicted without a GPU; what changes by up to "
     << shortNumber(R.Options.Noise * 100)
     << " % is taken for the same. ~ is an estimate, ? rests on an "
        "assumption.</p>\n<p>ptx-predict " PTXPREDICT_VERSION
        "</p>\n</footer>\n</body>\n</html>\n";
}

void ptxpredict::printDiffHTML(const DiffResult &R, raw_ostream &OS,
                               Verbosity V) {
  DiffPage(R, V == Verbosity::Verbose, OS).print();
}
