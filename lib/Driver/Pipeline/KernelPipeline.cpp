//===- KernelPipeline.cpp - From one kernel to predictions ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/KernelPipeline.h"
#include "Driver/Toolchain/ViaPtxas.h"
#include "LaunchLimits.h"
#include "TargetFeatures.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Model/Counted.h"
#include "ptxpredict/Model/RegisterEstimate.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

KernelPipeline::KernelPipeline(const InstructionGraph &Kernel,
                               const Device &Representative)
    : Kernel(&Kernel), Representative(Representative) {
  Bodies.emplace(Kernel);
}

KernelPipeline::KernelPipeline(const KernelCharacteristics &Read,
                               const Device &Representative)
    : Read(&Read), Representative(Representative) {}

std::shared_ptr<const KernelCharacteristics>
KernelPipeline::analyze(const AnalysisRequest &Request) const {
  auto FromCode = [&] {
    std::vector<Assumption> Assumptions;
    LaunchConfig Launch = resolveLaunch(*Kernel, Request.Launch, Assumptions);
    KernelCharacteristics K =
        analyzeKernel(*Kernel, Launch, std::move(Assumptions), Request.Profile,
                      Request.WorkLimit);
    K.Demangled = KernelNames(Kernel->Name).Demangled;
    K.Resources.Registers =
        estimateRegisters(K.Resources.Demand, Representative);
    return K;
  };
  auto K = std::make_shared<KernelCharacteristics>(Read ? *Read : FromCode());
  // Machine code says itself what an assembler would.
  if (Kernel && Kernel->Assembled)
    CompiledKernel(*Kernel).complete(*K, Representative);
  else
    Request.Compiled.complete(*K, Representative);
  if (Request.Counters)
    K->Counted = findCorrections(*K, *Request.CountedOn, *Request.Counters);
  if (Request.DeviceIsAssumed)
    K->Assumptions.push_back({AssumptionKind::Device, "", Representative.Name,
                              /*IsNumber=*/false, /*Line=*/0, "--device=NAME"});
  return K;
}

/// Why an assembler leaves a device without exact registers; empty if not.
static std::string compileNote(const KernelCharacteristics &K,
                               const Device &D) {
  StringRef Target = K.Code.Target;
  std::string Wanted =
      architectureFor(Target, targetCapability(Target), D.ComputeCapability);
  for (const CompileRefusal &R : K.Resources.Refusals)
    if (R.Target == Wanted)
      return "registers are an estimate: ptxas does not compile this for " +
             R.Target + " (" + R.Reason + ")";
  return {};
}

ReadyKernel::ReadyKernel(KernelOnDevice On, ArrayRef<const Model *> AllModels,
                         const ModelOptions &Options)
    : Place(std::move(On)), Options(Options), Power(Place, Options),
      Refusal(
          whyNoLaunch(Place.Kernel.Launch, Place.Kernel.Bounds, Place.Dev)) {
  for (const Model *M : AllModels) {
    StageTimer Timer(Stage::Models);
    Models.push_back(M->prepare(Place, Options));
  }
  const KernelCharacteristics &K = Place.Kernel;
  const Device &D = Place.Dev;
  if (const PowerRegression *Of = Options.PowerModel.get()) {
    if (Of->Device == D.Name)
      Learned.emplace(Place, *Of);
    else
      LaunchNotes.push_back("the power model is of " + Of->Device +
                            ", so power is by this device's units");
  }
  if (D.IsCPU) // what code is compiled for it does not say
    return;
  for (std::string Note : {targetNote(K.Code, D.ComputeCapability),
                           clusterNote(K.Launch, K.Bounds, D),
                           compileNote(K, D), registersNote(K, D)})
    if (!Note.empty())
      LaunchNotes.push_back(std::move(Note));
}

/// The board's clock, where it chooses one and a clock makes a difference.
std::optional<SustainedClock>
ReadyKernel::clockOf(size_t N, const DevicePoint &At) const {
  const bool Lowers = At.PowerLimitW > 0 && Power,
             Raises = At.HighestMHz > At.CoreMHz;
  if (!(Lowers || Raises) || !Models[N]->hasSustainedClock() ||
      Options.Published || !Models[N]->at(At))
    return std::nullopt;
  return findSustainedClock(*Models[N], Power, At);
}

DevicePoint ReadyKernel::settled(size_t N, const DevicePoint &At) const {
  DevicePoint Settled = At;
  if (std::optional<SustainedClock> Clock = clockOf(N, At))
    Settled.CoreMHz = Clock->MHz;
  Settled.fixClock();
  return Settled;
}

Prediction ReadyKernel::predict(size_t N, const DevicePoint &At) const {
  const std::optional<SustainedClock> Clock = clockOf(N, At);
  DevicePoint There = At;
  There.fixClock();
  if (Clock)
    There.CoreMHz = Clock->MHz;
  Prediction P = Models[N]->predict(There, Refusal);
  // A model that has power of its own keeps it.
  if (Power && P.Cycles && !P.PowerW && !Options.Published) {
    if (Learned && *Learned)
      P.PowerUnits = Power.units(There, Power.at(There, P.Cycles->Value));
    else
      Power.addTo(P, There);
  }
  if (Learned)
    Learned->addTo(P, There);
  if (Clock) {
    P.Clock = {At.CoreMHz, Clock->Lowest,
               std::max(Clock->Highest, At.HighestMHz),
               Power ? At.PowerLimitW : 0};
    DevicePoint UpToBoost = At;
    UpToBoost.HighestMHz = 0;
    auto Take = [&](const std::optional<PointPrediction> &Answer) {
      if (Answer && P.TimeUs && P.Cycles) {
        P.TimeUs = Answer->TimeUs;
        P.Cycles = Answer->Cycles;
      }
    };
    Take(predictAt(*Clock, *Models[N], UpToBoost));
    if (P.PowerW && P.Clock->isLimited(P.CoreMHz)) {
      // The board is at its limit, or, where less is drawn, at its boost clock.
      P.PowerW->High =
          std::max(P.PowerW->Value, std::min(P.PowerW->High, At.PowerLimitW));
    }
    if (P.PowerW && P.TimeUs)
      P.EnergyJ = (*P.PowerW * *P.TimeUs).scaled(1e-6);
    // What a higher clock saves of the time it does not save of the energy.
    if (P.Clock->reachesAboveBoost())
      Take(predictAt(*Clock, *Models[N], At));
  }
  P.Refusal = Refusal;
  llvm::append_range(P.LaunchNotes, LaunchNotes);
  llvm::append_range(P.Applies.Notes, LaunchNotes);
  return P;
}
