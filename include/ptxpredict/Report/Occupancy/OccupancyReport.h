//===- OccupancyReport.h - Occupancy and what would change it ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_OCCUPANCY_OCCUPANCYREPORT_H
#define PTXPREDICT_REPORT_OCCUPANCY_OCCUPANCYREPORT_H

#include "ptxpredict/Device/Occupancy.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Support/Assumption.h"
#include "ptxpredict/Support/Estimate.h"

namespace ptxpredict {

constexpr StringRef OccupancySchemaName = "ptx-predict/occupancy";
constexpr unsigned OccupancySchemaVersion = 1;

/// One block shape with its resources on one device.
struct OccupancyResult {
  /// The kernel that the numbers are of; empty where they were given.
  std::string Name, Demangled, Path;
  unsigned Line = 0;

  const Device *D = nullptr;
  Dim3 Block, Cluster;
  Estimate Registers; ///< per thread
  uint64_t StaticSharedBytes = 0, DynamicSharedBytes = 0;
  unsigned Barriers = 0;
  std::vector<Assumption> Assumptions; ///< that this result rests on
  std::string Refusal; ///< why a launch cannot start; empty if it can
  std::vector<std::string> Notes; ///< evaluate() adds its own

  // What evaluate() finds.
  BlockResources Resources;
  Occupancy Occ;
  /// The block with so much less that more of it fit, if that can be.
  std::optional<BlockResources> Next;
  /// Clusters that the device holds at once, at most; nothing without clusters.
  std::optional<uint64_t> MostClusters;

  /// Computes occupancy from device, block and resources.
  void evaluate();
};

/// One screen for one result; for several a table, and with \p Verbose a screen
/// each.
void printOccupancyText(ArrayRef<OccupancyResult> Results, raw_ostream &OS,
                        bool Verbose, bool Colors);

/// One JSON object, schema "ptx-predict/occupancy"
/// (docs/schemas/occupancy.schema.json).
void printOccupancyJSON(ArrayRef<OccupancyResult> Results,
                        ArrayRef<Diagnostic> Diagnostics, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_OCCUPANCY_OCCUPANCYREPORT_H
