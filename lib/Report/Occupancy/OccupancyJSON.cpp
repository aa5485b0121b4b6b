//===- OccupancyJSON.cpp - Occupancy as JSON ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Occupancy/OccupancyReport.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void writeKernel(JSONWriter &J, const OccupancyResult &R) {
  if (R.Name.empty())
    return;
  J.attributeObject("kernel", [&] {
    J.text("name", R.Name);
    J.text("demangled", R.Demangled);
    J.text("path", R.Path);
    J.attribute("line", R.Line);
  });
}

/// What would change the number of resident blocks, and what would not.
static void writeNeighbours(JSONWriter &J, const OccupancyResult &R) {
  const BlockResources &Now = R.Resources;
  unsigned Blocks = R.Occ.BlocksPerSM;
  if (Blocks != 0)
    J.attributeObject("headroom", [&] {
      J.attribute("registers", mostRegistersFor(*R.D, Now, Blocks));
      J.attribute("shared_bytes", mostSharedBytesFor(*R.D, Now, Blocks));
    });
  const std::optional<BlockResources> &Next = R.Next;
  if (!Next)
    return;
  J.attributeObject("next_step", [&] {
    J.attribute("blocks_per_sm", computeOccupancy(*R.D, *Next).BlocksPerSM);
    if (Next->RegistersPerThread != Now.RegistersPerThread)
      J.attribute("registers", Next->RegistersPerThread);
    if (Next->SharedBytes != Now.SharedBytes)
      J.attribute("shared_bytes", Next->SharedBytes);
    if (Next->Barriers != Now.Barriers)
      J.attribute("barriers", Next->Barriers);
  });
}

static void writeCurve(JSONWriter &J, StringRef Key, StringRef Axis,
                       ArrayRef<OccupancyPoint> Curve) {
  J.attributeArray(Key, [&] {
    for (const OccupancyPoint &P : Curve)
      J.object([&] {
        J.attribute(Axis, P.Value);
        J.occupancy(P.Occ);
      });
  });
}

static void writeResult(JSONWriter &J, const OccupancyResult &R) {
  J.text("device", R.D->Name);
  writeKernel(J, R);
  J.extent("block", R.Block);
  J.extent("cluster", R.Cluster);
  J.attributeObject("resources", [&] {
    J.attribute("threads", R.Block.count());
    J.estimate("registers", R.Registers);
    J.attribute("static_shared_bytes", R.StaticSharedBytes);
    J.attribute("dynamic_shared_bytes", R.DynamicSharedBytes);
    J.attribute("barriers", R.Barriers);
  });
  J.attributeObject("occupancy", [&] {
    J.estimate("registers", R.Registers);
    J.occupancy(R.Occ);
  });
  J.attributeObject("limits", [&] {
    for (unsigned L = 0; L != NumOccupancyLimiters; ++L)
      if (R.Occ.Limits[L] != Occupancy::NoLimit)
        J.attribute(toString(OccupancyLimiter(L)), R.Occ.Limits[L]);
  });
  writeNeighbours(J, R);
  if (R.MostClusters)
    J.attribute("most_clusters", *R.MostClusters);
  J.texts("notes", R.Notes);
  J.attributeArray("assumptions", [&] {
    for (const Assumption &A : R.Assumptions)
      J.assumption(A);
  });
  J.attributeObject("curves", [&] {
    OccupancyCurves Curves = occupancyCurves(*R.D, R.Resources);
    writeCurve(J, "block", "threads", Curves.Block);
    writeCurve(J, "registers", "registers", Curves.Registers);
    writeCurve(J, "shared", "shared_bytes", Curves.Shared);
  });
}

void ptxpredict::printOccupancyJSON(ArrayRef<OccupancyResult> Results,
                                    ArrayRef<Diagnostic> Diagnostics,
                                    raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(OccupancySchemaName, OccupancySchemaVersion);
    if (Results.size() == 1)
      writeResult(J, Results.front());
    else
      J.attributeArray("results", [&] {
        for (const OccupancyResult &R : Results)
          J.object([&] { writeResult(J, R); });
      });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
