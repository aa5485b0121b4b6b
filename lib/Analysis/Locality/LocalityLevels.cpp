//===- LocalityLevels.cpp - Working sets of loops, warps and blocks -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One instance stands for all that were recorded together.
//===----------------------------------------------------------------------===//
#include "LocalityImpl.h"
#include "LocalityRuns.h"
#include "ptxpredict/Graph/Instruction.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

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
  /// Of iterations around an entry, in a row: each has one.
  uint64_t NumInOuter = 1;
  double InLaunch = 0;
  int Before = -1; ///< those that come right before
  std::vector<unsigned> Records;
};

//===----------------------------------------------------------------------===//
// Instances of loops
//===----------------------------------------------------------------------===//

namespace {

/// The entries and iterations of all loops, of warps or of blocks.
class LoopInstances {
public:
  LoopInstances(const LocalityRecords &Records, Level::ScopeTy Scope);

  std::vector<LevelInstances> All;
  ArrayRef<const LevelInstances *> of(unsigned Loop, bool IsEntry) const {
    return ByLevel[2 * Loop + IsEntry];
  }

private:
  /// A parent's instance or, negative, its node; a loop, whether it is its
  /// entries, and the first of the iterations.
  using Key = std::tuple<int, unsigned, bool, uint64_t>;

  void group(bool OfWarps);
  void linkIterations();
  void countInLaunch();
  void assignRecords();

  const LocalityRecords &Records;
  std::map<Key, int> Numbers;
  std::vector<int> OfNode;  ///< by node: its instances, or below 0 its own
  std::vector<int> Parents; ///< by instances, as in OfNode
  std::vector<std::vector<const LevelInstances *>> ByLevel;
};

} // namespace

LoopInstances::LoopInstances(const LocalityRecords &Records,
                             Level::ScopeTy Scope)
    : Records(Records), OfNode(Records.Nodes.size(), -1),
      ByLevel(2 * Records.Loops.size()) {
  group(Scope == Level::ScopeTy::Block);
  linkIterations();
  countInLaunch();
  assignRecords();
  for (const LevelInstances &I : All)
    ByLevel[2 * I.Loop + I.IsEntry].push_back(&I);
}

/// A block's warps at one place of the nest are one.
void LoopInstances::group(bool OfWarps) {
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
}

/// Iterations of one entry lie in the order of the first of them.
void LoopInstances::linkIterations() {
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
}

void LoopInstances::countInLaunch() {
  for (size_t N = 0; N != All.size(); ++N) {
    int Parent = Parents[N];
    if (Parent >= 0) {
      All[N].InLaunch = All[unsigned(Parent)].InLaunch;
      All[N].NumInOuter = All[unsigned(Parent)].Count;
    } else {
      const LocalityNode &P = Records.Nodes[unsigned(-Parent - 2)];
      All[N].InLaunch = double(P.Count);
      if (P.Kind == LocalityNode::KindTy::Warps)
        All[N].InLaunch *= double(Records.Nodes[unsigned(P.Parent)].Count);
    }
    All[N].InLaunch *= double(All[N].Count);
  }
}

void LoopInstances::assignRecords() {
  for (unsigned N = 0; N != Records.Records.size(); ++N)
    for (int At = Records.Records[N].Node; At >= 0;
         At = Records.Nodes[unsigned(At)].Parent)
      if (int I = OfNode[unsigned(At)]; I >= 0)
        All[unsigned(I)].Records.push_back(N);
}

/// The loops' numbers, each behind those of the loops that lie in it.
static std::vector<unsigned> innerFirst(ArrayRef<RecordedLoop> Loops) {
  std::vector<std::vector<unsigned>> Inner(Loops.size());
  std::vector<unsigned> Open, Order;
  for (unsigned N = 0; N != Loops.size(); ++N)
    if (int Outer = Loops[N].Outer; Outer < 0)
      Open.push_back(N);
    else
      Inner[unsigned(Outer)].push_back(N);
  // The other way round, last ones first, it is a walk from the outermost loops
  // on.
  while (!Open.empty()) {
    unsigned N = Open.back();
    Open.pop_back();
    Order.push_back(N);
    llvm::append_range(Open, Inner[N]);
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

//===----------------------------------------------------------------------===//
// What an instance touches
//===----------------------------------------------------------------------===//

/// Any number, \p Value in the mean.
static Estimate unbounded(double Value, Status S) {
  return S == Status::Known
             ? Estimate::known(Value)
             : Estimate(Value, S, 0, std::numeric_limits<double>::infinity());
}

/// Of one instance at most as much as is asked for, of all or none of it.
static Estimate bounded(double Value, Status S, double Requested) {
  double High = std::max(Requested, Value);
  return {Value, weakest(S, Status::Estimated), 0, High};
}

/// Counts the sectors of one level's instances, of one kind of access.
class LocalityFinder::LevelCounter {
public:
  LevelCounter(LocalityFinder &F, Level::ScopeTy Scope, Direction D,
               ArrayRef<LevelInstances> All)
      : F(F), OfWarps(Scope == Level::ScopeTy::Block), D(D), All(All) {}

  /// The mean of an instance.
  LevelTraffic count(ArrayRef<const LevelInstances *> Of);

private:
  void add(const LevelInstances &I);
  /// How many in a row touch anew what any number of them do, in the mean.
  uint64_t rowOf(const LevelInstances &I, unsigned Inside) const;
  /// What an instance touches anew after the one before, in the mean over a
  /// row of which \p Row has the first \p Number.
  double freshInRow(const LevelInstances &I, const TouchedSet &Row,
                    uint64_t Number, double Unique);
  /// What an instance touches anew after those of \p Before. \p One has what
  /// it touches itself.
  double freshAfter(const LevelInstances &Before, unsigned Inside,
                    TouchedSet &One, double Unique);
  void addRuns(const LevelInstances &I, double Requested, double Unique);
  bool isCounted(const LocalityRecord &R) const {
    return D != Direction::Reads || F.Records.Accesses[R.Access].Reads;
  }
  TouchedSet emptySet() const { return {F.Records, F.Arrays, F.Extents}; }

  LocalityFinder &F;
  const bool OfWarps;
  const Direction D;
  const ArrayRef<LevelInstances> All;
  // In the launch:
  double Requested = 0, Unique = 0, Fresh = 0;
  Status State = Status::Known;
  MeanRuns Runs;
};

LevelTraffic
LocalityFinder::LevelCounter::count(ArrayRef<const LevelInstances *> Of) {
  double InLaunch = 0;
  for (const LevelInstances *I : Of) {
    InLaunch += I->InLaunch;
    add(*I);
  }
  if (F.IsSampled)
    State = weakest(State, Status::Assumed);
  LevelTraffic T;
  T.Requested = unbounded(Requested / InLaunch, State);
  T.Unique = bounded(Unique / InLaunch, State, T.Requested.High);
  T.Fresh = bounded(Fresh / InLaunch, State, T.Unique.High);
  T.Runs = Runs.take();
  return T;
}

void LocalityFinder::LevelCounter::addRuns(const LevelInstances &I,
                                           double Requested, double Unique) {
  if (I.IsEntry)
    return Runs.add(I.InLaunch, Unique, {});
  const bool IsStraight = llvm::none_of(I.Records, [&](unsigned N) {
    const int At = F.Records.Records[N].Node;
    return F.Records.Nodes[unsigned(At)].Loop != I.Loop;
  });
  Runs.add(I.InLaunch, Unique,
           IsStraight ? F.findRuns(I.Records, OfWarps, I.NumOuter + 1, D,
                                   Requested <= Unique)
                      : std::nullopt);
}

/// The next instance may lie in the same sectors as one, and the one behind it
/// in others: only after a whole number of sectors all comes again.
uint64_t LocalityFinder::LevelCounter::rowOf(const LevelInstances &I,
                                             unsigned Inside) const {
  // An entry follows the one in the iteration before.
  const uint64_t Count = I.IsEntry ? I.NumInOuter : I.Count;
  if (Inside == 0 || Count == 1)
    return 1;
  uint64_t Period = 1;
  for (unsigned N : I.Records) {
    const LocalityRecord &R = F.Records.Records[N];
    if (R.IsLoose || !R.IsLikely || !isCounted(R))
      continue;
    // Powers of two, so that the largest is a multiple of all.
    const uint64_t Step = uint64_t(R.Strides[3 + Inside - 1]) % SectorBytes;
    Period =
        std::max<uint64_t>(Period, SectorBytes / std::gcd(Step, SectorBytes));
  }
  return std::min(Count, Period + 1);
}

void LocalityFinder::LevelCounter::add(const LevelInstances &I) {
  TouchedSet One = emptySet(), Row = emptySet();
  const unsigned Inside = I.IsEntry ? I.NumOuter : I.NumOuter + 1;
  const uint64_t InRow = rowOf(I, Inside);
  const double RequestedBefore = Requested;
  for (unsigned N : I.Records) {
    const LocalityRecord &R = F.Records.Records[N];
    if (!isCounted(R))
      continue;
    Requested += R.Requested;
    State = weakest(State, R.Status);
    if (R.IsLoose) {
      One.addLoose(R, 1 / I.InLaunch);
      Row.addLoose(R, double(InRow) / I.InLaunch);
      continue;
    }
    if (!R.IsLikely)
      continue;
    StridedRegions Boxes = F.boxesOf(R, OfWarps, Inside);
    One.add(F.Arrays[R.Access], R, Boxes);
    if (InRow == 1)
      continue;
    for (StridedRegion &B : Boxes)
      B.repeat(R.Strides[3 + Inside - 1], InRow);
    Row.add(F.Arrays[R.Access], R, Boxes);
  }
  const double Here = One.sectors(D, F.Budget).Value;
  addRuns(I, (Requested - RequestedBefore) / I.InLaunch, Here);
  Unique += Here * I.InLaunch;
  if (InRow > 1)
    Fresh += freshInRow(I, Row, InRow, Here) * I.InLaunch;
  else if (I.Before >= 0)
    Fresh +=
        freshAfter(All[unsigned(I.Before)], Inside, One, Here) * I.InLaunch;
  else
    Fresh += Here * I.InLaunch;
}

double LocalityFinder::LevelCounter::freshInRow(const LevelInstances &I,
                                                const TouchedSet &Row,
                                                uint64_t Number,
                                                double Unique) {
  double All = Row.sectors(D, F.Budget).Value;
  double Next = std::max(All - Unique, 0.0) / double(Number - 1);
  // Nothing is known of the first in a row.
  double Share =
      I.IsEntry || I.Before >= 0 ? 1 : double(I.Count - 1) / double(I.Count);
  return Next * Share + Unique * (1 - Share);
}

double LocalityFinder::LevelCounter::freshAfter(const LevelInstances &Before,
                                                unsigned Inside,
                                                TouchedSet &One,
                                                double Unique) {
  TouchedSet Former = emptySet();
  for (unsigned N : Before.Records) {
    const LocalityRecord &R = F.Records.Records[N];
    if (R.IsLoose || !R.IsLikely)
      continue;
    StridedRegions Boxes = F.boxesOf(R, OfWarps, Inside);
    for (StridedRegion &Box : Boxes)
      Box.Start += R.Strides[3 + Inside - 1] * int64_t(Before.Count - 1);
    Former.add(F.Arrays[R.Access], R, Boxes);
    One.add(F.Arrays[R.Access], R, Boxes);
  }
  double Both = One.sectors(D, F.Budget).Value;
  return std::clamp(Both - Former.sectors(D, F.Budget).Value, 0.0, Unique);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// One level of a loop: \p Of are its instances.
static unsigned several(unsigned Number) { return Number > 1 ? Number : 0; }

void LocalityFinder::addLoop(Level::ScopeTy Scope,
                             ArrayRef<const LevelInstances *> Of,
                             ArrayRef<LevelInstances> All) {
  const RecordedLoop &From = Records.Loops[Of.front()->Loop];
  Level &L = Result.Levels.emplace_back();
  L.Kind = Of.front()->IsEntry ? Level::KindTy::Loop : Level::KindTy::Iteration;
  L.Scope = Scope;
  L.Header = From.Header->Label.str();
  L.Line = From.Header->Line;
  L.Depth = From.Depth;
  L.HasBarrier = From.Barriers.HasBarrier;
  L.LoadStretches = several(From.Barriers.LoadStretches);
  double Sum = 0;
  bool AllRead = true;
  Status S = IsSampled ? Status::Assumed : Status::Known;
  for (const LevelInstances *I : Of) {
    Sum += I->InLaunch;
    for (unsigned N : I->Records) {
      const LocalityRecord &R = Records.Records[N];
      S = weakest(S, R.Status);
      AllRead &= Records.Accesses[R.Access].Reads;
    }
  }
  L.Instances = unbounded(Sum, S);
  const unsigned Before = Budget, BeforeRuns = BudgetOfRuns;
  L.All = LevelCounter(*this, Scope, Direction::All, All).count(Of);
  const unsigned Steps = Before - Budget, OfRuns = BeforeRuns - BudgetOfRuns;
  if (AllRead && givesTheSame(Steps, Budget) &&
      givesTheSame(OfRuns, BudgetOfRuns)) {
    L.Loads = L.All;
    Budget -= Steps;
    BudgetOfRuns -= OfRuns;
  } else {
    L.Loads = LevelCounter(*this, Scope, Direction::Reads, All).count(Of);
  }
}

void LocalityFinder::findLoops(Level::ScopeTy Scope) {
  const LoopInstances Instances(Records, Scope);
  for (unsigned Loop : innerFirst(Records.Loops))
    for (bool IsEntry : {false, true})
      if (auto Of = Instances.of(Loop, IsEntry); !Of.empty())
        addLoop(Scope, Of, Instances.All);
}

/// How many blocks, and warps in all of them, ask for anything: of those that
/// were left out as many as of the others.
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
  const double By =
      std::min(scaleOfLeftOut(), NumBlocks / std::max(Blocks, 1.0));
  return {std::max(Blocks * By, 1.0), std::max(Warps * By, 1.0)};
}

/// All that a warp, a block or so many blocks do.
struct LocalityFinder::WholeLevel {
  Level::ScopeTy Scope;
  uint64_t NumBlocks;
  double InLaunch;
  const TouchedMemory &Unique; ///< by one
  /// From one to the next comes as much as More and not Less of the first ones
  /// touch, in the mean over Steps of them. Null if nothing is known of it.
  const TouchedMemory *Less, *More;
  double Steps = 1;
};

void LocalityFinder::addWhole(const WholeLevel &W) {
  Level &L = Result.Levels.emplace_back();
  L.Scope = W.Scope;
  L.NumBlocks = W.NumBlocks;
  L.HasBarrier = Records.Barriers.HasBarrier;
  L.LoadStretches = several(Records.Barriers.LoadStretches);
  L.Instances = Estimate::known(W.InLaunch);
  double Requested = 0, Loads = 0;
  Status S = IsSampled ? Status::Assumed : Status::Known;
  const double By = scaleOfLeftOut();
  for (const LocalityRecord &R : Records.Records) {
    const double Here = R.Requested * (isAnywhere(R) ? 1 : By);
    Requested += Here;
    if (Records.Accesses[R.Access].Reads)
      Loads += Here;
    S = weakest(S, R.Status);
  }
  auto Make = [&](double Sum, const Estimate TouchedMemory::*Sectors) {
    LevelTraffic T;
    T.Requested = unbounded(Sum / W.InLaunch, S);
    T.Unique = W.Unique.*Sectors;
    T.Fresh = T.Unique;
    if (W.More) {
      double Next =
          ((W.More->*Sectors).Value - (W.Less->*Sectors).Value) / W.Steps;
      T.Fresh =
          bounded(std::clamp(Next, 0.0, T.Unique.Value), S, T.Unique.High);
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
  addWhole({Level::ScopeTy::Warp, 1, ActiveWarps, Warp, &Warp,
            WarpsPerBlock > 1 ? &Block : nullptr, WarpsPerBlock - 1});
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
    addWhole({Number == 1 ? Level::ScopeTy::Block : Level::ScopeTy::Blocks,
              Number,
              double(Number) >= NumBlocks
                  ? 1
                  : std::max(ActiveBlocks / double(Number), 1.0),
              Number == 1 ? Block : Groups[N], &Groups[N],
              HasTwo ? &Groups[N + 1] : nullptr});
  }
}
