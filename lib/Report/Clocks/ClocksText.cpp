//===- ClocksText.cpp - Pairs of clocks as text ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Clocks/ClocksReport.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

using Align = TextTable::Align;

namespace {

class ClocksPrinter {
public:
  ClocksPrinter(const ClocksReport &R, raw_ostream &OS, Verbosity V,
                bool Colors)
      : R(R), OS(OS), V(V), Colors(Colors) {}

  void print();

private:
  const ClocksReport &R;
  raw_ostream &OS;
  Verbosity V;
  bool Colors;

  std::optional<size_t> bestOf(ArrayRef<ClockPair> Pairs) const {
    return bestClocks(Pairs, R.Goal, R.Limits);
  }
  void paint(StringRef Text) {
    if (Colors)
      OS.changeColor(raw_ostream::CYAN, /*Bold=*/true);
    OS << Text;
    if (Colors)
      OS.resetColor();
  }
  void printGoals(ArrayRef<ClockPair> Pairs);
  void printFront(ArrayRef<ClockPair> Pairs);
  void printSMs(const ClocksSMs &S);
  void printKernel(const KernelClocks &K);
  void printLine(const KernelClocks &K);
  void printTogether(const KernelClocks &All);
  void printCommand(const ClockPair &P);
};

} // namespace

static std::string watts(double W) {
  return std::isfinite(W) ? shortNumber(W) + " W" : "";
}

static std::string joules(double J) {
  return std::isfinite(J) ? shortEnergy(J) : "";
}

/// "+12 %", "-3.1 %", of \p Now against \p Before; empty if nobody knows.
static std::string change(double Now, double Before) {
  const double By = Now / Before - 1;
  if (!std::isfinite(By))
    return "";
  if (std::abs(By) < 0.0005)
    return "0 %";
  constexpr double Tenths = 1000;
  return (By > 0 ? "+" : "-") +
         (std::abs(By) < 0.0995
              ? shortNumber(std::round(std::abs(By) * Tenths) / 10) + " %"
              : percent(std::abs(By)));
}

void ClocksPrinter::printGoals(ArrayRef<ClockPair> Pairs) {
  const ClockPair &High = Pairs[ClocksReport::highest(Pairs)];
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"best by", "core MHz", "memory MHz", "time", "power", "energy",
            "time", "energy, against the highest"});
  auto AddRow = [&](StringRef Name, const ClockPair &P) {
    T.addRow({Name.str(), shortNumber(P.CoreMHz), shortNumber(P.MemMHz),
              shortTime(P.TimeUs), watts(P.PowerW), joules(P.EnergyJ),
              change(P.TimeUs, High.TimeUs), change(P.EnergyJ, High.EnergyJ)});
  };
  for (unsigned G = 0; G != NumClockGoals; ++G)
    if (auto Best = bestClocks(Pairs, ClockGoal(G), R.Limits))
      AddRow(
          (toString(ClockGoal(G)) + (ClockGoal(G) == R.Goal ? " *" : "")).str(),
          Pairs[*Best]);
  AddRow("highest clocks", High);
  T.print(OS);
}

void ClocksPrinter::printFront(ArrayRef<ClockPair> Pairs) {
  const std::vector<size_t> Front = energyTimeFront(Pairs);
  if (Front.empty())
    return;
  OS << "  no other pair takes less time and no more energy, or the reverse:\n";
  TextTable T(
      {Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"core MHz", "memory MHz", "time", "power", "energy"});
  for (size_t N : Front) {
    const ClockPair &P = Pairs[N];
    T.addRow({shortNumber(P.CoreMHz), shortNumber(P.MemMHz),
              shortTime(P.TimeUs), watts(P.PowerW), joules(P.EnergyJ)});
  }
  T.print(OS, /*Indent=*/4);
}

/// Fewer SMs, what they change, and how to ask for them.
void ClocksPrinter::printSMs(const ClocksSMs &S) {
  TextTable T(
      {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"fewer SMs at " + shortNumber(S.At.CoreMHz) + " and " +
                shortNumber(S.At.MemMHz) + " MHz",
            "SMs", "time", "energy, against all", "if the others were off"});
  auto AddRow = [&](StringRef Name, const FewerSMs &F) {
    T.addRow({Name.str(),
              std::to_string(F.SMs) + " of " + std::to_string(F.All),
              change(1 + F.TimeLost, 1),
              F.EnergySaved ? change(1 - *F.EnergySaved, 1) : "",
              R.WithGated ? change(1 - F.GatedSaved, 1) : ""});
  };
  if (S.Enough)
    AddRow("enough", *S.Enough);
  for (const auto &[Name, F] : S.Advised)
    AddRow(Name, F);
  T.print(OS);
  auto PrintLine = [this](StringRef Text) {
    OS << "  ";
    printWrapped(OS, Text, /*Used=*/2, /*Indent=*/4);
  };
  if (S.Request)
    PrintLine(requestText(*S.Request));
  if (!S.Placement.empty())
    PrintLine(S.Placement);
}

void ClocksPrinter::printKernel(const KernelClocks &K) {
  if (V == Verbosity::Quiet)
    return printLine(K);
  OS << '\n';
  paint(printable(K.Demangled));
  OS << "\n  " << printable(K.Path);
  if (K.LaunchLine)
    OS << ", launch of line " << K.LaunchLine;
  OS << '\n';
  if (!K.Why.empty()) {
    OS << "  no answer: " << printable(K.Why) << '\n';
    return;
  }
  if (!K.Measured.empty())
    OS << "  times: " << K.Measured << ", times the predicted ratio\n";
  printGoals(K.Pairs);
  constexpr double LeastReduction = 1.01;
  if (K.CoreReduction > LeastReduction)
    OS << "  model throughput: until latency is no longer what is waited for, "
          "the core clock may drop by a factor of "
       << shortNumber(K.CoreReduction) << '\n';
  if (K.SMs)
    printSMs(*K.SMs);
  if (!bestOf(K.Pairs))
    OS << "  no pair of clocks is within the limits\n";
  if (V == Verbosity::Verbose)
    printFront(K.Pairs);
}

/// One line: the pair, and what it changes.
void ClocksPrinter::printLine(const KernelClocks &K) {
  OS << printable(K.Demangled) << ": ";
  if (!K.Why.empty()) {
    OS << "no answer: " << printable(K.Why) << '\n';
    return;
  }
  const std::optional<size_t> Best = bestOf(K.Pairs);
  if (!Best) {
    OS << "no pair of clocks is within the limits\n";
    return;
  }
  const ClockPair &P = K.Pairs[*Best];
  const ClockPair &High = K.Pairs[ClocksReport::highest(K.Pairs)];
  OS << shortNumber(P.CoreMHz) << " MHz core, " << shortNumber(P.MemMHz)
     << " MHz memory: " << shortTime(P.TimeUs);
  if (std::isfinite(P.EnergyJ))
    OS << ", " << shortEnergy(P.EnergyJ) << "; against the highest clocks "
       << change(P.TimeUs, High.TimeUs) << " time, "
       << change(P.EnergyJ, High.EnergyJ) << " energy";
  OS << '\n';
}

/// One pair for all kernels, and what each loses by it.
void ClocksPrinter::printTogether(const KernelClocks &All) {
  const std::optional<size_t> Best = bestOf(All.Pairs);
  if (V != Verbosity::Quiet) {
    OS << '\n';
    paint("all kernels together");
    OS << ", by weight\n";
    printGoals(All.Pairs);
  }
  if (!Best) {
    OS << "  no pair of clocks is within the limits of all kernels\n";
    return;
  }
  if (V != Verbosity::Quiet) {
    OS << "  what the pair for all costs each, against its own best:\n";
    TextTable T({Align::Left, Align::Right, Align::Right, Align::Right});
    T.addRow({"kernel", "weight", "time", "energy"});
    for (const KernelClocks &K : R.Kernels)
      if (auto Own = bestOf(K.Pairs); Own && K.Weight > 0)
        T.addRow({fit(printable(K.Demangled), 48), shortNumber(K.Weight),
                  change(K.Pairs[*Best].TimeUs, K.Pairs[*Own].TimeUs),
                  change(K.Pairs[*Best].EnergyJ, K.Pairs[*Own].EnergyJ)});
    T.print(OS, /*Indent=*/4);
  }
}

void ClocksPrinter::printCommand(const ClockPair &P) {
  // The program takes whole MHz, as which it also lists clocks between.
  OS << "\nset by: nvidia-smi --lock-gpu-clocks="
     << shortestDecimal(std::floor(P.CoreMHz))
     << " --lock-memory-clocks=" << shortestDecimal(std::floor(P.MemMHz))
     << '\n';
}

void ClocksPrinter::print() {
  OS << "clocks by " << toString(R.Goal) << " on " << R.Device << ", model "
     << R.Model << ", " << R.CoreClocks << " core, " << R.MemoryClocks
     << " memory\n";
  if (R.AreCoreClocksAssumed && V != Verbosity::Quiet) {
    OS << "note: ";
    printWrapped(OS,
                 "the clocks are assumed; nvidia-smi -q -d SUPPORTED_CLOCKS "
                 "lists those of a board, --core-mhz=A:B:STEP and "
                 "--mem-mhz=A,B take them",
                 /*Used=*/6, /*Indent=*/6);
  }
  if (R.Scaling && V != Verbosity::Quiet) {
    OS << "note: ";
    printWrapped(OS,
                 "time and power are scaled from the highest core clock by "
                 "MaxBIPS' rules, with " +
                     percent(R.Scaling->StaticShare) +
                     " static power (--static-share) and a voltage in "
                     "proportion to the clock" +
                     (R.Scaling->AsPrinted
                          ? "; dynamic power follows the square of the clock, "
                            "as printed"
                          : "") +
                     (R.IsPowerTheLimit
                          ? "; the power at the highest clock is assumed: the "
                            "limit of the board, whose file has no other"
                          : ""),
                 /*Used=*/6, /*Indent=*/6);
  }
  for (const KernelClocks &K : R.Kernels)
    printKernel(K);
  const KernelClocks All = R.together();
  if (All.Pairs.empty())
    return;
  const size_t Answered = size_t(llvm::count_if(
      R.Kernels, [](const KernelClocks &K) { return !K.Pairs.empty(); }));
  if (Answered > 1)
    printTogether(All);
  if (auto Best = bestOf(All.Pairs))
    printCommand(All.Pairs[*Best]);
}

void ptxpredict::printClocksText(const ClocksReport &R, raw_ostream &OS,
                                 Verbosity V, bool Colors) {
  ClocksPrinter(R, OS, V, Colors).print();
}
