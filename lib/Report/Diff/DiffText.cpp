//===- DiffText.cpp - A comparison as text --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DiffParts.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

using Align = TextTable::Align;

/// What is shown of a kernel without --verbose.
static constexpr size_t MaxDiffFindings = 12;

namespace {

class DiffPrinter {
public:
  DiffPrinter(const DiffResult &R, raw_ostream &OS, Verbosity V, bool Colors)
      : R(R), OS(OS), V(V), Colors(Colors) {}

  void print();

private:
  const DiffResult &R;
  raw_ostream &OS;
  Verbosity V;
  bool Colors;

  bool all() const { return V == Verbosity::Verbose; }
  void paint(StringRef Text, raw_ostream::Colors Color) {
    if (Colors)
      OS.changeColor(Color, /*Bold=*/true);
    OS << Text;
    if (Colors)
      OS.resetColor();
  }
  void printKernel(const KernelDiff &D);
  void printLine(const KernelDiff &D);
  void printFindings(const KernelDiff &D);
  void printOthers(StringRef What, ArrayRef<KernelRef> Kernels, const Build &B);
};

} // namespace

void DiffPrinter::printFindings(const KernelDiff &D) {
  std::vector<const FindingDiff *> Shown = shownFindings(D, all());
  const size_t Num =
      all() ? Shown.size() : std::min(Shown.size(), MaxDiffFindings);
  for (const FindingDiff *F : ArrayRef(Shown).take_front(Num)) {
    const std::string State = stateText(*F);
    OS << "  ";
    const bool IsBetter =
        F->What == FindingChange::Gone || F->What == FindingChange::LessSevere;
    paint(State, IsBetter ? raw_ostream::GREEN : raw_ostream::MAGENTA);
    std::string Text = ": " + placeText(F->Record.Found.Where) + ": " +
                       F->Record.Found.messageWithId();
    printWrapped(OS, Text, unsigned(State.size()) + 2, 4);
  }
  if (Num != Shown.size())
    OS << "  and " << Shown.size() - Num << " more findings (--verbose)\n";
}

void DiffPrinter::printKernel(const KernelDiff &D) {
  const KernelRecord &Head = R.head(D), &Base = R.base(D);
  paint(Head.Demangled, raw_ostream::SAVEDCOLOR);
  OS << "  " << printable(pathsText(R, D, " -> ")) << '\n';
  if (std::string How = pairText(R, D); !How.empty())
    OS << "  " << How << '\n';
  if (D.OtherLaunch)
    OS << "  another launch: grid " << toString(Base.Grid) << ", block "
       << toString(Base.Block) << " -> grid " << toString(Head.Grid)
       << ", block " << toString(Head.Block) << '\n';
  TextTable T(
      {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right});
  T.addRow({"", "", "before", "after", "change"});
  for (DiffRow &Row : diffRows(D, all()))
    T.addRow({std::move(Row.Where), std::move(Row.What), std::move(Row.Before),
              std::move(Row.After), std::move(Row.Change)});
  T.print(OS);
  printFindings(D);
}

/// The kernel with its times on one line.
void DiffPrinter::printLine(const KernelDiff &D) {
  OS << R.head(D).Demangled;
  for (const DeviceDiff &At : D.Devices) {
    std::string Change = slowdownText(At);
    OS << "  " << deviceText(D, At) << ' ' << beforeAfter(At.TimeUs, " -> ");
    if (!Change.empty())
      OS << ' ' << Change;
  }
  OS << '\n';
}

void DiffPrinter::printOthers(StringRef What, ArrayRef<KernelRef> Kernels,
                              const Build &B) {
  for (KernelRef K : Kernels)
    OS << What << kernelAt(B, K).Demangled << "  "
       << printable(B.Inputs[K.Input].Path) << '\n';
}

void DiffPrinter::print() {
  for (const KernelDiff &D : R.Kernels) {
    if (!D.Matters && !all())
      continue;
    if (V == Verbosity::Quiet) {
      printLine(D);
      continue;
    }
    printKernel(D);
    OS << '\n';
  }
  printOthers("added    ", R.Added, R.Head);
  printOthers("removed  ", R.Removed, R.Base);
  if (V != Verbosity::Quiet && !(R.Added.empty() && R.Removed.empty()))
    OS << '\n';
  paint(diffHeadline(R), R.exceedsLimit() || R.hasFailingFinding()
                             ? raw_ostream::RED
                         : R.anythingMatters() ? raw_ostream::YELLOW
                                               : raw_ostream::GREEN);
  OS << '\n';
  if (std::string Worst = worstText(R); !Worst.empty())
    OS << Worst << '\n';
}

void ptxpredict::printDiffText(const DiffResult &R, raw_ostream &To,
                               Verbosity V, bool Colors) {
  PrintableStream OS(To);
  DiffPrinter(R, OS, V, Colors).print();
}
