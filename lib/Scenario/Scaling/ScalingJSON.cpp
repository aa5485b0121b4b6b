//===- ScalingJSON.cpp - Scaling as JSON and CSV --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/CSVRow.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Scenario/Scaling/ScalingView.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

/// n, p and f, by the keys that they have in files.
static void writeWhere(JSONWriter &J, std::optional<double> N, double P,
                       double F) {
  if (N)
    J.number("n", *N);
  J.number("p", P);
  if (F > 0)
    J.number("f_ghz", F);
}

static void writeRow(JSONWriter &J, const ScalingRow &Row) {
  writeWhere(J, Row.N, Row.P, Row.F);
  if (!Row.Point) {
    J.text("error", Row.Error.Text);
    return;
  }
  const IsoEnergyEfficiency &Of = Row.Point->Of;
  J.number("t_1_s", Of.SequentialSeconds);
  J.number("t_o_s", Of.OverheadSeconds);
  J.number("t_net_s", Of.NetworkSeconds);
  J.number("e_1_j", Of.SequentialJ);
  J.number("e_o_j", Of.OverheadJ);
  J.number("eef", Of.factor());
  J.number("ee", Of.efficiency());
  if (Row.ClockEfficiency)
    J.number("ee_of_clocks", *Row.ClockEfficiency);
  J.number("time_efficiency", Of.timeEfficiency());
  J.number("speed_up", Row.Point->speedup());
}

static void writeSize(JSONWriter &J, const SizeAnswer &A) {
  writeWhere(J, {}, A.P, A.F);
  J.attribute("status", toString(A.Of.Status));
  J.number("n", A.Of.N);
  if (A.Of.Status == ScalingStatus::NoAnswer) {
    J.text("error", A.Error.Text);
    return;
  }
  if (A.Of.Status == ScalingStatus::Found)
    J.number("efficiency", A.Of.Efficiency);
  J.number("lowest", A.Of.Lowest);
  J.number("highest", A.Of.Highest);
  if (A.Of.Largest)
    J.number("largest_n", *A.Of.Largest);
  if (A.Growth)
    J.number("growth", *A.Growth);
}

static void writeClocks(JSONWriter &J, const ScalingReport &R,
                        const ClockAnswer &A) {
  writeWhere(J, A.N, A.P, 0);
  if (A.Efficiencies.empty()) {
    J.text("error", A.Error.Text);
    return;
  }
  J.attributeArray("ee_of_clocks", [&] {
    for (double E : A.Efficiencies)
      J.number(E);
  });
  J.number("best_f_ghz", R.Clocks[A.Of.Best]);
  J.attribute("insensitive", A.Of.IsInsensitive);
  if (R.Options->Efficiency)
    J.number("lowest_f_ghz", A.Of.Lowest ? R.Clocks[*A.Of.Lowest] : -1);
}

void ptxpredict::printScalingJSON(const ScalingReport &R, raw_ostream &OS) {
  JSONWriter J(OS);
  auto Each = [&](StringRef Key, const auto &All, auto Write) {
    J.attributeArray(Key, [&] {
      for (const auto &One : All)
        J.object([&] { Write(One); });
    });
  };
  J.object([&] {
    J.header(ScalingRunSchemaName, ScalingRunSchemaVersion);
    J.text("name", R.File->Name);
    if (!R.Machine.empty())
      J.text("machine", R.Machine);
    J.text("n_name", R.File->N.Name);
    J.text("p_name", R.File->P.Name);
    J.attribute("published", R.Options->Published);
    if (R.Options->Efficiency)
      J.number("wanted", *R.Options->Efficiency);
    if (R.Options->Solve == ScalingUnknown::Size) {
      J.attribute("by", R.Options->Measure == ScalingMeasure::Time ? "time"
                                                                   : "energy");
      Each("sizes", R.Sizes, [&](const SizeAnswer &A) { writeSize(J, A); });
    } else if (R.Options->Solve == ScalingUnknown::Clock) {
      J.attributeArray("clocks_ghz", [&] {
        for (double F : R.Clocks)
          J.number(F);
      });
      Each("clocks", R.ClockAnswers,
           [&](const ClockAnswer &A) { writeClocks(J, R, A); });
    } else {
      Each("points", R.Rows, [&](const ScalingRow &Row) { writeRow(J, Row); });
      if (R.Category)
        J.attribute("category", unsigned(*R.Category));
    }
    J.texts("assumptions", R.Assumptions);
  });
  OS << '\n';
}

static void writeHead(raw_ostream &OS, ArrayRef<StringRef> Names) {
  CSVRow Head(OS);
  for (StringRef Name : Names)
    Head.text(Name);
}

static void printPointsCSV(const ScalingReport &R, raw_ostream &OS) {
  writeHead(OS, {"n", "p", "f_ghz", "t_1_s", "t_o_s", "t_net_s", "e_1_j",
                 "e_o_j", "eef", "ee", "ee_of_clocks", "time_efficiency",
                 "speed_up", "error"});
  for (const ScalingRow &Row : R.Rows) {
    CSVRow To(OS);
    To.number(Row.N);
    To.number(Row.P);
    To.number(Row.F > 0 ? Row.F : NAN);
    const bool Good = Row.Point.has_value();
    const IsoEnergyEfficiency Of = Good ? Row.Point->Of : IsoEnergyEfficiency();
    for (double N :
         {Of.SequentialSeconds, Of.OverheadSeconds, Of.NetworkSeconds,
          Of.SequentialJ, Of.OverheadJ, Of.factor(), Of.efficiency(),
          Row.ClockEfficiency.value_or(NAN), Of.timeEfficiency(),
          Good ? Row.Point->speedup() : NAN})
      To.number(Good ? N : NAN);
    To.text(Good ? StringRef() : StringRef(Row.Error.Text));
  }
}

static void printSizesCSV(const ScalingReport &R, raw_ostream &OS) {
  writeHead(OS, {"p", "f_ghz", "wanted", "status", "n", "efficiency", "lowest",
                 "highest", "largest_n", "growth"});
  for (const SizeAnswer &A : R.Sizes) {
    const bool IsFound = A.Of.Status == ScalingStatus::Found;
    const bool HasAny = A.Of.Status != ScalingStatus::NoAnswer;
    CSVRow To(OS);
    To.number(A.P);
    To.number(A.F > 0 ? A.F : NAN);
    To.number(R.Options->Efficiency);
    To.text(toString(A.Of.Status));
    To.number(A.Of.N);
    To.number(IsFound ? A.Of.Efficiency : NAN);
    To.number(HasAny ? A.Of.Lowest : NAN);
    To.number(HasAny ? A.Of.Highest : NAN);
    To.number(A.Of.Largest);
    To.number(A.Growth);
  }
}

static void printClocksCSV(const ScalingReport &R, raw_ostream &OS) {
  writeHead(OS, {"n", "p", "f_ghz", "ee_of_clocks", "best", "insensitive",
                 "lowest_f_ghz", "error"});
  for (const ClockAnswer &A : R.ClockAnswers) {
    const bool Good = !A.Efficiencies.empty();
    for (const auto &[Index, F] : llvm::enumerate(R.Clocks)) {
      CSVRow To(OS);
      To.number(A.N);
      To.number(A.P);
      To.number(F);
      To.number(Good ? A.Efficiencies[Index] : NAN);
      To.text(Good && Index == A.Of.Best ? "true" : Good ? "false" : "");
      To.text(!Good ? "" : A.Of.IsInsensitive ? "true" : "false");
      To.number(Good && R.Options->Efficiency
                    ? (A.Of.Lowest ? R.Clocks[*A.Of.Lowest] : -1)
                    : NAN);
      To.text(Good ? StringRef() : StringRef(A.Error.Text));
    }
  }
}

void ptxpredict::printScalingCSV(const ScalingReport &R, raw_ostream &OS) {
  if (R.Options->Solve == ScalingUnknown::Size)
    printSizesCSV(R, OS);
  else if (R.Options->Solve == ScalingUnknown::Clock)
    printClocksCSV(R, OS);
  else
    printPointsCSV(R, OS);
}
