//===- MBarrierUses.h - What is done to which mbarrier ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_MBARRIERUSES_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_MBARRIERUSES_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict::counting {

/// An instruction that does something to an mbarrier in shared memory.
struct MBarrierUse {
  enum class KindTy : uint8_t {
    Init,
    Expect, ///< `expect_tx`, with an arrival or without
    Arrive,
    Copy,   ///< an asynchronous copy arrives once it is done
    Matrix, ///< asynchronous matrix instructions do
    Wait
  };
  KindTy Kind = KindTy::Arrive;
  const Instruction *I = nullptr;
  const Symbol *Base = nullptr; ///< what the address is counted from
  int64_t Offset = 0;           ///< of the address from there, its number
  /// The address has a part that is no number: it is one of several.
  bool Varies = false;
  bool IsRemote = false; ///< of another block of the cluster
  /// Arrivals of an Init, bytes of an Expect; 0: nobody knows.
  uint64_t Number = 0;
  /// Of a Wait: the parity that it first waits for, if that is known. The phase
  /// before the first one has parity 1: to wait for it takes no time.
  std::optional<bool> Parity;
  uint32_t Roles = 0; ///< that do it, a bit for each; for arraysOf()
  /// Of an address that varies: how many there are, as far as bounds say; 0
  /// if they do not.
  uint64_t Places = 0;
};

/// Those of the kernel and of the functions that it calls, whose address is
/// counted from one variable; by base and offset.
std::vector<MBarrierUse> findMBarrierUses(const SymbolicValues &V);

/// \p Uses in groups of neighbouring barriers that are used alike.
std::vector<ArrayRef<MBarrierUse>> arraysOf(ArrayRef<MBarrierUse> Uses);

/// How many barriers a group has; 0 if nobody knows.
unsigned countMBarriers(ArrayRef<MBarrierUse> Array);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_MBARRIERUSES_H
