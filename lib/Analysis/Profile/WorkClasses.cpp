//===- WorkClasses.cpp - Warps and blocks that execute more ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/WorkClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <map>

using namespace ptxpredict;

std::string ptxpredict::toString(ArrayRef<WarpRange> Warps) {
  std::string Text;
  for (const WarpRange &R : Warps) {
    Text += (Text.empty() ? "" : ",") + std::to_string(R.First);
    if (R.Number > 1)
      Text += "-" + std::to_string(R.First + R.Number - 1);
  }
  return Text;
}

uint64_t WorkClass::numWarps() const {
  uint64_t Sum = 0;
  for (const WarpRange &R : Warps)
    Sum += R.Number;
  return Sum;
}

bool WorkClass::has(const WarpWork &W) const {
  return W.FirstBlock == Block && llvm::any_of(Warps, [&](const WarpRange &R) {
           return W.Warps.First >= R.First &&
                  W.Warps.First < R.First + R.Number;
         });
}

namespace {

/// Blocks of one box: their warps lie side by side in the list.
struct BoxWork {
  ArrayRef<WarpWork> Warps;
  /// Instructions of a block, and of its longest warp.
  double Sum = 0, Most = 0;
  /// The same where all that is open holds.
  double HighSum = 0, HighMost = 0;
  uint64_t NumWarps = 0;

  double number() const { return double(Warps.front().Blocks.count()); }
  double ratio() const { return Sum > 0 ? Most * double(NumWarps) / Sum : 1; }
  /// A warp executes at most what all of its block do.
  double highRatio() const {
    return HighSum > 0 && std::isfinite(HighSum)
               ? std::max(ratio(), HighMost * double(NumWarps) / HighSum)
               : double(NumWarps);
  }
};

} // namespace

static std::vector<BoxWork> boxesOf(ArrayRef<WarpWork> Work) {
  std::vector<BoxWork> Boxes;
  for (size_t First = 0, End; First != Work.size(); First = End) {
    BoxWork B;
    for (End = First;
         End != Work.size() && Work[End].FirstBlock == Work[First].FirstBlock;
         ++End) {
      const WarpWork &W = Work[End];
      B.Sum += W.Instructions * double(W.Warps.Number);
      B.Most = std::max(B.Most, W.Instructions);
      B.HighSum += W.MostInstructions * double(W.Warps.Number);
      B.HighMost = std::max(B.HighMost, W.MostInstructions);
      B.NumWarps += W.Warps.Number;
    }
    B.Warps = Work.slice(First, End - First);
    Boxes.push_back(B);
  }
  return Boxes;
}

WorkImbalance ptxpredict::findImbalance(ArrayRef<WarpWork> Work,
                                        const LaunchConfig &Launch,
                                        bool IsCertain) {
  const bool SeesAll =
      IsCertain && !Launch.BlockIsAssumed && !Launch.GridIsAssumed;
  IsCertain = SeesAll &&
              llvm::all_of(Work, [](const WarpWork &W) { return W.IsCertain; });
  double Total = 0, Most = 0, Ratios = 0, HighRatios = 0, Blocks = 0;
  for (const BoxWork &B : boxesOf(Work)) {
    Total += B.Sum * B.number();
    Most = std::max(Most, B.Sum);
    Ratios += B.ratio() * B.number();
    HighRatios += B.highRatio() * B.number();
    Blocks += B.number();
  }
  auto Make = [&](double V, double High) {
    return IsCertain ? Estimate::known(V)
                     : Estimate(V, Status::Assumed, 1, std::max(V, High));
  };
  const double AllWarps = double(Launch.warpsPerBlock());
  return {Make(Blocks > 0 ? Ratios / Blocks : 1,
               SeesAll && Blocks > 0 ? HighRatios / Blocks : AllWarps),
          Make(Total > 0 ? Most * Blocks / Total : 1,
               Launch.GridIsAssumed ? std::numeric_limits<double>::infinity()
                                    : double(Launch.blocks()))};
}

/// Counts that differ by so little are those of one class.
static constexpr double SameShare = 0.99;

std::optional<WorkClass>
ptxpredict::findHeaviestBlocks(ArrayRef<WarpWork> Work,
                               const LaunchConfig &Launch) {
  const std::vector<BoxWork> Boxes = boxesOf(Work);
  double Total = 0, Blocks = 0;
  const BoxWork *Most = nullptr;
  for (const BoxWork &B : Boxes) {
    Total += B.Sum * B.number();
    Blocks += B.number();
    if (!Most || B.Sum > Most->Sum)
      Most = &B;
  }
  if (!(Total > 0) || Most->Sum * Blocks < StandsOutFrom * Total)
    return std::nullopt;
  WorkClass C;
  C.Block = Most->Warps.front().FirstBlock;
  C.Warps = {{0, Most->NumWarps}};
  C.NumBlocks = 0;
  const Dim3 &Grid = Launch.Grid;
  for (const BoxWork &B : Boxes) {
    if (B.Sum < SameShare * Most->Sum)
      continue;
    const auto &[First, Extents] =
        std::pair(B.Warps.front().FirstBlock, B.Warps.front().Blocks);
    C.NumBlocks += Extents.count();
    const Dim3 Last{First.X + Extents.X - 1, First.Y + Extents.Y - 1,
                    First.Z + Extents.Z - 1};
    C.LastBlock =
        std::max(C.LastBlock, Last.X + Grid.X * (Last.Y + Grid.Y * Last.Z));
  }
  return C;
}

/// Those of which there are the most; null without any.
static const BoxWork *mostOf(ArrayRef<BoxWork> Boxes) {
  return Boxes.empty()
             ? nullptr
             : llvm::max_element(Boxes, [](const BoxWork &A, const BoxWork &B) {
                 return A.number() < B.number();
               });
}

std::optional<WorkClass> ptxpredict::findLongestWarps(ArrayRef<WarpWork> Work,
                                                      const Dim3 *Block) {
  const std::vector<BoxWork> Boxes = boxesOf(Work);
  const BoxWork *Of = mostOf(Boxes);
  for (const BoxWork &B : Boxes)
    if (Block && B.Warps.front().FirstBlock == *Block)
      Of = &B;
  if (!Of || Of->ratio() < StandsOutFrom)
    return std::nullopt;
  const WarpWork &Longest =
      *llvm::max_element(Of->Warps, [](const WarpWork &A, const WarpWork &B) {
        return A.Instructions < B.Instructions;
      });
  WorkClass C;
  C.Block = Longest.FirstBlock;
  C.NumBlocks = Longest.Blocks.count();
  C.Warps = {Longest.Warps};
  return C;
}

static bool has(const WarpWork &Box, const Dim3 &Block) {
  auto Is = [](uint64_t First, uint64_t Number, uint64_t X) {
    return X >= First && X - First < Number;
  };
  return Is(Box.FirstBlock.X, Box.Blocks.X, Block.X) &&
         Is(Box.FirstBlock.Y, Box.Blocks.Y, Block.Y) &&
         Is(Box.FirstBlock.Z, Box.Blocks.Z, Block.Z);
}

Dim3 ptxpredict::findCommonestBlock(ArrayRef<WarpWork> Work,
                                    const Dim3 &Middle) {
  // By the loops of the warps that lie side by side, with their numbers.
  struct Kind {
    double Number = 0;
    Dim3 Block;
    bool HasMiddle = false;
  };
  constexpr unsigned End = ~0u; // of a list of loops
  std::map<std::vector<unsigned>, Kind> Kinds;
  const Kind *Most = nullptr;
  for (const BoxWork &B : boxesOf(Work)) {
    std::vector<unsigned> Loops;
    const WarpWork *Before = nullptr;
    for (const WarpWork &W : B.Warps) {
      if (!Before || Before->Loops != W.Loops) {
        llvm::append_range(Loops, W.Loops);
        Loops.push_back(End);
        Loops.push_back(unsigned(W.Warps.First));
      }
      Before = &W;
    }
    Kind &K = Kinds.try_emplace(Loops, Kind{0, B.Warps.front().FirstBlock})
                  .first->second;
    K.Number += B.number();
    K.HasMiddle |= has(B.Warps.front(), Middle);
  }
  for (const auto &[Loops, K] : Kinds)
    if (!Most || std::pair(K.Number, K.HasMiddle) >
                     std::pair(Most->Number, Most->HasMiddle))
      Most = &K;
  return !Most || Most->HasMiddle ? Middle : Most->Block;
}

std::vector<WorkClass> ptxpredict::findRoles(ArrayRef<WarpWork> Work) {
  std::vector<WorkClass> Roles;
  const std::vector<BoxWork> Boxes = boxesOf(Work);
  const BoxWork *Of = mostOf(Boxes);
  if (!Of)
    return Roles;
  llvm::MapVector<ArrayRef<unsigned>, WorkClass> ByLoops;
  for (const WarpWork &W : Of->Warps) {
    WorkClass &C = ByLoops[W.Loops];
    C.Block = W.FirstBlock;
    C.NumBlocks = W.Blocks.count();
    if (!C.Warps.empty() &&
        C.Warps.back().First + C.Warps.back().Number == W.Warps.First)
      C.Warps.back().Number += W.Warps.Number;
    else
      C.Warps.push_back(W.Warps);
  }
  if (ByLoops.size() > 1)
    for (auto &[Loops, C] : ByLoops)
      Roles.push_back(std::move(C));
  return Roles;
}
