//===- ScalingText.cpp - Scaling as text ----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Scenario/Scaling/ScalingView.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using Align = TextTable::Align;

/// Sizes in the heading of a table; more go into a table of their own.
static constexpr size_t MaxColumns = 8;
/// Rows of a table that is not asked for as a whole.
static constexpr size_t MaxScalingRows = 40;

static std::string secondsText(double Seconds) {
  return shortTime(Seconds * 1e6);
}

/// ", f 2.8 GHz"; nothing of the board's own clock.
static std::string clockText(double F) {
  return F > 0 ? ", f " + shortNumber(F) + " GHz" : "";
}

static StringRef headOf(const ScalingReport &R) {
  return R.File->Name.empty() ? StringRef("scaling") : R.File->Name;
}

static StringRef measureName(const ScalingReport &R) {
  return R.Options->Measure == ScalingMeasure::Time ? "time efficiency" : "EE";
}

/// One number of each point over n and p, at one clock: \p First is the row of
/// the first one.
static void printGrid(const ScalingReport &R, size_t First, StringRef What,
                      double (*Of)(const ScalingPoint &), raw_ostream &OS,
                      bool Verbose) {
  const std::vector<double> &Sizes = R.File->N.Values;
  const std::vector<double> &Numbers = R.File->P.Values;
  const double F = R.Rows[First].F;
  OS << "\n  " << What << clockText(F) << '\n';
  const size_t Shown = Verbose ? Numbers.size() : MaxScalingRows;
  for (size_t From = 0; From < Sizes.size(); From += MaxColumns) {
    const size_t To = std::min(From + MaxColumns, Sizes.size());
    TextTable T(std::vector<Align>(1 + To - From, Align::Right));
    std::vector<std::string> Head{R.File->P.Name};
    for (size_t N = From; N != To; ++N)
      Head.push_back(R.File->N.Name + " " + shortNumber(Sizes[N]));
    T.addRow(std::move(Head));
    for (size_t P = 0; P != std::min(Shown, Numbers.size()); ++P) {
      std::vector<std::string> Row{shortNumber(Numbers[P])};
      for (size_t N = From; N != To; ++N) {
        const ScalingRow &At = R.Rows[First + P * Sizes.size() + N];
        Row.push_back(At.Point ? shortNumber(Of(*At.Point)) : "error");
      }
      T.addRow(std::move(Row));
    }
    T.print(OS);
  }
  if (Numbers.size() > Shown)
    OS << "  and " << Numbers.size() - Shown << " more (--verbose)\n";
}

static void printTerms(const ScalingReport &R, raw_ostream &OS) {
  std::vector<std::string> Head{R.File->N.Name, R.File->P.Name, "f",
                                "T_1",          "T_o",          "of messages",
                                "E_1",          "E_o",          "EE",
                                "EE of clocks", "T_1/T_p",      "speed-up"};
  TextTable T(std::vector<Align>(Head.size(), Align::Right));
  T.addRow(std::move(Head));
  for (const ScalingRow &Row : R.Rows) {
    if (!Row.Point)
      continue;
    const IsoEnergyEfficiency &Of = Row.Point->Of;
    T.addRow(
        {shortNumber(Row.N), shortNumber(Row.P),
         Row.F > 0 ? shortNumber(Row.F) : "", secondsText(Of.SequentialSeconds),
         secondsText(Of.OverheadSeconds), secondsText(Of.NetworkSeconds),
         shortEnergy(Of.SequentialJ), shortEnergy(Of.OverheadJ),
         shortNumber(Of.efficiency()),
         Row.ClockEfficiency ? shortNumber(*Row.ClockEfficiency) : "",
         shortNumber(Of.timeEfficiency()), shortNumber(Row.Point->speedup())});
  }
  OS << '\n';
  T.print(OS);
}

static void printTables(const ScalingReport &R, raw_ostream &OS, bool Verbose) {
  const size_t Each = R.File->N.Values.size() * R.File->P.Values.size();
  for (size_t First = 0; First < R.Rows.size(); First += Each) {
    printGrid(
        R, First, "EE = E_1 / E_p",
        [](const ScalingPoint &P) { return P.Of.efficiency(); }, OS, Verbose);
    printGrid(
        R, First, "EEF = E_o / E_1",
        [](const ScalingPoint &P) { return P.Of.factor(); }, OS, Verbose);
  }
  if (R.Category)
    OS << "\n  category " << unsigned(*R.Category) << ": "
       << describe(*R.Category) << '\n';
  if (Verbose)
    printTerms(R, OS);
}

/// What stands in place of a size that there is none of.
static std::string statusText(const SizeSolution &S) {
  switch (S.Status) {
  case ScalingStatus::Found:
    return shortNumber(S.N);
  case ScalingStatus::None:
  case ScalingStatus::Every:
  case ScalingStatus::Insensitive:
    return toString(S.Status).str();
  case ScalingStatus::NoAnswer:
    return "error";
  }
  return "";
}

static void printSizes(const ScalingReport &R, raw_ostream &OS, bool Verbose) {
  const ScalingAxis &N = R.File->N;
  OS << "\n  " << N.Name << " for " << measureName(R) << " "
     << shortNumber(*R.Options->Efficiency) << ", from " << shortNumber(N.From)
     << " to " << shortNumber(N.To) << '\n';
  TextTable T({Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({R.Clocks.front() > 0 ? "f" : "", R.File->P.Name, N.Name,
            measureName(R).str(), N.Name + " / " + R.File->P.Name, "growth",
            "lowest", "highest"});
  const size_t Shown = Verbose ? R.Sizes.size() : MaxScalingRows;
  const SizeAnswer *Limited = nullptr;
  for (const SizeAnswer &A : ArrayRef(R.Sizes).take_front(Shown)) {
    const SizeSolution &S = A.Of;
    const bool IsFound = S.Status == ScalingStatus::Found;
    const bool HasAny = S.Status != ScalingStatus::NoAnswer;
    if (S.Largest && !Limited)
      Limited = &A;
    T.addRow({A.F > 0 ? shortNumber(A.F) : "", shortNumber(A.P), statusText(S),
              IsFound ? shortNumber(S.Efficiency) : "",
              IsFound ? shortNumber(S.N / A.P) : "",
              A.Growth ? "p^" + shortNumber(*A.Growth) : "",
              HasAny ? shortNumber(S.Lowest) : "",
              HasAny ? shortNumber(S.Highest) +
                           (S.Largest ? " at " + shortNumber(*S.Largest) : "")
                     : ""});
  }
  T.print(OS);
  if (R.Sizes.size() > Shown)
    OS << "  and " << R.Sizes.size() - Shown << " more (--verbose)\n";
  const std::pair<ScalingStatus, StringRef> Meanings[] = {
      {ScalingStatus::None, "no size of the range has it"},
      {ScalingStatus::Every, "every size of the range has at least it"},
      {ScalingStatus::Insensitive,
       "it changes by less than 0.01 over the range; n does not matter"}};
  for (const auto &[Status, Meaning] : Meanings)
    if (llvm::any_of(R.Sizes, [Of = Status](const SizeAnswer &A) {
          return A.Of.Status == Of;
        }))
      OS << "  " << toString(Status) << ": " << Meaning << '\n';
  if (Limited)
    OS << "  beyond the size that stands with the highest there is no answer: "
       << Limited->Error.Text << '\n';
}

static void printClocks(const ScalingReport &R, raw_ostream &OS, bool Verbose) {
  OS << "\n  EE against E_1 at " << shortNumber(R.Clocks.front())
     << " GHz, by clock (4.25)\n";
  std::vector<std::string> Head{R.File->N.Name, R.File->P.Name};
  for (double F : R.Clocks)
    Head.push_back(shortNumber(F) + " GHz");
  Head.emplace_back("best");
  if (R.Options->Efficiency)
    Head.push_back("lowest with " + shortNumber(*R.Options->Efficiency));
  TextTable T(std::vector<Align>(Head.size(), Align::Right));
  const size_t Width = Head.size();
  T.addRow(std::move(Head));
  const size_t Shown = Verbose ? R.ClockAnswers.size() : MaxScalingRows;
  for (const ClockAnswer &A : ArrayRef(R.ClockAnswers).take_front(Shown)) {
    std::vector<std::string> Row{shortNumber(A.N), shortNumber(A.P)};
    for (double E : A.Efficiencies)
      Row.push_back(shortNumber(E));
    if (A.Efficiencies.empty()) {
      Row.resize(Width - 1);
      Row.emplace_back("error");
    } else {
      Row.push_back(A.Of.IsInsensitive ? "insensitive"
                                       : shortNumber(R.Clocks[A.Of.Best]));
      if (R.Options->Efficiency)
        Row.push_back(A.Of.Lowest ? shortNumber(R.Clocks[*A.Of.Lowest])
                                  : toString(A.Of.Status).str());
    }
    T.addRow(std::move(Row));
  }
  T.print(OS);
  if (R.ClockAnswers.size() > Shown)
    OS << "  and " << R.ClockAnswers.size() - Shown << " more (--verbose)\n";
}

void ptxpredict::printScalingText(const ScalingReport &R, raw_ostream &To,
                                  bool Verbose) {
  PrintableStream OS(To);
  OS << headOf(R) << ": iso-energy-efficiency";
  if (!R.Machine.empty())
    OS << " on " << R.Machine;
  if (R.Options->Published)
    OS << ", as printed";
  OS << '\n';
  if (R.Options->Solve == ScalingUnknown::Size)
    printSizes(R, OS, Verbose);
  else if (R.Options->Solve == ScalingUnknown::Clock)
    printClocks(R, OS, Verbose);
  else
    printTables(R, OS, Verbose);
  if (R.Assumptions.empty())
    return;
  OS << "\n  assumed\n";
  for (const std::string &A : R.Assumptions) {
    OS << "    ";
    printWrapped(OS, printable(A), 4, 6);
  }
}
