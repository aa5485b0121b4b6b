//===- LocalityLevels.cpp - Working sets of loops, warps and blocks -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One instance stands for all that were recorded together.
//===----------------------------------------------------------------------===//
#include "LocalityImpl.h"
#include "ptxpredict/Graph/Instruction.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Level = LocalityLevel;

StringRef ptxpredict::toString(Level::KindTy K) {
  switch (K) {
  case Level::KindTy::Iteration:
    return "iteration";
  case Level::KindTy::Loop:
    return "loop";
  case Level::KindTy::Whole:
    return "whole";
  }
  return "";
}

StringRef ptxpredict::toString(Level::ScopeTy S) {
  switch (S) {
  case Level::ScopeTy::Warp:
    return "warp";
  case Level::ScopeTy::Block:
    return "block";
  case Level::ScopeTy::Blocks:
    return "blocks";
  }
  return "";
}

/// Iterations or entries of a loop that behave alike: of a warp, or of the
/// warps of a block together.
struct counting::LevelInstances {
  unsigned Loop = 0;
  bool IsEntry = false;
  unsigned NumOuter = 0; ///< iterations' dimensions around them
  uint64_t Count = 1;    ///< in a row
  double InLaunch = 0;
  int Before = -1; ///< those that come right before
  std::vector<unsigned> Records;
};

/// Of one instance at most as much as is asked for, of all or none of it.
static Estimate bounded(double Value, Status How, double Requested) {
  double High = std::max(Requested, Value);
  return {Value, weakest(How, Status::Estimated), 0, High};
}

void LocalityFinder::countLevel(Level &L,
                                const std::vector<const LevelInstances *> &Of,
                                ArrayRef<LevelInstances> All) {
  bool OfWarps = L.Scope == Level::ScopeTy::Block;
  double InLaunch = 0;
  for (const LevelInstances *I : Of)
    InLaunch += I->InLaunch;
  struct Sums {
    double Requested = 0, Unique = 0, Fresh = 0;
    ptxpredict::Status Status = Status::Known;
  };
  auto Count = [&](Direction D) {
    Sums S;
    for (const LevelInstances *I : Of) {
      TouchedSet One(Records, Arrays, Extents), Two(Records, Arrays, Extents);
      unsigned Inside = I->IsEntry ? I->NumOuter : I->NumOuter + 1;
      // An entry follows the one in the iteration before.
      bool HasNext = I->IsEntry ? I->NumOuter > 0 : I->Count > 1;
      for (unsigned N : I->Records) {
        const LocalityRecord &R = Records.Records[N];
        const RecordedAccess &A = Records.Accesses[R.Access];
        if (D == Direction::Reads && !A.Reads)
          continue;
        S.Requested += R.Requested;
        S.Status = weakest(S.Status, R.Status);
        if (R.IsLoose) {
          One.addLoose(R, 1 / I->InLaunch);
          Two.addLoose(R, 2 / I->InLaunch);
          continue;
        }
        if (!R.IsLikely)
          continue;
        StridedRegions Boxes = boxesOf(R, OfWarps, Inside);
        One.add(Arrays[R.Access], R, Boxes);
        if (!HasNext)
          continue;
        for (StridedRegion &B : Boxes)
          B.repeat(R.Strides[3 + Inside - 1], 2);
        Two.add(Arrays[R.Access], R, Boxes);
      }
      double Unique = One.sectors(D, Budget).Value, Fresh = Unique;
      if (HasNext) {
        double Both = Two.sectors(D, Budget).Value;
        double Next = std::max(Both - Unique, 0.0);
        // Of the first in a row nothing is known.
        double Share = I->IsEntry || I->Before >= 0
                           ? 1
                           : double(I->Count - 1) / double(I->Count);
        Fresh = Next * Share + Unique * (1 - Share);
      } else if (I->Before >= 0) {
        const LevelInstances &B = All[unsigned(I->Before)];
        TouchedSet Former(Records, Arrays, Extents);
        for (unsigned N : B.Records) {
          const LocalityRecord &R = Records.Records[N];
          if (R.IsLoose || !R.IsLikely)
            continue;
          StridedRegions Boxes = boxesOf(R, OfWarps, Inside);
          for (StridedRegion &Box : Boxes)
            Box.Start += R.Strides[3 + Inside - 1] * int64_t(B.Count - 1);
          Former.add(Arrays[R.Access], R, Boxes);
          One.add(Arrays[R.Access], R, Boxes);
        }
        double Both = One.sectors(D, Budget).Value;
        Fresh = std::clamp(Both - Former.sectors(D, Budget).Value, 0.0, Unique);
      }
      S.Unique += Unique * I->InLaunch;
      S.Fresh += Fresh * I->InLaunch;
    }
    S.Status = IsSampled ? weakest(S.Status, Status::Assumed) : S.Status;
    double Requested = S.Requested / InLaunch;
    LevelTraffic T;
    T.Requested =
        S.Status == Status::Known
            ? Estimate::known(Requested)
            : ptxpredict::Estimate(Requested, S.Status, 0,
                                   std::numeric_limits<double>::infinity());
    T.Unique = bounded(S.Unique / InLaunch, S.Status, T.Requested.High);
    T.Fresh = bounded(S.Fresh / InLaunch, S.Status, T.Unique.High);
    return T;
  };
  L.All = Count(Direction::All);
  L.Loads = Count(Direction::Reads);
}

void LocalityFinder::findLoops(Level::ScopeTy Of) {
  bool OfWarps = Of == Level::ScopeTy::Block;
  // Of a block the warps' instances at one place of the nest are one.
  using Key = std::tuple<int, unsigned, bool, uint64_t>;
  std::map<Key, int> Numbers;
  std::vector<LevelInstances> All;
  std::vector<int> OfNode(Records.Nodes.size(), -1), Parents;
  for (size_t N = 0; N != Records.Nodes.size(); ++N) {
    const LocalityNode &Node = Records.Nodes[N];
    bool IsEntry = Node.Kind == LocalityNode::KindTy::Entry;
    if (!IsEntry && Node.Kind != LocalityNode::KindTy::Iterations) {
      // Blocks, and warps where they do not go together, by negative numbers.
      bool IsBlocks = Node.Kind == LocalityNode::KindTy::Blocks;
      OfNode[N] =
          IsBlocks || !OfWarps ? -int(N) - 2 : OfNode[unsigned(Node.Parent)];
      continue;
    }
    int Parent = OfNode[unsigned(Node.Parent)];
    auto [It, IsNew] = Numbers.try_emplace(
        {Parent, Node.Loop, IsEntry, Node.First}, int(All.size()));
    if (IsNew) {
      LevelInstances &I = All.emplace_back();
      I.Loop = Node.Loop;
      I.IsEntry = IsEntry;
      I.NumOuter = Node.NumOuter;
      Parents.push_back(Parent);
    }
    LevelInstances &I = All[unsigned(It->second)];
    I.Count = std::max(I.Count, Node.Count);
    OfNode[N] = It->second;
  }
  // Iterations of one entry lie in the order of the first of them.
  int Former = -1;
  const Key *FormerKey = nullptr;
  for (const auto &[K, N] : Numbers) {
    if (FormerKey && !std::get<2>(K) && !std::get<2>(*FormerKey) &&
        std::get<0>(K) == std::get<0>(*FormerKey) &&
        std::get<1>(K) == std::get<1>(*FormerKey))
      All[unsigned(N)].Before = Former;
    Former = N;
    FormerKey = &K;
  }
  for (size_t N = 0; N != All.size(); ++N) {
    int Parent = Parents[N];
    if (Parent >= 0) {
      All[N].InLaunch = All[unsigned(Parent)].InLaunch;
    } else {
      const LocalityNode &P = Records.Nodes[unsigned(-Parent - 2)];
      All[N].InLaunch = double(P.Count);
      if (P.Kind == LocalityNode::KindTy::Warps)
        All[N].InLaunch *= double(Records.Nodes[unsigned(P.Parent)].Count);
    }
    All[N].InLaunch *= double(All[N].Count);
  }
  for (unsigned N = 0; N != Records.Records.size(); ++N)
    for (int At = Records.Records[N].Node; At >= 0;
         At = Records.Nodes[unsigned(At)].Parent)
      if (int I = OfNode[unsigned(At)]; I >= 0)
        All[unsigned(I)].Records.push_back(N);
  std::vector<std::vector<const LevelInstances *>> ByLevel(
      2 * Records.Loops.size());
  for (const LevelInstances &I : All)
    ByLevel[2 * I.Loop + I.IsEntry].push_back(&I);
  // Each loop behind those that lie in it: the other way round, last ones
  // first, it is a walk from the outermost loops on.
  std::vector<std::vector<unsigned>> Inner(Records.Loops.size());
  std::vector<unsigned> Open, Order;
  for (unsigned N = 0; N != Records.Loops.size(); ++N)
    if (int Outer = Records.Loops[N].Outer; Outer < 0)
      Open.push_back(N);
    else
      Inner[unsigned(Outer)].push_back(N);
  while (!Open.empty()) {
    unsigned N = Open.back();
    Open.pop_back();
    Order.push_back(N);
    llvm::append_range(Open, Inner[N]);
  }
  std::reverse(Order.begin(), Order.end());
  for (unsigned Loop : Order)
    for (bool IsEntry : {false, true}) {
      const auto &Instances = ByLevel[2 * Loop + IsEntry];
      if (Instances.empty())
        continue;
      const RecordedLoop &From = Records.Loops[Loop];
      Level &L = Result.Levels.emplace_back();
      L.Kind = IsEntry ? Level::KindTy::Loop : Level::KindTy::Iteration;
      L.Scope = Of;
      L.Header = From.Header->Label.str();
      L.Line = From.Header->Line;
      L.Depth = From.Depth;
      L.HasBarrier = From.HasBarrier;
      double Sum = 0;
      Status How = IsSampled ? Status::Assumed : Status::Known;
      for (const LevelInstances *I : Instances) {
        Sum += I->InLaunch;
        for (unsigned N : I->Records)
          How = weakest(How, Records.Records[N].Status);
      }
      L.Instances =
          How == Status::Known
              ? Estimate::known(Sum)
              : Estimate(Sum, How, 0, std::numeric_limits<double>::infinity());
      countLevel(L, Instances, All);
    }
}

/// How many blocks, and warps in all of them, ask for anything.
std::pair<double, double> LocalityFinder::countActive() const {
  std::vector<bool> IsActive(Records.Nodes.size());
  for (const LocalityRecord &R : Records.Records)
    for (int N = R.Node; N >= 0 && !IsActive[unsigned(N)];
         N = Records.Nodes[unsigned(N)].Parent)
      IsActive[unsigned(N)] = true;
  double Blocks = 0, Warps = 0;
  for (size_t N = 0; N != Records.Nodes.size(); ++N) {
    const LocalityNode &Node = Records.Nodes[N];
    if (!IsActive[N])
      continue;
    if (Node.Kind == LocalityNode::KindTy::Blocks)
      Blocks += double(Node.Count);
    else if (Node.Kind == LocalityNode::KindTy::Warps)
      Warps += double(Node.Count) *
               double(Records.Nodes[unsigned(Node.Parent)].Count);
  }
  return {std::max(Blocks, 1.0), std::max(Warps, 1.0)};
}

/// All that a warp, a block or so many blocks do, \p InLaunch of them. One
/// touches \p Unique, and from one to the next comes as much as \p More and not
/// \p Less of the first ones do, in the mean over \p Steps of them.
void LocalityFinder::addWhole(Level::ScopeTy Of, uint64_t Number,
                              double InLaunch, const TouchedMemory &Unique,
                              const TouchedMemory *Less,
                              const TouchedMemory *More, double Steps) {
  Level &L = Result.Levels.emplace_back();
  L.Scope = Of;
  L.NumBlocks = Number;
  L.HasBarrier = Records.HasBarrier;
  L.Instances = Estimate::known(InLaunch);
  double Requested = 0, Loads = 0;
  Status How = IsSampled ? Status::Assumed : Status::Known;
  for (const LocalityRecord &R : Records.Records) {
    Requested += R.Requested;
    if (Records.Accesses[R.Access].Reads)
      Loads += R.Requested;
    How = weakest(How, R.Status);
  }
  auto Make = [&](double Sum, const Estimate TouchedMemory::*Sectors) {
    LevelTraffic T;
    double Mean = Sum / InLaunch;
    T.Requested =
        How == Status::Known
            ? Estimate::known(Mean)
            : Estimate(Mean, How, 0, std::numeric_limits<double>::infinity());
    T.Unique = Unique.*Sectors;
    T.Fresh = T.Unique;
    if (More) {
      double Next = ((More->*Sectors).Value - (Less->*Sectors).Value) / Steps;
      T.Fresh =
          bounded(std::clamp(Next, 0.0, T.Unique.Value), How, T.Unique.High);
    }
    return T;
  };
  L.All = Make(Requested, &TouchedMemory::Sectors);
  L.Loads = Make(Loads, &TouchedMemory::ReadSectors);
}

void LocalityFinder::findLevels() {
  auto [ActiveBlocks, ActiveWarps] = countActive();
  // Of those that touch anything.
  TouchedMemory Warp = scaled(
      Result.Warp, NumBlocks * double(Launch.warpsPerBlock()) / ActiveWarps);
  TouchedMemory Block = scaled(Result.Block, NumBlocks / ActiveBlocks);
  double WarpsPerBlock = ActiveWarps / ActiveBlocks;

  findLoops(Level::ScopeTy::Warp);
  addWhole(Level::ScopeTy::Warp, 1, ActiveWarps, Warp, &Warp,
           WarpsPerBlock > 1 ? &Block : nullptr, WarpsPerBlock - 1);
  findLoops(Level::ScopeTy::Block);
  // The first blocks stand for all others. They may do more than most: as much
  // less as all of them touch in the mean.
  std::vector<TouchedMemory> Groups;
  Groups.reserve(Result.Blocks.size());
  double First =
      Result.Blocks.empty() ? 0 : Result.Blocks[0].Touched.Sectors.Value;
  double Typical = First > 0 ? std::min(Block.Sectors.Value / First, 1.0) : 1;
  for (const BlocksFootprint &F : Result.Blocks)
    Groups.push_back(
        double(F.Blocks) >= NumBlocks
            ? F.Touched
            : weakened(scaled(F.Touched, Typical), Status::Estimated));
  for (size_t N = 0; N != Groups.size(); ++N) {
    uint64_t Number = Result.Blocks[N].Blocks;
    bool HasTwo =
        N + 1 != Groups.size() && Result.Blocks[N + 1].Blocks == 2 * Number;
    addWhole(Number == 1 ? Level::ScopeTy::Block : Level::ScopeTy::Blocks,
             Number,
             double(Number) >= NumBlocks
                 ? 1
                 : std::max(ActiveBlocks / double(Number), 1.0),
             Number == 1 ? Block : Groups[N], &Groups[N],
             HasTwo ? &Groups[N + 1] : nullptr, 1);
  }
}
