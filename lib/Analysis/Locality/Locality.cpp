//===- Locality.cpp - Which bytes a launch touches, and how often ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Locality/Locality.h"
#include "LocalityImpl.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Steps of all unions of a kernel.
static constexpr unsigned UnionBudget = 60000;

/// Blocks of one kind that are looked at one by one, where they differ.
static constexpr uint64_t MostSamples = 1024;

LocalityFinder::LocalityFinder(const LocalityRecords &R, const LaunchConfig &L)
    : Records(R), Launch(L), IsSampled(R.IsSampled || R.IsPartial),
      Budget(UnionBudget), BudgetOfRuns(UnionBudget) {
  llvm::DenseMap<const void *, unsigned> Numbers;
  for (const RecordedAccess &A : Records.Accesses)
    Arrays.push_back(
        Numbers.try_emplace(A.Array, unsigned(Numbers.size())).first->second);
  NumArrays = Numbers.size();
  OfBlocks.resize(Records.Nodes.size(), -1);
  for (size_t N = 0; N != Records.Nodes.size(); ++N)
    if (Records.Nodes[N].Kind == LocalityNode::KindTy::Blocks) {
      OfBlocks[N] = int(BlockNodes.size());
      BlockNodes.push_back(int(N));
    }
  for (size_t N = 0; N != Records.Nodes.size(); ++N) // parents come first
    if (OfBlocks[N] < 0)
      OfBlocks[N] = OfBlocks[size_t(Records.Nodes[N].Parent)];
  ByBlocks.resize(BlockNodes.size());
  for (unsigned N = 0; N != Records.Records.size(); ++N) {
    const LocalityRecord &Rec = Records.Records[N];
    InBlock.push_back(Rec.IsLoose ? StridedRegions() : boxesOf(Rec, true, 0));
    if (Rec.Node >= 0)
      ByBlocks[unsigned(OfBlocks[unsigned(Rec.Node)])].push_back(N);
  }
  NumBlocks = double(Launch.blocks());
  findExtents();
}

/// An array that all threads walk through is as large as what they touch:
/// indices that are loaded lead to nowhere else.
void LocalityFinder::findExtents() {
  struct Range {
    int64_t First = std::numeric_limits<int64_t>::max(),
            End = std::numeric_limits<int64_t>::min();
    bool IsWalked = false;
  };
  std::vector<Range> Ranges(NumArrays);
  double Warps = NumBlocks * double(Launch.warpsPerBlock());
  double Threads = NumBlocks * double(Launch.threadsPerBlock());
  for (unsigned N = 0; N != Records.Records.size(); ++N) {
    const LocalityRecord &R = Records.Records[N];
    if (R.IsLoose || R.IsGuess || !R.IsLikely || R.Node < 0)
      continue;
    Range &All = Ranges[Arrays[R.Access]];
    const Dim3 &Blocks = blocksOf(R).Grid;
    const uint64_t Extent[] = {Blocks.X, Blocks.Y, Blocks.Z};
    Range Own;
    for (StridedRegion B : InBlock[N]) {
      for (unsigned Axis = 0; Axis != 3; ++Axis)
        B.repeat(R.Strides[Axis], Extent[Axis]);
      B.normalize();
      Own.First = std::min(Own.First, B.Start);
      Own.End = std::max(Own.End, B.Start + B.extent());
    }
    All.First = std::min(All.First, Own.First);
    All.End = std::max(All.End, Own.End);
    All.IsWalked |= 2 * R.Requests > Warps &&
                    double(Own.End - Own.First) >=
                        Threads * Records.Accesses[R.Access].Bytes;
  }
  for (const Range &R : Ranges)
    Extents.push_back(R.IsWalked ? double(R.End - R.First) : 0);
}

SmallVector<int, 4>
LocalityFinder::iterationsOf(const LocalityRecord &R) const {
  SmallVector<int, 4> Found;
  for (int N = R.Node; N >= 0; N = Records.Nodes[unsigned(N)].Parent)
    if (Records.Nodes[unsigned(N)].Kind == LocalityNode::KindTy::Iterations)
      Found.push_back(N);
  std::reverse(Found.begin(), Found.end());
  return Found;
}

const LocalityNode &LocalityFinder::blocksOf(const LocalityRecord &R) const {
  return Records
      .Nodes[unsigned(BlockNodes[unsigned(OfBlocks[unsigned(R.Node)])])];
}

/// What a record has in one block, or one warp, in all of the iterations around
/// it but the first \p FirstLoop ones.
StridedRegions LocalityFinder::boxesOf(const LocalityRecord &R, bool OfAllWarps,
                                       unsigned FirstLoop) const {
  StridedRegions Found;
  SmallVector<int, 4> Iterations = iterationsOf(R);
  for (const StridedRegion &Lanes : R.Lanes)
    for (const StridedRegion &Shift : R.Shifts) {
      StridedRegion &B = Found.emplace_back(Lanes);
      for (size_t N = FirstLoop; N < Iterations.size(); ++N)
        B.repeat(R.Strides[3 + N],
                 Records.Nodes[unsigned(Iterations[N])].Count);
      if (OfAllWarps) {
        B.Start += Shift.Start;
        B.repeat(1, uint64_t(Shift.Length));
        B.Dimensions.append(Shift.Dimensions.begin(), Shift.Dimensions.end());
      }
      B.normalize();
      if (!OfAllWarps)
        break;
    }
  return Found;
}

/// It may lie where something else does.
static void dropLow(TouchedMemory &T) {
  for (Estimate *C : {&T.Bytes, &T.ReadBytes, &T.WrittenBytes, &T.Sectors,
                      &T.ReadSectors, &T.WrittenSectors})
    C->Low = 0;
}

/// Where so many steps from block to block lead.
static void move(StridedRegion &B, const LocalityRecord &R,
                 const uint64_t By[3]) {
  for (unsigned N = 0; N != 3; ++N)
    B.Start += R.Strides[N] * int64_t(By[N]);
}

void LocalityFinder::finish(TouchedMemory &T) const {
  bool IsRough = Launch.BlockIsAssumed || Launch.GridIsAssumed;
  if (!IsSampled && !IsRough)
    return;
  for (Estimate *C : {&T.Bytes, &T.ReadBytes, &T.WrittenBytes, &T.Sectors,
                      &T.ReadSectors, &T.WrittenSectors}) {
    *C = C->weakenedTo(Status::Assumed);
    C->High = std::numeric_limits<double>::infinity();
    if (IsRough)
      C->Low = 0;
  }
}

/// Of requests that lie anywhere nothing was left out.
bool LocalityFinder::isAnywhere(const LocalityRecord &R) const {
  return Records.Accesses[R.Access].IsAnywhere;
}

/// What was left out is taken to touch as much as what was not: of a share of
/// the launch, whose recorded requests are so many.
void LocalityFinder::addLeftOut(TouchedMemory &T, double Recorded,
                                double Share) const {
  if (Records.LeftOut == 0 || Recorded == 0)
    return;
  double All = Records.LeftOut;
  for (const LocalityRecord &R : Records.Records)
    All += isAnywhere(R) ? 0 : R.Requests;
  double By = All * Share / Recorded;
  if (By <= 1)
    return;
  for (Estimate *C : {&T.Bytes, &T.ReadBytes, &T.WrittenBytes, &T.Sectors,
                      &T.ReadSectors, &T.WrittenSectors}) {
    C->Value *= By;
    C->High = std::max(C->High, C->Value);
  }
}

//===----------------------------------------------------------------------===//
// The grid and its first blocks
//===----------------------------------------------------------------------===//

/// All requests but those that lie anywhere, by those of them that are
/// recorded.
double LocalityFinder::scaleOfLeftOut() const {
  double Recorded = 0;
  for (const LocalityRecord &R : Records.Records)
    Recorded += isAnywhere(R) ? 0 : R.Requests;
  return Recorded > 0 ? 1 + Records.LeftOut / Recorded : 1;
}

/// The share of a record without a node that the first blocks have.
double LocalityFinder::shareOfFirst(const LocalityRecord &R,
                                    uint64_t Number) const {
  const auto Before = double(R.FirstBlock);
  return std::max(0.0, double(Number) - Before) / (NumBlocks - Before);
}

void LocalityFinder::findFirst(uint64_t Number) {
  TouchedSet Set(Records, Arrays, Extents);
  // What lies anywhere, apart where other things were left out.
  TouchedSet Apart(Records, Arrays, Extents);
  auto AddLoose = [&](const LocalityRecord &R, double Share) {
    (Records.LeftOut > 0 && isAnywhere(R) ? Apart : Set).addLoose(R, Share);
  };
  double Recorded = 0; // requests of these blocks
  uint64_t PerRow = Records.Grid.X, PerPlane = PerRow * Records.Grid.Y;
  // Whole planes, whole rows of the next one, blocks of the next row.
  struct Part {
    uint64_t From[3], To[3];
  };
  uint64_t Z = Number / PerPlane, Y = Number % PerPlane / PerRow,
           X = Number % PerRow;
  const Part Parts[] = {{{0, 0, 0}, {PerRow, Records.Grid.Y, Z}},
                        {{0, 0, Z}, {PerRow, Y, Z + 1}},
                        {{0, Y, Z}, {X, Y + 1, Z + 1}}};
  for (size_t C = 0; C != BlockNodes.size(); ++C) {
    const LocalityNode &Node = Records.Nodes[unsigned(BlockNodes[C])];
    const uint64_t First[] = {Node.FirstBlock.X, Node.FirstBlock.Y,
                              Node.FirstBlock.Z};
    const uint64_t Extent[] = {Node.Grid.X, Node.Grid.Y, Node.Grid.Z};
    for (const Part &P : Parts) {
      uint64_t Skipped[3], Here[3];
      bool IsEmpty = false;
      for (unsigned N = 0; N != 3; ++N) {
        uint64_t From = std::max(P.From[N], First[N]),
                 To = std::min(P.To[N], First[N] + Extent[N]);
        IsEmpty |= From >= To;
        Skipped[N] = From - First[N];
        Here[N] = To - From;
      }
      if (IsEmpty)
        continue;
      double Share = double(Here[0] * Here[1] * Here[2]) / double(Node.Count);
      for (unsigned Of : ByBlocks[C]) {
        const LocalityRecord &R = Records.Records[Of];
        Recorded += isAnywhere(R) ? 0 : R.Requests * Share;
        if (R.IsLoose) {
          AddLoose(R, Share);
          continue;
        }
        StridedRegions Boxes = InBlock[Of];
        for (StridedRegion &B : Boxes) {
          move(B, R, Skipped);
          for (unsigned N = 0; N != 3; ++N)
            B.repeat(R.Strides[N], Here[N]);
        }
        Set.add(Arrays[R.Access], R, Boxes);
      }
    }
  }
  double OfAll = double(Number) / NumBlocks;
  for (const LocalityRecord &R : Records.Records)
    if (R.Node < 0) {
      const double Share = shareOfFirst(R, Number);
      AddLoose(R, Share);
      Recorded += isAnywhere(R) ? 0 : R.Requests * Share;
    }
  BlocksFootprint &F = Result.Blocks.emplace_back();
  F.Blocks = Number;
  F.Touched = Set.count(Budget);
  const double Counted = F.Touched.Sectors.Value;
  addLeftOut(F.Touched, Recorded, OfAll);
  const double By = Counted > 0 ? F.Touched.Sectors.Value / Counted : 1;
  F.Touched += Apart.count(Budget);
  if (F.Touched.Sectors.Value > 0)
    F.Spread = std::clamp(
        2 * (Set.pairs(Budget).Value * By + Apart.pairs(Budget).Value) /
            F.Touched.Sectors.Value,
        1.0, 2.0);
  finish(F.Touched);
}

void LocalityFinder::findGrid() {
  uint64_t All = Launch.blocks();
  findFirst(All);
  for (uint64_t N = 1; N < All; N *= 2)
    findFirst(N);
  std::rotate(Result.Blocks.begin(), Result.Blocks.begin() + 1,
              Result.Blocks.end());
  limitBlocks();
  Result.Grid = Result.Blocks.back().Touched;
}

//===----------------------------------------------------------------------===//
// A block and a warp in the mean
//===----------------------------------------------------------------------===//

/// Bounds of what any block of a class touches in an array. Records whose
/// blocks lie equally far apart are the same in each; others may lie on them or
/// not.
TouchedMemory LocalityFinder::boundBlock(unsigned Array,
                                         ArrayRef<unsigned> Here) {
  std::map<std::array<int64_t, 3>, TouchedSet> Alike;
  for (unsigned N : Here) {
    const LocalityRecord &R = Records.Records[N];
    Alike
        .try_emplace({R.Strides[0], R.Strides[1], R.Strides[2]}, Records,
                     Arrays, Extents)
        .first->second.add(Array, R, InBlock[N]);
  }
  TouchedMemory Bounds;
  for (const auto &[Strides, Set] : Alike) {
    TouchedMemory T = Set.count(Budget);
    // What begins elsewhere within a sector lies in up to twice as many.
    if (llvm::any_of(Strides, [](int64_t S) { return S % SectorBytes != 0; }))
      for (Estimate *C : {&T.Sectors, &T.ReadSectors, &T.WrittenSectors}) {
        C->Low /= 2;
        C->High *= 2;
      }
    for (auto C : Sizes) {
      (Bounds.*C).Low = std::max((Bounds.*C).Low, (T.*C).Low);
      (Bounds.*C).High += (T.*C).High;
    }
  }
  return Bounds;
}

/// What the blocks of one class touch of an array each, summed up.
TouchedMemory LocalityFinder::countBlocksIn(unsigned Array,
                                            const LocalityNode &Node,
                                            ArrayRef<unsigned> Here) {
  TouchedMemory Sum;
  const uint64_t Extent[] = {Node.Grid.X, Node.Grid.Y, Node.Grid.Z};
  // Where all move alike along an axis, only the place within a sector counts
  // and repeats.
  uint64_t Samples[3], NumSamples = 1;
  for (unsigned N = 0; N != 3; ++N) {
    int64_t Stride = Records.Records[Here[0]].Strides[N];
    bool IsAlike = llvm::all_of(Here, [&](unsigned O) {
      return Records.Records[O].Strides[N] == Stride;
    });
    Samples[N] = Extent[N];
    if (IsAlike)
      Samples[N] = std::min<uint64_t>(
          Extent[N], uint64_t(SectorBytes / std::gcd(Stride, SectorBytes)));
    NumSamples = llvm::SaturatingMultiply(NumSamples, Samples[N]);
  }
  bool IsExact = NumSamples <= MostSamples && NumSamples <= Budget;
  if (!IsExact)
    for (uint64_t &S : Samples)
      S = std::min<uint64_t>(S, 2);
  uint64_t At[3];
  for (At[2] = 0; At[2] != Samples[2]; ++At[2])
    for (At[1] = 0; At[1] != Samples[1]; ++At[1])
      for (At[0] = 0; At[0] != Samples[0]; ++At[0]) {
        double Weight = 1; // blocks like this one
        for (unsigned N = 0; N != 3; ++N) {
          uint64_t Repeats = (Extent[N] - At[N] + Samples[N] - 1) / Samples[N];
          Weight *= double(Repeats);
        }
        TouchedSet Set(Records, Arrays, Extents);
        for (unsigned N : Here) {
          const LocalityRecord &R = Records.Records[N];
          StridedRegions Boxes = InBlock[N];
          for (StridedRegion &B : Boxes)
            move(B, R, At);
          Set.add(Array, R, Boxes);
        }
        TouchedMemory T = scaled(Set.count(Budget), Weight);
        Sum += IsExact ? T : weakened(T, Status::Estimated);
      }
  if (IsExact)
    return Sum;
  const TouchedMemory Bounds =
      scaled(boundBlock(Array, Here), double(Node.Count));
  for (auto C : Sizes) {
    Estimate &E = Sum.*C;
    E.Low = std::min((Bounds.*C).Low, E.Value);
    E.High = std::max((Bounds.*C).High, E.Value);
  }
  return Sum;
}

/// What the blocks of one class touch each, summed up.
TouchedMemory LocalityFinder::countBlocks(const LocalityNode &Node,
                                          ArrayRef<unsigned> OfClass) {
  TouchedMemory Sum;
  std::vector<SmallVector<unsigned, 8>> ByArray(NumArrays);
  TouchedSet Loose(Records, Arrays, Extents);
  for (unsigned N : OfClass) {
    if (Records.Records[N].IsLoose)
      Loose.addLoose(Records.Records[N], 1 / double(Node.Count));
    else
      ByArray[Arrays[Records.Records[N].Access]].push_back(N);
  }
  TouchedMemory Rest = Loose.count(Budget);
  if (llvm::any_of(ByArray, [](const auto &Here) { return !Here.empty(); }))
    dropLow(Rest);
  Sum += scaled(Rest, double(Node.Count));
  for (unsigned Array = 0; Array != NumArrays; ++Array)
    if (!ByArray[Array].empty())
      Sum += countBlocksIn(Array, Node, ByArray[Array]);
  return Sum;
}

void LocalityFinder::findBlock() {
  TouchedMemory Sum;
  for (size_t C = 0; C != BlockNodes.size(); ++C)
    Sum += countBlocks(Records.Nodes[unsigned(BlockNodes[C])], ByBlocks[C]);
  TouchedSet Alone(Records, Arrays, Extents);
  for (const LocalityRecord &R : Records.Records)
    if (R.Node < 0)
      Alone.addLoose(R, 1 / NumBlocks);
  double Recorded = 0;
  for (const LocalityRecord &R : Records.Records)
    Recorded += R.Node < 0 || isAnywhere(R) ? 0 : R.Requests;
  Result.Block = scaled(Sum, 1 / NumBlocks);
  addLeftOut(Result.Block, Recorded, 1);
  TouchedMemory Rest = Alone.count(Budget);
  dropLow(Rest);
  Result.Block += Rest;
  finish(Result.Block);
}

void LocalityFinder::findWarp() {
  // By warps' nodes; of warps that lie otherwise the groups for themselves.
  std::map<std::pair<int, unsigned>, std::vector<unsigned>> Groups;
  double Warps = NumBlocks * double(Launch.warpsPerBlock());
  for (unsigned N = 0; N != Records.Records.size(); ++N) {
    const LocalityRecord &R = Records.Records[N];
    int Node = R.Node;
    while (Node >= 0 &&
           Records.Nodes[unsigned(Node)].Kind != LocalityNode::KindTy::Warps)
      Node = Records.Nodes[unsigned(Node)].Parent;
    Groups[{Node, R.NumWarps}].push_back(N);
  }
  TouchedMemory Sum;
  for (const auto &[Key, Here] : Groups) {
    auto [Node, NumWarps] = Key;
    double InLaunch = Warps;
    TouchedSet Set(Records, Arrays, Extents);
    if (Node >= 0)
      InLaunch = NumWarps * double(blocksOf(Records.Records[Here[0]]).Count);
    bool AreAlike = true; // in all warps as in the first
    llvm::SmallDenseMap<unsigned, const LocalityRecord *> FirstOf;
    for (unsigned N : Here) {
      const LocalityRecord &R = Records.Records[N];
      if (R.IsLoose) {
        Set.addLoose(R, 1 / InLaunch);
        continue;
      }
      Set.add(Arrays[R.Access], R, boxesOf(R, false, 0));
      const LocalityRecord &First =
          *FirstOf.try_emplace(Arrays[R.Access], &R).first->second;
      AreAlike &= ArrayRef(R.Shifts) == ArrayRef(First.Shifts) &&
                  ArrayRef(R.Strides).take_front(3) ==
                      ArrayRef(First.Strides).take_front(3);
    }
    TouchedMemory T = scaled(Set.count(Budget), InLaunch);
    if (Node >= 0 && NumWarps != Records.Nodes[unsigned(Node)].Count)
      AreAlike = false;
    Sum += AreAlike ? T : weakened(T, Status::Estimated);
  }
  double Recorded = 0;
  for (const LocalityRecord &R : Records.Records)
    Recorded += isAnywhere(R) ? 0 : R.Requests;
  Result.Warp = scaled(Sum, 1 / Warps);
  addLeftOut(Result.Warp, Recorded, 1);
  finish(Result.Warp);
}

/// Most blocks have to be of one kind.
void LocalityFinder::findCommon() {
  const uint64_t Grid[] = {Records.Grid.X, Records.Grid.Y, Records.Grid.Z};
  for (size_t C = 0; C != BlockNodes.size(); ++C) {
    const LocalityNode &Node = Records.Nodes[unsigned(BlockNodes[C])];
    if (double(Node.Count) * 2 <= NumBlocks || NumBlocks < 2)
      continue;
    const uint64_t Extent[] = {Node.Grid.X, Node.Grid.Y, Node.Grid.Z};
    TouchedSet Set(Records, Arrays, Extents);
    bool IsAny = false;
    for (unsigned N : ByBlocks[C]) {
      const LocalityRecord &R = Records.Records[N];
      // What few of the blocks are taken to do is not common.
      bool Stays = !R.IsLoose && !R.IsGuess && R.IsLikely &&
                   R.Requests * 4 >= double(Node.Count);
      for (unsigned Axis = 0; Stays && Axis != 3; ++Axis)
        Stays = Grid[Axis] == 1 || (Extent[Axis] > 1 && R.Strides[Axis] == 0);
      if (!Stays)
        continue;
      IsAny = true;
      Set.add(Arrays[R.Access], R, InBlock[N]);
    }
    if (!IsAny)
      return;
    auto Count = [&](Direction D) {
      ptxpredict::Estimate Sectors = Set.sectors(D, Budget);
      return Sectors.weakenedTo(Status::Estimated);
    };
    Result.CommonSectors = Count(Direction::All);
    Result.CommonReadSectors = Count(Direction::Reads);
  }
}

Locality LocalityFinder::find() {
  findBlock();
  findGrid();
  findWarp();
  findCommon();
  findAccesses();
  findLevels();
  limitLevels();
  return std::move(Result);
}

Locality ptxpredict::findLocality(const LocalityRecords &Records,
                                  const LaunchConfig &Launch) {
  StageTimer Timer(Stage::Locality);
  return LocalityFinder(Records, Launch).find();
}
