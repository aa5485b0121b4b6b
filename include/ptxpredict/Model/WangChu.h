//===- WangChu.h - The equations of Wang & Chu's two-clock model -*- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Q. Wang and X. Chu, "GPGPU performance estimation with core and memory
// frequency scaling" (arXiv 1701.05308). Numbers in
// parentheses are the paper's equations; docs/models/WangChu.md has them all,
// with the errata followed.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_WANGCHU_H
#define PTXPREDICT_MODEL_WANGCHU_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model's name: of --model, of device files and in reports.
constexpr StringRef WangChuName = "wang-chu";

/// What the equations take. Units and meanings: WangChuTerms.def.
struct WangChuInputs {
#define WANGCHU_INPUT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/WangChuTerms.def"
};

/// What they give.
struct WangChuResult {
#define WANGCHU_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/WangChuTerms.def"
};

/// Where the paper can be read in two ways.
struct WangChuOptions {
  /// (5a) scales the latency at equal clocks by the ratio of the clocks, as is
  /// printed. Otherwise it takes that of (4), which has the ratio in it (W02).
  bool LiteralLatency = false;
  /// The conditions (10b) and (12b) and the warps in (11) are as printed.
  /// Otherwise the conditions are exchanged (W03), and (11) has all warps that
  /// run at once, as (3) and (17) do (W04).
  bool PrintedConditions = false;
  /// Kernels with shared memory follow (16) to (21). Otherwise its wavefronts
  /// take time of the SM, a cycle each, and what is issued takes its own: the
  /// root of the sum of their squares, as they overlap in part.
  bool HasPhases = false;
};

/// Evaluates the equations. Without a period, T_active is that of the
/// computation alone.
WangChuResult evaluateWangChu(const WangChuInputs &In,
                              const WangChuOptions &Options = {});

/// The inputs of a kernel on a device as far as they depend on neither clocks
/// nor SMs, and the rest of them for each point.
class WangChuSetup {
public:
  /// Takes \p Which of every count. As published, each transaction is a period;
  /// otherwise those of the requests that a warp waits for together are one.
  WangChuSetup(const KernelOnDevice &On, const ModelOptions &Options,
               double Estimate::*Which = &Estimate::Value);

  WangChuInputs inputs(const DevicePoint &P) const;

  WangChuOptions Equations;
  /// Published names of the parameters that the device's file does not give and
  /// that are derived from its latencies, bandwidths and pipes.
  SmallVector<StringRef, 4> Derived;
  /// What the device's file lacks; empty if the model can answer.
  std::string Missing;
  /// Of a warp, what L2 is asked for: requests, and transactions of 32 B.
  double Requests = 0, Transactions = 0;

private:
  WangChuInputs Fixed;                    ///< without what the point decides
  double ResidentBlocks = 0;              ///< of an SM, if there are enough
  double Bandwidth = 0, BandwidthMHz = 0; ///< GB/s, and at which memory clock
};

/// The model as the registry holds it.
const Model &wangChuModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_WANGCHU_H
