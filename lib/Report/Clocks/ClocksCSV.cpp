//===- ClocksCSV.cpp - Pairs of clocks as comma-separated values ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Clocks/ClocksReport.h"
#include "ptxpredict/Report/Writers/CSVRow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

void ptxpredict::printClocksCSV(const ClocksReport &R, raw_ostream &OS) {
  {
    CSVRow Head(OS);
    for (StringRef Column :
         {"file", "kernel", "demangled", "launch_line", "device", "model",
          "core_mhz", "mem_mhz", "time_us", "power_w", "energy_j", "on_front",
          "best_by"})
      Head.text(Column);
  }
  for (const KernelClocks &K : R.Kernels) {
    std::vector<bool> IsOnFront(K.Pairs.size());
    for (size_t N : energyTimeFront(K.Pairs))
      IsOnFront[N] = true;
    std::vector<SmallVector<StringRef, 2>> BestBy(K.Pairs.size());
    for (unsigned G = 0; G != NumClockGoals; ++G)
      if (auto Best = bestClocks(K.Pairs, ClockGoal(G), R.Limits))
        BestBy[*Best].push_back(toString(ClockGoal(G)));
    for (const auto &[N, P] : llvm::enumerate(K.Pairs)) {
      CSVRow Row(OS);
      for (StringRef Text : {K.Path, K.Name, K.Demangled})
        Row.text(Text);
      Row.text(K.LaunchLine ? std::to_string(K.LaunchLine) : "");
      Row.text(R.Device);
      Row.text(R.Model);
      for (double V : {P.CoreMHz, P.MemMHz, P.TimeUs, P.PowerW, P.EnergyJ})
        Row.number(V);
      Row.text(IsOnFront[N] ? "true" : "false");
      Row.text(llvm::join(BestBy[N], ";"));
    }
  }
}
