//===- Latency.h - Names of latencies, and tables of them -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An analysis says what is waited for; how long that takes, a device says.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_LATENCY_H
#define PTXPREDICT_ANALYSIS_LATENCY_H

#include "ptxpredict/Graph/Instruction.h"
#include <array>
#include <optional>

namespace ptxpredict {

enum class Latency : uint8_t {
#define LATENCY(NAME, TEXT, MEANING) NAME,
#include "ptxpredict/Analysis/Latencies.def"
};
constexpr unsigned NumLatencies = unsigned(Latency::Other) + 1;

/// The name of Latencies.def.
StringRef toString(Latency L);
std::optional<Latency> parseLatency(StringRef Name);

/// Cycles of one kind or another: of a device, or of nothing in particular.
struct LatencyTable {
  /// Until the warp may issue its next instruction, in cycles.
  double Issue = 1;
  /// By Latency, in cycles.
  std::array<double, NumLatencies> Cycles{};

  double of(Latency L) const { return Cycles[unsigned(L)]; }
  double &of(Latency L) { return Cycles[unsigned(L)]; }

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
Latency latencyOf(const Instruction &I);

/// Loads, atomics that return something, textures and asynchronous copies of
/// memory outside of the SM.
bool isLongLoad(const Instruction &I);
/// The same of shared memory; no copies.
bool isSharedLoad(const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_LATENCY_H
