//===- LinkFitText.cpp - What a calibration of a link decides -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Scenario/View/LinkView.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

using Align = TextTable::Align;

static StringRef partText(FitPart P) {
  switch (P) {
  case FitPart::Nothing:
    return "";
  case FitPart::Startup:
    return "startup";
  case FitPart::Efficiency:
    return "efficiency";
  case FitPart::Both:
    return "both";
  }
  return "";
}

/// "+1.2 %", "-0.04 %", "0 %"
static std::string residualText(double Share) {
  const double Percent = Share * 100;
  if (std::fabs(Percent) < 5e-3) // smaller than two digits
    return "0 %";
  const double Rounded = std::fabs(Percent) < 9.95
                             ? std::round(Percent * 100) / 100
                             : std::round(Percent * 10) / 10;
  return (Rounded > 0 ? "+" : "") + shortNumber(Rounded) + " %";
}

static void printNumbers(const Link &Base, ArrayRef<LinkFit> Fits,
                         raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Left});
  T.addRow({"number", "old", "new", "unit"});
  auto Add = [&](const LinkFit &F, StringRef Name, StringRef Unit,
                 const Quantity &Old, const Quantity &New) {
    if (New)
      T.addRow({F.name() + " " + Name.str(), Old ? shortNumber(*Old) : "-",
                shortNumber(*New), Unit.str()});
  };
  for (const LinkFit &F : Fits) {
    const TransferNumbers &Old =
        Base.Transfers[size_t(F.Way)][size_t(F.Memory)];
    Add(F, "startup", "us", Old.StartupUs, F.StartupUs);
    Add(F, "efficiency", "", Old.Efficiency, F.Efficiency);
  }
  T.print(OS);
}

void ptxpredict::printLinkFits(const Link &Base, ArrayRef<LinkFit> Fits,
                               raw_ostream &To) {
  PrintableStream OS(To);
  OS << Base.Name << ", " << shortNumber(*Base.BandwidthGBs) << " GB/s\n";
  printNumbers(Base, Fits, OS);
  for (const LinkFit &F : Fits) {
    OS << '\n'
       << F.name() << ": " << plural(F.Rows.size(), "time") << ", off by "
       << shortNumber(std::round(F.meanError() * 1e4) / 100)
       << " % in the mean\n";
    TextTable T(
        {Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
    T.addRow({"size", "measured", "fitted", "residual", "decides"});
    for (const FitRow &R : F.Rows)
      T.addRow({R.Name, shortTime(R.MeasuredUs), shortTime(R.FittedUs),
                residualText(R.residual()), partText(R.Decides).str()});
    T.print(OS);
  }
}
