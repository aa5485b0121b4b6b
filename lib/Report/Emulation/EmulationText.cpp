//===- EmulationText.cpp - A run on the CPU as text -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Report/Prediction/CharacteristicsText.h"
#include "ptxpredict/Report/Emulation/EmulationReport.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

using Align = TextTable::Align;

/// What a screen has room for; --verbose has no such limits.
static constexpr size_t MaxBranches = 6, MaxBuffers = 8;

namespace {

class EmulationPrinter : CharacteristicsText {
public:
  EmulationPrinter(const EmulationReport &R, const EmulatedKernel &E,
                   raw_ostream &OS, bool Verbose, bool Colors)
      : CharacteristicsText(*E.Characteristics, OS, Verbose, Colors), R(R),
        E(E) {}

  void print() {
    printHead();
    if (E.Profile.Warps != 0) {
      printMix();
      printLoops();
      printBranches();
      printMemory();
      printFootprint();
    }
    printBuffers();
    if (printMarks())
      OS << '\n';
  }

private:
  const EmulationReport &R;
  const EmulatedKernel &E;

  void printHead();
  void printBranches();
  void printFootprint();
  void printBuffers();
};

} // namespace

/// "12 problems"
static std::string number(uint64_t N, StringRef What) {
  return (Twine(N) + " " + What + (N == 1 ? "" : "s")).str();
}

/// How the run ended.
static std::string outcome(const EmulatedKernel &E) {
  const KernelProfile &P = E.Profile;
  std::string Text =
      (Twine(P.Blocks) + " of " + number(P.BlocksInGrid, "block")).str();
  if (P.Blocks == P.BlocksInGrid)
    Text = "all of " + number(P.BlocksInGrid, "block");
  Text += ", " + number(P.Warps, "warp") + ", " +
          number(E.threadInstructions(), "thread instruction");
  if (E.Fault)
    Text += "; ended by a fault";
  if (E.Interrupted)
    Text += "; interrupted";
  if (!E.Problems.empty())
    Text += "; " + number(E.Problems.size(), "problem");
  else if (E.IsChecked && !E.Fault)
    Text += "; checked and clean";
  return Text;
}

std::vector<StringRef> EmulatedKernel::cleanChecks() const {
  if (!IsChecked)
    return {};
  static constexpr StringRef Ordered[] = {"race", "missing-wait",
                                          "missing-fence"};
  static constexpr StringRef Others[] = {
      "tensor-memory",     "exited-block",       "out-of-bounds",
      "misaligned-access", "uninitialized-read", "divergent-barrier"};
  std::vector<StringRef> Clean;
  if (RacesAreChecked)
    Clean.assign(std::begin(Ordered), std::end(Ordered));
  llvm::append_range(Clean, Others);
  llvm::erase_if(Clean, [this](StringRef Id) {
    return llvm::any_of(Problems,
                        [Id](const EmulationFinding &F) { return F.Id == Id; });
  });
  return Clean;
}

void EmulationPrinter::printHead() {
  const InputReport &In = R.Inputs[E.Input];
  paint(fit(K.Demangled, ReportColumns), raw_ostream::SAVEDCOLOR);
  OS << "\n  "
     << fit(printable(In.Path) + ":" + std::to_string(K.Line),
            ReportColumns - 30)
     << "\n  ";
  printLaunch();
  OS << "\n  ran ";
  bool Wrong = E.Fault || E.Interrupted || !E.Problems.empty();
  paint(outcome(E), Wrong ? raw_ostream::RED : raw_ostream::GREEN);
  OS << '\n';
  // What did not run was not looked at.
  if (const std::vector<StringRef> Clean = E.cleanChecks(); !Clean.empty()) {
    constexpr StringRef Head = "  --check finds no ";
    OS << Head;
    printWrapped(OS, llvm::join(Clean, ", "), unsigned(Head.size()), 4);
  }
}

void EmulationPrinter::printBranches() {
  std::vector<const BranchCharacteristics *> Rows;
  for (const BranchCharacteristics &B : K.Branches)
    if (B.Divergent && (Verbose || B.Divergent->Value > 0))
      Rows.push_back(&B);
  if (Rows.empty())
    return;
  heading(Verbose ? "Branches" : "Divergent branches");
  OS << " share of executions in which a lane jumps; in which the warp "
        "splits\n";
  TextTable T({Align::Right, Align::Right, Align::Right});
  T.addRow({"line", "taken", "divergent"});
  for (const BranchCharacteristics *B :
       ArrayRef(Rows).take_front(std::min(Rows.size(), limit(MaxBranches))))
    T.addRow({std::to_string(B->Line), percent(B->Taken->Value),
              percent(B->Divergent->Value)});
  T.print(OS);
  more(Rows.size(), MaxBranches, "branches");
}

void EmulationPrinter::printFootprint() {
  const FootprintCharacteristics &F = *K.Footprint;
  if (F.GridBytes.Value == 0)
    return;
  heading("Footprint");
  OS << " unique bytes of global memory: " << mark(F.BlockBytes) << " a block, "
     << mark(F.GridBytes) << " the grid (" << mark(F.GridReadBytes) << " read, "
     << mark(F.GridWrittenBytes) << " written)\n";
}

void EmulationPrinter::printBuffers() {
  if (E.Buffers.empty())
    return;
  heading("Buffers");
  OS << '\n';
  TextTable T({Align::Left, Align::Left, Align::Right, Align::Left});
  T.addRow({});
  for (const BufferReport &B : ArrayRef(E.Buffers).take_front(
           std::min(E.Buffers.size(), limit(MaxBuffers)))) {
    std::string Checked = "not checked";
    if (B.IsChecked)
      Checked = B.NumMismatches == 0 ? "as expected"
                                     : number(B.NumMismatches, "wrong element");
    T.addRow({B.Name, B.Type, std::to_string(B.Count), Checked});
  }
  T.print(OS);
  more(E.Buffers.size(), MaxBuffers, "buffers");
}

void ptxpredict::printEmulationText(const EmulationReport &R,
                                    const EmulatedKernel &K, raw_ostream &To,
                                    Verbosity V, bool Colors) {
  PrintableStream OS(To);
  if (V != Verbosity::Quiet)
    return EmulationPrinter(R, K, OS, V == Verbosity::Verbose, Colors).print();
  OS << K.Characteristics->Demangled << "  " << outcome(K);
  for (const BufferReport &B : K.Buffers)
    if (B.NumMismatches != 0)
      OS << "; " << B.Name << ": " << number(B.NumMismatches, "wrong element");
  OS << '\n';
}
