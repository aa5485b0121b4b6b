//===- HTML.cpp - A report as a page --------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What printKernel() prints of a kernel are three parts: its time, which
// decides its place, a row of the table of kernels, and its section. print()
// puts them together, the longest kernels first, until the page is full.
//===----------------------------------------------------------------------===//
#include "HTMLParts.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::html;

/// What keeps a page small: bytes of all sections, rows of the table of
/// kernels, and others.
static constexpr size_t MaxSectionBytes = size_t(8) << 20, MaxKernelRows = 4000,
                        MaxDiagnostics = 100, MaxInputs = 8;
/// Of more kernels only the first one is unfolded.
static constexpr size_t MaxUnfolded = 4;

namespace {

class HTMLForm final : public ReportForm {
public:
  HTMLForm(const ModelOptions &Options, bool HasSweep)
      : Options(Options), HasSweep(HasSweep) {}

  void printKernel(const Report &Head, const KernelReport &K,
                   raw_ostream &OS) const override;
  void print(const Report &R, size_t NumKernels,
             llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
             raw_ostream &OS) const override;

private:
  ModelOptions Options;
  bool HasSweep;
  mutable LineCache Lines;
};

/// What printKernel() printed, taken apart.
struct KernelParts {
  double Us = 0; ///< negative without an answer
  StringRef Name, Row, Body;

  explicit KernelParts(StringRef Text) {
    StringRef Time;
    std::tie(Time, Text) = Text.split('\n');
    std::tie(Name, Text) = Text.split('\n');
    std::tie(Row, Body) = Text.split('\n');
    (void)Time.getAsDouble(Us);
  }
};

} // namespace

void HTMLForm::printKernel(const Report &Head, const KernelReport &K,
                           raw_ostream &OS) const {
  const Prediction *Best = nullptr;
  for (const Prediction &P : K.Predictions)
    if (P.TimeUs) {
      Best = &P;
      break;
    }
  OS << (Best ? shortestDecimal(Best->TimeUs->Value) : "-1") << '\n'
     << nameText(K.Characteristics->Demangled) << '\n';
  if (Best)
    OS << "<td>" << escapeHTML(limitedBy(*Best, *K.Characteristics))
       << "</td><td>" << escapeHTML(Best->Device) << "</td>";
  else
    OS << "<td></td><td></td>";
  OS << "<td>" << toString(K.Characteristics->Launch.Grid) << " × "
     << toString(K.Characteristics->Launch.Block) << "</td>\n";
  html::printSection(Head, K, Options, Lines, OS);
}

namespace {

/// Of a kernel what decides where it stands, and its row.
struct KernelEntry {
  size_t Number = 0;
  double Us = 0;
  std::string Name, Row;
  bool HasSection = false;
};

class Page {
public:
  using KernelPrinter = llvm::function_ref<void(size_t, raw_ostream &)>;

  Page(const Report &R, size_t NumKernels, KernelPrinter Kernel, bool HasSweep,
       raw_ostream &OS)
      : R(R), Kernel(Kernel), HasScript(HasSweep && NumKernels != 0), OS(OS) {
    size_t Bytes = 0;
    Entries.reserve(NumKernels);
    std::vector<size_t> Sizes;
    Sizes.reserve(NumKernels);
    for (size_t N = 0; N != NumKernels; ++N) {
      std::string Text = textOf(N);
      KernelParts Parts(Text);
      Entries.push_back({N, Parts.Us, Parts.Name.str(), Parts.Row.str()});
      Sizes.push_back(Text.size());
    }
    llvm::stable_sort(Entries, [](const KernelEntry &A, const KernelEntry &B) {
      return A.Us > B.Us;
    });
    for (KernelEntry &E : Entries) {
      Bytes += Sizes[E.Number];
      E.HasSection = Bytes <= MaxSectionBytes || NumSections == 0;
      NumSections += E.HasSection;
      if (!E.HasSection)
        break;
    }
  }

  void print() {
    printHead();
    if (Entries.size() > 1)
      printKernelTable();
    OS << "<main>\n";
    for (const KernelEntry &E : Entries)
      if (E.HasSection)
        printSection(E);
    if (Entries.empty())
      OS << "<p class=\"card\">There is no kernel in this report.</p>\n";
    OS << "</main>\n";
    printFoot();
  }

private:
  const Report &R;
  KernelPrinter Kernel;
  bool HasScript; ///< of sliders
  raw_ostream &OS;
  std::vector<KernelEntry> Entries; ///< the longest first
  size_t NumSections = 0;

  std::string textOf(size_t N) const {
    std::string Text;
    llvm::raw_string_ostream To(Text);
    Kernel(N, To);
    return Text;
  }
  void printHead();
  void printKernelTable();
  void printSection(const KernelEntry &E);
  void printFoot();
};

} // namespace

void Page::printHead() {
  std::string Inputs;
  for (const InputReport &In :
       ArrayRef(R.Inputs).take_front(std::min(R.Inputs.size(), MaxInputs)))
    Inputs += (Inputs.empty() ? "" : ", ") + nameText(In.Path);
  if (R.Inputs.size() > MaxInputs)
    Inputs += " and " + std::to_string(R.Inputs.size() - MaxInputs) + " more";
  std::string What = Entries.size() == 1
                         ? Entries.front().Name
                         : std::to_string(Entries.size()) + " kernels";
  html::printHead(
      {What,
       "Predicted run time of " + (Entries.size() == 1 ? "a kernel" : What),
       Inputs, HasScript ? scriptHash() : ""},
      OS);
}

void Page::printKernelTable() {
  double Most = Entries.front().Us;
  OS << "<nav class=\"card\" aria-label=\"Kernels\">\n<div "
        "class=\"scroll\"><table "
        "class=\"kernels\"><thead><tr><th>kernel</th><th "
        "class=\"num\">time</th><th></th><th>limited by</th><th>device</th>"
        "<th>grid × block</th></tr></thead><tbody>\n";
  size_t Number = std::min(Entries.size(), MaxKernelRows);
  for (const KernelEntry &E : ArrayRef(Entries).take_front(Number)) {
    OS << "<tr><td class=\"name\">";
    if (E.HasSection)
      OS << "<a href=\"#k" << E.Number << "\">" << E.Name << "</a>";
    else
      OS << "<span>" << E.Name << "</span>";
    if (E.Us >= 0)
      OS << "</td><td class=\"num\">" << timeText(E.Us)
         << "</td><td class=\"bars\"><span class=\"bar\" style=\"width:"
         << percentStyle(E.Us, Most) << "\"></span></td>";
    else
      OS << "</td><td class=\"num\">no answer</td><td></td>";
    OS << E.Row << "</tr>\n";
  }
  OS << "</tbody></table></div>\n";
  if (Number != Entries.size())
    OS << "<p class=\"hint\">and " << Entries.size() - Number
       << " more kernels, none of which takes longer</p>\n";
  if (NumSections != Entries.size())
    OS << "<p class=\"hint\">Those without a link have no room on this page: "
          "ask for them with --kernel=GLOB.</p>\n";
  OS << "</nav>\n";
}

void Page::printSection(const KernelEntry &E) {
  bool IsOpen = NumSections <= MaxUnfolded || &E == &Entries.front();
  std::string Text = textOf(E.Number);
  OS << "<section class=\"card\" aria-label=\"" << E.Name << "\">\n";
  if (Entries.size() > 1)
    OS << "<a class=\"top\" href=\"#top\">all kernels</a>\n<details "
          "class=\"kernel\""
       << (IsOpen ? " open" : "") << "><summary><h2 class=\"name\">" << E.Name
       << "</h2>"
       << (E.Us >= 0 ? " <span class=\"brief\">" + timeText(E.Us) + "</span>"
                     : "")
       << "</summary>\n";
  else
    OS << "<h2 class=\"name\">" << E.Name << "</h2>\n";
  // A link to something folded unfolds it.
  OS << "<div id=\"k" << E.Number << "\">\n"
     << KernelParts(Text).Body << "</div>\n"
     << (Entries.size() > 1 ? "</details>\n" : "") << "</section>\n";
}

void Page::printFoot() {
  OS << "<footer>\n";
  if (!R.Diagnostics.empty()) {
    OS << "<h3>Messages</h3>\n<ul>\n";
    for (const Diagnostic &D :
         ArrayRef(R.Diagnostics)
             .take_front(std::min(R.Diagnostics.size(), MaxDiagnostics))) {
      OS << "<li class=\"" << toString(D.Level) << "\">";
      if (!D.Path.empty())
        OS << nameText(D.Path) << ':';
      if (D.Line != 0)
        OS << D.Line << ':' << D.Column << ':';
      OS << ' ' << toString(D.Level) << ": " << escapeHTML(D.Message)
         << "</li>\n";
    }
    OS << "</ul>\n";
  }
  if (!R.Premises.empty()) {
    OS << "<h3>Premises</h3>\n<ul>\n";
    for (const std::string &P : R.Premises)
      OS << "<li>" << escapeHTML(P) << "</li>\n";
    OS << "</ul>\n";
  }
  OS << "<p>Numbers: " << statusHTML(Status::Estimated)
     << " by a heuristic or a model, " << statusHTML(Status::Assumed)
     << " rests on a default that an option replaces, "
     << statusHTML(Status::Unknown)
     << " only bounds are known; others are decided by code, launch and "
        "premises.</p>\n<p>ptx-predict " PTXPREDICT_VERSION "</p>\n</footer>\n";
  if (HasScript)
    printScript(OS);
  OS << "</body>\n</html>\n";
}

void HTMLForm::print(const Report &R, size_t NumKernels,
                     llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
                     raw_ostream &OS) const {
  Page(R, NumKernels, Kernel, HasSweep, OS).print();
}

std::unique_ptr<ReportForm> ptxpredict::htmlForm(const ModelOptions &Options,
                                                 bool HasSweep) {
  return std::make_unique<HTMLForm>(Options, HasSweep);
}
