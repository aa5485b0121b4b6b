//===- ThroughputModel.cpp - The model throughput -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ThroughputModel.h"
#include "CountBounds.h"
#include "MWPCWPIssue.h"
#include "ptxpredict/Model/ThroughputAdvisor.h"
#include "ptxpredict/Model/ThroughputCategories.h"
#include "ptxpredict/Model/ThroughputSetup.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;

/// What "mostly DRAM" means: nine of ten, the rest in L2. The thesis takes it
/// from profiles that it does not print.
static constexpr CacheMix MostlyDRAM = {0, 0.1};

static Status statusOfThroughput(const KernelCharacteristics &K) {
  return weakest(statusOfCounts(K), weakest(K.Dependence.MSTR.Status,
                                            K.Resources.Registers.Status));
}

namespace {

/// Other mixes of cache levels, and advice.
struct ThroughputLevels {
#define THROUGHPUT_LEVEL(MEMBER, NAME, UNIT, EQUATION, MEANING)                \
  double MEMBER = 0;
#include "ptxpredict/Model/ThroughputTerms.def"
};

/// The equations' inputs and results at one point, and what they amount to.
struct ThroughputEvaluation {
  ThroughputInputs Inputs;
  ThroughputResult Result;
  PointPrediction Answer;
};

class PreparedThroughput final : public PreparedModel {
public:
  PreparedThroughput(KernelOnDevice Place, const ModelOptions &Options)
      : PreparedModel(ThroughputName, std::move(Place), Options),
        Value(On, Options), Low(On, Options, &Estimate::Low),
        High(On, Options, &Estimate::High),
        Status(statusOfThroughput(On.Kernel)) {}

  std::optional<PointPrediction> at(const DevicePoint &P) const override {
    if (!isPossible(P) || !Value.Missing.empty())
      return std::nullopt;
    return evaluate(P).Answer;
  }

protected:
  bool servesCPUs() const override { return true; }
  Applicability reservations(const DevicePoint &P) const override;
  void answer(const DevicePoint &P, Prediction &Result) const override;

private:
  ThroughputSetup Value, Low, High; ///< one for each number of the counts
  ptxpredict::Status Status;        ///< of the results

  ThroughputEvaluation evaluate(const DevicePoint &P) const;
  ThroughputLevels levelsOf(const DevicePoint &P,
                            const ThroughputEvaluation &E) const;
  TimeLimiter limiterOf(const ThroughputInputs &In,
                        const ThroughputResult &R) const;
};

class ThroughputModel final : public Model {
public:
  StringRef name() const override { return ThroughputName; }
  ArrayRef<StringRef> termNames() const override {
    static constexpr StringRef Names[] = {
#define THROUGHPUT_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define THROUGHPUT_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#define THROUGHPUT_LEVEL(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#include "ptxpredict/Model/ThroughputTerms.def"
    };
    return Names;
  }
  std::unique_ptr<PreparedModel>
  prepare(KernelOnDevice On, const ModelOptions &Options) const override {
    return std::make_unique<PreparedThroughput>(std::move(On), Options);
  }
};

} // namespace

TimeLimiter PreparedThroughput::limiterOf(const ThroughputInputs &In,
                                          const ThroughputResult &R) const {
  // Where nothing is waited for, memory limits nothing, whatever the category.
  if (R.IdleMemCycles <= 0 || R.Category == 10)
    return Value.SharedFraction > MostOfTheTime ? TimeLimiter::SharedMemory
                                                : TimeLimiter::Compute;
  switch (int(R.Category)) {
  case 5: // more warps would help
    if (On.Dev.IsCPU)
      return TimeLimiter::MemoryLatency;
    if (In.N < On.Occ.WarpsPerSM)
      return TimeLimiter::Launch;
    return On.Occ.Fraction < 1 ? TimeLimiter::Occupancy
                               : TimeLimiter::MemoryLatency;
  case 2:
  case 7:
    return TimeLimiter::MemoryLatency;
  case 1:
  case 6:
    return R.MWPBW <= R.MWPProc ? TimeLimiter::MemoryBandwidth
                                : TimeLimiter::MemoryLatency;
  default:
    return TimeLimiter::MemoryBandwidth;
  }
}

ThroughputEvaluation PreparedThroughput::evaluate(const DevicePoint &P) const {
  ThroughputEvaluation E;
  E.Inputs = Value.inputs(P);
  E.Result = evaluateThroughput(E.Inputs, Value.Equations);
  auto EndOf = [&](const ThroughputSetup &Bound) {
    return evaluateThroughput(Bound.inputs(P), Bound.Equations).ExecCycles;
  };
  E.Answer.Cycles =
      withinEnds(E.Result.ExecCycles, Status, EndOf(Low), EndOf(High));
  E.Answer.TimeUs = E.Answer.Cycles.scaled(1 / P.CoreMHz);
  E.Answer.Limiter = limiterOf(E.Inputs, E.Result);
  return E;
}

static ThroughputAdvice adviceOn(const ThroughputInputs &In,
                                 const ThroughputResult &R) {
  return adviseThroughput(
      {R.MWPApp, R.MWPBW, R.MWPAppInfiN, In.N, In.MSTR, In.ActiveSM});
}

ThroughputLevels
PreparedThroughput::levelsOf(const DevicePoint &P,
                             const ThroughputEvaluation &E) const {
  ThroughputLevels L;
  L.ShareL1 = Value.Mix.L1;
  L.ShareL2 = Value.Mix.L2;
  L.PerfL1 = E.Result.PerfCompOnly;
  L.CyclesL1 = E.Inputs.Rep * E.Result.MemPeriods * E.Result.CompcyclesN;
  ThroughputInputs In = Value.inputs(P, MostlyDRAM);
  ThroughputResult R = evaluateThroughput(In, Value.Equations);
  L.PerfMostlyDRAM = R.Perf;
  L.CyclesMostlyDRAM = R.ExecCycles;
  L.CategoryMostlyDRAM = R.Category;
  L.AdviceCoresMostlyDRAM = adviceOn(In, R).Cores;
  In = Value.inputs(P, CacheMix());
  R = evaluateThroughput(In, Value.Equations);
  L.PerfAllDRAM = R.Perf;
  L.CyclesAllDRAM = R.ExecCycles;
  L.CategoryAllDRAM = R.Category;
  L.AdviceCoresAllDRAM = adviceOn(In, R).Cores;
  ThroughputAdvice A = adviceOn(E.Inputs, E.Result);
  L.AdviceAlpha = A.Alpha;
  L.AdviceBytes = A.BytesFactor;
  L.AdviceCores = A.Cores;
  L.AdviceN = A.N;
  L.CoreReduction = A.CoreReduction;
  return L;
}

Applicability PreparedThroughput::reservations(const DevicePoint &P) const {
  Applicability A;
  const KernelCharacteristics &K = On.Kernel;
  if (!Value.Missing.empty())
    return {false, {"the device's file lacks " + Value.Missing}};
  if (!Value.Derived.empty())
    A.Notes.push_back("parameters derived from the device's latency, bandwidth "
                      "and pipes: " +
                      llvm::join(Value.Derived, ", "));
  if (!Value.HasMix)
    A.Notes.emplace_back("all accesses go to device memory: cache hit rates "
                         "need --grid and --block");
  if (On.Dev.IsCPU)
    A.Notes.emplace_back(
        "the threads are assumed to run in vectors of all lanes, "
        "one request at a time, without prefetching");
  noteLaunch(P, "count as neither arithmetic nor memory", A);
  if (!Options.Published)
    if (std::vector<StringRef> Names = unpricedSequences(On); !Names.empty())
      A.Notes.push_back("sequences of instructions are priced as one each: " +
                        llvm::join(Names, ", "));
  if (K.byClass(OpClass::Tensor).Value > 0)
    A.Notes.emplace_back(
        "tensor instructions do not count as floating-point work in this "
        "model: they cost time but give no GFLOP/s");
  return A;
}

void PreparedThroughput::answer(const DevicePoint &P,
                                Prediction &Result) const {
  ThroughputEvaluation E = evaluate(P);
  const ThroughputInputs &In = E.Inputs;
  const ThroughputResult &R = E.Result;
  Result.Cycles = E.Answer.Cycles;
  Result.TimeUs = E.Answer.TimeUs;
  Result.Limiter = E.Answer.Limiter;
  // The categories' words are of warps, of which a CPU has one.
  const ThroughputCategory &C = throughputCategories()[size_t(R.Category) - 1];
  if (!On.Dev.IsCPU)
    Result.Applies.Notes.push_back(
        ("category " + Twine(C.Number) + ": " + C.Verdict + "; " + C.Advice)
            .str());
  const ThroughputLevels L = levelsOf(P, E);

#define THROUGHPUT_INPUT(MEMBER, NAME, UNIT, MEANING)                          \
  Result.Terms.push_back({NAME, In.MEMBER});
#define THROUGHPUT_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)               \
  Result.Terms.push_back({NAME, R.MEMBER});
#define THROUGHPUT_LEVEL(MEMBER, NAME, UNIT, EQUATION, MEANING)                \
  Result.Terms.push_back({NAME, L.MEMBER});
#include "ptxpredict/Model/ThroughputTerms.def"
}

const Model &ptxpredict::throughputModel() {
  static const ThroughputModel Instance;
  return Instance;
}
