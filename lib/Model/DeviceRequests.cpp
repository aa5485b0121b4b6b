//===- DeviceRequests.cpp - A kernel's requests to device memory ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceRequests.h"
#include "MWPCWPIssue.h"

using namespace ptxpredict;

double ptxpredict::transactionBytes(AccessRule Rule) {
  constexpr double SegmentBytes = 128;
  return Rule == AccessRule::Sector ? SectorBytes : SegmentBytes;
}

static bool isRequest(const MemoryCharacteristics &M) {
  return isDeviceMemory(M.Space) && M.Access != AccessKind::Prefetch &&
         M.BytesPerLane != 0;
}

/// Of one request. Without an analysis of the addresses every lane is taken for
/// itself.
static double transactionsOf(const MemoryCharacteristics &M, AccessRule Rule,
                             EstimateMember Which) {
  if (Rule == AccessRule::Sector && M.Sectors)
    return (*M.Sectors).*Which;
  if (Rule != AccessRule::Sector && M.Transactions[unsigned(Rule)])
    return (*M.Transactions[unsigned(Rule)]).*Which;
  return M.ActiveLanes.*Which;
}

DeviceRequests ptxpredict::sumDeviceRequests(const KernelCharacteristics &K,
                                             AccessRule Rule,
                                             EstimateMember Which) {
  DeviceRequests R;
  for (const MemoryCharacteristics &M : K.Memory) {
    double Num = M.Requests.*Which;
    if (!isRequest(M) || Num <= 0)
      continue;
    R.RequestedBytes += Num * M.BytesPerLane * WarpSize;
    double Lanes = M.ActiveLanes.*Which;
    double Trans = transactionsOf(M, Rule, Which);
    double Moved = Trans * transactionBytes(Rule);
    // Means of several shapes of request: no more than rounding over the least.
    if (Trans <= fewestTransactions(Rule, Lanes, M.BytesPerLane) * (1 + 1e-9)) {
      R.Coalesced += Num;
      Moved = std::min(Moved, double(M.BytesPerLane) * WarpSize);
      R.CoalescedBytes += Num * Moved;
    } else {
      // The segments of 1.x are as small as their words let them be.
      if (Rule == AccessRule::CC10 || Rule == AccessRule::CC12)
        Moved = std::max(Trans * transactionBytes(AccessRule::Sector),
                         Lanes * M.BytesPerLane);
      R.Uncoalesced += Num;
      R.UncoalescedTransactions += Num * Trans;
    }
    R.Bytes += Num * Moved;
    if (M.Access == AccessKind::Load)
      R.LoadBytes += Num * Moved;
  }
  return R;
}
