//===- PowerEvents.cpp - What learned power is learned from ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/PowerEvents.h"
#include "ptxpredict/Model/MachineWork.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static constexpr PowerEventInfo Infos[] = {
#define POWER_EVENT(MEMBER, NAME, UNIT, INMLR, MEANING)                        \
  {NAME, UNIT, INMLR, MEANING},
#include "ptxpredict/Model/PowerEvents.def"
};

const PowerEventInfo &ptxpredict::infoOf(PowerEvent E) {
  return Infos[size_t(E)];
}

ArrayRef<StringRef> ptxpredict::powerEventNames() {
  static constexpr StringRef Names[] = {
#define POWER_EVENT(MEMBER, NAME, UNIT, INMLR, MEANING) NAME,
#include "ptxpredict/Model/PowerEvents.def"
  };
  return Names;
}

std::optional<PowerEvent> ptxpredict::findPowerEvent(StringRef Name) {
  const ArrayRef<StringRef> Names = powerEventNames();
  const auto *At = llvm::find(Names, Name);
  return At == Names.end() ? std::nullopt
                           : std::optional(PowerEvent(At - Names.begin()));
}

/// Lines of 128 B that requests of a kind ask for, of the launch; nothing where
/// the code does not say it.
static std::optional<Estimate> linesOf(const KernelCharacteristics &K,
                                       AccessKind Access) {
  const double Warps =
      double(K.Launch.blocks()) * double(K.Launch.warpsPerBlock());
  Estimate Sum = Estimate::known(0);
  for (const MemoryCharacteristics &M : K.Memory)
    if (M.Access == Access &&
        (M.Space == AddressSpace::Global || M.Space == AddressSpace::Generic))
      Sum += (M.Requests * M.Lines.value_or(M.ActiveLanes)).scaled(Warps);
  return Sum;
}

PowerEventCounts ptxpredict::countPowerEvents(const KernelOnDevice &On) {
  const KernelCharacteristics &K = On.Kernel;
  const CounterEstimates Counters = predictCounters(On, Prediction());
  auto Of = [&](Counter C) { return Counters[size_t(C)]; };
  auto Sum = [](std::optional<Estimate> A, const std::optional<Estimate> &B) {
    if (A && B)
      *A += *B;
    return B ? A : std::nullopt;
  };
  auto First = [](const std::optional<Estimate> &A,
                  const std::optional<Estimate> &B) { return A ? A : B; };
  // A kernel without an access of a kind has none of its events.
  auto OrNone = [&](const std::optional<Estimate> &E) {
    return First(E, Estimate::known(0));
  };

  PowerEventCounts Result;
  auto Set = [&](PowerEvent E, const std::optional<Estimate> &N) {
    Result[size_t(E)] = N;
  };
  Set(PowerEvent::GlobalLoads,
      Sum(OrNone(Of(Counter::GlobalLoadRequests)),
          First(Sum(Of(Counter::L1LoadHits), Of(Counter::L1LoadMisses)),
                linesOf(K, AccessKind::Load))));
  Set(PowerEvent::GlobalStores, First(Of(Counter::GlobalStoreTransactions),
                                      linesOf(K, AccessKind::Store)));
  Set(PowerEvent::LocalLoads, OrNone(Of(Counter::LocalLoadRequests)));
  Set(PowerEvent::LocalStores, OrNone(Of(Counter::LocalStoreRequests)));
  Set(PowerEvent::SharedAccesses, Sum(OrNone(Of(Counter::SharedLoadRequests)),
                                      OrNone(Of(Counter::SharedConflicts))));
  Set(PowerEvent::Instructions, Of(Counter::WarpInstructions));
  Set(PowerEvent::Branches, OrNone(Of(Counter::Branches)));
  Set(PowerEvent::DivergentBranches, OrNone(Of(Counter::DivergentBranches)));
  // How many sectors a texture's coordinates touch no code says.
  const bool HasTextures =
      machineWork(K, On.Dev.ComputeCapability).of(MachinePipe::Texture) > 0;
  const std::optional<Estimate> NoTexture =
      HasTextures ? std::nullopt : std::optional(Estimate::known(0));
  Set(PowerEvent::TextureHits, First(Of(Counter::TextureSectors), NoTexture));
  Set(PowerEvent::TextureMisses, First(Of(Counter::TextureMisses), NoTexture));
  Set(PowerEvent::L2Reads, Of(Counter::L2ReadSectors));
  Set(PowerEvent::L2Writes, Of(Counter::L2WriteSectors));
  Set(PowerEvent::DRAMReads, Of(Counter::DRAMReadSectors));
  Set(PowerEvent::DRAMWrites, Of(Counter::DRAMWriteSectors));
  Set(PowerEvent::SharedLoads, OrNone(Of(Counter::SharedLoadWavefronts)));
  Set(PowerEvent::SharedStores, OrNone(Of(Counter::SharedStoreWavefronts)));
  Set(PowerEvent::SingleFlops, Of(Counter::SingleFlops));
  Set(PowerEvent::DoubleFlops, Of(Counter::DoubleFlops));
  Set(PowerEvent::Integers, Of(Counter::ThreadInteger));
  Set(PowerEvent::Control, Of(Counter::ControlInstructions));
  return Result;
}
