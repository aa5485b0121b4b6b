//===- Operation.h - What a process of a scenario does ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_OPERATION_H
#define PTXPREDICT_SCENARIO_PLAN_OPERATION_H

#include "ptxpredict/Scenario/System/Link.h"

namespace ptxpredict {

/// A formula of a scenario, by its number there.
using FormulaNumber = uint32_t;
constexpr FormulaNumber NoFormula = UINT32_MAX;

enum class OperationKind : uint8_t {
#define OPERATION(KIND, KEY, GROUP, MEANING) KIND,
#include "ptxpredict/Scenario/Plan/Operations.def"
};
enum class OperationGroup : uint8_t {
  Host,
  Copy,
  Kernel,
  Message,
  Collective,
  Order
};

/// "h2d", "all_reduce"
StringRef toString(OperationKind Kind);
OperationGroup groupOf(OperationKind Kind);

enum class CollectiveAlgorithm : uint8_t { Ring, Tree };
/// "ring", "tree"
StringRef toString(CollectiveAlgorithm A);

/// One operation as it stands in the file. Which members count, the kind says.
struct Operation {
  OperationKind Kind = OperationKind::Host;
  SMLoc Place;
  unsigned Line = 0;   ///< of the place
  unsigned Number = 0; ///< in the file, from 0
  std::string Name;    ///< given, or the kind and what it is of: "launch saxpy"
  bool HasOwnName = false; ///< it is given
  /// Bytes; of Host and Delay seconds, of Repeat how often, of If the
  /// condition.
  FormulaNumber Amount = NoFormula;
  FormulaNumber Operations = NoFormula;  ///< Host: in place of seconds
  FormulaNumber Performance = NoFormula; ///< Host: in place of the CPU's
  FormulaNumber Seconds = NoFormula;     ///< in place of the link's time
  /// Of Send and Receive the other's rank, of P2P the other GPU, of Broadcast
  /// the root.
  FormulaNumber Peer = NoFormula;
  FormulaNumber Tag = NoFormula, GPU = NoFormula;
  FormulaNumber Times = NoFormula; ///< Launch: one behind the other
  unsigned Kernel = 0;             ///< Launch
  unsigned Label = 0;              ///< Send, Receive: index into the processes
  unsigned Event = 0;              ///< Event, Wait
  unsigned Phase = 0;              ///< Phase
  /// Index into the process's streams. 0: the default stream; of Sync and Wait
  /// all streams and the process.
  unsigned Stream = 0;
  bool HasStream = false; ///< it is not in the default stream
  HostMemory Memory = HostMemory::Pageable;
  CollectiveAlgorithm Algorithm = CollectiveAlgorithm::Ring;
  std::string Policy; ///< Send: of the link; empty without
  /// Launch: other values of variables, by their slots.
  std::vector<std::pair<uint16_t, FormulaNumber>> With;
  uint16_t Counter = 0;                   ///< Repeat: its slot
  std::vector<Operation> Body, Otherwise; ///< Repeat, If
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_OPERATION_H
