//===- RankingCSV.cpp - A ranking as comma-separated values ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Ranking/Ranking.h"
#include "ptxpredict/Report/Writers/CSVRow.h"

using namespace ptxpredict;

void ptxpredict::printRankingCSV(const Ranking &R, size_t Top,
                                 raw_ostream &OS) {
  {
    CSVRow Head(OS);
    for (StringRef Column :
         {"device",       "model",       "rank",         "file",
          "kernel",       "demangled",   "launch_file",  "launch_line",
          "grid",         "block",       "cluster",      "dynamic_shared_bytes",
          "time_us",      "time_us_low", "time_us_high", "power_w",
          "energy_j",     "limiter",     "registers",    "blocks_per_sm",
          "warps_per_sm", "tie",         "slower",       "reasons"})
      Head.text(Column);
  }
  for (const DeviceRanking &D : R.sort(Top))
    for (const RankedPlace &P : D.Places) {
      const RankedCandidate &C = *P.Candidate;
      const RankedPrediction &At = *P.Predicted;
      CSVRow Row(OS);
      Row.text(D.Device);
      Row.text(D.Model);
      Row.number(double(P.Rank));
      for (StringRef Text : {C.Path, C.Kernel, C.Demangled, C.LaunchFile})
        Row.text(Text);
      Row.text(C.LaunchLine ? std::to_string(C.LaunchLine) : "");
      for (const Dim3 &Extent : {C.Grid, C.Block, C.Cluster})
        Row.text(toString(Extent));
      Row.number(double(C.DynamicSharedBytes));
      Row.estimate(At.TimeUs);
      Row.number(At.PowerW ? At.PowerW->Value : NAN);
      Row.number(At.EnergyJ ? At.EnergyJ->Value : NAN);
      Row.text(toString(At.Limiter));
      Row.number(At.Registers.Value);
      Row.number(double(At.Occ.BlocksPerSM));
      Row.number(double(At.Occ.WarpsPerSM));
      Row.text(P.IsTie ? "true" : "false");
      Row.number(P.Slower);
      Row.text(llvm::join(P.Reasons, "; "));
    }
}
