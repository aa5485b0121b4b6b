//===- BankConflict.cpp - Shared accesses in too many passes --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RequestExcess.h"
#include <cstdlib>

using namespace ptxpredict;

/// Means of several shapes of request: no more than rounding.
static constexpr double Rounding = 1e-6;

static double neededFor(const MemoryCharacteristics &M, double Lanes) {
  return fewestWavefronts(Lanes, M.BytesPerLane);
}

static bool hasConflicts(const MemoryCharacteristics &M) {
  if (M.Space != AddressSpace::Shared || !M.Wavefronts || M.BytesPerLane == 0 ||
      M.Requests.Value <= 0 || M.Access == AccessKind::Atomic)
    return false;
  // Lanes side by side or at one place, wherever in the warp they are.
  if (M.LaneStrideBytes &&
      std::abs(*M.LaneStrideBytes) <= int64_t(M.BytesPerLane))
    return false;
  double LanesOfPass = double(WarpSize) / neededFor(M, WarpSize);
  double Needed = std::max(neededFor(M, M.ActiveLanes.Value),
                           mostNeeded(M.ActiveLanes.Value, LanesOfPass));
  return M.Wavefronts->Value > Needed * (1 + Rounding);
}

/// Passes over the banks.
static RequestUnits wavefronts() {
  return {[](const MemoryCharacteristics &M) { return M.Wavefronts->Value; },
          [](const MemoryCharacteristics &M) {
            return neededFor(M, M.ActiveLanes.Value);
          }};
}

static void spread(MemoryCharacteristics &M) {
  M.Wavefronts = Estimate(neededFor(M, M.ActiveLanes.Value), Status::Estimated,
                          neededFor(M, M.ActiveLanes.Low),
                          neededFor(M, M.ActiveLanes.High));
  M.PairedWavefronts.reset();
  if (M.JoinedWavefronts)
    M.JoinedWavefronts = M.Wavefronts->scaled(M.Joined);
}

static Finding describe(const Rule &R, LintContext &C,
                        const RequestUnits &Units,
                        const PlaceOfAccesses &Place) {
  const KernelCharacteristics &K = C.kernel();
  const RequestTotals Totals = totalsOf(K, Place, Units);
  const MemoryCharacteristics &M = *Totals.Worst;
  const double Needed = neededFor(M, M.ActiveLanes.Value);
  const bool IsUnknown = M.Wavefronts->Status == Status::Unknown;
  Finding F = C.start(R, K.Memory[Place.Accesses.front()].Place);
  F.Message = M.shownOpcode() + " takes " +
              (IsUnknown ? perhapsText(*M.Wavefronts, Needed)
                         : countText(*M.Wavefronts)) +
              " passes over the banks a request where " + shortNumber(Needed) +
              " would do" + strideText(M) + othersText(Place);
  addValues(F, Totals, "wavefronts", M.Wavefronts->Status);
  F.Help = "let the lanes of a warp fall into different banks: pad a row of "
           "the array by one element, or permute the index";
  return F;
}

void ptxpredict::checkBankConflict(const Rule &R, LintContext &C) {
  const RequestUnits Units = wavefronts();
  reportPlaces(
      C, Units, hasConflicts,
      [&](const PlaceOfAccesses &Place) {
        const MemoryCharacteristics &M =
            *totalsOf(C.kernel(), Place, Units).Worst;
        return M.Wavefronts->Status == Status::Unknown &&
               isOpen(*M.Wavefronts, neededFor(M, M.ActiveLanes.Value));
      },
      [&](const PlaceOfAccesses &Place) {
        return describe(R, C, Units, Place);
      },
      spread);
}
