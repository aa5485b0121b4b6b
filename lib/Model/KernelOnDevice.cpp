//===- KernelOnDevice.cpp - A kernel's registers and place on an SM -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/KernelOnDevice.h"
#include "OnDeviceCache.h"
#include "ptxpredict/Model/PathCache.h"
#include "ptxpredict/Model/RegisterEstimate.h"
#include "ptxpredict/Support/TimeReport.h"
#include <cmath>

using namespace ptxpredict;

/// Those that are known, or the estimate whatever the launch.
static Estimate compiledRegisters(const KernelCharacteristics &K,
                                  const Device &D) {
  const ResourceCharacteristics &R = K.Resources;
  if (R.RegistersAreGiven)
    return R.Registers;
  for (const CompiledRegisters &C : R.Compiled)
    if (C.ComputeCapability == D.ComputeCapability)
      return Estimate::known(C.Registers);
  Estimate Guessed = estimateRegisters(R.Demand, D);
  if (R.Compiled.empty())
    return Guessed;
  // What another architecture's code uses is the best guess there is. A
  // compiler spills what a thread cannot address.
  double Guess = std::min(R.Registers.Value, *D.MaxRegistersPerThread);
  return {Guess, Status::Estimated, std::min(Guess, Guessed.Low),
          std::max(Guess, Guessed.High)};
}

/// The most that a thread can have if \p Registers are an estimate: what lets
/// one block of the launch reside. Otherwise all of them.
static double launchable(const KernelCharacteristics &K, const Device &D,
                         const Estimate &Registers) {
  BlockResources Block;
  Block.Threads = blockResources(K, Registers).Threads;
  Block.RegistersPerThread = 1;
  if (Registers.Status == Status::Known ||
      computeOccupancy(D, Block).BlocksPerSM == 0)
    return Registers.High;
  return mostRegistersFor(D, Block, 1);
}

Estimate ptxpredict::registersOn(const KernelCharacteristics &K,
                                 const Device &D) {
  Estimate R = compiledRegisters(K, D);
  double Most = launchable(K, D, R);
  return {std::min(R.Value, Most), R.Status, std::min(R.Low, Most),
          std::min(R.High, Most)};
}

std::string ptxpredict::registersNote(const KernelCharacteristics &K,
                                      const Device &D) {
  Estimate R = compiledRegisters(K, D);
  double Most = launchable(K, D, R);
  if (Most >= R.Value)
    return "";
  return "of " + std::to_string(std::lround(R.Value)) +
         " registers estimated, " + std::to_string(std::lround(Most)) +
         " are counted: with more, no block of " +
         std::to_string(K.Launch.threadsPerBlock()) + " threads starts";
}

BlockResources ptxpredict::blockResources(const KernelCharacteristics &K,
                                          const Estimate &Registers) {
  BlockResources R;
  R.Threads = unsigned(
      std::min<uint64_t>(K.Launch.threadsPerBlock(), ~0U)); // beyond any limit
  R.RegistersPerThread =
      unsigned(std::lround(std::min(Registers.Value, 1e6))); // beyond any limit
  R.SharedBytes = K.Resources.StaticSharedBytes + K.Launch.DynamicSharedBytes;
  R.Barriers = K.Resources.Barriers;
  return R;
}

KernelOnDevice::KernelOnDevice(const KernelCharacteristics &K, const Device &D,
                               const Estimate &Registers, Occupancy Occ)
    : Kernel(K), Dev(D), Registers(Registers), Occ(std::move(Occ)),
      Cache(std::make_shared<OnDeviceCache>()),
      Paths(std::make_shared<PathCache>()) {}

KernelOnDevice::KernelOnDevice(const KernelCharacteristics &K, const Device &D)
    : KernelOnDevice(K, D, Estimate(), Occupancy()) {
  StageTimer Timer(Stage::Occupancy);
  Registers = registersOn(K, D);
  findOccupancy();
}

KernelOnDevice::KernelOnDevice(const KernelCharacteristics &K, const Device &D,
                               const Estimate &Registers)
    : KernelOnDevice(K, D, Registers, Occupancy()) {
  StageTimer Timer(Stage::Occupancy);
  findOccupancy();
}

void KernelOnDevice::findOccupancy() {
  auto With = [&](double Number) {
    return computeOccupancy(Dev,
                            blockResources(Kernel, Estimate::known(Number)));
  };
  Occ = With(Registers.Value);
  if (Registers.isKnown() || Occ.BlocksPerSM == 0)
    return;
  for (double End : {Registers.Low, Registers.High})
    if (Occupancy There = With(End);
        There.BlocksPerSM != 0 && There.BlocksPerSM != Occ.BlocksPerSM)
      OccEnds.push_back({unsigned(std::lround(End)), std::move(There), {}});
}

KernelOnDevice KernelOnDevice::at(const OccupancyEnd &End) const {
  KernelOnDevice V(Kernel, Dev, Estimate::known(End.Registers), End.Occ);
  V.Paths = Paths;
  return V;
}

KernelOnDevice KernelOnDevice::variant(const KernelCharacteristics &Changed,
                                       Occupancy Resident) const {
  KernelOnDevice V(Changed, Dev, Registers, std::move(Resident));
  V.Paths = Paths;
  return V;
}

DevicePoint DevicePoint::of(const Device &D) {
  return {*D.BoostMHz, *D.MemoryMHz, unsigned(*D.NumSMs)};
}

void DevicePoint::leaveClock(const Device &D, std::optional<double> LimitW) {
  PowerLimitW = LimitW.value_or(D.TDPWatts.Value.value_or(0));
  HighestMHz = D.MaxMHz.Value.value_or(0);
}
