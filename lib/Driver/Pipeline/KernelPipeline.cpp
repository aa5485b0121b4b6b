//===- KernelPipeline.cpp - From one kernel to predictions ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/KernelPipeline.h"
#include "Driver/Toolchain/ViaPtxas.h"
#include "LaunchLimits.h"
#include "TargetFeatures.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
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
        analyzeKernel(*Kernel, Launch, std::move(Assumptions), Request.Profile);
    K.Demangled = KernelNames(Kernel->Name).Demangled;
    K.Resources.Registers =
        estimateRegisters(K.Resources.Demand, Representative);
    return K;
  };
  auto K = std::make_shared<KernelCharacteristics>(Read ? *Read : FromCode());
  Request.Compiled.complete(*K, Representative);
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
  if (D.IsCPU) // what code is compiled for it does not say
    return;
  for (std::string Note : {targetNote(K.Code, D.ComputeCapability),
                           clusterNote(K.Launch, K.Bounds, D),
                           compileNote(K, D), registersNote(K, D)})
    if (!Note.empty())
      LaunchNotes.push_back(std::move(Note));
}

Prediction ReadyKernel::predict(size_t N, const DevicePoint &At) const {
  Prediction P = Models[N]->predict(At, Refusal);
  // A model that has power of its own keeps it.
  if (Power && P.Cycles && !P.PowerW && !Options.Published)
    Power.addTo(P, At);
  P.Refusal = Refusal;
  llvm::append_range(P.LaunchNotes, LaunchNotes);
  llvm::append_range(P.Applies.Notes, LaunchNotes);
  return P;
}
