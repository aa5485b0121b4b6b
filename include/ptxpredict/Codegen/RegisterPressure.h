//===- RegisterPressure.h - Registers that are live at once -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_REGISTERPRESSURE_H
#define PTXPREDICT_CODEGEN_REGISTERPRESSURE_H

#include "ptxpredict/Codegen/BlockPressure.h"

namespace ptxpredict {

/// 32-bit registers of a thread that are live at once, before an assembler's
/// own overhead. What it makes of them depends on the device: it hoists loads
/// where registers are free and packs where they are not
/// (docs/internals/Registers.md).
struct RegisterPressure {
  /// In the order of the code, copies, constants and what addresses fold left
  /// out; temporaries of expanded instructions included.
  unsigned Packed = 0;
  /// With each block in an order that frees registers early, where that needs
  /// fewer. Beyond what leaves any SM full of threads; never more than Packed.
  unsigned Scheduled = 0;
  /// With loads moved up within their blocks and short counted loops unrolled.
  /// Never less than Packed.
  unsigned Hoisted = 0;
};

/// The pressure of one function alone. Time is linear in the code and the
/// blocks that its values live through, but for a heap of operations in blocks
/// that need many registers.
RegisterPressure registerPressure(const MachineCode &Code, const LiveOut &Out);

/// The same as an analysis that is kept with the body, whatever the launch.
struct KeptPressure : RegisterPressure {
  explicit KeptPressure(const InstructionGraph &G)
      : RegisterPressure(registerPressure(G.analysis<MachineCode>(),
                                          G.analysis<LiveOut>())) {}
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_REGISTERPRESSURE_H
