//===- HitRateComparison.h - Estimates beside simulated caches --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_CACHESIM_HITRATECOMPARISON_H
#define PTXPREDICT_TEST_UNIT_CACHESIM_HITRATECOMPARISON_H

#include "Analysis/Dependence/AccuracyFile.h"
#include "CacheObserver.h"
#include "ObservedLevels.h"
#include "SideBySideObserver.h"
#include "ptxpredict/Analysis/Locality/HitRates.h"
#include "ptxpredict/Analysis/Profile/StaticProfile.h"

namespace ptxpredict::cachesim {

inline constexpr unsigned ResidentBlocks =
    4; ///< of those that run side by side

/// What sees the requests of which blocks, and in which order.
enum class Setting { Grid, Block, Loads, SideBySide };
inline constexpr Setting Settings[] = {Setting::Grid, Setting::Block,
                                       Setting::Loads, Setting::SideBySide};

inline StringRef nameOf(Setting S) {
  return S == Setting::Grid    ? "grid"
         : S == Setting::Block ? "block"
         : S == Setting::Loads ? "loads"
                               : "side by side";
}

/// One cache, at one size of a kernel. Rates in percent.
struct Comparison {
  double LaunchSize;
  Setting Set;
  uint64_t Bytes;
  double Simulated;
  Estimate Estimated;
  double FromRun; ///< with the levels of the run

  double error() const { return Estimated.Value - Simulated; }
  double modelError() const { return FromRun - Simulated; }
  bool isWithinBounds() const {
    return Estimated.Low - 1e-6 <= Simulated &&
           Simulated <= Estimated.High + 1e-6;
  }
};

inline CacheUse useOf(Setting S, uint64_t Bytes) {
  CacheUse Use;
  Use.Bytes = double(Bytes);
  if (S == Setting::SideBySide)
    Use.ResidentBlocks = ResidentBlocks;
  else
    Use.Order = CacheUse::WarpOrder::InTurn;
  Use.EmptyAtBlocks = S == Setting::Block;
  return Use;
}

/// A launch in caches of several sizes, in bytes, in all settings.
struct HitRateComparison {
  std::vector<Comparison> All; ///< none if nothing is requested
  /// The launch alone decides requests and sectors.
  bool IsAffine = true;

  HitRateComparison(const AccuracyFile &F, const LaunchFileEntry &E,
                    double LaunchSize, ArrayRef<uint64_t> CacheSizes);
};

inline HitRateComparison::HitRateComparison(const AccuracyFile &F,
                                            const LaunchFileEntry &E,
                                            double LaunchSize,
                                            ArrayRef<uint64_t> CacheSizes) {
  const InstructionGraph &Kernel = F.kernel(E);
  LaunchConfig Launch = F.config(E, LaunchSize);
  for (auto &[Index, A] : Launch.Args)
    if (A.Kind == ArgumentValue::KindTy::Buffer)
      A.BufferAlign = E.Buffers.find(A.Buffer)->second.Align;

  CacheObserver Grid(CacheObserver::Scope::Grid, CacheSizes);
  CacheObserver Block(CacheObserver::Scope::Block, CacheSizes);
  CacheObserver Loads(CacheObserver::Scope::Grid, CacheSizes, true);
  SideBySideObserver SideBySide;
  ObservedLevels Levels(Kernel, Launch.blocks());
  ObserverList Observers;
  Observers.Observers = {&Grid, &Block, &Loads, &SideBySide, &Levels};
  F.run(E, LaunchSize, Observers);
  uint64_t Touches = Grid.counts().Touches;
  if (!Touches)
    return;

  ControlFlow CF(Kernel);
  Expressions Ex(Launch);
  SymbolicValues V(Kernel, CF, Launch, Ex);
  StaticProfile Counts =
      profileStatically(V, Launch, StaticProfileBudget, {/*HasRecords=*/true});
  Locality Found = findLocality(*Counts.Records, Launch);
  Locality FromRun;
  FromRun.Levels = Levels.take();
  const Estimate &Requested = Found.Levels.back().All.Requested;
  IsAffine = Requested.isKnown();
  if (Requested.isKnown()) {
    EXPECT_NEAR(Requested.Value, double(Touches), 1e-9 * double(Touches));
  }
  for (Setting S : Settings) {
    HitCounts Counted = S == Setting::SideBySide
                            ? SideBySide.replay(ResidentBlocks, CacheSizes)
                        : S == Setting::Block ? Block.counts()
                        : S == Setting::Loads ? Loads.counts()
                                              : Grid.counts();
    Estimate HitRates::*Rate =
        S == Setting::Loads ? &HitRates::Loads : &HitRates::All;
    for (size_t N = 0; N != CacheSizes.size() && Counted.Touches; ++N) {
      CacheUse Use = useOf(S, CacheSizes[N]);
      Comparison C = {LaunchSize,
                      S,
                      CacheSizes[N],
                      100 * double(Counted.Hits[N]) / double(Counted.Touches),
                      (estimateHitRates(Found, Use).*Rate).scaled(100),
                      100 * (estimateHitRates(FromRun, Use).*Rate).Value};
      if (C.Estimated.isKnown()) {
        EXPECT_NEAR(C.Estimated.Value, C.Simulated, 1e-9)
            << nameOf(S).str() << ' ' << CacheSizes[N];
      }
      All.push_back(C);
    }
  }
}

} // namespace ptxpredict::cachesim

#endif // PTXPREDICT_TEST_UNIT_CACHESIM_HITRATECOMPARISON_H
