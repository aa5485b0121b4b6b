//===- RequestExcess.cpp - Requests that take too many units --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RequestExcess.h"
#include <cstdlib>

using namespace ptxpredict;

RequestTotals ptxpredict::totalsOf(const KernelCharacteristics &K,
                                   const PlaceOfAccesses &Place,
                                   const RequestUnits &Units) {
  RequestTotals T{&K.Memory[Place.Accesses.front()]};
  for (size_t I : Place.Accesses) {
    const MemoryCharacteristics &M = K.Memory[I];
    if (Units.excessOf(M) > Units.excessOf(*T.Worst))
      T.Worst = &M;
    T.Requests += M.Requests.Value;
    T.Taken += M.Requests.Value * Units.Taken(M);
    T.Needed += M.Requests.Value * Units.Needed(M);
  }
  return T;
}

std::string ptxpredict::strideText(const MemoryCharacteristics &M) {
  const std::string Stride = M.LaneStrideBytes
                                 ? std::to_string(std::abs(*M.LaneStrideBytes))
                                 : M.LaneStrideSymbolic;
  return Stride.empty()
             ? ""
             : ": a lane's address is " + Stride + " B from the next lane's";
}

std::string ptxpredict::othersText(const PlaceOfAccesses &Place) {
  const size_t Number = Place.Accesses.size();
  return Number > 1 ? "; " + std::to_string(Number) + " such instructions here"
                    : "";
}

void ptxpredict::addValues(Finding &F, const RequestTotals &T, StringRef Unit,
                           Status HowKnown) {
  F.add("requests", T.Requests);
  F.add((Unit + "_per_request").str(), T.Taken / T.Requests);
  F.add((Unit + "_needed").str(), T.Needed / T.Requests);
  F.add("bytes_per_lane", T.Worst->BytesPerLane);
  if (T.Worst->LaneStrideBytes)
    F.add("lane_stride_bytes", double(*T.Worst->LaneStrideBytes));
  F.add("how_known", toString(HowKnown));
}

void ptxpredict::reportPlaces(
    LintContext &C, const RequestUnits &Units,
    llvm::function_ref<bool(const MemoryCharacteristics &)> IsWrong,
    llvm::function_ref<bool(const PlaceOfAccesses &)> IsOpen,
    llvm::function_ref<Finding(const PlaceOfAccesses &)> Describe,
    void (*TakeOut)(MemoryCharacteristics &)) {
  const KernelCharacteristics &K = C.kernel();
  std::vector<std::pair<double, PlaceOfAccesses>> Places;
  for (PlaceOfAccesses &Place : groupByPlace(K, IsWrong)) {
    double Weight = 0;
    for (size_t I : Place.Accesses)
      Weight += Units.excessOf(K.Memory[I]);
    Places.emplace_back(Weight, std::move(Place));
  }
  llvm::stable_sort(
      Places, [](const auto &A, const auto &B) { return A.first > B.first; });
  std::vector<PricedFinding> Found;
  for (size_t N = 0; N != Places.size(); ++N) {
    auto &[Weight, Place] = Places[N];
    const bool IsNote = IsOpen(Place);
    if (IsNote && N >= LintContext::MostPriced)
      continue; // it would be dropped, and a text takes time
    PricedFinding P;
    P.Found = Describe(Place);
    if (IsNote)
      P.Found.Level = Severity::Note;
    P.Weight = Weight;
    P.TakeOut = [Place = std::move(Place), TakeOut](KernelVariant &V) {
      for (size_t I : Place.Accesses)
        TakeOut(V.memory(I));
    };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));
}
