//===- ThroughputAdvisor.h - Cores, warps and clocks that do ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_THROUGHPUTADVISOR_H
#define PTXPREDICT_MODEL_THROUGHPUTADVISOR_H

namespace ptxpredict {

/// What the advice is made of: terms of the throughput model by their names.
struct ThroughputDemand {
  double MWPApp = 1;   ///< requests that a core's warps want in flight
  double MWPBW = 1;    ///< those that the bandwidth serves
  double InfiN = 1;    ///< MWP_App_InfiN, warps that hide the latency
  double N = 1;        ///< warps of a core
  double MSTR = 1;     ///< requests of a warp in flight together
  double ActiveSM = 1; ///< cores that MWP_BW is shared among
};

/// Settings of a device and a launch with which demand and supply of bandwidth
/// meet (S. Hong, PhD thesis, 2012, 5.5). Each is one way by itself.
struct ThroughputAdvice {
  /// (83)-(85): how much more bandwidth would meet the demand; at least 1.
  double Alpha = 1;
  /// (86)-(88): the factor on the bytes that a request moves; at most 1.
  double BytesFactor = 1;
  /// (86)-(88): active cores that use up the bandwidth, rounded up: more of
  /// them gain nothing. ActiveSM if the demand is met.
  double Cores = 1;
  /// (89)-(92): warps of a core whose demand is met, rounded down; at least 1.
  /// N if it is met already.
  double N = 1;
  /// (93): the factor by which the core clock may drop while the memory's
  /// stays, until latency is no longer what is waited for. 1 with enough warps,
  /// or with one.
  double CoreReduction = 1;
};

ThroughputAdvice adviseThroughput(const ThroughputDemand &D);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_THROUGHPUTADVISOR_H
