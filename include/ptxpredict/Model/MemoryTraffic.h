//===- MemoryTraffic.h - What a kernel moves at each level ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_MEMORYTRAFFIC_H
#define PTXPREDICT_MODEL_MEMORYTRAFFIC_H

#include "ptxpredict/Model/BottleneckParts.h"
#include "ptxpredict/Model/CacheHits.h"

namespace ptxpredict {

/// Atomics of an instruction, or loads past L1, in the whole launch.
struct AtomicPlace {
  double Lanes = 0;       ///< that meet at the address where most do
  double Passes = 0;      ///< of sectors (countAtomicPasses())
  double Lookups = 0;     ///< of lines, by loads
  double Bytes = 0;       ///< that they are spread over
  bool AddsFloat = false; ///< one addition waits for the one before
};

/// Of a warp, in the mean over the launch's warps. Sectors are of 32 bytes.
struct MemoryTraffic {
  double SharedWavefronts = 0; ///< as counters have them: 128 bytes at most
  /// Core cycles that shared memory gives data for: bank conflicts, and what a
  /// cycle can bring.
  double SharedCycles = 0;
  double L1Cycles = 0;      ///< likewise of L1: global and local memory
  double TextureLanes = 0;  ///< that loads through texture units ask for
  double LoadSectors = 0;   ///< that loads ask for
  double CopiedSectors = 0; ///< that asynchronous copies bring
  double L1Sectors = 0;     ///< of them those that look in L1
  double L2ReadSectors = 0; ///< that leave L1
  double L2WriteSectors = 0;
  double DRAMSectors = 0; ///< read and written
  double DRAMWrittenSectors = 0;
  double AtomicSectors = 0; ///< among L2WriteSectors
  /// What of l2Sectors() and misses takes the slices of L2, as sectors that are
  /// read there in whole lines.
  double L2Work = 0;
  std::vector<AtomicPlace> Atomics;
  double L1HitRate = 0;     ///< of L1Sectors
  double L2HitRate = 0;     ///< of what reaches L2
  double L2ReadHitRate = 0; ///< of L2ReadSectors
  bool HasHits = false;     ///< hit rates are known, not just taken to be 0

  double l2Sectors() const { return L2ReadSectors + L2WriteSectors; }
};

/// Whether a load looks in L1: by its cache operator and by what the device
/// does with plain ones.
bool looksInL1(const Device &D, const MemoryCharacteristics &M);

/// Takes \p Which of every count; of hit rates the opposite end. \p Without:
/// parts that are not there. Found once for \p On and its copies.
MemoryTraffic findMemoryTraffic(const KernelOnDevice &On,
                                double Estimate::*Which = &Estimate::Value,
                                BottleneckParts Without = {});

/// The same of a warp of the heaviest blocks, which the kernel must have, with
/// the hit rates of the launch.
MemoryTraffic findHeaviestTraffic(const KernelOnDevice &On,
                                  double Estimate::*Which = &Estimate::Value,
                                  BottleneckParts Without = {});

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_MEMORYTRAFFIC_H
