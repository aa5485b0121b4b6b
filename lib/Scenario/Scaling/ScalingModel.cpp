//===- ScalingModel.cpp - Energy of one size on p processors --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Scaling/ScalingModel.h"
#include "NodeRuns.h"
#include "ptxpredict/Model/MessageTimes.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace ptxpredict;
using Number = ScalingNumber;

double ScalingPoint::speedup() const {
  return powerAwareSpeedup({{P, Sequential}},
                           {Overhead.On / P, Overhead.Off / P});
}

namespace {

/// The values of all names at one point.
using SlotValues = SmallVector<double, 32>;

/// The vectors at one point.
struct ValuesAt {
  std::array<double, NumScalingNumbers> Of{};
  double operator[](Number N) const { return Of[size_t(N)]; }
};

} // namespace

struct ScalingModel::Impl {
  const ScalingFile &File;
  ScalingModelOptions Options;
  std::unique_ptr<KernelTimes> Kernels; ///< of ScalingForm::Kernels
  SystemComponent GPU;
  std::unique_ptr<NodeRuns> Nodes;          ///< of ScalingForm::Scenario
  std::vector<std::optional<double>> Given; ///< of --set, by variable
  SharedDevices &Devices;

  Impl(const ScalingFile &File, ScalingModelOptions Options,
       SharedDevices &Devices)
      : File(File), Options(std::move(Options)), Devices(Devices) {}

  bool prepareKernels(DiagnosticEngine &Diags);
  bool findVariables(DiagnosticEngine &General);
  bool checkClock(DiagnosticEngine &Diags) const;

  bool findSlots(double N, double P, double F, SlotValues &Slots,
                 ScalingError &Why) const;
  bool value(FormulaNumber F, const SlotValues &Slots, double &Result,
             ScalingError &Why) const;
  bool power(const ScalingValue &V, const SlotValues &Slots, double &Result,
             ScalingError &Why) const;
  bool findNumber(Number N, const SlotValues &Slots, ValuesAt &Values,
                  ScalingError &Why) const;
  bool checkMemory(const SlotValues &Slots, ScalingError &Why) const;
  std::optional<EnergyWork> kernelWork(const SlotValues &Slots,
                                       ScalingError &Why) const;
  double networkSeconds(const ValuesAt &V, double P) const;
  std::optional<ScalingPoint> byVectors(const SlotValues &Slots,
                                        const ValuesAt &V) const;
  std::optional<ScalingPoint> byKernels(const SlotValues &Slots,
                                        const ValuesAt &V,
                                        ScalingError &Why) const;
  /// With the sequential program alone, no number of the parallel one is
  /// looked at.
  bool isSequential(double P) const { return P == 1 && !Options.Published; }
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

ScalingModel::ScalingModel(const ScalingFile &File, ScalingModelOptions Options,
                           SharedDevices &Devices)
    : State(std::make_unique<Impl>(File, std::move(Options), Devices)) {}
ScalingModel::~ScalingModel() = default;

bool ScalingModel::Impl::findVariables(DiagnosticEngine &General) {
  const std::vector<ScenarioVariable> &All = File.Names.Variables;
  SmallVector<StringRef, 16> Known;
  for (const ScenarioVariable &V : ArrayRef(All).drop_front(NumScalingSlots))
    Known.push_back(V.Name);
  Given.resize(All.size());
  for (const auto &[Name, Value] : Options.Variables) {
    const auto *At = llvm::find(Known, Name);
    if (At == Known.end()) {
      General.error({}, "--set: the file has no variable '" + Name + "'" +
                            meantOrListed(Name, Known));
      return true;
    }
    Given[NumScalingSlots + size_t(At - Known.begin())] = Value;
  }
  return false;
}

bool ScalingModel::Impl::checkClock(DiagnosticEngine &Diags) const {
  if (!File.F.Values.empty())
    return false;
  const unsigned Before = Diags.numErrors();
  const StringRef Advice = "f is not given: 'f: 2.8' says the clock in GHz";
  for (const ScenarioFormula &F : File.Names.Formulas)
    for (const auto &[Name, Slot] : llvm::zip(F.Text.names(), F.Slots))
      if (Slot == ScalingSlotF)
        Diags.error(Name.Place, Advice);
  for (const ScalingValue &V : File.Numbers)
    if (V.Factor != NoFormula)
      Diags.error(File.Names.Formulas[V.Factor].Text.place(), Advice);
  return Diags.numErrors() != Before;
}

bool ScalingModel::Impl::prepareKernels(DiagnosticEngine &Diags) {
  GPU.Kind = ComponentKind::GPU;
  GPU.Name = "gpu";
  GPU.On = Options.GPU;
  if (Options.GPU)
    GPU.IdleW = Options.GPU->IdleWatts;
  for (const ScenarioKernel &K : File.Names.Kernels)
    if (!Options.GPU && K.By != ScenarioKernel::TimeBy::Given) {
      Diags.error(K.Place, "kernel '" + K.Name +
                               "' needs a device: 'device: NAME' in machine, "
                               "or --device");
      return true;
    }
  const StringRef Folder = llvm::sys::path::parent_path(Options.Path);
  Kernels = std::make_unique<KernelTimes>(
      File.Names,
      KernelTimeOptions{Options.By, Options.ModelChoice, Folder.str(),
                        projectRoot(Folder.empty() ? "." : Folder)},
      Devices);
  return Kernels->read(Diags);
}

bool ScalingModel::prepare(DiagnosticEngine &Diags, DiagnosticEngine &General) {
  Impl &I = *State;
  if (I.File.Form != ScalingForm::Scenario)
    return I.findVariables(General) || I.checkClock(Diags) ||
           (I.File.Form == ScalingForm::Kernels && I.prepareKernels(Diags));
  if (!I.File.F.Values.empty()) {
    General.error({},
                  "-f: a scenario has no clocks; its system's devices run at "
                  "their own");
    return true;
  }
  const std::string Path = besideFile(I.Options.Path, I.File.ScenarioPath);
  const StringRef Folder = llvm::sys::path::parent_path(I.Options.Path);
  if (!isInProject(Path, projectRoot(Folder.empty() ? "." : Folder))) {
    Diags.error(I.File.ScenarioPlace,
                "'" + I.File.ScenarioPath +
                    "' lies outside of the file's project, the folder that it "
                    "is in or the nearest one above with '.git'");
    return true;
  }
  I.Nodes = std::make_unique<NodeRuns>(I.File, I.Options);
  if (!I.Nodes->prepare(Diags))
    return false;
  if (!Diags.hasErrors())
    Diags.error(I.File.ScenarioPlace, "this scenario cannot be run");
  return true;
}

std::vector<const DiagnosticEngine *> ScalingModel::messages() const {
  if (State->Kernels)
    return State->Kernels->messages();
  return State->Nodes ? State->Nodes->messages()
                      : std::vector<const DiagnosticEngine *>();
}

void ScalingModel::report(const ScalingError &Why, const Twine &Where,
                          DiagnosticEngine &Diags) {
  if (Why.IsOfScenario)
    State->Nodes->report({Why.Place, Why.Text, {}, {}}, Where);
  else
    Diags.error(Why.Place, Why.Text + Where);
}

std::vector<std::string> ScalingModel::assumptions() const {
  if (State->Kernels)
    return State->Kernels->assumptions();
  return State->Nodes ? State->Nodes->assumptions()
                      : std::vector<std::string>();
}

std::string ScalingModel::machineName() const {
  if (State->Nodes)
    return State->Nodes->systemName();
  return State->GPU.On ? State->GPU.On->Name : "";
}

//===----------------------------------------------------------------------===//
// One point
//===----------------------------------------------------------------------===//

bool ScalingModel::Impl::value(FormulaNumber F, const SlotValues &Slots,
                               double &Result, ScalingError &Why) const {
  const ScenarioFormula &Of = File.Names.Formulas[F];
  SmallVector<double, 8> Named;
  for (SlotNumber S : Of.Slots)
    Named.push_back(Slots[S]);
  std::optional<double> V = Of.Text.evaluate(Named, Why.Text);
  if (!V) {
    Why.Place = Of.Text.place();
    Why.Text += describeNames(Of, Slots);
    return false;
  }
  Result = *V;
  return true;
}

bool ScalingModel::Impl::findSlots(double N, double P, double F,
                                   SlotValues &Slots, ScalingError &Why) const {
  const Scenario &S = File.Names;
  Slots.assign(S.numSlots(), 0);
  Slots[ScalingSlotN] = N;
  Slots[ScalingSlotP] = P;
  Slots[ScalingSlotF] = F;
  for (size_t Index = NumScalingSlots; Index != S.Variables.size(); ++Index) {
    double &Into = Slots[FirstVariableSlot + Index];
    if (Given[Index])
      Into = *Given[Index];
    else if (!value(S.Variables[Index].Value, Slots, Into, Why))
      return false;
  }
  return true;
}

bool ScalingModel::Impl::power(const ScalingValue &V, const SlotValues &Slots,
                               double &Result, ScalingError &Why) const {
  double Fixed = 0, Factor = 0, Gamma = 1;
  const FormulaNumber Exponent = V.Gamma != NoFormula ? V.Gamma : File.Gamma;
  if (!value(V.Factor, Slots, Factor, Why) ||
      (V.Fixed != NoFormula && !value(V.Fixed, Slots, Fixed, Why)) ||
      (Exponent != NoFormula && !value(Exponent, Slots, Gamma, Why)))
    return false;
  Result = clockPower(Options.Published ? 0 : Fixed, Factor, Gamma,
                      Slots[ScalingSlotF]);
  return true;
}

bool ScalingModel::Impl::findNumber(Number N, const SlotValues &Slots,
                                    ValuesAt &Values, ScalingError &Why) const {
  const ScalingValue &V = File[N];
  double &Into = Values.Of[size_t(N)];
  if (!V.isGiven()) {
    Into = N == Number::Alpha ? 1 : 0;
    return true;
  }
  const bool IsFormula = V.Value != NoFormula;
  if (!(IsFormula ? value(V.Value, Slots, Into, Why)
                  : power(V, Slots, Into, Why)))
    return false;
  const bool IsAlpha = N == Number::Alpha;
  if (std::isfinite(Into) && Into >= leastOf(N) &&
      (!IsAlpha || (Into > 0 && Into <= 1)))
    return true;
  const ScenarioFormula &F =
      File.Names.Formulas[IsFormula ? V.Value : V.Factor];
  Why.Place = F.Text.place();
  Why.Text = ("'" + toString(N) + "' is " + shortestDecimal(Into) +
              (IsAlpha ? "; it must be above 0 and at most 1"
                       : "; it must not be negative") +
              describeNames(F, Slots))
                 .str();
  return false;
}

bool ScalingModel::Impl::checkMemory(const SlotValues &Slots,
                                     ScalingError &Why) const {
  if (File.MemoryBytes == NoFormula || !Options.ChecksMemory)
    return true;
  double Bytes = 0, Limit = 0;
  if (!value(File.MemoryBytes, Slots, Bytes, Why) ||
      !value(File.MemoryLimit, Slots, Limit, Why))
    return false;
  if (Bytes <= Limit)
    return true;
  Why.Place = File.Names.Formulas[File.MemoryBytes].Text.place();
  Why.Text = "this takes " + shortestDecimal(Bytes) +
             " bytes of memory, more than the limit of " +
             shortestDecimal(Limit);
  return false;
}

std::optional<EnergyWork>
ScalingModel::Impl::kernelWork(const SlotValues &Slots,
                               ScalingError &Why) const {
  EnergyWork W;
  const double IdleW = GPU.IdleW.Value.value_or(0);
  for (const ScalingKernel &K : File.Kernels) {
    double Times = 1;
    if (K.Times != NoFormula && !value(K.Times, Slots, Times, Why))
      return std::nullopt;
    const ScenarioKernel &Of = File.Names.Kernels[K.Kernel];
    Expected<KernelTime> T =
        Kernels->find(K.Kernel, GPU, Slots, Why.Place,
                      File.F.Values.empty() ? 0 : Slots[ScalingSlotF] * 1000);
    if (!T) {
      Why.Text = llvm::toString(T.takeError());
      return std::nullopt;
    }
    Why.Place = Of.Place;
    if (!(Times >= 0)) {
      Why.Text = "kernel '" + Of.Name + "' is launched " +
                 shortestDecimal(Times) + " times";
      return std::nullopt;
    }
    if (!T->Watts) {
      Why.Text =
          "nobody knows what kernel '" + Of.Name + "' draws; 'power_w' says it";
      return std::nullopt;
    }
    W.Seconds += T->Seconds * Times;
    W.Joules += std::max(0.0, *T->Watts - IdleW) * T->Seconds * Times;
  }
  return W;
}

double ScalingModel::Impl::networkSeconds(const ValuesAt &V, double P) const {
  if (File[Number::NetworkSeconds].isGiven())
    return V[Number::NetworkSeconds];
  const double M = V[Number::Messages], B = V[Number::Bytes];
  const double Message = V[Number::MessageSeconds];
  const double Byte = V[Number::ByteSeconds];
  switch (File.Network) {
  case ScalingNetwork::Printed:
    return hockneySeconds(M, B, Message, Byte);
  case ScalingNetwork::Pairwise:
    return pairwiseSeconds(M, B, Message, Byte, P);
  case ScalingNetwork::LogGP:
    return logGPSeconds(M, B,
                        {V[Number::Latency], V[Number::Overhead],
                         V[Number::Gap], V[Number::GapPerByte]},
                        P);
  }
  return 0;
}

std::optional<ScalingPoint>
ScalingModel::Impl::byVectors(const SlotValues &Slots,
                              const ValuesAt &V) const {
  EnergyMachine M;
  M.InstructionSeconds = V[Number::InstructionSeconds];
  M.AccessSeconds = V[Number::AccessSeconds];
  M.IdleW = V[Number::IdleW];
  M.ComputeW = V[Number::ComputeW];
  M.MemoryW = V[Number::MemoryW];
  M.IOW = V[Number::IOW];
  M.NetworkW = V[Number::NetworkW];
  EnergyApplication A;
  A.Alpha = V[Number::Alpha];
  A.Instructions = V[Number::Instructions];
  A.Accesses = V[Number::Accesses];
  A.ExtraInstructions = V[Number::ExtraInstructions];
  A.ExtraAccesses = V[Number::ExtraAccesses];
  A.IOSeconds = V[Number::IOSeconds];
  ScalingPoint R;
  R.Of = isoEnergyEfficiency(M, A, networkSeconds(V, Slots[ScalingSlotP]));
  R.Sequential = {A.Instructions * M.InstructionSeconds,
                  A.Accesses * M.AccessSeconds + A.IOSeconds};
  R.Overhead = {A.ExtraInstructions * M.InstructionSeconds,
                A.ExtraAccesses * M.AccessSeconds + R.Of.NetworkSeconds};
  return R;
}

std::optional<ScalingPoint>
ScalingModel::Impl::byKernels(const SlotValues &Slots, const ValuesAt &V,
                              ScalingError &Why) const {
  const double P = Slots[ScalingSlotP];
  SlotValues One;
  if (!findSlots(Slots[ScalingSlotN], 1, Slots[ScalingSlotF], One, Why))
    return std::nullopt;
  std::optional<EnergyWork> First = kernelWork(One, Why);
  std::optional<EnergyWork> Each =
      First && P != 1 ? kernelWork(Slots, Why) : First;
  if (!Each)
    return std::nullopt;
  const EnergyWork Extra{P * Each->Seconds - First->Seconds,
                         P * Each->Joules - First->Joules};
  First->Seconds += V[Number::IOSeconds];
  First->Joules += V[Number::IOSeconds] * V[Number::IOW];
  const double Network = isSequential(P) ? 0 : networkSeconds(V, P);
  ScalingPoint R;
  R.Of = isoEnergyEfficiency(V[Number::Alpha],
                             V[Number::IdleW] + GPU.IdleW.Value.value_or(0),
                             *First, Extra, Network, V[Number::NetworkW]);
  R.Sequential = {First->Seconds, 0};
  R.Overhead = {Extra.Seconds, Network};
  return R;
}

/// What is no efficiency.
static bool checkEnergy(const IsoEnergyEfficiency &R, SMLoc Place,
                        ScalingError &Why) {
  const char *Wrong = nullptr;
  if (!std::isfinite(R.parallelJ()) || !std::isfinite(R.parallelSeconds()))
    Wrong = "energies and times are too large";
  else if (!(R.SequentialJ > 0) || !(R.SequentialSeconds > 0))
    Wrong = "the sequential program takes no time or no energy";
  else if (!(R.parallelJ() > 0) || !(R.parallelSeconds() > 0))
    Wrong = "what parallelism saves is more than all that there is";
  else if (!std::isfinite(R.factor()))
    Wrong = "the overhead is too large";
  if (Wrong)
    Why = {Place, Wrong};
  return Wrong;
}

std::optional<ScalingPoint> ScalingModel::evaluate(double N, double P, double F,
                                                   ScalingError &Why) const {
  const Impl &I = *State;
  std::optional<ScalingPoint> R;
  if (I.Nodes) {
    R = I.Nodes->evaluate(N, P, Why);
  } else {
    SlotValues Slots;
    ValuesAt Values;
    if (!I.findSlots(N, P, F, Slots, Why) || !I.checkMemory(Slots, Why))
      return std::nullopt;
    auto Find = [&](std::initializer_list<Number> All) {
      return llvm::all_of(All, [&](Number Each) {
        return I.findNumber(Each, Slots, Values, Why);
      });
    };
    if (!Find({Number::InstructionSeconds, Number::AccessSeconds, Number::IdleW,
               Number::ComputeW, Number::MemoryW, Number::IOW, Number::Alpha,
               Number::Instructions, Number::Accesses, Number::IOSeconds}))
      return std::nullopt;
    if (!I.isSequential(P) &&
        !Find({Number::MessageSeconds, Number::ByteSeconds, Number::NetworkW,
               Number::Latency, Number::Overhead, Number::Gap,
               Number::GapPerByte, Number::ExtraInstructions,
               Number::ExtraAccesses, Number::Messages, Number::Bytes,
               Number::NetworkSeconds}))
      return std::nullopt;
    R = I.File.Form == ScalingForm::Kernels ? I.byKernels(Slots, Values, Why)
                                            : I.byVectors(Slots, Values);
  }
  if (!R || checkEnergy(R->Of, I.File.ApplicationPlace, Why))
    return std::nullopt;
  R->N = N;
  R->P = P;
  R->F = F;
  return R;
}
