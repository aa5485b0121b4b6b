//===- Throughput.h - The equations of the throughput model -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, "Modeling performance and power for energy-efficient GPGPU
// computing", PhD thesis, Georgia Tech, 2012, 5.3 and 5.4. Numbers in
// parentheses are the thesis's equations; docs/models/Throughput.md has them
// all, with the errata followed.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_THROUGHPUT_H
#define PTXPREDICT_MODEL_THROUGHPUT_H

#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict {

/// The model's name: of --model, of device files and in reports.
constexpr StringRef ThroughputName = "throughput";

/// What the equations take. Units and meanings: ThroughputTerms.def.
struct ThroughputInputs {
#define THROUGHPUT_INPUT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/ThroughputTerms.def"
};

/// What they give.
struct ThroughputResult {
#define THROUGHPUT_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)               \
  double MEMBER = 0;
#include "ptxpredict/Model/ThroughputTerms.def"
};

/// Where the text leaves a choice. The defaults are the equations as printed.
struct ThroughputOptions {
  /// (82) leaves a latency exposed in each period even where the text says that
  /// warps hide it. Clamp: nothing is exposed in category 10.
  enum class IdleMode { Literal, Clamp };
  /// (71) caps MWP by N warps, although MWP counts requests, of which each warp
  /// has MSTR; and (78) has one request of a warp in a period. Requests: the
  /// cap is N * MSTR, and all requests of a period are counted.
  enum class CountMode { Warps, Requests };
  /// (70) knows no other warp that issues meanwhile. OtherWarps: the latency is
  /// shared among N of them.
  enum class DependenceMode { OneWarp, OtherWarps };

  IdleMode Idle = IdleMode::Literal;
  CountMode Count = CountMode::Warps;
  DependenceMode Dependence = DependenceMode::OneWarp;
  /// A CPU without fused multiply-adds takes two instructions for one.
  bool SplitFused = false;
};

/// Evaluates the equations. Without floating-point instructions peak and
/// performance are 0; without accesses to memory a warp has one period and
/// never waits.
ThroughputResult evaluateThroughput(const ThroughputInputs &In,
                                    const ThroughputOptions &Options = {});

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_THROUGHPUT_H
