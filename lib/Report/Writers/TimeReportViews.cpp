//===- TimeReportViews.cpp - Where processor time went --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/TimeReportViews.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/NumberFormat.h"
#include <algorithm>

using namespace ptxpredict;

/// \p Value with that many digits after its point.
static std::string fixed(double Value, const char *Form) {
  return formatNumber(Form, Value);
}

void ptxpredict::printTimeReportText(const TimeReport &R, double Seconds,
                                     raw_ostream &OS) {
  using Align = TextTable::Align;
  TextTable Table({Align::Left, Align::Right, Align::Right, Align::Right});
  Table.addRow({"stage", "calls", "seconds", "share"});
  auto Add = [&](StringRef Name, std::string Calls, double Spent) {
    Table.addRow(
        {Name.str(), std::move(Calls), fixed(Spent, "%.4f"),
         fixed(Seconds > 0 ? Spent / Seconds * 100 : 0, "%.1f") + " %"});
  };
  double Rest = Seconds;
  for (unsigned I = 0; I != NumStages; ++I) {
    const auto S = Stage(I);
    if (R.calls(S) == 0)
      continue;
    Add(toString(S), std::to_string(R.calls(S)), R.seconds(S));
    Rest -= R.seconds(S);
  }
  Add("other", "", std::max(0.0, Rest));
  Add("total", "", Seconds);
  OS << "Processor time by stage:\n";
  Table.print(OS);
}

void ptxpredict::printTimeReportJSON(const TimeReport &R, double Seconds,
                                     raw_ostream &OS) {
  JSONWriter J(OS, /*Indent=*/0);
  J.object([&] {
    J.attributeArray("stages", [&] {
      for (unsigned I = 0; I != NumStages; ++I) {
        const auto S = Stage(I);
        if (R.calls(S) == 0)
          continue;
        J.object([&] {
          J.text("name", toString(S));
          J.attribute("calls", R.calls(S));
          J.number("seconds", R.seconds(S));
        });
      }
    });
    J.number("seconds", Seconds);
  });
  OS << '\n';
}
