//===- Song.cpp - The equations of Song's model ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Song.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

/// Bytes of a transaction: a line of L1.
static constexpr double LineBytes = 128;

double ptxpredict::songWarpsPerSM(double Blocks, double ActiveSMs,
                                  double WarpsPerBlock) {
  return Blocks / ActiveSMs * WarpsPerBlock;
}

double ptxpredict::songTransactions(double OfSM, double WarpsPerSM) {
  return std::max(1.0, OfSM / WarpsPerSM);
}

double ptxpredict::songRequestCycles(double Cycles, double Transactions,
                                     double Delay) {
  return Cycles + (Transactions - 1) * Delay;
}

double ptxpredict::songBandwidthWarps(double LoadCycles, double BytesPerCycle) {
  return LoadCycles * BytesPerCycle / LineBytes;
}

double ptxpredict::songBytesPerCycle(double GBs, double ActiveSMs,
                                     double ClockMHz) {
  constexpr double MHzOfGB = 1e3;
  return GBs * MHzOfGB / (ActiveSMs * ClockMHz);
}

/// Cycles of one of \p Requests with so many transactions in all; nothing
/// without any, where the printed lower limit of one would charge for one.
static double oneOf(double Requests, double Transactions, double Cycles,
                    double Delay) {
  if (!(Requests > 0))
    return 0;
  const double Each = Transactions / Requests;
  return songRequestCycles(
      Cycles, std::isfinite(Each) ? std::max(1.0, Each) : 1, Delay);
}

/// How often a warp asks each part of the GPU, over its instructions: the part
/// that is asked most takes most of the power (section 7.1).
static void setAccessRatios(const SongInputs &In, SongResult &R) {
  if (!(In.Instructions > 0))
    return;
  auto Ratio = [&](double Of) { return Of / In.Instructions; };
  R.LocalRatio = Ratio(In.LocalTransactions);
  R.GlobalRatio =
      Ratio(In.LoadTransactions + In.StoreTransactions - In.LocalTransactions);
  R.SharedRatio = Ratio((In.SharedBase + In.SharedConflicts) /
                        (In.ActiveBlocks * In.WarpsPerBlock));
  R.TextureRatio = Ratio(In.TextureQueries);
  R.ComputeRatio = Ratio(In.Regular + In.Transcendental + In.Double);
}

SongResult ptxpredict::evaluateSong(const SongInputs &In, SongReading Reading) {
  SongResult R;
  R.WarpsPerSM = songWarpsPerSM(In.Blocks, In.ActiveSMs, In.WarpsPerBlock);
  R.Load = oneOf(In.Loads, In.LoadTransactions, In.LoadCycles, In.InWarpDelay);
  R.Store =
      oneOf(In.Stores, In.StoreTransactions, In.StoreCycles, In.InWarpDelay);
  R.Compute = In.Regular * In.RegularCost +
              In.Transcendental * In.TranscendentalCost +
              In.Double * In.DoubleCost +
              In.RegisterAccesses * In.RegisterCycles; // (5.8)
  R.Texture = (In.TextureQueries - In.TextureMisses) * In.TextureCycles +
              In.TextureMisses * In.LoadCycles; // (5.9)
  // The blocks of a group: fewer, if their requests want more than the SM's
  // share of the bandwidth and are more than half of what they do.
  double N = In.ActiveBlocks;
  const double SharedOfBlock =
      (In.SharedBase + In.SharedConflicts) / In.ActiveBlocks * In.SharedCycles;
  const double Loads = In.Loads * R.Load, Stores = In.Stores * R.Store;
  if (In.BytesPerCycle > 0) {
    R.BandwidthWarps = songBandwidthWarps(In.LoadCycles, In.BytesPerCycle);
    const bool IsGlobal =
        Loads + Stores > SharedOfBlock * N + N * In.WarpsPerBlock * R.Compute;
    if (IsGlobal)
      N = std::min(N, R.BandwidthWarps / In.WarpsPerBlock);
  }
  R.ActiveWarps = N * In.WarpsPerBlock;
  const double Kept = N / In.ActiveBlocks;
  R.Shared = SharedOfBlock * N;              // (5.10)
  R.Rounds = In.Blocks / (In.ActiveSMs * N); // (5.11)
  if (Reading.HasWholeRounds)
    R.Rounds = std::ceil(R.Rounds);
  R.Sync = std::max(0.0, R.ActiveWarps - 1) * In.OutWarpDelay; // (5.12)
  const double Compute = R.ActiveWarps * R.Compute;
  const double ComputeA = Reading.IsLiteral ? 0 : Compute;
  const double TextureA = Reading.IsLiteral ? 0 : R.Texture;
  R.ActiveA = Loads + R.Sync + R.Shared + Stores + ComputeA + TextureA;
  R.ActiveB = Compute + Loads + R.Shared / N + Stores + R.Texture;
  R.IsB = R.Shared >= R.Load + R.Store ? 0 : 1;
  const double Active = R.IsB != 0 ? R.ActiveB : R.ActiveA;
  R.Cycles = R.Rounds * Active;

  const double SharedPart = R.IsB != 0 ? 1 / N : 1;
  auto Share = [&](double Cycles) { return Active > 0 ? Cycles / Active : 0; };
  R.LoadShare = Share(Loads);
  R.StoreShare = Share(Stores);
  R.SyncShare = Share(R.IsB != 0 ? 0 : R.Sync);
  R.BaseShare = Share(In.SharedBase * Kept * In.SharedCycles * SharedPart);
  R.ConflictShare =
      Share(In.SharedConflicts * Kept * In.SharedCycles * SharedPart);
  R.ComputeShare = Share(R.IsB != 0 ? Compute : ComputeA);
  R.TextureShare = Share(R.IsB != 0 ? R.Texture : TextureA);
  const std::pair<double, TimeLimiter> Parts[] = {
      {R.LoadShare + R.StoreShare, TimeLimiter::MemoryLatency},
      {R.SyncShare, TimeLimiter::MemoryBandwidth},
      {R.BaseShare + R.ConflictShare, TimeLimiter::SharedMemory},
      {R.ComputeShare, TimeLimiter::Compute},
      {R.TextureShare, TimeLimiter::Texture}};
  setAccessRatios(In, R);
  double Most = 0;
  for (const auto &[Part, Limiter] : Parts)
    if (Part > Most) {
      Most = Part;
      R.Limiter = Limiter;
    }
  return R;
}
