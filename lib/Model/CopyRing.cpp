//===- CopyRing.cpp - Buffers that bulk copies fill in turn ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CopyRing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

static unsigned numWarps(const WarpRole &R) {
  unsigned Sum = 0;
  for (const WarpRange &W : R.Warps)
    Sum += unsigned(W.Number);
  return Sum;
}

/// Bulk copies have no bytes for each lane.
static bool hasTensorCopies(const KernelCharacteristics &K) {
  return llvm::any_of(K.Memory, [](const MemoryCharacteristics &M) {
    return M.Access == AccessKind::Async && M.BytesPerLane == 0 &&
           StringRef(M.Opcode).contains(".tensor");
  });
}

/// From an arrival that frees a buffer to the copy's last byte, and the cycles
/// of memory behind L2, of which all copies of a step wait for the slowest.
static void addLatencies(const Device &D, bool IsTensor, double Bytes,
                         double Copies, double Missing, CopyRing &R) {
  const double DRAM = *D.DRAMLatency;
  const double L2 = std::min(D.L2Latency.Value.value_or(DRAM), DRAM);
  const Quantity &Known = IsTensor ? D.TensorCopyLatency : D.BulkCopyLatency;
  R.Cycles = Known.Value.value_or(L2) + D.MBarrierLatency.Value.value_or(0);
  // An SM writes no faster to its shared memory.
  if (D.SharedBytesPerCycle)
    R.Cycles += Bytes / *D.SharedBytesPerCycle;
  R.CyclesBeyondL2 = std::min(1.0, Copies * Missing) * (DRAM - L2);
}

CopyRing ptxpredict::findCopyRing(const KernelOnDevice &On,
                                  const MemoryTraffic &Traffic,
                                  double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const bool IsTensor = hasTensorCopies(K);
  const double BlockBytes =
      Traffic.CopiedSectors * SectorBytes * double(K.Launch.warpsPerBlock());
  CopyRing Longest;
  double Most = 0;
  for (const RolePipeline &P : K.Roles.Pipelines) {
    const MBarrierArray &Full = K.Roles.Barriers[P.Full];
    const double Steps = P.Steps.*Which;
    if (!Full.IsOfCopies || P.Stages == 0 || !(Steps > 0) ||
        !std::isfinite(Steps))
      continue;
    const WarpRole &Producer = K.Roles.Roles[P.Producer];
    const double Copies =
        std::max(1.0, Producer.Copies.*Which * numWarps(Producer) / Steps);
    const double Bytes =
        Full.Bytes != 0 ? double(Full.Bytes) : BlockBytes / Steps;
    CopyRing R;
    R.Steps = Steps;
    R.Stages = P.Stages;
    addLatencies(On.Dev, IsTensor, Bytes, Copies, 1 - Traffic.L2ReadHitRate, R);
    const double Waiting = Steps / R.Stages * (R.Cycles + R.CyclesBeyondL2);
    if (Waiting > Most) {
      Most = Waiting;
      Longest = R;
    }
  }
  return Longest;
}
