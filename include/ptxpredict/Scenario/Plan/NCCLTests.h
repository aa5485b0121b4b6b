//===- NCCLTests.h - A link's numbers from nccl-tests -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the programs of nccl-tests print (github.com/NVIDIA/nccl-tests,
// src/common.cu and src/util.cu; all_reduce_perf and others): comments behind
// '#', one of which names the columns, and a row for each size with the times
// of buffers apart and of one buffer in place.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_NCCLTESTS_H
#define PTXPREDICT_SCENARIO_PLAN_NCCLTESTS_H

#include "ptxpredict/Scenario/Plan/Operation.h"
#include "ptxpredict/Scenario/System/LinkFit.h"

namespace ptxpredict {

/// A row: one size.
struct NCCLRow {
  double Bytes = 0;
  std::optional<double> ApartUs, InPlaceUs;
  double AlgorithmGBs = 0, BusGBs = 0; ///< of buffers apart, else in place
  SMLoc Place;
};

/// What one program printed.
struct NCCLTests {
  std::string Program; ///< "all_reduce"
  /// Whose cost it has: of "reduce" a broadcast's, of "sendrecv" a message's.
  OperationKind Kind = OperationKind::AllReduce;
  uint64_t Ranks = 0;        ///< that it names; 0: none
  std::vector<NCCLRow> Rows; ///< without those of no bytes
};

/// Reads the engine's buffer. Lines that are neither comments nor rows, such as
/// NCCL's own messages, are left out, and counted in a note. True on error
/// (reported).
bool parseNCCLTests(DiagnosticEngine &Diags, NCCLTests &Result);

/// The startup of \p Of's transfers between peers and their efficiency with
/// which a ring's times, startups + bytes / (bandwidth * efficiency), are least
/// off, as shares: the sum of the squares of all rows' residuals is the least.
/// \p Ranks goes before those that the file names. Reports what no such link
/// gives. True on error.
bool fitNCCLTests(DiagnosticEngine &Diags, const NCCLTests &Tests,
                  std::optional<uint64_t> Ranks, const Link &Of,
                  LinkFit &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_NCCLTESTS_H
