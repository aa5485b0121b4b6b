//===- FindingsText.cpp - Findings as text --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each finding is a message as messages about inputs are, with the line that it
// is about, then what would be saved and what to do.
//===----------------------------------------------------------------------===//
#include "FindingText.h"
#include "ptxpredict/Report/Prediction/AdviceReport.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// What is shown of a kernel without --verbose.
static constexpr size_t MaxFindings = 7;

namespace {

/// How findings are shown, and where the lines of code come from.
struct AdviceStyle {
  Verbosity V;
  bool Colors;
  LineReader Lines;
};

class FindingsPrinter {
public:
  FindingsPrinter(const Report &Head, const KernelReport &K,
                  const AdviceStyle &Style, raw_ostream &OS)
      : Input(Head.Inputs[K.Input].Path), K(K), Style(Style), OS(OS) {}

  void print();

private:
  StringRef Input;
  const KernelReport &K;
  const AdviceStyle &Style;
  raw_ostream &OS;

  void print(const Finding &F);
  void print(const DeviceSuggestions &S);
};

} // namespace

void FindingsPrinter::print(const Finding &F) {
  if (Style.V == Verbosity::Quiet)
    return printMessage(F, OS, Style.Colors);
  printWithLines(F, Input, OS, Style.Colors,
                 [&](StringRef Path, unsigned Line) {
                   return Style.Lines(Path, Line, Input);
                 });
  printGainAndHelp(F, OS);
}

void FindingsPrinter::print(const DeviceSuggestions &S) {
  OS << "\nBy the throughput model, category " << S.Category << " on "
     << S.Device << ": ";
  printWrapped(OS, S.Verdict, 0, 2);
  printItem(OS, "advice", S.Advice);
  for (StringRef Text : S.Suggestions)
    printItem(OS, "or    ", Text);
}

void FindingsPrinter::print() {
  size_t Shown = Style.V == Verbosity::Normal
                     ? std::min(K.Findings.size(), MaxFindings)
                     : K.Findings.size();
  const Finding *Last = nullptr;
  for (const Finding &F : ArrayRef(K.Findings).take_front(Shown)) {
    if (Last && Style.V != Verbosity::Quiet)
      OS << '\n';
    print(F);
    Last = &F;
  }
  if (Style.V == Verbosity::Quiet)
    return;
  if (Shown != K.Findings.size())
    OS << "\nand " << K.Findings.size() - Shown
       << " more findings (--verbose)\n";
  for (const DeviceSuggestions &S : K.Suggestions)
    print(S);
}

namespace {

class AdviceTextForm final : public ReportForm {
public:
  explicit AdviceTextForm(AdviceStyle Style) : Style(std::move(Style)) {}

  void printKernel(const Report &Head, const KernelReport &K,
                   raw_ostream &To) const override {
    PrintableStream OS(To);
    if (Style.V != Verbosity::Quiet) {
      const KernelCharacteristics &C = *K.Characteristics;
      if (Style.Colors)
        OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
      OS << C.Demangled;
      if (Style.Colors)
        OS.resetColor();
      OS << "  grid " << toString(C.Launch.Grid) << ", block "
         << toString(C.Launch.Block) << "\n\n";
    }
    FindingsPrinter(Head, K, Style, OS).print();
  }
  void print(const Report & /*R*/, size_t NumKernels,
             llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
             raw_ostream &OS) const override {
    for (size_t N = 0; N != NumKernels; ++N) {
      if (N != 0 && Style.V != Verbosity::Quiet)
        OS << '\n' << std::string(ReportColumns, '-') << "\n\n";
      Kernel(N, OS);
    }
  }

private:
  AdviceStyle Style;
};

} // namespace

std::unique_ptr<ReportForm> ptxpredict::adviceTextForm(Verbosity V, bool Colors,
                                                       LineReader Lines) {
  return std::make_unique<AdviceTextForm>(
      AdviceStyle{V, Colors, std::move(Lines)});
}
