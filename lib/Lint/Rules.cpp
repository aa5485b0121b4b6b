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

std::string ptxpredict::countText(const Estimate &C) {
  return shortNumber(C.Value) + howKnown(C.Status);
}

bool ptxpredict::isOpen(const Estimate &C, double Least) {
  return C.Status >= Status::Assumed && C.Low <= Least;
}

std::string ptxpredict::perhapsText(const Estimate &C, double Least) {
  return isOpen(C, Least) ? "perhaps " + shortNumber(C.Value) : countText(C);
}

bool ptxpredict::isGridAssumed(const KernelCharacteristics &K) {
  return llvm::any_of(K.Assumptions, [](const Assumption &A) {
    return A.Kind == AssumptionKind::Grid;
  });
}

std::string ptxpredict::onDevice(const LintContext &C, const KernelThere &K) {
  return C.request().Devices.size() == 1 ? "" : (" on " + K.name()).str();
}

double ptxpredict::laneCount(SchedClass Kind, const Device &D) {
  const Quantity *Lanes = lanesFor(D, Kind);
  return Lanes && *Lanes && **Lanes > 0 ? **Lanes : *D.FP32Lanes;
}

double ptxpredict::issueCyclesOf(SchedClass Kind, const Device &D) {
  return issueCyclesOn(D, laneCount(Kind, D));
}

bool ptxpredict::isOfDoubles(SchedClass Kind) {
  return classOf(Kind) == OpClass::Fp64 || Kind == SchedClass::FP64Convert;
}

std::optional<SchedClass> ptxpredict::cheaperKind(SchedClass Kind) {
  switch (Kind) {
  case SchedClass::FP64:
  case SchedClass::FP64Convert:
    return SchedClass::FP32;
  case SchedClass::FP64FMA:
    return SchedClass::FP32FMA;
  case SchedClass::FP64Divide:
    return SchedClass::FP32Divide;
  case SchedClass::FP32Divide:
  case SchedClass::SFU:
    return SchedClass::FP32;
  case SchedClass::IntDivide:
  case SchedClass::IntRemainder:
    return SchedClass::Int;
  default:
    return std::nullopt;
  }
}

void ptxpredict::makeCheaper(KernelVariant &V, const WorkByKind &Work) {
  for (unsigned K = 0; K != NumSchedClasses; ++K)
    if (std::optional<SchedClass> Other = cheaperKind(SchedClass(K));
        Other && Work[K] > 0) {
      if (SchedClass(K) == SchedClass::FP64Convert)
        V.removeWork(SchedClass(K), Work[K]);
      else
        V.replaceWork(SchedClass(K), *Other, Work[K]);
    }
}

std::string ptxpredict::keyOf(const SourcePlace &P) {
  return P.Source.empty() ? std::to_string(P.Line)
                          : P.Source + "\n" + llvm::join(P.InlinedAt, "\n");
}

InstructionKeys::InstructionKeys(const DependenceSummary &S) {
  for (uint32_t I = 0; I != S.Sources.size(); ++I)
    Numbers.try_emplace(S.Sources[I], I + 1);
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
    auto [It, IsNew] = BySource.try_emplace(keyOf(M.Place), Places.size());
    if (IsNew)
      Places.emplace_back();
    Places[It->second].Accesses.push_back(I);
  }
  return Places;
}

double ptxpredict::mostNeeded(double Lanes, double LanesPerUnit) {
  if (LanesPerUnit <= 1)
    return std::max(1.0, Lanes / LanesPerUnit);
  return std::min(std::max(1.0, std::ceil(WarpSize / LanesPerUnit)),
                  1 + std::max(0.0, Lanes - 1) / LanesPerUnit);
}
