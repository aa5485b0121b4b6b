//===- BottleneckModel.cpp - The model bottleneck -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Model/BottleneckKernel.h"
#include "ptxpredict/Model/KernelKind.h"
#include "ptxpredict/Model/Spills.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

using Resource = BottleneckResource;

/// Which parameters the device's files lack, or, where that is shorter, have.
static std::string defaultsNote(const BottleneckParameters &P) {
  static constexpr StringRef Keys[] = {
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  KEY,
#include "ptxpredict/Device/BottleneckParameters.def"
  };
  if (P.Defaults.empty())
    return "";
  SmallVector<StringRef, 8> Measured;
  for (StringRef Key : Keys)
    if (!llvm::is_contained(P.Defaults, Key))
      Measured.push_back(Key);
  if (Measured.empty())
    return "no constant of the model was measured on this device or its "
           "architecture";
  std::string Note = "not measured on this device or its architecture: ";
  return P.Defaults.size() <= Measured.size()
             ? Note + llvm::join(P.Defaults, ", ")
             : Note + "constants of the model other than " +
                   llvm::join(Measured, ", ");
}

namespace {

class PreparedBottleneck final : public PreparedModel {
public:
  PreparedBottleneck(KernelOnDevice Place, const ModelOptions &Options)
      : PreparedModel(BottleneckName, std::move(Place), Options),
        Kernel(On, Options.Without, Options.WithBounds) {}

  bool hasSustainedClock() const override { return true; }
  std::optional<PointPrediction> at(const DevicePoint &P) const override {
    if (!isPossible(P))
      return std::nullopt;
    return Kernel.evaluate(P).Answer;
  }

protected:
  Applicability reservations(const DevicePoint &P) const override;
  void answer(const DevicePoint &P, Prediction &Result) const override;

private:
  BottleneckKernel Kernel;
};

class BottleneckModel final : public Model {
public:
  StringRef name() const override { return BottleneckName; }
  ArrayRef<StringRef> termNames() const override {
    static constexpr StringRef Names[] = {
#define BOTTLENECK_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define BOTTLENECK_RESULT(MEMBER, NAME, UNIT, MEANING) NAME,
#define BOTTLENECK_COUNT(MEMBER, NAME, UNIT, MEANING) NAME,
#include "ptxpredict/Model/BottleneckTerms.def"
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  "N_" NAME, "H_" NAME, "R_" NAME, "T_" NAME, "Share_" NAME,
#include "ptxpredict/Model/BottleneckTerms.def"
    };
    return Names;
  }
  std::unique_ptr<PreparedModel>
  prepare(KernelOnDevice On, const ModelOptions &Options) const override {
    return std::make_unique<PreparedBottleneck>(std::move(On), Options);
  }
};

} // namespace

/// Who waits for whom, and how long.
static std::string waitNote(const BottleneckSetup::Wait &W) {
  const std::string Cycles = shortNumber(W.Cycles) + " cycles",
                    Times = shortNumber(W.Times),
                    Line = " (line " + std::to_string(W.Of.Line) + ")";
  switch (W.Of.Kind) {
  case WaitKind::Predecessor:
    return "each block waits for the one before it" + Line + ": " + Times +
           " hops of " + Cycles + ", one after the other";
  case WaitKind::Lock:
    return "blocks take turns at a lock" + Line + ": " + Times +
           " sections of " + Cycles + ", one after the other";
  case WaitKind::Grid:
    break;
  }
  return "all blocks wait for each other" + Line + ": " + Cycles +
         " at their counter each time, besides latencies";
}

Applicability PreparedBottleneck::reservations(const DevicePoint &P) const {
  Applicability A;
  const KernelCharacteristics &K = On.Kernel;
  if (std::string Note = defaultsNote(Kernel.parameters()); !Note.empty())
    A.Notes.push_back(std::move(Note));
  if (!Kernel.hasHits())
    A.Notes.emplace_back("all accesses go to device memory: cache hit rates "
                         "need --grid and --block");
  A.NumUsual = unsigned(A.Notes.size());
  if (spillsOf(K))
    A.Notes.emplace_back(
        "spilled registers are assumed to be stored and loaded "
        "as often as the mean instruction runs");
  if (const auto &H = K.Heaviest;
      H && Kernel.evaluate(P).Result.WaitsForHeaviest)
    A.Notes.push_back(
        std::to_string(H->Number) + " of " + std::to_string(K.Launch.blocks()) +
        (H->Number == 1 ? " blocks executes " : " blocks execute ") +
        shortNumber(H->Instructions) +
        " times the instructions of the mean block, and the launch waits for " +
        (H->Number == 1 ? "it" : "them"));
  for (const BottleneckSetup::Wait &W : Kernel.value().waits())
    A.Notes.push_back(waitNote(W));
  noteLaunch(P, "only take their issue slots", A);
  return A;
}

void PreparedBottleneck::answer(const DevicePoint &P,
                                Prediction &Result) const {
  const BottleneckKernel::Evaluation E = Kernel.evaluate(P);
  Result.Cycles = E.Answer.Cycles;
  Result.TimeUs = E.Answer.TimeUs;
  Result.Limiter = E.Answer.Limiter;
  const auto AtRegisters = Kernel.timesAtRegisters(P);
  for (size_t I = 0; I != AtRegisters.size(); ++I)
    Result.OccEnds[I].TimeUs = AtRegisters[I];
  if (Options.Without.empty() && Options.WithBounds)
    Result.Kind = kindOf(On.Kernel, Kernel.longestAlone(E));
  Result.Terms.reserve(bottleneckModel().termNames().size());
#define BOTTLENECK_INPUT(MEMBER, NAME, UNIT, MEANING)                          \
  Result.Terms.push_back({NAME, E.Inputs.MEMBER});
#define BOTTLENECK_RESULT(MEMBER, NAME, UNIT, MEANING)                         \
  Result.Terms.push_back({NAME, E.Result.MEMBER});
#define BOTTLENECK_COUNT(MEMBER, NAME, UNIT, MEANING)                          \
  Result.Terms.push_back({NAME, Kernel.counts().MEMBER});
#include "ptxpredict/Model/BottleneckTerms.def"
  const BottleneckShares Shares(E.Result, E.Inputs);
  struct Names {
    StringRef Demand, Heaviest, Rate, Time, Share;
  };
  auto AddResource = [&](Resource R, const Names &Of) {
    // What the kernel does not use has no terms.
    if (!(E.Inputs.Demand.of(R) > 0))
      return;
    const ResourceUse Use = {R, E.Inputs.Demand.of(R), E.Inputs.Rate.of(R),
                             E.Result.Times.of(R), Shares.of(R)};
    Result.Resources.push_back(Use);
    Result.Terms.push_back({Of.Demand, Use.Demand});
    if (E.Inputs.HeaviestDemand.of(R) > 0)
      Result.Terms.push_back({Of.Heaviest, E.Inputs.HeaviestDemand.of(R)});
    Result.Terms.push_back({Of.Rate, Use.Rate});
    Result.Terms.push_back({Of.Time, Use.Cycles});
    Result.Terms.push_back({Of.Share, Use.Share});
  };
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  AddResource(Resource::MEMBER,                                                \
              {"N_" NAME, "H_" NAME, "R_" NAME, "T_" NAME, "Share_" NAME});
#include "ptxpredict/Model/BottleneckTerms.def"
}

const Model &ptxpredict::bottleneckModel() {
  static const BottleneckModel Instance;
  return Instance;
}
