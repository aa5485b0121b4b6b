//===- WangChuModel.cpp - The model wang-chu ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CountBounds.h"
#include "ptxpredict/Model/WangChu.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

namespace {

/// The equations' inputs and results at one point, and what they amount to.
struct WangChuEvaluation {
  WangChuInputs Inputs;
  WangChuResult Result;
  PointPrediction Answer;
};

class PreparedWangChu final : public PreparedModel {
public:
  PreparedWangChu(KernelOnDevice Place, const ModelOptions &Options)
      : PreparedModel(WangChuName, std::move(Place), Options),
        Value(On, Options), Low(On, Options, &Estimate::Low),
        High(On, Options, &Estimate::High),
        Status(weakest(statusOfCounts(On.Kernel),
                       On.Kernel.Resources.Registers.Status)) {}

  std::optional<PointPrediction> at(const DevicePoint &P) const override {
    if (!isPossible(P) || !Value.Missing.empty())
      return std::nullopt;
    return evaluate(P).Answer;
  }

protected:
  Applicability reservations(const DevicePoint &P) const override;
  void answer(const DevicePoint &P, Prediction &Result) const override;

private:
  WangChuSetup Value, Low, High; ///< one for each number of the counts
  ptxpredict::Status Status;     ///< of the results

  WangChuEvaluation evaluate(const DevicePoint &P) const;
  TimeLimiter limiterOf(const WangChuInputs &In, const WangChuResult &R) const;
};

class WangChuModel final : public Model {
public:
  StringRef name() const override { return WangChuName; }
  ArrayRef<StringRef> termNames() const override {
    static constexpr StringRef Names[] = {
#define WANGCHU_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define WANGCHU_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#include "ptxpredict/Model/WangChuTerms.def"
    };
    return Names;
  }
  std::unique_ptr<PreparedModel>
  prepare(KernelOnDevice On, const ModelOptions &Options) const override {
    return std::make_unique<PreparedWangChu>(std::move(On), Options);
  }
};

} // namespace

TimeLimiter PreparedWangChu::limiterOf(const WangChuInputs &In,
                                       const WangChuResult &R) const {
  switch (int(R.Case)) {
  case 11:
  case 17: { // what serves the transactions longer
    const double DRAM = R.AglDel - In.L2Del * In.L2HitRate;
    return DRAM >= R.AglDel / 2 ? TimeLimiter::MemoryBandwidth
                                : TimeLimiter::L2Bandwidth;
  }
  case 13:
  case 15: // more warps would hide the latency
    if (In.ActiveWarps < On.Occ.WarpsPerSM)
      return TimeLimiter::Launch;
    return On.Occ.Fraction < 1 ? TimeLimiter::Occupancy
                               : TimeLimiter::MemoryLatency;
  default: {
    const double Shared = In.SharedWavefronts;
    return !Value.Equations.HasPhases && Shared > In.InstCycle * In.CompInst
               ? TimeLimiter::SharedMemory
               : TimeLimiter::Compute;
  }
  }
}

WangChuEvaluation PreparedWangChu::evaluate(const DevicePoint &P) const {
  WangChuEvaluation E;
  E.Inputs = Value.inputs(P);
  E.Result = evaluateWangChu(E.Inputs, Value.Equations);
  auto EndOf = [&](const WangChuSetup &Bound) {
    return evaluateWangChu(Bound.inputs(P), Value.Equations).TExec;
  };
  E.Answer.Cycles = withinEnds(E.Result.TExec, Status, EndOf(Low), EndOf(High));
  E.Answer.TimeUs = E.Answer.Cycles.scaled(1 / P.CoreMHz);
  E.Answer.Limiter = limiterOf(E.Inputs, E.Result);
  return E;
}

Applicability PreparedWangChu::reservations(const DevicePoint &P) const {
  if (!Value.Missing.empty())
    return {false, {"the device's file lacks " + Value.Missing}};
  Applicability A;
  if (!Value.Derived.empty())
    A.Notes.push_back("parameters derived from the device's latencies, "
                      "bandwidths and pipes: " +
                      llvm::join(Value.Derived, ", "));
  noteLaunch(P, "count as one instruction each", A);
  return A;
}

void PreparedWangChu::answer(const DevicePoint &P, Prediction &Result) const {
  const WangChuEvaluation E = evaluate(P);
  Result.Cycles = E.Answer.Cycles;
  Result.TimeUs = E.Answer.TimeUs;
  Result.Limiter = E.Answer.Limiter;
#define WANGCHU_INPUT(MEMBER, NAME, UNIT, MEANING)                             \
  Result.Terms.push_back({NAME, E.Inputs.MEMBER});
#define WANGCHU_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                  \
  Result.Terms.push_back({NAME, E.Result.MEMBER});
#include "ptxpredict/Model/WangChuTerms.def"
}

const Model &ptxpredict::wangChuModel() {
  static const WangChuModel Instance;
  return Instance;
}
