//===- EstimatedCounts.cpp - Counts without a run -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EstimatedCounts.h"

using namespace ptxpredict;

CountSource::~CountSource() = default;

EstimatedCounts::EstimatedCounts(
    ArrayRef<std::unique_ptr<FunctionCounts>> Functions, double Warps)
    : PerWarp(1 / Warps) {
  for (const auto &F : Functions)
    ByGraph[F->G] = F.get();
}

/// A sum over the launch, per warp.
static Estimate perWarp(Estimate Sum, double Warps) {
  return {Sum.Value * Warps, Sum.Status, Sum.Low * Warps, Sum.High * Warps};
}

Estimate EstimatedCounts::frequency(const Block &B) const {
  const FunctionCounts *F = functionOf(B);
  return F ? perWarp(F->Blocks[B.Number].Runs, PerWarp) : Estimate::known(0);
}

Estimate EstimatedCounts::executions(const Instruction &I) const {
  return frequency(*I.Parent);
}

Estimate EstimatedCounts::active(const Instruction &I,
                                 unsigned /*Lanes*/) const {
  const FunctionCounts *F = functionOf(*I.Parent);
  const GuardCounts *G = F ? F->guard(I) : nullptr;
  return G ? perWarp(G->Any, PerWarp) : executions(I);
}

Estimate EstimatedCounts::tripCount(const Cycle &C, unsigned Index) const {
  const FunctionCounts *F = functionOf(*C.Header);
  return F ? F->Loops[Index].TripCount : Estimate::known(0);
}

void EstimatedCounts::apply(const Instruction &I, unsigned Number,
                            MemoryCharacteristics &Out) const {
  const FunctionCounts *F = functionOf(*I.Parent);
  if (!F || F->accesses(I).size() <= Number)
    return;
  const AccessCounts &A = F->accesses(I)[Number];
  Out.Space = A.Space;
  Out.LaneStrideBytes = A.LaneStrideBytes;
  Out.Requests = perWarp(A.Requests, PerWarp);
  Out.ActiveLanes = A.ActiveLanes;
  Out.Sectors = A.Sectors;
  Out.Lines = A.Lines;
  Out.Wavefronts = A.Wavefronts;
  if (A.L1Wavefronts && Out.Access == AccessKind::Load &&
      A.L1Wavefronts->High >
          fewestWavefronts(A.ActiveLanes.Value, Out.BytesPerLane))
    Out.L1Wavefronts = A.L1Wavefronts;
  Out.PairedWavefronts = A.Paired;
  if (Out.Joined > 1) {
    bool IsHalf = Out.Joined * Out.BytesPerLane == 8;
    Out.JoinedWavefronts = IsHalf ? A.Wavefronts8 : A.Wavefronts16;
    Out.PairedWavefronts = IsHalf ? A.Paired8 : A.Paired16;
  }
  // Said where it makes a difference.
  const auto &Alone = Out.Joined > 1 ? Out.JoinedWavefronts : Out.Wavefronts;
  if (Alone && Out.PairedWavefronts &&
      Alone->Value == Out.PairedWavefronts->Value)
    Out.PairedWavefronts.reset();
  Out.Transactions = {A.CC10, A.CC12, A.CC20};
  Out.Passes = A.Passes;
}

/// A share of executions.
static Estimate share(const Estimate &Part, const Estimate &All) {
  if (Part.High == 0 || (All.isKnown() && All.Value == 0))
    return Estimate::known(0);
  double Value = All.Value > 0 ? Part.Value / All.Value : 0;
  if (Part.isKnown() && All.isKnown())
    return Estimate::known(Value);
  return {Value, weakest(weakest(Part.Status, All.Status), Status::Assumed), 0,
          1};
}

void EstimatedCounts::apply(const Instruction &Branch,
                            BranchCharacteristics &Out) const {
  const FunctionCounts *F = functionOf(*Branch.Parent);
  const GuardCounts *G = F ? F->guard(Branch) : nullptr;
  if (!G)
    return;
  const Estimate &Runs = F->Blocks[Branch.Parent->Number].Runs;
  Out.Divergent = share(G->Split, Runs);
  Out.Taken = share(G->Any, Runs);
}
