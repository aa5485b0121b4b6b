//===- SchedClass.h - Names of latencies, and tables of them ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An analysis says what is waited for; how long that takes, a device says.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_SCHEDCLASS_H
#define PTXPREDICT_CODEGEN_SCHEDCLASS_H

#include "ptxpredict/Graph/Instruction.h"
#include <array>
#include <optional>

namespace ptxpredict {

enum class SchedClass : uint8_t {
#define SCHED_CLASS(NAME, TEXT, MEANING) NAME,
#include "ptxpredict/Codegen/SchedClasses.def"
};
constexpr unsigned NumSchedClasses = unsigned(SchedClass::Other) + 1;

/// The name of SchedClasses.def.
StringRef toString(SchedClass L);
std::optional<SchedClass> parseSchedClass(StringRef Name);

/// Cycles of one kind or another: of a device, or of nothing in particular.
struct LatencyTable {
  /// Until the warp may issue its next instruction, in cycles.
  double Issue = 1;
  /// By SchedClass, in cycles.
  std::array<double, NumSchedClasses> Cycles{};

  double of(SchedClass L) const { return Cycles[unsigned(L)]; }
  double &of(SchedClass L) { return Cycles[unsigned(L)]; }

  /// One cycle for everything.
  static LatencyTable unit() {
    LatencyTable T;
    T.Cycles.fill(1);
    return T;
  }
};

/// How long \p I takes to bring what it writes; for branches, barriers, fences,
/// calls and exits how long the next instruction waits. Branches count as
/// taken.
SchedClass schedClassOf(const Instruction &I);

/// Loads, atomics that return something, textures and asynchronous copies of
/// memory outside of the SM.
bool isLongLoad(const Instruction &I);
/// The same of shared memory; no copies.
bool isSharedLoad(const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_SCHEDCLASS_H
