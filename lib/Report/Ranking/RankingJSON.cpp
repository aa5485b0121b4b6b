//===- RankingJSON.cpp - A ranking as JSON --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Ranking/Ranking.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"

using namespace ptxpredict;

static void writeCandidate(JSONWriter &J, const RankedCandidate &C) {
  J.text("path", C.Path);
  J.text("kernel", C.Kernel);
  J.text("demangled", C.Demangled);
  if (!C.LaunchFile.empty()) {
    J.text("launch_file", C.LaunchFile);
    J.attribute("launch_line", C.LaunchLine);
  }
  J.attributeObject("launch", [&] {
    J.extent("grid", C.Grid);
    J.extent("block", C.Block);
    J.extent("cluster", C.Cluster);
    J.attribute("dynamic_shared_bytes", C.DynamicSharedBytes);
  });
}

static void writePlace(JSONWriter &J, const RankedPlace &P) {
  const RankedPrediction &At = *P.Predicted;
  J.attribute("rank", P.Rank);
  writeCandidate(J, *P.Candidate);
  J.estimate("time_us", *At.TimeUs);
  if (At.PowerW)
    J.estimate("power_w", *At.PowerW);
  if (At.EnergyJ)
    J.estimate("energy_j", *At.EnergyJ);
  J.text("limiter", toString(At.Limiter));
  J.attributeObject("occupancy", [&] {
    J.estimate("registers", At.Registers);
    J.occupancy(At.Occ);
  });
  J.attribute("tie", P.IsTie);
  J.number("slower", P.Slower);
  J.texts("reasons", P.Reasons);
}

void ptxpredict::printRankingJSON(const Ranking &R, size_t Top,
                                  raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(RankingSchemaName, RankingSchemaVersion);
    J.attribute("by", toString(R.By));
    J.attribute("candidates", R.Candidates.size());
    J.texts("premises", R.Premises);
    J.attributeArray("rankings", [&] {
      for (const DeviceRanking &D : R.sort(Top))
        J.object([&] {
          J.text("device", D.Device);
          J.text("model", D.Model);
          J.number("core_mhz", D.CoreMHz);
          J.number("mem_mhz", D.MemMHz);
          J.attribute("ranked", D.Ranked);
          J.number("spread", D.Spread);
          J.attributeArray("places", [&] {
            for (const RankedPlace &P : D.Places)
              J.object([&] { writePlace(J, P); });
          });
          J.attributeArray("not_ranked", [&] {
            for (const RankedPlace &P : D.Unranked)
              J.object([&] {
                writeCandidate(J, *P.Candidate);
                J.text("why", P.Predicted->Reason.empty()
                                  ? "no power is known on this device"
                                  : StringRef(P.Predicted->Reason));
              });
          });
        });
    });
    if (!R.LeftOut.empty())
      J.attributeArray("left_out", [&] {
        for (const Ranking::LeftOutKernel &K : R.LeftOut)
          J.object([&] {
            J.text("file", K.Path);
            J.text("kernel", K.Kernel);
            J.text("demangled", K.Demangled);
            J.text("launch_file", K.LaunchFile);
          });
      });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : R.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
