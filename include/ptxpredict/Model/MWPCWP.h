//===- MWPCWP.h - The equations of MWP-CWP ----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, "Modeling performance and power for energy-efficient GPGPU
// computing", PhD thesis, Georgia Tech, 2012, chapter 2 (first published by
// S. Hong and H. Kim at ISCA 2009). Numbers in parentheses are the thesis's
// equations; docs/models/MWP-CWP.md has them all, with the errata followed.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_MWPCWP_H
#define PTXPREDICT_MODEL_MWPCWP_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model's name: of --model, of device files and in reports.
constexpr StringRef MWPCWPName = "mwp-cwp";

/// What the equations take. Units and meanings: MWPCWPTerms.def.
struct MWPCWPInputs {
#define MWPCWP_INPUT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/MWPCWPTerms.def"
};

/// What they give.
struct MWPCWPResult {
#define MWPCWP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/MWPCWPTerms.def"
};

/// Where the sources differ.
struct MWPCWPOptions {
  MWPCase Case = MWPCase::Physical;
  /// Mem_L_Coal is Mem_LD alone, as in the ISCA 2009 paper, without the
  /// departure delay that (13) of the thesis adds.
  bool LatencyOfISCA09 = false;
  /// (18) counts memory instructions, too. The CWP of table 4 of the ISCA 2010
  /// paper are without them.
  bool CompIncludesMem = true;
  /// (20) is rounded up: a round of blocks that is not full takes as long.
  bool WholeRounds = false;
  /// MWP is rounded to hundredths, as in the worked example of the ISCA 2009
  /// paper.
  bool MWPInHundredths = false;
};

/// N: resident warps of an SM.
double residentWarps(double ActiveBlocksPerSM, double ThreadsPerBlock);

/// (28): warps' worth of requests that \p N warps have in flight if
/// \p IndMemReq of a warp's \p MemReq requests wait for no earlier one. The
/// printed numerator, #Ind_mem_req, gives 0 for dependent code and must be
/// #Mem_req: one group of requests starts for each dependent one.
double parallelWarps(double N, double MemReq, double IndMemReq);

/// Evaluates the equations. NPw must be N at least; with NPw == N, (29) is (5).
MWPCWPResult evaluateMWPCWP(const MWPCWPInputs &In,
                            const MWPCWPOptions &Options = {});

/// Which of an estimate's numbers is taken: Value, Low or High.
using EstimateMember = double Estimate::*;

/// The inputs of a kernel on a device as far as they depend on neither clocks
/// nor SMs, and the rest of them for each point.
class MWPCWPSetup {
public:
  /// Takes \p Which of every count.
  MWPCWPSetup(const KernelOnDevice &On, const ModelOptions &Options,
              EstimateMember Which = &Estimate::Value);

  MWPCWPInputs inputs(const DevicePoint &P) const;

  /// Published names of the parameters that the device's file does not give and
  /// that are derived from its latency, bandwidth and pipes.
  SmallVector<StringRef, 4> Derived;
  /// Of the issue cycles, the part that shared-memory accesses take.
  double SharedFraction = 0;
  /// Of Departure_delay, the part of uncoalesced transactions.
  double uncoalescedFraction(const MWPCWPInputs &In) const;

private:
  MWPCWPInputs Fixed;    ///< without what the point decides
  double ResidentBlocks; ///< of an SM, if there are enough
  // Cycles at the boost clock: of the round trip, and of it the way to L2.
  double Latency, CyclesToL2, BoostMHz;
  double Bandwidth, BandwidthMHz; ///< GB/s, and at which memory clock
  double NumSMs;
  std::optional<double> PathBytes; ///< a core cycle, between an SM and L2
  // Cycles, where the device's file gives them.
  std::optional<double> DepartureDelCoal, DepartureDelUncoal;
  /// Loads that a warp has in flight when it waits: (28) is this many times N.
  double RequestsAtOnce;
  double BytesPerCoalesced; ///< that a coalesced request moves
  double CoalescedRequests, UncoalescedTransactions; ///< per warp
};

/// The model as the registry holds it.
const Model &mwpcwpModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_MWPCWP_H
