//===- ProfiledKernels.cpp - Kernels that a profiler measured -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Dataset/ProfiledKernels.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Scenario/Trace/NsysSummary.h"
#include "ptxpredict/Scenario/Trace/NsysTrace.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace ptxpredict;

bool ptxpredict::isProfilePath(StringRef Path) {
  return Path.ends_with_insensitive(".csv");
}

/// What reports compare with models.
static void addCounts(const KernelCounters &From, ProfiledKernel &K) {
  auto Set = [&](MeasuredCount Which, std::optional<double> Value) {
    K.Counters[size_t(Which)] = Value;
  };
  auto Get = [&](Counter C) -> std::optional<double> {
    const CounterValue *V = From[C];
    return V ? std::optional(V->Value) : std::nullopt;
  };
  auto Sum = [&](Counter A, Counter B) -> std::optional<double> {
    std::optional<double> X = Get(A), Y = Get(B);
    return X && Y ? std::optional(*X + *Y) : std::nullopt;
  };
  auto FirstOf = [](std::optional<double> A, std::optional<double> B) {
    return A ? A : B;
  };
  std::optional<double> PerWarp = Get(Counter::InstructionsPerWarp);
  if (auto All = Get(Counter::WarpInstructions);
      All && !PerWarp && K.Grid && K.Block) {
    const uint64_t Warps = (K.Block->count() + WarpSize - 1) / WarpSize;
    PerWarp = *All / double(Warps * K.Grid->count());
  }
  Set(MeasuredCount::Instructions, PerWarp);
  std::optional<double> Bytes = Get(Counter::DRAMBytes);
  Set(MeasuredCount::DRAMSectors,
      FirstOf(Bytes ? std::optional(*Bytes / SectorBytes) : std::nullopt,
              Sum(Counter::DRAMReadSectors, Counter::DRAMWriteSectors)));
  Set(MeasuredCount::L2Sectors,
      FirstOf(Get(Counter::L2Sectors),
              Sum(Counter::L2ReadSectors, Counter::L2WriteSectors)));
  Set(MeasuredCount::SharedWavefronts,
      FirstOf(
          Get(Counter::SharedWavefronts),
          Sum(Counter::SharedLoadWavefronts, Counter::SharedStoreWavefronts)));
}

/// Of Nsight Compute, nvprof, or a table of counters.
static bool readCounterProfile(DiagnosticEngine &Diags, Profile &Result) {
  std::vector<KernelCounters> All;
  if (readCounters(Diags, std::nullopt, All))
    return true;
  for (const KernelCounters &From : All) {
    const CounterValue *Time = From[Counter::Time];
    if (From.Kernel.empty()) {
      Diags.error(From.KernelPlace, "this launch has no kernel's name");
      continue;
    }
    if (!Time || !(Time->Value > 0)) {
      Diags.error(From.KernelPlace, "there is no time of '" + From.Kernel +
                                        "'; collect it with " +
                                        howToCollect(Counter::Time));
      continue;
    }
    ProfiledKernel &K = Result.Kernels.emplace_back();
    K.Name = From.Kernel;
    K.Device = From.Device;
    K.Capability = From.Capability;
    K.Grid = From.Grid;
    K.Block = From.Block;
    K.Launches = From.Launches;
    K.TimeUs = Time->Value;
    K.Place = From.KernelPlace;
    K.DevicePlace =
        From.DevicePlace.isValid() ? From.DevicePlace : From.CapabilityPlace;
    if (const CounterValue *V = From[Counter::DynamicSharedBytes])
      K.DynamicSharedBytes = uint64_t(std::min(V->Value, 1e15));
    if (const CounterValue *V = From[Counter::RegistersPerThread];
        V && V->Value >= 1 && V->Value < 0x1p16)
      K.Registers = unsigned(std::lround(V->Value));
    if (const CounterValue *V = From[Counter::Cycles]; V && V->Value > 0) {
      K.CoreMHz = V->Value / K.TimeUs;
      Result.ClocksAreKnown = true;
    }
    addCounts(From, K);
    for (const CounterValue &V : From.Values)
      K.MoreCounters.emplace_back(V.Name->Of, V.Value);
  }
  return Diags.hasErrors();
}

static std::optional<Dim3> shapeOf(const std::array<uint32_t, 3> &Extents) {
  return makeDim3({Extents[0], Extents[1], Extents[2]}); // nothing of 0
}

/// Means of the launches of one name, shape and dynamic shared memory.
static bool readTraceProfile(DiagnosticEngine &Diags, Profile &Result) {
  NsysTrace Trace;
  if (readNsysTrace(Diags, Trace))
    return true;
  using Key = std::tuple<uint32_t, uint32_t, std::array<uint32_t, 3>,
                         std::array<uint32_t, 3>, double>;
  std::map<Key, size_t> Found;
  std::vector<double> TotalNs;
  for (const TraceOperation &O : Trace.Operations) {
    if (O.Kind != TraceKind::Kernel)
      continue;
    auto [It, IsNew] = Found.try_emplace(
        Key(O.Name, O.Device, O.Grid, O.Block, O.DynamicShared),
        Result.Kernels.size());
    if (IsNew) {
      ProfiledKernel &K = Result.Kernels.emplace_back();
      K.Name = Trace.Names[O.Name];
      K.Device = Trace.Devices[O.Device].Text;
      K.Grid = shapeOf(O.Grid);
      K.Block = shapeOf(O.Block);
      K.DynamicSharedBytes = uint64_t(O.DynamicShared);
      if (O.Registers != 0)
        K.Registers = O.Registers;
      K.Place = K.DevicePlace = O.Place;
      TotalNs.push_back(0);
    }
    ++Result.Kernels[It->second].Launches;
    TotalNs[It->second] += double(O.DurationNs);
  }
  for (auto [K, Ns] : llvm::zip_equal(Result.Kernels, TotalNs)) {
    K.TimeUs = Ns / 1000 / double(K.Launches);
    if (!(K.TimeUs > 0))
      Diags.error(K.Place, "all launches of '" + K.Name + "' took no time");
  }
  return Diags.hasErrors();
}

static bool readSummaryProfile(DiagnosticEngine &Diags, Profile &Result) {
  std::vector<SummaryKernel> All;
  if (readNsysSummary(Diags, All))
    return true;
  for (SummaryKernel &From : All) {
    ProfiledKernel &K = Result.Kernels.emplace_back();
    K.Name = std::move(From.Name);
    K.Grid = shapeOf(From.Grid);
    K.Block = shapeOf(From.Block);
    K.Launches = From.Launches;
    K.TimeUs = From.MeanNs / 1000;
    K.Place = K.DevicePlace = From.Place;
  }
  return false;
}

bool ptxpredict::readProfile(DiagnosticEngine &Diags, Profile &Result) {
  const StringRef Text = Diags.text();
  bool Failed = false;
  if (hasNsysTrace(Text)) {
    Result.Program = "Nsight Systems";
    Result.ClocksAreKnown = true;
    Failed = readTraceProfile(Diags, Result);
  } else if (summaryFormOf(Text) != SummaryForm::None) {
    Result.Program = "Nsight Systems";
    Result.ClocksAreKnown = true;
    Failed = readSummaryProfile(Diags, Result);
  } else {
    Result.Program = "a profiler's counters";
    Failed = readCounterProfile(Diags, Result);
  }
  if (!Failed && Result.Kernels.empty())
    Diags.error(SMLoc(), "the profile has no kernel");
  return Diags.hasErrors();
}
