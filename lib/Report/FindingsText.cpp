//===- FindingsText.cpp - Findings as text --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each finding is a message as messages about inputs are, with the line that it
// is about, then what would be saved and what to do.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/AdviceReport.h"
#include "ptxpredict/Report/TextTable.h"
#include "llvm/ADT/StringExtras.h"
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

  /// The message with its place, without any line.
  static Diagnostic messageOf(const Finding &F);
  /// Puts the line of \p D's place to it; false if that cannot be read.
  bool addLine(Diagnostic &D) const;
  void print(const Finding &F);
  void print(const DeviceSuggestions &S);
  void item(StringRef Name, StringRef Text);
};

} // namespace

Diagnostic FindingsPrinter::messageOf(const Finding &F) {
  Diagnostic D;
  D.Level = F.Level;
  D.Path = F.Where.Path;
  D.Line = F.Where.Line;
  D.Column = F.Where.Column;
  D.Message = F.messageWithId();
  D.HasText = false;
  return D;
}

bool FindingsPrinter::addLine(Diagnostic &D) const {
  std::optional<StringRef> Line = Lines(D.Path, D.Line, Input);
  if (!Line || D.Column == 0)
    return false;
  // Of a line of the input the place is its first word.
  if (D.Path == Input)
    D.Column =
        unsigned(std::min(Line->find_first_not_of(" \t"), Line->size())) + 1;
  showLine(*Line, D);
  D.HasText = true;
  return true;
}

void FindingsPrinter::item(StringRef Name, StringRef Text) {
  OS << "  " << Name << "  ";
  printWrapped(OS, Text, unsigned(Name.size()) + 4, unsigned(Name.size()) + 4);
}

void FindingsPrinter::print(const Finding &F) {
  Diagnostic D = messageOf(F);
  if (V == Verbosity::Quiet)
    return ptxpredict::print(D, OS, Colors);
  bool HasLine = addLine(D);
  ptxpredict::print(D, OS, Colors);
  std::string Here = D.Path + ":" + std::to_string(F.Where.Line) + ":" +
                     std::to_string(F.Where.Column);
  for (StringRef Frame : F.Where.InlinedAt)
    if (Frame != Here) // a header's code that stands there
      OS << Frame << ": note: inlined here\n";
  // Without the source, what it was compiled to.
  if (!HasLine && F.Where.Path != Input && F.Where.InputLine != 0) {
    Diagnostic Code;
    Code.Level = Severity::Note;
    Code.Path = Input.str();
    Code.Line = F.Where.InputLine;
    Code.Column = 1;
    Code.Message = "compiled to";
    if (addLine(Code))
      ptxpredict::print(Code, OS, Colors);
  }
  SmallVector<std::string, 4> Gains;
  for (const FindingGain &G : F.Gains)
    Gains.push_back(percent(G.Share) + " of the time on " + G.Device);
  if (!Gains.empty())
    item("gain", llvm::join(Gains, ", "));
  if (!F.Help.empty())
    item("help", F.Help);
}

void FindingsPrinter::print(const DeviceSuggestions &S) {
  OS << "\nBy the throughput model, category " << S.Category << " on "
     << S.Device << ": ";
  printWrapped(OS, S.Verdict, 0, 2);
  item("advice", S.Advice);
  for (StringRef Text : S.Suggestions)
    item("or    ", Text);
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
