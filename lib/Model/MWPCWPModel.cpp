//===- MWPCWPModel.cpp - The model mwp-cwp --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MWPCWP.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace ptxpredict;

/// Shared memory limits a compute case when its passes take most issue time.
static constexpr double MostOfTheTime = 0.5;

static Status statusOf(const KernelCharacteristics &K) {
  // A prediction is an estimate at best; a default of the launch or of a loop
  // makes it an assumption.
  Status S = K.Assumptions.empty() ? Status::Estimated : Status::Assumed;
  S = weakest(S, K.Instructions.How);
  S = weakest(S, K.BlockBarriers.How);
  S = weakest(S, K.Resources.Registers.How);
  for (const MemoryCharacteristics &M : K.Memory) {
    S = weakest(S, M.Requests.How);
    if (M.Sectors)
      S = weakest(S, M.Sectors->How);
    if (M.Wavefronts)
      S = weakest(S, M.Wavefronts->How);
  }
  return S;
}

static StringRef limiterOf(const ModelInput &In, const MWPCWPDerivation &D,
                           const MWPCWPResult &R) {
  switch (int(R.Case)) {
  case 1: // every warp waits at once: more of them would help
    if (D.Inputs.ActiveBlocksPerSM < In.Occ.BlocksPerSM)
      return "launch";
    return In.Occ.Fraction < 1 ? "occupancy" : "memory-latency";
  case 2:
    // Uncoalesced transactions leave at the pace of the memory's bandwidth,
    // unless the device's file gives the published delay.
    if (R.MWPPeakBW <= R.MWPWithoutBWFull ||
        (D.UncoalescedFraction > MostOfTheTime &&
         llvm::is_contained(D.Derived, "Departure_del_uncoal")))
      return "memory-bandwidth";
    return "memory-latency";
  default:
    return D.SharedFraction > MostOfTheTime ? "shared-memory" : "compute";
  }
}

namespace {

class MWPCWPModel final : public Model {
public:
  StringRef name() const override { return MWPCWPName; }
  Applicability check(const ModelInput &In) const override;
  Prediction predict(const ModelInput &In) const override;
};

} // namespace

Applicability MWPCWPModel::check(const ModelInput &In) const {
  Applicability A;
  if (In.Occ.BlocksPerSM == 0) {
    A.Ok = false;
    A.Notes.push_back(In.Occ.Why.empty() ? "a block does not fit on an SM"
                                         : In.Occ.Why);
    return A;
  }
  const KernelCharacteristics &K = In.Kernel;
  MWPCWPDerivation D = deriveMWPCWPInputs(In);
  if (!D.Derived.empty())
    A.Notes.push_back("parameters derived from the device's latency, bandwidth "
                      "and pipes: " +
                      llvm::join(D.Derived, ", "));
  if (K.Launch.blocks() < In.ActiveSMs)
    A.Notes.push_back(
        "the launch is small: " + std::to_string(K.Launch.blocks()) + " of " +
        std::to_string(In.ActiveSMs) + " SMs get a block");
  if (!K.UnknownOpcodes.empty())
    A.Notes.push_back(
        "instructions of unknown opcode count as compute: " +
        std::to_string(K.TotalInstructions - K.ModelledInstructions));
  if (!In.Options.Published) {
    if (K.byClass(OpClass::Tensor).Value > 0)
      A.Notes.emplace_back("tensor instructions are priced as one fp32 "
                           "instruction each");
    for (const MemoryCharacteristics &M : K.Memory)
      if (M.Access == AccessKind::Async && M.BytesPerLane == 0) {
        A.Notes.emplace_back("bulk copies count as compute");
        break;
      }
  }
  return A;
}

Prediction MWPCWPModel::predict(const ModelInput &In) const {
  Prediction P;
  P.Device = In.Dev.Name;
  P.Model = name().str();
  P.CoreMHz = In.CoreMHz;
  P.MemMHz = In.MemMHz;
  P.Occ = In.Occ;
  P.Applies = check(In);
  if (!P.Applies.Ok)
    return P;

  MWPCWPOptions Options;
  Options.Case = In.Options.Case;
  MWPCWPDerivation D = deriveMWPCWPInputs(In);
  MWPCWPResult R = evaluateMWPCWP(D.Inputs, Options);
  // The time grows with every count except across the edge of two cases, so
  // that the ends are the bounds unless one of the three lies beyond.
  double Cycles = R.ExecCyclesWithSynch, Low = Cycles, High = Cycles;
  for (CountMember Which : {&Count::Low, &Count::High}) {
    double End = evaluateMWPCWP(deriveMWPCWPInputs(In, Which).Inputs, Options)
                     .ExecCyclesWithSynch;
    // Counts without a bound meet in quotients.
    if (std::isnan(End))
      End = std::numeric_limits<double>::infinity();
    Low = std::min(Low, End);
    High = std::max(High, End);
  }
  P.Cycles = Count(Cycles, statusOf(In.Kernel), Low, High);
  P.TimeUs = P.Cycles->scaled(1 / In.CoreMHz);
  P.Limiter = limiterOf(In, D, R).str();
  if (In.Kernel.Instructions.Value > 0 &&
      R.CPI <
          D.Inputs.IssueCycles * std::min(D.Inputs.MFactor, 1.0) * (1 - 1e-9))
    P.Applies.Notes.push_back(
        "CPI " + shortestDecimal(R.CPI) + " is below Issue_cycles " +
        shortestDecimal(D.Inputs.IssueCycles) + ": the model's case " +
        std::to_string(int(R.Case)) +
        " leaves its own bound here and the time is too short");

#define MWPCWP_INPUT(MEMBER, NAME, UNIT, MEANING)                              \
  P.Terms.push_back({NAME, D.Inputs.MEMBER});
#define MWPCWP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                   \
  P.Terms.push_back({NAME, R.MEMBER});
#include "ptxpredict/Model/MWPCWPTerms.def"
  return P;
}

const Model &ptxpredict::mwpcwpModel() {
  static const MWPCWPModel Instance;
  return Instance;
}
