//===- IPPModel.cpp - The model ipp ---------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/IPP.h"
#include "ptxpredict/Model/MWPCWP.h"
#include "ptxpredict/Model/OptimalCores.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

/// Above it the temperature that (53) gives for kernels of much memory exceeds
/// all published ones.
static constexpr double HighIntensity = 0.3;

/// Names of the terms of each unit, two after one another.
static constexpr StringRef UnitTerms[] = {
#define POWER_UNIT(ENUM, NAME, KEY, SCOPE, MEANING)                            \
  "AccessRate_" NAME, "RP_" NAME,
#include "ptxpredict/Device/PowerUnits.def"
};

/// Nothing if the file has no parameter of MWP-CWP under ipp.
static std::unique_ptr<Device> withParametersOfIPP(const Device &D) {
  auto Own = D.ModelParameters.find(IPPName);
  if (Own == D.ModelParameters.end())
    return nullptr;
  std::unique_ptr<Device> Variant;
  for (StringRef Key : {"mem_ld", "mem_bandwidth"}) {
    auto Parameter = Own->second.find(Key);
    if (Parameter == Own->second.end())
      continue;
    if (!Variant)
      Variant = std::make_unique<Device>(D);
    Variant->ModelParameters[MWPCWPName.str()][Key.str()] = Parameter->second;
  }
  return Variant;
}

namespace {

struct Terms {
#define IPP_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING) double MEMBER = 0;
#define IPP_THERMAL_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING)                \
  double MEMBER = 0;
#include "ptxpredict/Model/IPPTerms.def"
};

class PreparedIPP final : public PreparedModel {
public:
  PreparedIPP(KernelOnDevice Place, const ModelOptions &Options)
      : PreparedModel(IPPName, std::move(Place), Options),
        Variant(withParametersOfIPP(On.Dev)),
        Time(mwpcwpModel().prepare(
            Variant ? KernelOnDevice(On.Kernel, *Variant, On.Registers, On.Occ)
                    : On,
            Options)),
        Power(On, Options) {}

  std::optional<PointPrediction> at(const DevicePoint &P) const override {
    return Power ? Time->at(P) : std::nullopt;
  }

protected:
  Applicability reservations(const DevicePoint &P) const override;
  void answer(const DevicePoint &P, Prediction &Result) const override;

private:
  /// The device with ipp's own parameters of MWP-CWP; null without any.
  std::unique_ptr<Device> Variant;
  std::unique_ptr<PreparedModel> Time;
  PreparedPower Power;

  /// Warp instructions of the launch.
  double instructions() const {
    const LaunchConfig &L = On.Kernel.Launch;
    return On.Kernel.Instructions.Value * double(L.blocks()) *
           std::ceil(double(L.threadsPerBlock()) / 32);
  }
  CoreUse useOf(unsigned SMs, DevicePoint P) const;
  void findBest(const DevicePoint &P, Terms &T) const;
  void addThermal(Terms &T, Prediction &Result) const;
  void addPlacement(unsigned SMs, Prediction &Result) const;
};

class IPPModel final : public Model {
public:
  StringRef name() const override { return IPPName; }
  ArrayRef<StringRef> termNames() const override;
  std::unique_ptr<PreparedModel>
  prepare(KernelOnDevice On, const ModelOptions &Options) const override {
    return std::make_unique<PreparedIPP>(std::move(On), Options);
  }
};

} // namespace

Applicability PreparedIPP::reservations(const DevicePoint &P) const {
  if (!Power)
    return {false,
            {"the device file of " + On.Dev.Name +
             " lacks what the power model needs: " +
             llvm::join(Power.missing(), "; ")}};
  Applicability A = Time->check(P);
  if (Power.thermal() && Power.memoryIntensity() > HighIntensity)
    A.Notes.push_back("MemAccess_intensity is " +
                      shortestDecimal(Power.memoryIntensity()) +
                      ": at above 0.3 the temperature comes out too high");
  return A;
}

CoreUse PreparedIPP::useOf(unsigned SMs, DevicePoint P) const {
  P.ActiveSMs = SMs;
  CoreUse Use;
  Use.SMs = SMs;
  if (std::optional<PointPrediction> At = Time->at(P)) {
    Use.Seconds = At->TimeUs.Value * 1e-6;
    Use.RuntimeW = Power.at(P, At->Cycles.Value).Power.Runtime;
  }
  return Use;
}

void PreparedIPP::findBest(const DevicePoint &P, Terms &T) const {
  const double Work = instructions() * 1e-9;
  for (unsigned SMs = 1; SMs <= P.ActiveSMs; ++SMs) {
    CoreUse Use = useOf(SMs, P);
    double PerWatt = Work / Use.Seconds / (Use.RuntimeW + T.Idle);
    // Of equals the most: they take no longer.
    if (PerWatt >= T.BestGIPSPerW * (1 - 1e-12)) {
      T.BestGIPSPerW = PerWatt;
      T.BestCores = SMs;
    }
  }
  CoreUse All = useOf(P.ActiveSMs, P);
  EnergySaving Saving =
      energySaving(All, useOf(unsigned(T.OptimalCores), P), T.Idle);
  T.SavingRuntime = Saving.Runtime;
  T.SavingRuntimeIdle = Saving.RuntimeIdle;
  T.SavingGated = Saving.PowerGated;
}

void PreparedIPP::addThermal(Terms &T, Prediction &Result) const {
  const ThermalParameters &P = *Power.thermal();
  Result.Warming = findThermal(P, T.Runtime, T.Idle, T.MemIntensity);
  T.IdleTemp = Result.Warming->IdleC;
  T.MaxTemp = Result.Warming->MaxC;
  T.Delta = T.MaxTemp - T.IdleTemp; // (51)
  T.RCRise = Result.Warming->RiseSeconds;
  T.RCDecay = Result.Warming->DecaySeconds;
  T.WarmGPU = powerAtTemperature(P, T.Runtime, T.Idle, T.MaxTemp);
}

/// Advice where the device's file says which SMs share a part of the die.
void PreparedIPP::addPlacement(unsigned SMs, Prediction &Result) const {
  const Quantity *Group = On.Dev.modelParameter(IPPName, "sms_per_tpc");
  if (!Group || !*Group)
    return;
  std::vector<std::string> Names;
  for (unsigned SM :
       placeActiveSMs(unsigned(*On.Dev.NumSMs), unsigned(**Group), SMs))
    Names.push_back(std::to_string(SM));
  Result.Applies.Notes.push_back(
      "Optimal_cores use up the bandwidth; coolest would be whole TPCs far "
      "apart: SMs " +
      llvm::join(Names, ", "));
}

void PreparedIPP::answer(const DevicePoint &P, Prediction &Result) const {
  Prediction Timed = Time->predict(P);
  Result.Cycles = Timed.Cycles;
  Result.TimeUs = Timed.TimeUs;
  Result.Limiter = Timed.Limiter;
  // Notes on the time's results are behind those of its reservations.
  for (std::string &Note : Timed.Applies.Notes)
    if (!llvm::is_contained(Result.Applies.Notes, Note))
      Result.Applies.Notes.push_back(std::move(Note));
  Power.addTo(Result, P);

  PowerAtPoint Point = Power.at(P, Result.Cycles->Value);
  Terms T;
  T.WarpsPerSM = Point.WarpsPerSM;
  T.ConstSM = Point.Power.RPConstSM;
  T.SMSum = Point.Power.SMSum;
  T.MaxSM = Point.Power.MaxSM;
  T.SMScaling = Point.Power.SMScaling;
  T.RPMemory = Point.Power.RPMemory;
  T.Runtime = Point.Power.Runtime;
  T.Idle = Power.parameters().IdleW;
  T.GPU = Point.Power.GPU;
  T.MemIntensity = Power.memoryIntensity();
  T.GIPS = instructions() / (Result.TimeUs->Value * 1e3);
  T.GIPSPerW = T.GIPS / T.GPU;
  auto Term = [&Timed](StringRef Name) { return *Timed.term(Name); };
  T.OptimalCores = P.ActiveSMs;
  // Without memory instructions (63) has nothing to weigh.
  if (Term("Case") != 0)
    T.OptimalCores =
        std::max(1.0, std::floor(optimalCores({Term("MWP"), Term("CWP"),
                                               Term("N"), Term("MWP_peak_BW")},
                                              P.ActiveSMs)));
  findBest(P, T);

  if (T.OptimalCores < P.ActiveSMs)
    addPlacement(unsigned(T.OptimalCores), Result);

  Result.Terms = std::move(Timed.Terms);
  for (unsigned I = 0; I != NumPowerUnits; ++I)
    if (Power.has()[I]) {
      Result.Terms.push_back({UnitTerms[2 * I], Point.Rates[I]});
      Result.Terms.push_back({UnitTerms[2 * I + 1], Point.Power.RP[I]});
    }
#define IPP_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING)                        \
  Result.Terms.push_back({NAME, T.MEMBER});
#include "ptxpredict/Model/IPPTerms.def"
  if (!Power.thermal())
    return;
  addThermal(T, Result);
#define IPP_THERMAL_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING)                \
  Result.Terms.push_back({NAME, T.MEMBER});
#include "ptxpredict/Model/IPPTerms.def"
}

ArrayRef<StringRef> IPPModel::termNames() const {
  static const std::vector<StringRef> Names = [] {
    std::vector<StringRef> Result = mwpcwpModel().termNames().vec();
    Result.insert(Result.end(), std::begin(UnitTerms), std::end(UnitTerms));
    for (StringRef Name : {
#define IPP_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING) StringRef(NAME),
#define IPP_THERMAL_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING) StringRef(NAME),
#include "ptxpredict/Model/IPPTerms.def"
         })
      Result.push_back(Name);
    return Result;
  }();
  return Names;
}

const Model &ptxpredict::ippModel() {
  static const IPPModel Instance;
  return Instance;
}
