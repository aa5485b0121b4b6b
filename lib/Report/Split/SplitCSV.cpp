//===- SplitCSV.cpp - Splits as comma-separated values --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Split/SplitReport.h"
#include "ptxpredict/Report/Writers/CSVRow.h"

using namespace ptxpredict;

void ptxpredict::printSplitCSV(const SplitReport &R, raw_ostream &OS) {
  {
    CSVRow Head(OS);
    for (StringRef Column :
         {"file", "kernel", "demangled", "launch_line", "split", "series",
          "time_us", "power_w", "energy_j", "speedup", "efficiency",
          "energy_fraction"})
      Head.text(Column);
    for (const SplitSide &S : R.Question.Sides)
      Head.text("share_" + S.Name);
  }
  for (const SplitKernel &K : R.Kernels) {
    auto AddRow = [&](StringRef What, const SplitPoint &P, unsigned Series) {
      CSVRow Row(OS);
      for (StringRef Text : {K.Path, K.Name, K.Demangled})
        Row.text(Text);
      Row.text(K.LaunchLine ? std::to_string(K.LaunchLine) : "");
      Row.text(What);
      Row.text(Series ? std::to_string(Series) : "");
      for (double V : {P.Seconds * 1e6, P.PowerW, P.EnergyJ, P.Gain.Speedup,
                       P.Gain.Efficiency, P.Gain.EnergyFraction})
        Row.number(V);
      for (double Share : P.Shares)
        Row.number(Share);
    };
    if (!K.Split.Best)
      continue;
    AddRow("best", *K.Split.Best, 0);
    AddRow("alone", *K.Split.Alone, 0);
    for (const SplitPoint &P : K.Split.Points)
      AddRow("share", P, 0);
    for (const SeriesSplit &S : K.Split.Series)
      for (const SplitPoint &P : S.Points)
        AddRow("series", P, S.Series.Number);
  }
}
