//===- HitRates.cpp - What hits in a cache of a given size ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Locality/HitRates.h"
#include "LocalityImpl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <utility>

using namespace ptxpredict;

namespace {

using LevelKind = LocalityLevel::KindTy;
using Scope = LocalityLevel::ScopeTy;
using Order = CacheUse::WarpOrder;

/// Which of a number's three values is taken.
enum class Take : uint8_t { Low, Value, High };

/// What runs in one go, again and again, and what lies right in it. Sectors of
/// one instance, in the mean.
struct Window {
  double Instances = 0; ///< in the launch
  double Requested = 0, Unique = 0;
  /// Not touched by the instance before; all, where other windows may come in
  /// between.
  double Fresh = 0;
  ptxpredict::Status Status = Status::Known;
  std::vector<unsigned> Inner; ///< by index
  std::vector<RequestRun> Runs;

  double missesOfStraightCode(double Sectors) const;
};

/// A loop of a warp, or of a block, or all that it executes.
struct Node {
  const LocalityLevel *Iteration = nullptr; ///< null for the whole
  const LocalityLevel *All = nullptr;
  std::vector<unsigned> Inner; ///< loops right in it, by index
};

/// The loops of one scope, inner ones first, and the whole; nothing if levels
/// are missing.
std::vector<Node> nestOf(ArrayRef<LocalityLevel> Levels, Scope Of) {
  std::vector<Node> Nodes;
  std::vector<unsigned> Open; // nothing outer of theirs was seen yet
  const LocalityLevel *Iteration = nullptr;
  for (const LocalityLevel &L : Levels) {
    if (L.Scope != Of)
      continue;
    if (L.Kind == LevelKind::Iteration) {
      Iteration = &L;
      continue;
    }
    Node N;
    N.Iteration = std::exchange(Iteration, nullptr);
    N.All = &L;
    if ((L.Kind == LevelKind::Loop) != (N.Iteration != nullptr))
      return {};
    while (!Open.empty() && Nodes[Open.back()].All->Depth > L.Depth) {
      N.Inner.push_back(Open.back());
      Open.pop_back();
    }
    Open.push_back(unsigned(Nodes.size()));
    Nodes.push_back(std::move(N));
  }
  if (Nodes.empty() || Nodes.back().Iteration || Open.size() != 1)
    return {};
  return Nodes;
}

/// The windows of a launch as a tree, the outermost one last.
class Windows {
public:
  Windows(const Locality &L, const CacheUse &Use,
          LevelTraffic LocalityLevel::*Traffic, Take Which);

  /// Sectors that are not there when they are touched, in a cache of this many.
  double misses(double Sectors) const;
  bool empty() const { return All.empty(); }
  double requested() const {
    return All.empty() ? 0 : All.back().Instances * All.back().Requested;
  }
  /// How well the misses in a cache of this many sectors are known.
  Status status(double Sectors) const;

private:
  unsigned add(const LocalityLevel &L, bool IsRepeated,
               std::vector<unsigned> Inner);
  void addRuns(Window &W, const LevelTraffic &T) const;
  std::vector<unsigned> addLoops(bool InTurn);
  void addGroups(const LocalityLevel &Block, std::vector<unsigned> Inner);
  double take(const Estimate &C) const {
    return Taken == Take::Low ? C.Low : Taken == Take::High ? C.High : C.Value;
  }
  const LevelTraffic &trafficOf(const LocalityLevel &L) const {
    return L.*Traffic;
  }

  const CacheUse &Use;
  LevelTraffic LocalityLevel::*Traffic;
  Take Taken;
  std::vector<Node> Warp, Block;
  std::vector<const LocalityLevel *> Groups; ///< of 1, 2, 4, … blocks
  double Resident = 1;                       ///< blocks
  double Sharing = 1; ///< what they touch, by what one of them does
  double Common = 0;  ///< sectors of a block that all touch
  std::vector<Window> All;
};

} // namespace

/// Of an instance in a cache of this many sectors. Between what runs of
/// requests touch, and below that of one, the misses lie on a line.
double Window::missesOfStraightCode(double Sectors) const {
  RequestRun Less = {0, Requested};
  auto Between = [&](const RequestRun &More) {
    return Less.Fresh - (Less.Fresh - More.Fresh) * (Sectors - Less.Unique) /
                            (More.Unique - Less.Unique);
  };
  for (const RequestRun &R : Runs) {
    if (Sectors < R.Unique)
      return Between(R);
    Less = R;
  }
  return Sectors < Unique ? Between({Unique, Unique}) : Unique;
}

/// Blocks share what one request of all of them touches: none of it in a cache
/// that does not hold that much, as each has its turn before one comes again.
void Windows::addRuns(Window &W, const LevelTraffic &T) const {
  for (const RequestRun &R : T.Runs) {
    double Size = R.Unique * Sharing;
    auto MissesOf = [&](double Blocks) {
      return std::clamp(R.Fresh * Blocks, W.Unique, W.Requested);
    };
    if (Size >= W.Unique)
      break;
    if (W.Runs.empty())
      W.Runs.push_back({Size, MissesOf(Resident)});
    if (Size >= W.Runs.back().Unique)
      W.Runs.push_back({Size, MissesOf(Sharing)});
  }
}

/// \p L of the resident blocks. \p IsRepeated: its instances follow each other.
unsigned Windows::add(const LocalityLevel &L, bool IsRepeated,
                      std::vector<unsigned> Inner) {
  const LevelTraffic &T = trafficOf(L);
  Window W;
  W.Instances = take(L.Instances) / Resident;
  W.Requested = take(T.Requested) * Resident;
  W.Unique = std::min(take(T.Unique) * Sharing, W.Requested);
  W.Fresh = IsRepeated ? std::min(take(T.Fresh) * Sharing, W.Unique) : W.Unique;
  W.Status = weakest(weakest(L.Instances.Status, T.Requested.Status),
                     weakest(T.Unique.Status, T.Fresh.Status));
  W.Inner = std::move(Inner);
  addRuns(W, T);
  All.push_back(std::move(W));
  return unsigned(All.size() - 1);
}

/// All loops of a block; the windows of the outermost ones. Where warps take
/// turns, a loop without a barrier runs for one warp after the other.
std::vector<unsigned> Windows::addLoops(bool InTurn) {
  std::vector<unsigned> Of(Block.size()); // inner loops come first
  auto InnerOf = [&](const Node &N) {
    std::vector<unsigned> Inner = N.Inner;
    for (unsigned &I : Inner)
      I = Of[I];
    return Inner;
  };
  for (size_t I = 0; I + 1 != Block.size(); ++I) {
    bool OfWarp = InTurn && !Block[I].All->HasBarrier;
    const Node &N = OfWarp ? Warp[I] : Block[I];
    std::vector<unsigned> Inner = InnerOf(N);
    // A warp's part of an iteration that all have; another warp's follows.
    if (InTurn && !OfWarp)
      Inner = {add(*Warp[I].Iteration, false, std::move(Inner))};
    Of[I] = add(*N.All, false, {add(*N.Iteration, true, std::move(Inner))});
  }
  return InnerOf(Block.back());
}

/// The blocks: those that are resident together, then ever more of them.
void Windows::addGroups(const LocalityLevel &Block,
                        std::vector<unsigned> Inner) {
  unsigned Last = add(Block, !Use.EmptyAtBlocks, std::move(Inner));
  if (Use.EmptyAtBlocks && Use.KeepsCommon)
    All[Last].Fresh = std::max(0.0, All[Last].Fresh - Common);
  // What is new to resident blocks is in proportion between that to the groups
  // that are as large at most and at least.
  for (size_t I = 1; I < Groups.size(); ++I) {
    const LocalityLevel &Less = *Groups[I - 1], &More = *Groups[I];
    auto Few = double(Less.NumBlocks), Many = double(More.NumBlocks);
    if (Use.EmptyAtBlocks || Resident < Few || Resident > Many)
      continue;
    double Part = (Resident - Few) / (Many - Few);
    All[Last].Fresh =
        std::min(All[Last].Unique,
                 Resident * ((1 - Part) * take(trafficOf(Less).Fresh) / Few +
                             Part * take(trafficOf(More).Fresh) / Many));
  }
  if (Use.EmptyAtBlocks)
    return;
  double Blocks = Resident;
  Resident = Sharing = 1;
  for (const LocalityLevel *G : Groups)
    if (double(G->NumBlocks) > Blocks)
      Last = add(*G, true, {Last});
}

Windows::Windows(const Locality &L, const CacheUse &Use,
                 LevelTraffic LocalityLevel::*Traffic, Take Which)
    : Use(Use), Traffic(Traffic), Taken(Which),
      Warp(nestOf(L.Levels, Scope::Warp)),
      Block(nestOf(L.Levels, Scope::Block)) {
  if (Block.empty())
    return;
  const std::optional<Estimate> &OfAll =
      Traffic == &LocalityLevel::Loads ? L.CommonReadSectors : L.CommonSectors;
  Common = OfAll ? take(*OfAll) : 0;
  Groups.push_back(Block.back().All);
  for (const LocalityLevel &Level : L.Levels)
    if (Level.Scope == Scope::Blocks &&
        Level.NumBlocks > Groups.back()->NumBlocks)
      Groups.push_back(&Level);

  bool InTurn = Use.Order == Order::InTurn && Use.ResidentBlocks <= 1 &&
                Warp.size() == Block.size();
  Resident = std::max(
      1.0, std::min(Use.ResidentBlocks, take(Groups.front()->Instances)));
  double One = take(trafficOf(*Groups.front()).Unique), Together = One;
  for (size_t I = 1; I < Groups.size(); ++I) {
    auto Few = double(Groups[I - 1]->NumBlocks);
    auto Many = double(Groups[I]->NumBlocks);
    double Part = std::min(1.0, (Resident - Few) / (Many - Few));
    if (Part > 0)
      Together = (1 - Part) * take(trafficOf(*Groups[I - 1]).Unique) +
                 Part * take(trafficOf(*Groups[I]).Unique);
  }
  Sharing = One > 0 ? Together / One : 1;

  std::vector<unsigned> Inner = addLoops(InTurn);
  if (InTurn && !Block.back().All->HasBarrier)
    Inner = {add(*Warp.back().All, true, std::move(Inner))};
  addGroups(*Block.back().All, std::move(Inner));
}

double Windows::misses(double Sectors) const {
  if (All.empty())
    return 0;
  // What all of them touch misses once at least.
  double Least = All.back().Instances * All.back().Fresh;
  std::vector<double> Misses; // by window; inner ones come first
  for (const Window &W : All) {
    double Sum = W.Instances * W.missesOfStraightCode(Sectors);
    if (!W.Inner.empty()) {
      double Requested = 0, Unique = 0;
      Sum = 0;
      for (unsigned I : W.Inner) {
        Sum += Misses[I];
        Requested += All[I].Instances * All[I].Requested;
        Unique += All[I].Instances * All[I].Unique;
      }
      // Beside the inner windows: what they do not touch.
      Sum += std::max(0.0, std::min(W.Instances * W.Requested - Requested,
                                    W.Instances * W.Unique - Unique));
    }
    double IfHeld = W.Instances * W.Fresh;
    Sum = W.Unique <= Sectors ? std::min(Sum, IfHeld) : std::max(Sum, IfHeld);
    Misses.push_back(Sum);
  }
  return std::max(Misses.back(), Least);
}

Status Windows::status(double Sectors) const {
  if (All.empty())
    return Status::Known;
  if (All.back().Unique <= Sectors && !Use.EmptyAtBlocks)
    return All.back().Status;
  Status How = Status::Estimated;
  for (const Window &W : All)
    How = weakest(How, W.Status);
  return How;
}

static Estimate estimate(const Locality &L, const CacheUse &Use,
                         LevelTraffic LocalityLevel::*Traffic) {
  double Sectors = std::floor(Use.Bytes / SectorBytes);
  auto Rate = [](const Windows &W, double Size) {
    double Requested = W.requested();
    return Requested == 0
               ? 0
               : std::clamp(1 - W.misses(Size) / Requested, 0.0, 1.0);
  };
  Windows Likely(L, Use, Traffic, Take::Value);
  if (Likely.empty() && !L.Levels.empty())
    return {0, Status::Unknown, 0, 1};
  Estimate Result =
      Estimate::make(Rate(Likely, Sectors), Likely.status(Sectors));
  if (Result.isKnown())
    return Result;
  for (Take Which : {Take::Low, Take::Value, Take::High}) {
    Windows W(L, Use, Traffic, Which);
    for (double Times : {0.5, 2.0}) {
      double R = Rate(W, Sectors * Times);
      bool HasBound = !std::isnan(R); // of numbers that have one
      Result.Low = std::min(Result.Low, HasBound ? R : 0);
      Result.High = std::max(Result.High, HasBound ? R : 1);
    }
  }
  return Result;
}

HitRates ptxpredict::estimateHitRates(const Locality &L, const CacheUse &Use) {
  return {estimate(L, Use, &LocalityLevel::All),
          estimate(L, Use, &LocalityLevel::Loads)};
}

/// Sectors that one go through the code of \p N asks for again, beside the
/// loops in it and before the next barrier behind which it loads; in all its
/// instances.
static double askedAgain(const Node &N, ArrayRef<Node> Nodes) {
  const LocalityLevel &Go = N.Iteration ? *N.Iteration : *N.All;
  double Requested = 0, Unique = 0;
  auto Add = [&](const LocalityLevel &L, double Times) {
    Requested += Times * L.Instances.Value * L.Loads.Requested.Value;
    Unique += Times * L.Instances.Value * L.Loads.Unique.Value;
  };
  Add(Go, 1);
  for (unsigned I : N.Inner)
    Add(*Nodes[I].All, -1);
  // Each stretch asks for a share of what is requested, and for all that is
  // unique.
  return std::max(Requested - std::max(1u, N.All->LoadStretches) * Unique, 0.0);
}

double ptxpredict::hitsInFlight(const Locality &L) {
  const std::vector<Node> Warp = nestOf(L.Levels, Scope::Warp);
  const std::vector<Node> Block = nestOf(L.Levels, Scope::Block);
  if (Warp.empty())
    return 0;
  const LocalityLevel &Whole = *Warp.back().All;
  const double Requested = Whole.Instances.Value * Whole.Loads.Requested.Value;
  double Sum = 0;
  for (const auto &[I, N] : llvm::enumerate(Warp)) {
    // Warps start together, and leave barriers together.
    const bool IsTogether = !N.Iteration || N.All->HasBarrier;
    const bool HasBlock = Block.size() == Warp.size();
    Sum += IsTogether && HasBlock ? askedAgain(Block[I], Block)
                                  : askedAgain(N, Warp);
  }
  const double Share = Requested > 0 ? Sum / Requested : 0;
  return std::isfinite(Share) ? std::clamp(Share, 0.0, 1.0) : 0;
}
