//===- MWPCWPModel.cpp - The model mwp-cwp --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CountBounds.h"
#include "MWPCWPIssue.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace ptxpredict;

static Status statusOfMWPCWP(const KernelCharacteristics &K) {
  return weakest(statusOfCounts(K),
                 weakest(K.BlockBarriers.Status, K.Resources.Registers.Status));
}

namespace {

/// The equations' inputs and results at one point, and what they amount to.
struct MWPCWPEvaluation {
  MWPCWPInputs Inputs;
  MWPCWPResult Result;
  PointPrediction Answer;
};

class PreparedMWPCWP final : public PreparedModel {
public:
  PreparedMWPCWP(KernelOnDevice Place, const ModelOptions &Options)
      : PreparedModel(MWPCWPName, std::move(Place), Options),
        Value(On, Options), Low(On, Options, &Estimate::Low),
        High(On, Options, &Estimate::High), Status(statusOfMWPCWP(On.Kernel)) {
    Equations.Case = Options.Case;
    UncoalescedAtMemorysPace =
        llvm::is_contained(Value.Derived, "Departure_del_uncoal");
  }

  std::optional<PointPrediction> at(const DevicePoint &P) const override {
    if (!isPossible(P))
      return std::nullopt;
    return evaluate(P).Answer;
  }

protected:
  Applicability reservations(const DevicePoint &P) const override;
  void answer(const DevicePoint &P, Prediction &Result) const override;

private:
  MWPCWPSetup Value, Low, High; ///< one for each number of the counts
  ptxpredict::Status Status;    ///< of the results
  MWPCWPOptions Equations;
  bool UncoalescedAtMemorysPace;

  MWPCWPEvaluation evaluate(const DevicePoint &P) const;
  TimeLimiter limiterOf(const MWPCWPInputs &In, const MWPCWPResult &R) const;
};

class MWPCWPModel final : public Model {
public:
  StringRef name() const override { return MWPCWPName; }
  ArrayRef<StringRef> termNames() const override {
    static constexpr StringRef Names[] = {
#define MWPCWP_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define MWPCWP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#include "ptxpredict/Model/MWPCWPTerms.def"
    };
    return Names;
  }
  std::unique_ptr<PreparedModel>
  prepare(KernelOnDevice On, const ModelOptions &Options) const override {
    return std::make_unique<PreparedMWPCWP>(std::move(On), Options);
  }
};

} // namespace

TimeLimiter PreparedMWPCWP::limiterOf(const MWPCWPInputs &In,
                                      const MWPCWPResult &R) const {
  switch (int(R.Case)) {
  case 1: // every warp waits at once: more of them would help
    if (In.ActiveBlocksPerSM < On.Occ.BlocksPerSM)
      return TimeLimiter::Launch;
    return On.Occ.Fraction < 1 ? TimeLimiter::Occupancy
                               : TimeLimiter::MemoryLatency;
  case 2:
    // Uncoalesced transactions leave at the pace of the memory's bandwidth,
    // unless the device's file gives the published delay.
    if (R.MWPPeakBW <= R.MWPWithoutBWFull ||
        (UncoalescedAtMemorysPace &&
         Value.uncoalescedFraction(In) > MostOfTheTime))
      return TimeLimiter::MemoryBandwidth;
    return TimeLimiter::MemoryLatency;
  default:
    return Value.SharedFraction > MostOfTheTime ? TimeLimiter::SharedMemory
                                                : TimeLimiter::Compute;
  }
}

MWPCWPEvaluation PreparedMWPCWP::evaluate(const DevicePoint &P) const {
  MWPCWPEvaluation E;
  E.Inputs = Value.inputs(P);
  E.Result = evaluateMWPCWP(E.Inputs, Equations);
  auto EndOf = [&](const MWPCWPSetup &Bound) {
    return evaluateMWPCWP(Bound.inputs(P), Equations).ExecCyclesWithSynch;
  };
  E.Answer.Cycles =
      withinEnds(E.Result.ExecCyclesWithSynch, Status, EndOf(Low), EndOf(High));
  E.Answer.TimeUs = E.Answer.Cycles.scaled(1 / P.CoreMHz);
  E.Answer.Limiter = limiterOf(E.Inputs, E.Result);
  return E;
}

Applicability PreparedMWPCWP::reservations(const DevicePoint &P) const {
  Applicability A;
  const KernelCharacteristics &K = On.Kernel;
  if (!Value.Derived.empty())
    A.Notes.push_back("parameters derived from the device's latency, bandwidth "
                      "and pipes: " +
                      llvm::join(Value.Derived, ", "));
  noteLaunch(P, "count as compute", A);
  if (!Options.Published) {
    if (K.byClass(OpClass::Tensor).Value > 0)
      A.Notes.emplace_back("tensor instructions are priced as one fp32 "
                           "instruction each");
    if (std::vector<StringRef> Names = unpricedSequences(On); !Names.empty())
      A.Notes.push_back("sequences of instructions are priced as one each: " +
                        llvm::join(Names, ", "));
    for (const MemoryCharacteristics &M : K.Memory)
      if (M.Access == AccessKind::Async && M.BytesPerLane == 0) {
        A.Notes.emplace_back("bulk copies count as compute");
        break;
      }
  }
  return A;
}

void PreparedMWPCWP::answer(const DevicePoint &P, Prediction &Result) const {
  MWPCWPEvaluation E = evaluate(P);
  const MWPCWPInputs &In = E.Inputs;
  const MWPCWPResult &R = E.Result;
  Result.Cycles = E.Answer.Cycles;
  Result.TimeUs = E.Answer.TimeUs;
  Result.Limiter = E.Answer.Limiter;
  if (On.Kernel.Instructions.Value > 0 &&
      R.CPI < In.IssueCycles * std::min(In.MFactor, 1.0) * (1 - 1e-9))
    Result.Applies.Notes.push_back(
        "CPI " + shortestDecimal(R.CPI) + " is below Issue_cycles " +
        shortestDecimal(In.IssueCycles) + ": the model's case " +
        std::to_string(int(R.Case)) +
        " leaves its own bound here and the time is too short");

#define MWPCWP_INPUT(MEMBER, NAME, UNIT, MEANING)                              \
  Result.Terms.push_back({NAME, In.MEMBER});
#define MWPCWP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                   \
  Result.Terms.push_back({NAME, R.MEMBER});
#include "ptxpredict/Model/MWPCWPTerms.def"
}

const Model &ptxpredict::mwpcwpModel() {
  static const MWPCWPModel Instance;
  return Instance;
}
