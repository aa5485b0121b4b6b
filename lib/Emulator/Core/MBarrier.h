//===- MBarrier.h - Barriers in shared memory -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_MBARRIER_H
#define PTXPREDICT_LIB_EMULATOR_CORE_MBARRIER_H

#include "llvm/Support/MathExtras.h"
#include <cstdint>

namespace ptxpredict::emulator {

/// An mbarrier object, whose bits the ISA leaves open.
struct MBarrier {
  static constexpr unsigned CountBits = 20, TxBits = 22;
  uint64_t Pending, Expected;
  int64_t Tx;
  bool Phase;

  static MBarrier unpack(uint64_t Bits) {
    constexpr uint64_t Mask = (uint64_t(1) << CountBits) - 1;
    return {Bits & Mask, Bits >> CountBits & Mask,
            llvm::SignExtend64<TxBits>(Bits >> 2 * CountBits), Bits >> 63 != 0};
  }
  uint64_t pack() const {
    constexpr uint64_t Mask = (uint64_t(1) << CountBits) - 1;
    return (Pending & Mask) | (Expected & Mask) << CountBits |
           (uint64_t(Tx) & ((uint64_t(1) << TxBits) - 1)) << 2 * CountBits |
           uint64_t(Phase) << 63;
  }
  /// True if the phase ended.
  bool advance() {
    if (Pending != 0 || Tx != 0)
      return false;
    Phase = !Phase;
    Pending = Expected;
    return true;
  }
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_MBARRIER_H
