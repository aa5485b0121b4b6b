//===- FewerSMs.cpp - Where fewer SMs do, and how to ask for them ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/FewerSMs.h"
#include "ptxpredict/Model/IPP.h"
#include "ptxpredict/Model/OptimalCores.h"
#include "ptxpredict/Model/Power.h"
#include "ptxpredict/Model/ThroughputModel.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;

/// The first compute capability whose MPS grants a share of the SMs (NVIDIA,
/// Multi-Process Service, "Volta MPS Execution Resource Provisioning").
static constexpr unsigned FirstWithMPSShares = 70;

static DevicePoint withSMs(DevicePoint P, unsigned SMs) {
  P.ActiveSMs = SMs;
  return P;
}

std::optional<FewerSMs> ptxpredict::useOfSMs(const PreparedModel &Ready,
                                             const DevicePoint &At,
                                             const ModelOptions &Options,
                                             unsigned SMs) {
  const std::optional<PointPrediction> Now = Ready.at(At);
  const std::optional<PointPrediction> Then = Ready.at(withSMs(At, SMs));
  if (!Now || !Then)
    return std::nullopt;
  FewerSMs F;
  F.All = At.ActiveSMs;
  F.SMs = SMs;
  F.TimeLost = Then->TimeUs.Value / Now->TimeUs.Value - 1;
  const PreparedPower Power(Ready.place(), Options);
  auto UseOf = [&](unsigned Active, const PointPrediction &A) {
    CoreUse Use;
    Use.SMs = Active;
    Use.Seconds = A.TimeUs.Value * 1e-6;
    Use.RuntimeW = Power ? Power.watts(withSMs(At, Active), A.Cycles).Value : 1;
    return Use;
  };
  // The watts are the board's, idle power among them.
  const EnergySaving Saving =
      energySaving(UseOf(At.ActiveSMs, *Now), UseOf(SMs, *Then), /*IdleW=*/0);
  F.GatedSaved = Saving.PowerGated;
  if (Power)
    F.EnergySaved = Saving.Runtime;
  return F;
}

std::optional<FewerSMs> ptxpredict::findFewerSMs(const PreparedModel &Ready,
                                                 const DevicePoint &At,
                                                 const ModelOptions &Options) {
  const std::optional<PointPrediction> Now = Ready.at(At);
  if (!Now || Ready.place().Kernel.Launch.blocks() < At.ActiveSMs)
    return std::nullopt;
  auto IsFastEnough = [&](unsigned SMs) {
    const std::optional<PointPrediction> A = Ready.at(withSMs(At, SMs));
    return A && A->TimeUs.Value <= Now->TimeUs.Value * (1 + MostTimeLost);
  };
  auto Enough = unsigned(At.ActiveSMs * (1 - LeastExcess));
  if (Enough == 0 || !IsFastEnough(Enough))
    return std::nullopt;
  unsigned TooFew = 0;
  while (Enough - TooFew > 1) {
    const unsigned Middle = TooFew + (Enough - TooFew) / 2;
    (IsFastEnough(Middle) ? Enough : TooFew) = Middle;
  }
  std::optional<FewerSMs> F = useOfSMs(Ready, At, Options, Enough);
  if (F && F->EnergySaved && !(*F->EnergySaved >= LeastEnergySaved))
    return std::nullopt;
  return F;
}

CoreAdvice ptxpredict::adviseCores(const KernelOnDevice &On,
                                   const DevicePoint &At,
                                   const ModelOptions &Options) {
  CoreAdvice A;
  const Prediction IPP = ippModel().prepare(On, Options)->predict(At);
  A.Optimal = IPP.term("Optimal_cores");
  A.Best = IPP.term("Best_cores");
  A.Advised =
      throughputModel().prepare(On, Options)->predict(At).term("Advice_cores");
  return A;
}

std::vector<std::pair<StringRef, double>> CoreAdvice::byName() const {
  std::vector<std::pair<StringRef, double>> Result;
  if (Optimal)
    Result.emplace_back("Optimal_cores", *Optimal);
  if (Best)
    Result.emplace_back("Best_cores", *Best);
  if (Advised)
    Result.emplace_back("Advice_cores", *Advised);
  return Result;
}

std::string ptxpredict::coreAdviceText(const CoreAdvice &A) {
  std::string Text;
  for (const auto &[Name, SMs] : A.byName())
    Text += ((Text.empty() ? "" : ", ") + Name + " " + shortNumber(SMs)).str();
  return Text;
}

SMRequest ptxpredict::requestSMs(const Device &D, unsigned SMs) {
  SMRequest R;
  R.All = unsigned(*D.NumSMs);
  R.Left = R.All - std::min(SMs, R.All);
  if (D.GreenContextLeast && D.GreenContextStep) {
    const auto Granted = unsigned(
        llvm::alignTo(std::max(uint64_t(SMs), uint64_t(*D.GreenContextLeast)),
                      uint64_t(*D.GreenContextStep)));
    if (Granted < R.All) {
      R.GreenContext = Granted;
      R.Left = R.All - Granted;
    }
  }
  if (D.ComputeCapability >= FirstWithMPSShares)
    R.MPSPercent = unsigned(llvm::divideCeil(uint64_t(SMs) * 100, R.All));
  return R;
}

std::string ptxpredict::requestText(const SMRequest &R) {
  const std::string Left = plural(R.Left, "SM") + " (" +
                           percent(double(R.Left) / R.All) +
                           ") to another kernel";
  std::vector<std::string> Ways;
  if (R.GreenContext)
    Ways.push_back("a green context of " + plural(*R.GreenContext, "SM"));
  if (R.MPSPercent)
    Ways.push_back("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=" +
                   std::to_string(*R.MPSPercent));
  if (Ways.empty())
    return "a grid of so few blocks leaves " + Left +
           "; this device takes no other request";
  return llvm::join(Ways, ", or ") +
         (Ways.size() > 1 ? ", leaves " : " leaves ") + Left;
}

std::vector<unsigned> ptxpredict::preferredSMs(const Device &D,
                                               unsigned Active) {
  const Quantity *Group = D.modelParameter(IPPName, "sms_per_tpc");
  if (!Group || !*Group)
    return {};
  return placeActiveSMs(unsigned(*D.NumSMs), unsigned(**Group), Active);
}

std::string ptxpredict::placementText(const Device &D, unsigned Active) {
  const std::vector<unsigned> SMs = preferredSMs(D, Active);
  if (SMs.empty())
    return "no rule for " + D.Name + ": its file has no sms_per_tpc";
  std::vector<std::string> Names;
  Names.reserve(SMs.size());
  for (unsigned SM : SMs)
    Names.push_back(std::to_string(SM));
  return "SMs " + llvm::join(Names, ", ") +
         " would be coolest: whole TPCs, far apart, as measured on an 8800 GT, "
         "where 1, 2 and 7 of its 14 SMs made no difference; no program can "
         "choose its SMs, and kernels with much memory traffic may gain from "
         "spreading";
}
