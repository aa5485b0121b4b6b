//===- Spills.cpp - What registers in memory cost a warp ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Spills.h"
#include <algorithm>

using namespace ptxpredict;

static constexpr double BytesOfSpill = 4; ///< of a thread, at a time

Spills ptxpredict::spillsOf(const KernelCharacteristics &K,
                            double Count::*Which) {
  Spills S;
  if (K.TotalInstructions == 0)
    return S;
  const double Runs = K.Instructions.*Which / K.TotalInstructions;
  const ResourceCharacteristics &R = K.Resources;
  if (R.SpillBytes)
    S.Stores = R.SpillBytes->Value / BytesOfSpill * Runs;
  if (R.SpillLoadBytes)
    S.Loads = R.SpillLoadBytes->Value / BytesOfSpill * Runs;
  return S;
}

SpillHits ptxpredict::spillHits(const KernelOnDevice &On) {
  const ResourceCharacteristics &R = On.Kernel.Resources;
  const Device &D = On.Dev;
  const double Blocks = std::min(double(On.Occ.BlocksPerSM),
                                 double(On.Kernel.Launch.blocks()) / *D.NumSMs);
  // A place may be stored to several times.
  double OfThread = R.SpillBytes ? R.SpillBytes->Value : 0;
  if (R.LocalBytes != 0)
    OfThread = std::min(OfThread, double(R.LocalBytes));
  const double OfSM = OfThread * double(On.Kernel.Launch.warpsPerBlock()) *
                      *D.WarpSize * Blocks;
  SpillHits Hits;
  if (!(OfSM > 0))
    return Hits;
  if (D.L1Bytes) {
    const bool IsTogether = *D.L1Bytes >= *D.SharedBytesPerSM;
    const double Shared =
        IsTogether
            ? double(blockResources(On.Kernel, On.Registers).SharedBytes) *
                  Blocks
            : 0;
    Hits.L1 = std::clamp((*D.L1Bytes - Shared) / OfSM, 0.0, 1.0);
  }
  if (D.L2Bytes)
    Hits.L2 = std::min(1.0, *D.L2Bytes / (OfSM * *D.NumSMs));
  return Hits;
}
