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

bool ptxpredict::isOpen(const Count &C, double Least) {
  return C.How >= Status::Assumed && C.Low <= Least;
}

std::string ptxpredict::perhapsText(const Count &C, double Least) {
  return isOpen(C, Least) ? "perhaps " + shortNumber(C.Value) : countText(C);
}

bool ptxpredict::isGridAssumed(const KernelCharacteristics &K) {
  return llvm::any_of(K.Assumptions,
                      [](const Assumption &A) { return A.What == "grid"; });
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

bool ptxpredict::isOfDoubles(Latency Kind) {
  return classOf(Kind) == OpClass::Fp64 || Kind == Latency::FP64Convert;
}

std::optional<Latency> ptxpredict::cheaperKind(Latency Kind) {
  switch (Kind) {
  case Latency::FP64:
  case Latency::FP64Convert:
    return Latency::FP32;
  case Latency::FP64FMA:
    return Latency::FP32FMA;
  case Latency::FP64Divide:
    return Latency::FP32Divide;
  case Latency::FP32Divide:
  case Latency::SFU:
    return Latency::FP32;
  case Latency::IntDivide:
  case Latency::IntRemainder:
    return Latency::Int;
  default:
    return std::nullopt;
  }
}

void ptxpredict::makeCheaper(KernelVariant &V, const WorkByKind &Work) {
  for (unsigned K = 0; K != NumLatencies; ++K)
    if (std::optional<Latency> Other = cheaperKind(Latency(K));
        Other && Work[K] > 0) {
      if (Latency(K) == Latency::FP64Convert)
        V.removeWork(Latency(K), Work[K]);
      else
        V.replaceWork(Latency(K), *Other, Work[K]);
    }
}

std::string ptxpredict::keyOf(const SourcePlace &P) {
  return P.Source.empty() ? std::to_string(P.Line)
                          : P.Source + "\n" + llvm::join(P.InlinedAt, "\n");
}

bool ptxpredict::isPolling(const RecurrenceCharacteristics &R) {
  return llvm::any_of(R.Instructions, [](const InstructionPlace &I) {
    return StringRef(I.Opcode).starts_with("mbarrier.");
  });
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
  return std::min(std::max(1.0, std::ceil(WarpLanes / LanesPerUnit)),
                  1 + std::max(0.0, Lanes - 1) / LanesPerUnit);
}
