//===- BankConflict.cpp - Shared accesses in too many passes --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
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

static double excessOf(const MemoryCharacteristics &M) {
  return M.Requests.Value *
         (M.Wavefronts->Value - neededFor(M, M.ActiveLanes.Value));
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
                        const PlaceOfAccesses &Place) {
  const KernelCharacteristics &K = C.kernel();
  size_t Worst = Place.Accesses.front();
  double Requests = 0, Passes = 0, Needed = 0;
  for (size_t I : Place.Accesses) {
    const MemoryCharacteristics &M = K.Memory[I];
    if (excessOf(M) > excessOf(K.Memory[Worst]))
      Worst = I;
    Requests += M.Requests.Value;
    Passes += M.Requests.Value * M.Wavefronts->Value;
    Needed += M.Requests.Value * neededFor(M, M.ActiveLanes.Value);
  }
  const MemoryCharacteristics &M = K.Memory[Worst];
  const double NeededHere = neededFor(M, M.ActiveLanes.Value);
  const bool IsUnknown = M.Wavefronts->Status == Status::Unknown;
  Finding F = C.start(R, K.Memory[Place.Accesses.front()].Place);
  F.Message = M.Opcode + " takes " +
              (IsUnknown ? perhapsText(*M.Wavefronts, NeededHere)
                         : countText(*M.Wavefronts)) +
              " passes over the banks a request where " +
              shortNumber(NeededHere) + " would do";
  if (M.LaneStrideBytes)
    F.Message += ": a lane's address is " +
                 std::to_string(std::abs(*M.LaneStrideBytes)) +
                 " B from the next lane's";
  else if (!M.LaneStrideSymbolic.empty())
    F.Message += ": a lane's address is " + M.LaneStrideSymbolic +
                 " B from the next lane's";
  if (Place.Accesses.size() > 1)
    F.Message += "; " + std::to_string(Place.Accesses.size()) +
                 " such instructions here";
  if (IsUnknown && isOpen(*M.Wavefronts, NeededHere))
    F.Level = Severity::Note;
  F.add("requests", Requests);
  F.add("wavefronts_per_request", Passes / Requests);
  F.add("wavefronts_needed", Needed / Requests);
  F.add("bytes_per_lane", M.BytesPerLane);
  if (M.LaneStrideBytes)
    F.add("lane_stride_bytes", double(*M.LaneStrideBytes));
  F.add("how_known", toString(M.Wavefronts->Status));
  F.Help = "let the lanes of a warp fall into different banks: pad a row of "
           "the array by one element, or permute the index";
  return F;
}

void ptxpredict::checkBankConflict(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  std::vector<PricedFinding> Found;
  for (PlaceOfAccesses &Place : groupByPlace(K, hasConflicts)) {
    PricedFinding P;
    P.Found = describe(R, C, Place);
    for (size_t I : Place.Accesses)
      P.Weight += excessOf(K.Memory[I]);
    P.TakeOut = [Place = std::move(Place)](KernelVariant &V) {
      for (size_t I : Place.Accesses)
        spread(V.memory(I));
    };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));
}
