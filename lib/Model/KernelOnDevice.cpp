//===- KernelOnDevice.cpp - A kernel's registers and place on an SM -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/KernelOnDevice.h"
#include "ptxpredict/Model/RegisterEstimate.h"
#include <cmath>

using namespace ptxpredict;

Count ptxpredict::registersOn(const KernelCharacteristics &K, const Device &D) {
  const ResourceCharacteristics &R = K.Resources;
  if (R.RegistersAreGiven)
    return R.Registers;
  for (const CompiledRegisters &C : R.Compiled)
    if (C.ComputeCapability == D.ComputeCapability)
      return Count::known(C.Registers);
  Count Estimate = estimateRegisters(R.Demand, D);
  if (R.Compiled.empty())
    return Estimate;
  // What another architecture's code uses is the best guess there is. A
  // compiler spills what a thread cannot address.
  double Guess = std::min(R.Registers.Value, *D.MaxRegistersPerThread);
  return {Guess, Status::Estimated, std::min(Guess, Estimate.Low),
          std::max(Guess, Estimate.High)};
}

BlockResources ptxpredict::blockResources(const KernelCharacteristics &K,
                                          const Count &Registers) {
  BlockResources R;
  R.Threads = unsigned(
      std::min<uint64_t>(K.Launch.threadsPerBlock(), ~0U)); // beyond any limit
  R.RegistersPerThread =
      unsigned(std::lround(std::min(Registers.Value, 1e6))); // beyond any limit
  R.SharedBytes = K.Resources.StaticSharedBytes + K.Launch.DynamicSharedBytes;
  R.Barriers = K.Resources.Barriers;
  return R;
}

DevicePoint DevicePoint::of(const Device &D) {
  return {*D.BoostMHz, *D.MemoryMHz, unsigned(*D.NumSMs)};
}
