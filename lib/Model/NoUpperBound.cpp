//===- NoUpperBound.cpp - Why nobody knows how long it may take -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/NoUpperBound.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

static bool isOpen(const Estimate &E) { return !std::isfinite(E.High); }

/// Null without any.
static const LoopCharacteristics *openLoop(const KernelCharacteristics &K) {
  const LoopCharacteristics *Found = nullptr;
  for (const LoopCharacteristics &L : K.Loops)
    if (isOpen(L.TripCount) && (!Found || L.Depth < Found->Depth ||
                                (L.Depth == Found->Depth &&
                                 L.Executions.Value > Found->Executions.Value)))
      Found = &L;
  return Found;
}

static std::string whyOfLoop(const KernelCharacteristics &K,
                             const LoopCharacteristics &L) {
  const std::string Line = "the loop at line " + std::to_string(L.Line);
  const auto Assumed = llvm::find_if(K.Assumptions, [&](const Assumption &A) {
    return A.Line == L.Line && (A.Kind == AssumptionKind::TripCount ||
                                A.Kind == AssumptionKind::TripCountOfLine);
  });
  if (Assumed != K.Assumptions.end())
    return "nothing bounds " + Line + "; " + Assumed->Option + " does";
  const std::string Name =
      L.Header.empty() ? Line : Line + " (" + L.Header + ")";
  // It has a formula, but the launch was too large for each of its runs.
  if (!L.TripCountSymbolic.empty())
    return "not all runs of " + Name + " were looked at";
  return "nothing bounds " + Name;
}

std::string ptxpredict::whyNoUpperBound(const KernelCharacteristics &K) {
  if (const LoopCharacteristics *L = openLoop(K))
    return whyOfLoop(K, *L);
  for (const BlockCharacteristics &B : K.Blocks)
    if (isOpen(B.Frequency))
      return "nothing bounds how often the code at line " +
             std::to_string(B.Line) + " runs";
  if (isOpen(K.Instructions))
    return "functions that are called, and whose code is not there or calls "
           "itself, are not counted";
  for (const MemoryCharacteristics &M : K.Memory) {
    const std::string Place = " of the access at line " +
                              std::to_string(M.Place.Line) + " has a bound";
    if (isOpen(M.Requests))
      return "no number of requests" + Place;
    if (M.Sectors && isOpen(*M.Sectors))
      return "no number of sectors" + Place;
    if (M.Wavefronts && isOpen(*M.Wavefronts))
      return "no number of wavefronts" + Place;
  }
  return "not all counts of the kernel have one";
}
