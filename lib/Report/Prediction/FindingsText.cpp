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
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// What is shown of a kernel without --verbose.
static constexpr size_t MaxFindings = 12;

namespace {

class FindingsPrinter {
public:
  FindingsPrinter(const Report &Head, const KernelReport &K,
                  const LineReader &Lines, raw_ostream &OS, Verbosity V,
                  bool Colors)
      : Input(Head.Inputs[K.Input].Path), K(K), Lines(Lines), OS(OS), V(V),
        Colors(Colors) {}

  void print();

private:
  StringRef Input;
  const KernelReport &K;
  const LineReader &Lines;
  raw_ostream &OS;
  Verbosity V;
  bool Colors;

  void print(const Finding &F);
  void print(const DeviceSuggestions &S);
};

} // namespace

void FindingsPrinter::print(const Finding &F) {
  if (V == Verbosity::Quiet)
    return printMessage(F, OS, Colors);
  printWithLines(F, Input, OS, Colors, [&](StringRef Path, unsigned Line) {
    return Lines(Path, Line, Input);
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
  size_t Shown = V == Verbosity::Normal
                     ? std::min(K.Findings.size(), MaxFindings)
                     : K.Findings.size();
  const Finding *Last = nullptr;
  for (const Finding &F : ArrayRef(K.Findings).take_front(Shown)) {
    if (Last && V != Verbosity::Quiet)
      OS << '\n';
    print(F);
    Last = &F;
  }
  if (V == Verbosity::Quiet)
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
  AdviceTextForm(Verbosity V, bool Colors, LineReader Lines)
      : V(V), Colors(Colors), Lines(std::move(Lines)) {}

  void printKernel(const Report &Head, const KernelReport &K,
                   raw_ostream &OS) const override {
    if (V != Verbosity::Quiet) {
      const KernelCharacteristics &C = K.Characteristics;
      if (Colors)
        OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
      OS << C.Demangled;
      if (Colors)
        OS.resetColor();
      OS << "  grid " << toString(C.Launch.Grid) << ", block "
         << toString(C.Launch.Block) << "\n\n";
    }
    FindingsPrinter(Head, K, Lines, OS, V, Colors).print();
  }
  void print(const Report & /*R*/, size_t NumKernels,
             llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
             raw_ostream &OS) const override {
    for (size_t N = 0; N != NumKernels; ++N) {
      if (N != 0 && V != Verbosity::Quiet)
        OS << '\n' << std::string(ReportColumns, '-') << "\n\n";
      Kernel(N, OS);
    }
  }

private:
  Verbosity V;
  bool Colors;
  LineReader Lines;
};

} // namespace

std::unique_ptr<ReportForm> ptxpredict::adviceTextForm(Verbosity V, bool Colors,
                                                       LineReader Lines) {
  return std::make_unique<AdviceTextForm>(V, Colors, std::move(Lines));
}
