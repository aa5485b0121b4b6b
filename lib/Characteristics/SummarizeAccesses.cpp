//===- SummarizeAccesses.cpp - What accesses could be ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SummarizeAccesses.h"
#include "ptxpredict/Analysis/Access/ReadOnlyLoads.h"
#include "ptxpredict/Analysis/Access/WiderAccesses.h"

using namespace ptxpredict;

llvm::DenseMap<const Instruction *, AccessSummary>
ptxpredict::summarizeAccesses(const SymbolicValues &V,
                              const LaunchConfig &Launch) {
  llvm::DenseMap<const Instruction *, AccessSummary> Result;
  for (const WiderAccess &W : findWiderAccesses(V, Launch))
    for (const Instruction *I : W.Members) {
      AccessSummary &A = Result[I];
      A.WiderAccesses = unsigned(W.Members.size());
      A.WiderBytes = W.Bytes;
      A.WiderRun = W.Run;
    }
  for (const ReadOnlyLoad &L : findReadOnlyLoads(V, Launch)) {
    Result[L.I].ReadOnlyPointer = L.Pointer->Name;
    Result[L.I].IsBehindStore = L.IsBehindStore;
  }
  return Result;
}

void AccessSummary::applyTo(MemoryCharacteristics &Out) const {
  if (Out.Joined == 1) { // an assembler does not do it by itself
    Out.WiderAccesses = WiderAccesses;
    Out.WiderBytes = WiderBytes;
    Out.WiderRun = WiderRun;
  }
  Out.ReadOnlyPointer = ReadOnlyPointer;
  Out.IsBehindStore = IsBehindStore;
}
