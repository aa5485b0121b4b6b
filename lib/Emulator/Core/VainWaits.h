//===- VainWaits.h - Whether warps wait for ever ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_VAINWAITS_H
#define PTXPREDICT_LIB_EMULATOR_CORE_VAINWAITS_H

#include "Machine.h"

namespace ptxpredict::emulator {

/// Finds out whether the warps of a cluster that poll mbarriers in vain do so
/// for ever: they do once they are where they were before, with the same
/// registers, and have in between executed nothing that changes memory or that
/// reads what other clusters may change. Counted attempts, clocks and flags in
/// global memory are therefore no endless wait.
class VainWaits {
public:
  explicit VainWaits(const ClusterMachine &C) : C(C) {}

  /// To be told of each round, in which warps did anything. \p OnlyPolls: each
  /// that did waited for an mbarrier in vain. True once they wait for ever.
  bool isEndless(bool OnlyPolls);

private:
  /// What the next rounds depend on, but for memory.
  uint64_t state() const;
  /// Executions so far that may change what the polls find.
  uint64_t effects() const;

  const ClusterMachine &C;
  uint64_t Rounds = 0; ///< in vain, one after the other
  uint64_t Mark = 0;   ///< the round that others are compared with
  uint64_t MarkedState = 0, MarkedEffects = 0;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_VAINWAITS_H
