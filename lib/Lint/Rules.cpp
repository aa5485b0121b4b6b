//===- Rules.cpp - What several rules use ---------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "ptxpredict/Model/Pipes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace ptxpredict;

std::string ptxpredict::howKnown(Status S) {
  return S == Status::Known || S == Status::Estimated
             ? ""
             : (" (" + toString(S) + ")").str();
}

std::string ptxpredict::countText(const Count &C) {
  return shortNumber(C.Value) + howKnown(C.How);
}

std::string ptxpredict::onDevice(const LintContext &C, const KernelThere &K) {
  return C.request().Devices.size() == 1 ? "" : (" on " + K.name()).str();
}

double ptxpredict::laneCount(Latency Kind, const Device &D) {
  const Quantity *Lanes = lanesFor(D, Kind);
  return Lanes && *Lanes && **Lanes > 0 ? **Lanes : *D.FP32Lanes;
}

double ptxpredict::issueCyclesOf(Latency Kind, const Device &D) {
  return issueCyclesOn(D, laneCount(Kind, D));
}

std::vector<PlaceOfAccesses> ptxpredict::groupByPlace(
    const KernelCharacteristics &K,
    llvm::function_ref<bool(const MemoryCharacteristics &)> Wanted) {
  std::vector<PlaceOfAccesses> Places;
  llvm::StringMap<size_t> BySource;
  for (size_t I = 0; I != K.Memory.size(); ++I) {
    const MemoryCharacteristics &M = K.Memory[I];
    if (!Wanted(M))
      continue;
    std::string Key =
        M.Place.Source.empty()
            ? std::to_string(M.Place.Line)
            : M.Place.Source + "\n" + llvm::join(M.Place.InlinedAt, "\n");
    auto [It, IsNew] = BySource.try_emplace(Key, Places.size());
    if (IsNew)
      Places.emplace_back();
    Places[It->second].Accesses.push_back(I);
  }
  return Places;
}

double ptxpredict::mostNeeded(double Lanes, double LanesPerUnit) {
  if (LanesPerUnit <= 1)
    return std::max(1.0, Lanes / LanesPerUnit);
  return std::min(std::max(1.0, std::ceil(WarpLanes / LanesPerUnit)),
                  1 + std::max(0.0, Lanes - 1) / LanesPerUnit);
}
