//===- KernelTimes.cpp - How long a scenario's kernels take ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/KernelTimes.h"
#include "ptxpredict/Model/LittlesLaw.h"
#include "ptxpredict/Support/Assumption.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <cstring>

using namespace ptxpredict;

static Error kernelError(const Twine &Message) {
  return llvm::createStringError(Message);
}

/// All formulas of a kernel, in the order of its values.
template <typename FnT>
static void forEachFormula(const ScenarioKernel &K, FnT Do) {
  for (FormulaNumber F : K.Grid)
    Do(F, "grid");
  for (FormulaNumber F : K.Block)
    Do(F, "block");
  for (const ScenarioKernel::Argument &A : K.Arguments)
    Do(A.Value != NoFormula ? A.Value : A.BufferBytes, A.Parameter);
  for (const auto &[Label, F] : K.TripCounts)
    Do(F, Label);
  for (const auto &[Name, F] : K.Inputs)
    Do(F, Name);
  Do(K.DynamicShared, "dynamic_smem");
  Do(K.Registers, "registers");
  Do(K.TimeUs, "time_us");
  Do(K.PowerW, "power_w");
}

bool KernelTimes::read(DiagnosticEngine &Diags) {
  bool Failed = false;
  for (const ScenarioKernel &K : S.Kernels) {
    CodeFile *&Of = Code.emplace_back();
    if (K.By != ScenarioKernel::TimeBy::Code)
      continue;
    llvm::SmallString<256> Path(K.File);
    if (!llvm::sys::path::is_absolute(Path) && !Options.Folder.empty()) {
      Path = Options.Folder;
      llvm::sys::path::append(Path, K.File);
    }
    if (!isInProject(Path, Options.Project)) {
      Diags.error(K.FilePlace, "'" + K.File +
                                   "' lies outside of the scenario's project, "
                                   "the folder that it is in or the nearest "
                                   "one above with '.git'");
      Failed = true;
      continue;
    }
    auto &File = Files[Path.str().str()];
    if (!File)
      File = std::make_unique<CodeFile>(Path, Devices);
    if (File->failed()) {
      Diags.error(K.FilePlace,
                  "the code of kernel '" + K.Name + "' could not be read");
      Failed = true;
      continue;
    }
    Of = File.get();
    if (Expected<std::string> Name = File->kernelName(K.Glob); !Name) {
      Diags.error(K.FilePlace, "kernel '" + K.Name +
                                   "': " + llvm::toString(Name.takeError()) +
                                   (K.Glob == "*" ? "; 'kernel: NAME' chooses "
                                                    "one"
                                                  : ""));
      Failed = true;
    }
  }
  return Failed;
}

std::vector<const DiagnosticEngine *> KernelTimes::messages() const {
  std::vector<const DiagnosticEngine *> Result;
  Result.reserve(Files.size());
  for (const auto &[Path, File] : Files)
    Result.push_back(&File->messages());
  return Result;
}

std::vector<std::string> KernelTimes::assumptions() const {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Assumed;
}

Expected<std::vector<double>> KernelTimes::values(const ScenarioKernel &K,
                                                  ArrayRef<double> Slots,
                                                  SMLoc &Place) {
  std::vector<double> Result;
  std::string Why;
  SmallVector<double, 8> Named;
  forEachFormula(K, [&](FormulaNumber N, StringRef) {
    double V = 0;
    if (N != NoFormula && Why.empty()) {
      const ScenarioFormula &F = S.Formulas[N];
      Named.clear();
      for (SlotNumber Slot : F.Slots)
        Named.push_back(Slots[Slot]);
      Place = F.Text.place();
      V = F.Text.evaluate(Named, Why).value_or(0);
      if (!Why.empty())
        Why += describeNames(F, Slots);
    }
    Result.push_back(V);
  });
  if (!Why.empty())
    return kernelError(Why);
  Place = K.Place;
  return Result;
}

/// An extent of a grid or block.
static Expected<uint64_t> extentOf(double V, StringRef What) {
  if (!(V >= 1) || V > 1e15 || V != std::floor(V))
    return kernelError(What + " is " + shortestDecimal(V) +
                       "; it must be a whole number from 1");
  return uint64_t(V);
}

static Error readShape(ArrayRef<double> Values, StringRef What,
                       std::optional<Dim3> &Result) {
  SmallVector<uint64_t, 3> Extents;
  for (double V : Values) {
    Expected<uint64_t> E = extentOf(V, What);
    if (!E)
      return E.takeError();
    Extents.push_back(*E);
  }
  if (Extents.empty())
    return Error::success();
  Result = makeDim3(Extents);
  return Result ? Error::success() : kernelError(What + " is too large");
}

Expected<LaunchSpec> KernelTimes::launchOf(const ScenarioKernel &K,
                                           ArrayRef<double> Values) {
  LaunchSpec L;
  if (Error E = readShape(Values.take_front(K.Grid.size()), "grid", L.Grid))
    return E;
  Values = Values.drop_front(K.Grid.size());
  if (Error E = readShape(Values.take_front(K.Block.size()), "block", L.Block))
    return E;
  Values = Values.drop_front(K.Block.size());
  for (const ScenarioKernel::Argument &A : K.Arguments) {
    const double V = Values.consume_front();
    ArgumentValue Value;
    if (A.BufferBytes != NoFormula) {
      if (!(V >= 0) || V > 1e18)
        return kernelError("a buffer of " + shortestDecimal(V) + " bytes");
      Value.Kind = ArgumentValue::KindTy::Buffer;
      Value.Buffer = A.Parameter;
      Value.BufferAlign = PointerAlignment;
      Value.BufferBytes = uint64_t(V);
    } else {
      std::optional<ArgumentValue> Read =
          parseArgumentValue(shortestDecimal(V));
      if (Read)
        Value = *Read;
      if (V == std::floor(V) && std::fabs(V) < 9e18) {
        Value.Kind = ArgumentValue::KindTy::Integer;
        Value.Integer = int64_t(V);
        Value.Float = V;
      }
    }
    L.Args.push_back({A.Parameter, std::move(Value), {}, 0});
  }
  for (const auto &[Label, F] : K.TripCounts) {
    const double V = Values.consume_front();
    if (!(V >= 0))
      return kernelError("trip count '" + Label + "' is " + shortestDecimal(V));
    L.TripCounts[Label] = V;
  }
  Values = Values.drop_front(K.Inputs.size());
  if (K.DynamicShared != NoFormula) {
    const double V = Values.front();
    if (!(V >= 0) || V > 1e9 || V != std::floor(V))
      return kernelError("dynamic_smem is " + shortestDecimal(V) +
                         "; it must be a whole number of bytes");
    L.DynamicSharedBytes = uint64_t(V);
  }
  return L;
}

/// The bits of \p Values, and what else tells questions apart.
static std::pair<std::vector<uint64_t>, const void *>
keyOf(unsigned Kernel, const void *Where, ArrayRef<double> Values) {
  std::vector<uint64_t> Bits{Kernel};
  Bits.resize(1 + Values.size());
  if (!Values.empty())
    std::memcpy(&Bits[1], Values.data(), Values.size() * sizeof(double));
  return {std::move(Bits), Where};
}

Expected<std::shared_ptr<const KernelCharacteristics>>
KernelTimes::analyze(unsigned Kernel, ArrayRef<double> Values) {
  Key Asked = keyOf(Kernel, nullptr, Values);
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (auto At = Analyses.find(Asked); At != Analyses.end())
      return At->second;
  }
  const ScenarioKernel &K = S.Kernels[Kernel];
  Expected<LaunchSpec> Launch = launchOf(K, Values);
  if (!Launch)
    return Launch.takeError();
  CompiledKernel Compiled;
  if (K.Registers != NoFormula)
    Compiled.Registers = unsigned(Values[Values.size() - 3]);
  std::vector<LabelWarning> Warnings;
  Expected<std::shared_ptr<const KernelCharacteristics>> Result =
      Code[Kernel]->analyze(K.Glob, *Launch, Compiled, Warnings);
  if (!Result)
    return Result;
  if (!Warnings.empty())
    return kernelError(Warnings.front().Text);
  std::lock_guard<std::mutex> Lock(Mutex);
  for (const Assumption &A : (*Result)->Assumptions) {
    std::string Text = K.Name + ": " + A.whatAndWhere() + " is taken as " +
                       A.Value + (A.Option.empty() ? "" : "; " + A.Option);
    if (!llvm::is_contained(Assumed, Text))
      Assumed.push_back(std::move(Text));
  }
  Analyses[std::move(Asked)] = *Result;
  return Result;
}

Expected<KernelTime> KernelTimes::byLittlesLaw(const ScenarioKernel &K,
                                               const SystemComponent &GPU,
                                               ArrayRef<double> Values) {
  std::optional<Dim3> Grid, Block;
  if (Error E = readShape(Values.take_front(K.Grid.size()), "grid", Grid))
    return E;
  Values = Values.drop_front(K.Grid.size());
  if (Error E = readShape(Values.take_front(K.Block.size()), "block", Block))
    return E;
  Values = Values.drop_front(K.Block.size());

  // The device's, then the component's attributes, then the kernel's own.
  LittlesLawInputs In;
  const Device &D = *GPU.On;
  In.WarpSize = *D.WarpSize;
  In.SMs = D.NumSMs.Value.value_or(0);
  In.ClockMHz = D.BoostMHz.Value.value_or(0);
  In.CudaCores = D.FP32Lanes.Value.value_or(0);
  In.Schedulers = D.Schedulers.Value.value_or(0);
  In.GMemBandwidth =
      D.DRAMBandwidth.Value.value_or(0) * 1e3 / (In.SMs * In.ClockMHz);
  In.Lambda = 1;
  if (Grid)
    In.GridSize = double(Grid->count());
  if (Block)
    In.WarpsPerBlock = std::ceil(double(Block->count()) / In.WarpSize);
  const std::pair<StringRef, double *> Inputs[] = {
#define LITTLESLAW_INPUT(MEMBER, NAME, UNIT, MEANING) {NAME, &In.MEMBER},
#include "ptxpredict/Model/LittlesLawTerms.def"
  };
  for (const auto &[Name, Value] : Inputs)
    if (auto At = GPU.Attributes.find(Name); At != GPU.Attributes.end())
      *Value = At->second;
  for (const auto &[Own, Value] : llvm::zip(K.Inputs, Values))
    for (const auto &[Name, Into] : Inputs)
      if (Name == Own.first)
        *Into = Value;
  const std::pair<StringRef, double> Needed[] = {
      {"grid_size", In.GridSize},
      {"warps_per_block", In.WarpsPerBlock},
      {"occupancy", In.Occupancy},
      {"latency_bound", In.LatencyBound},
      {"SMs", In.SMs},
      {"SM_clock", In.ClockMHz},
      {"lambda", In.Lambda}};
  for (const auto &[Name, Value] : Needed)
    if (!(Value > 0))
      return kernelError("littles_law needs " + Name + " above 0");
  const LittlesLawResult R = evaluateLittlesLaw(In);
  return KernelTime{R.TimeUs * 1e-6, {}};
}

Expected<KernelTime> KernelTimes::predict(unsigned Kernel,
                                          const SystemComponent &GPU,
                                          ArrayRef<double> Values,
                                          double CoreMHz) {
  const ScenarioKernel &K = S.Kernels[Kernel];
  KernelTime Result;
  if (K.By == ScenarioKernel::TimeBy::Given) {
    Result.Seconds = Values[Values.size() - 2] * 1e-6;
    if (!(Result.Seconds >= 0))
      return kernelError("time_us is negative");
  } else if (K.By == ScenarioKernel::TimeBy::LittlesLaw) {
    Expected<KernelTime> T = byLittlesLaw(K, GPU, Values);
    if (!T)
      return T;
    Result = *T;
  } else {
    Expected<std::shared_ptr<const KernelCharacteristics>> C =
        analyze(Kernel, Values);
    if (!C)
      return C.takeError();
    const Model *By[] = {Options.By};
    const ReadyKernel Ready(KernelOnDevice(**C, *GPU.On), By, Options.Options);
    DevicePoint At = DevicePoint::of(*GPU.On);
    if (CoreMHz > 0) {
      At.CoreMHz = CoreMHz;
      At.fixClock();
    } else {
      At.leaveClock(*GPU.On, {});
    }
    const Prediction P = Ready.predict(0, At);
    if (!P.TimeUs || !(P.TimeUs->Value >= 0) || !std::isfinite(P.TimeUs->Value))
      return kernelError(
          GPU.On->Name + ": " +
          (P.Refusal.empty() ? llvm::join(P.Applies.Notes, "; ") : P.Refusal));
    Result.Seconds = P.TimeUs->Value * 1e-6;
    if (P.PowerW)
      Result.Watts = P.PowerW->Value;
  }
  if (K.PowerW != NoFormula) {
    Result.Watts = Values.back();
    if (!(*Result.Watts >= 0))
      return kernelError("power_w is negative");
  }
  return Result;
}

Expected<KernelTime> KernelTimes::find(unsigned Kernel,
                                       const SystemComponent &GPU,
                                       ArrayRef<double> Slots, SMLoc &Place,
                                       double CoreMHz) {
  const ScenarioKernel &K = S.Kernels[Kernel];
  Expected<std::vector<double>> Values = values(K, Slots, Place);
  if (!Values)
    return kernelError("kernel '" + K.Name +
                       "': " + llvm::toString(Values.takeError()));
  Values->push_back(CoreMHz);
  Key Asked = keyOf(Kernel, &GPU, *Values);
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (auto At = Times.find(Asked); At != Times.end())
      return At->second;
  }
  Expected<KernelTime> T =
      predict(Kernel, GPU, ArrayRef(*Values).drop_back(), CoreMHz);
  if (!T)
    return kernelError("kernel '" + K.Name +
                       "': " + llvm::toString(T.takeError()));
  std::lock_guard<std::mutex> Lock(Mutex);
  Times[std::move(Asked)] = *T;
  return T;
}
