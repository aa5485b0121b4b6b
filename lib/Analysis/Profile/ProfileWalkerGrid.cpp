//===- ProfileWalkerGrid.cpp - Blocks and warps, alike taken together -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Dimensions are the block's indices, the warps and the loops' counters. Along
// each, a run of values is found for which every condition has the same sign in
// every lane. Comparisons of linear forms that have one sign at two values have
// it between them, as long as nothing wraps around; others are looked at value
// by value.
//===----------------------------------------------------------------------===//
#include "ProfileWalker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// With little effort, so many runs of blocks along an axis are looked at one
/// by one, and as many again where conditions tell them apart.
static constexpr unsigned FewRuns = 4, FewRunsOfAssumed = 1;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Fills the sides of comparisons, as the assignment has them.
static void findSides(CompiledExpressions &C, const Assignment &A,
                      std::vector<Sides> &Found) {
  C.run(A);
  auto Read = [&](unsigned Root, LaneArray &To) {
    if (C.isScalar(Root))
      To.fill(C.lane(Root, 0));
    else
      for (unsigned L = 0; L != WarpSize; ++L)
        To[L] = C.lane(Root, L);
  };
  for (unsigned N = 0; N != Found.size(); ++N) {
    Read(2 * N, Found[N].Left);
    Read(2 * N + 1, Found[N].Right);
  }
}

/// How many values of \p Q from the present one on, \p Limit at most, leave all
/// monotone comparisons with the signs that they have.
uint64_t ProfileWalker::signRun(ArrayRef<Comparison> Comparisons,
                                CompiledExpressions *C, const Quantity &Q,
                                uint64_t Limit, uint32_t Lanes) {
  if (Limit == 1 || llvm::none_of(Comparisons, [&](const Comparison &X) {
        return dependsOn(*X.E, Q);
      }))
    return Limit;
  uint64_t First = valueOf(Q, A);
  std::vector<Sides> From(Comparisons.size()), To(Comparisons.size());
  findSides(*C, A, From);
  // What runs depend on, with the slopes of both sides.
  struct Bound {
    unsigned Number;
    int64_t Left, Right;
    uint32_t Lanes; ///< those that are looked at
  };
  SmallVector<Bound, 8> Bounds;
  for (unsigned N = 0; N != Comparisons.size(); ++N) {
    const Comparison &X = Comparisons[N];
    if (!dependsOn(*X.E, Q) || X.IsPredicate || !isMonotone(*X.E, Q))
      continue;
    const Expression &Left = X.IsKink ? *X.E : *X.E->Operands[0];
    const Expression &Right = *X.E->Operands[X.IsKink ? 0 : 1];
    // Where all lanes have the same, one says it.
    const bool IsUniform = C->isScalar(2 * N) && C->isScalar(2 * N + 1);
    Bounds.push_back({N, slopeOf(Left, Q, &A).Value,
                      slopeOf(Right, Q, &A).Value,
                      IsUniform ? Lanes & (0 - Lanes) : Lanes});
  }
  uint64_t Run = longestRun(Limit, [&](uint64_t Steps) {
    setValue(Q, A, First + Steps);
    findSides(*C, A, To);
    Spent += Comparisons.size();
    return llvm::all_of(Bounds, [&](const Bound &B) {
      const Comparison &X = Comparisons[B.Number];
      const SideStretch S{From[B.Number], To[B.Number], Steps, B.Left, B.Right};
      return X.IsKink ? keepsPiece(*X.E, S, B.Lanes)
                      : keepsSign(*X.E, S, B.Lanes);
    });
  });
  setValue(Q, A, First);
  return Run;
}

uint64_t ProfileWalker::signRun(const Region &R, uint64_t Limit,
                                uint32_t Lanes) {
  // Each warp of the run has its own kinks.
  const bool Varies = llvm::any_of(R.Comparisons, [](const Comparison &X) {
    return X.IsKink && X.E->Varies & VariesInBlock;
  });
  const uint64_t First = A.Warp;
  for (uint64_t W = 0; W != (Varies ? WarpRun : 1); ++W) {
    A.Warp = First + W;
    Limit = signRun(R.Comparisons, state(R).Compared.get(), R.Counter, Limit,
                    Lanes);
  }
  A.Warp = First;
  return Limit;
}

/// Where comparisons hold, or predicates, in a warp.
static std::vector<uint32_t> truths(ArrayRef<Comparison> Comparisons,
                                    CompiledExpressions &C,
                                    const Assignment &A) {
  C.run(A);
  std::vector<uint32_t> Found;
  for (unsigned N = 0; N != Comparisons.size(); ++N) {
    const Expression &E = *Comparisons[N].E;
    uint32_t Mask = 0;
    for (unsigned L = 0; L != WarpSize; ++L) {
      uint64_t X = C.lane(2 * N, L), Y = C.lane(2 * N + 1, L);
      bool Holds = X & 1;
      if (Comparisons[N].IsKink) {
        Holds = false; // warps need not be on one piece
      } else if (!Comparisons[N].IsPredicate) {
        uint64_t Top = E.Kind == Expression::KindTy::SLess
                           ? uint64_t(1) << (E.Operands[0]->Width - 1)
                           : 0;
        Holds = E.Kind == Expression::KindTy::Equal ? X == Y
                                                    : (X ^ Top) < (Y ^ Top);
      }
      Mask |= uint32_t(Holds) << L;
    }
    Found.push_back(Mask);
  }
  return Found;
}

/// Shortens the run of warps to those in which the block's conditions are as
/// they are here.
void ProfileWalker::limitWarps(const PreparedBlock &P,
                               CompiledExpressions &Compared, uint32_t Lanes) {
  if (WarpRun == 1 || !Program.FixedWarps.empty())
    return;
  uint64_t First = A.Warp;
  std::vector<uint32_t> Here = truths(P.Comparisons, Compared, A);
  for (uint64_t W = 1; W != WarpRun; ++W) {
    A.Warp = First + W;
    std::vector<uint32_t> There = truths(P.Comparisons, Compared, A);
    Spent += There.size();
    if (!llvm::all_of(llvm::zip(Here, There), [&](auto Pair) {
          return ((std::get<0>(Pair) ^ std::get<1>(Pair)) & Lanes) == 0;
        }))
      WarpRun = W;
    if (WarpRun == W)
      break;
  }
  A.Warp = First;
}

/// Shortens the runs of blocks and warps to those in which the block's
/// conditions are as they are here, in the first and the last of the iterations
/// that are taken together.
void ProfileWalker::limitRuns(const PreparedBlock &P,
                              CompiledExpressions *Compared, uint32_t Lanes) {
  if (P.Comparisons.empty())
    return;
  bool Varies = llvm::any_of(P.Comparisons, [](const Comparison &X) {
    return (X.E->Varies & VariesInBlock) != 0;
  });
  uint64_t First = A.Warp;
  auto Limit = [&] {
    if (Varies)
      limitWarps(P, *Compared, Lanes);
    // Each warp of the run has its own run along the axes.
    for (uint64_t W = 0; W != (Varies ? WarpRun : 1); ++W) {
      A.Warp = First + W;
      for (unsigned N = 0; N != 3; ++N)
        if (const Quantity &Index = Program.Axes[N].Index; !Index.empty())
          AxisRuns[N] =
              signRun(P.Comparisons, Compared, Index, AxisRuns[N], Lanes);
    }
    A.Warp = First;
  };
  Limit();
  if (!LoopNow || LoopRun == 1)
    return;
  uint64_t K = valueOf(*LoopNow, A);
  setValue(*LoopNow, A, K + LoopRun - 1);
  Limit();
  setValue(*LoopNow, A, K);
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

/// Runs the warps of a block, those of each of the \p Runs together. Runs that
/// are not there yet are found.
bool ProfileWalker::runWarps(std::vector<uint64_t> &Runs) {
  uint64_t Threads = Launch.threadsPerBlock(), Warps = Launch.warpsPerBlock();
  uint64_t Whole = Threads / WarpSize;
  double Scale = 1;
  if (Warps > MostWarps) {
    Scale = double(Warps) / double(MostWarps);
    Warps = Whole = MostWarps;
  }
  const double Former = Weight.Multiple;
  bool Good = true;
  size_t N = 0;
  for (uint64_t W = 0; W != Warps && Good; ++N) {
    const bool IsFound = N < Runs.size();
    Good = runWarp(W,
                   IsFound     ? Runs[N]
                   : W < Whole ? Whole - W
                               : 1,
                   Former * Scale);
    if (!IsFound)
      Runs.push_back(WarpRun);
    W += WarpRun;
  }
  Weight.Multiple = Former;
  WarpRun = 1;
  return Good;
}

/// Runs \p Run warps together, or as many of them as behave alike; each stands
/// for \p Multiple warps.
bool ProfileWalker::runWarp(uint64_t Warp, uint64_t Run, double Multiple) {
  const CallContext &C = Program.kernel();
  const uint64_t Here =
      std::min<uint64_t>(WarpSize, Launch.threadsPerBlock() - Warp * WarpSize);
  const auto Lanes = uint32_t((uint64_t(1) << Here) - 1);
  A.Warp = Warp;
  WarpRun = Run;
  Weight.Multiple = Multiple * (isCounting() ? double(Run) : 1);
  ExitFlows Exits;
  ActiveLanes Back;
  Alive = ActiveLanes::plain(Lanes);
  if (isCounting()) {
    Apiece = Weight.Multiple;
    Barriers.beginWarps(Run, Lanes);
    ++NumWarpRuns;
    WorkNow = &Work.emplace_back(
        WarpWork{A.BlockIndex, BoxNow, {Warp, Run}, 0, true, 0, {}});
  }
  if (LocalityRecorder *To = records())
    To->beginWarps(Warp, Run);
  const bool Good = runRegion({C, C.whole(), Exits, Back}, Alive);
  if (LocalityRecorder *To = records())
    To->end();
  WorkNow = nullptr;
  return Good;
}

static unsigned fewRuns(Effort E) {
  return E == Effort::Some ? FewRuns : FewRunsOfAssumed;
}

/// Few blocks say enough about a grid that nobody asked for.
bool ProfileWalker::looksAtFew() const {
  return isSampling(Thoroughness) || Launch.GridIsAssumed;
}

/// Begins a run of blocks along an axis, behind \p Runs others, and returns how
/// many it has at least. What lies behind so many runs that the rest is not
/// told apart is taken in a few pieces.
uint64_t ProfileWalker::startAxis(unsigned N, uint64_t First, size_t Runs) {
  const unsigned Few = fewRuns(Thoroughness);
  const Axis &X = Program.Axes[N];
  const uint64_t Rest = X.Extent - First;
  const bool IsFew = looksAtFew() && Runs >= Few;
  AxisRuns[N] = X.CanRun || Thoroughness >= Effort::Few || IsFew ? Rest : 1;
  // Along y and z each run has many of the axes before.
  const unsigned Found = N == 0 ? 2 * Few : N == 1 ? 2 * Few - 1 : Few;
  if (!IsFew || Runs < Found)
    return 1;
  const size_t Most = isSampling(Thoroughness) ? Found + Few : 0;
  return llvm::divideCeil(Rest, Runs < Most ? Most - Runs : 1);
}

/// Blocks before \p At are done: found in the first half of the walk of their
/// layers, counted in the second.
void ProfileWalker::noteWalked(const Dim3 &At) {
  const Dim3 &Grid = Launch.Grid;
  const double InLayer =
      (double(At.Y) + double(At.X) / double(Grid.X)) / double(Grid.Y);
  Walked = (double(At.Z) + (InLayer + isCounting()) / 2) / double(Grid.Z);
}

/// Where blocks from \p First on are only taken to be alike, those at each
/// place of their clusters are looked at by themselves: such a place often
/// decides what a block does, as in a pair of which one block multiplies. No
/// condition was looked at between the blocks of a piece, and of a run none
/// that is not monotone.
SmallVector<ProfileWalker::AxisLook, 2>
ProfileWalker::takeTurns(unsigned N, uint64_t First, AxisLook Whole,
                         bool IsPiece) const {
  const uint64_t Places =
      std::array{Launch.Cluster.X, Launch.Cluster.Y, Launch.Cluster.Z}[N];
  const bool IsAlike = !IsPiece && Program.Axes[N].CanRun &&
                       Thoroughness != Effort::One; // which finds no runs
  if (Places == 1 || Whole.Count == 1 || IsAlike)
    return {Whole};
  SmallVector<AxisLook, 2> Looks;
  const uint64_t Turns = std::min(Places, Whole.Count);
  // Each in a part of its own, as those before and behind it in the run.
  const uint64_t Part = Whole.Count / Turns,
                 Offset = (Whole.At - First) / Turns;
  for (uint64_t T = 0; T != Turns; ++T) {
    uint64_t Place = T * Part + Offset;
    Place += (T + Places - Place % Places) % Places;
    if (Place >= Whole.Count)
      Place -= Places;
    Looks.push_back({First + Place, llvm::divideCeil(Whole.Count - T, Places)});
  }
  return Looks;
}

/// The middle of a piece stands for it best.
static uint64_t placeIn(uint64_t First, uint64_t Piece, Effort E) {
  return First + (isSampling(E) ? (Piece - 1) / 2 : 0);
}

/// Finds runs of blocks along x that behave alike, and shortens those along y
/// and z.
bool ProfileWalker::findRow(uint64_t Y, uint64_t Z, Row &R) {
  // Where nothing tells blocks and warps apart one stands for all.
  const bool Together =
      (!Program.BlocksDiffer && !Program.FixedWarps.empty()) ||
      Thoroughness == Effort::One;
  const uint64_t NumX = Program.Axes[0].Extent;
  size_t Runs = 0;
  auto Add = [&](AxisLook At) {
    A.BlockIndex = {At.At, Y, Z};
    noteWalked(A.BlockIndex);
    ++NumRunsFound;
    if (hasTooManyRuns())
      return false;
    std::vector<uint64_t> Warps; // none: as FixedWarps
    if (!Together) {
      Warps = Program.FixedWarps;
      if (!runWarps(Warps))
        return false;
    }
    R.X.push_back({At, std::move(Warps)});
    return true;
  };
  for (uint64_t X = 0, Count = 0; X != NumX; X += Count, ++Runs) {
    const uint64_t Piece = startAxis(0, X, Runs);
    const uint64_t At = placeIn(X, Piece, Thoroughness);
    if (!Add({At, Piece, At - X}))
      return false;
    Count = Piece > 1 ? Piece : AxisRuns[0];
    R.X.back().Count = Count;
    auto Looks = takeTurns(0, X, R.X.back(), Piece > 1);
    if (Looks.size() == 1)
      continue;
    R.X.pop_back();
    --NumRunsFound;
    for (AxisLook L : Looks)
      if (!Add(L))
        return false;
  }
  return true;
}

/// Finds runs of blocks along x and y that behave alike, and shortens that
/// along z.
bool ProfileWalker::findRows(uint64_t Z, std::vector<Row> &Rows) {
  const uint64_t NumY = Program.Axes[1].Extent;
  size_t Runs = 0;
  for (uint64_t Y = 0, Count = 0; Y != NumY; Y += Count, ++Runs) {
    const uint64_t Piece = startAxis(1, Y, Runs);
    const uint64_t At = placeIn(Y, Piece, Thoroughness);
    Row &R = Rows.emplace_back();
    if (!findRow(At, Z, R))
      return false;
    Count = Piece > 1 ? Piece : AxisRuns[1];
    R.Y = {At, Count, At - Y};
    auto Looks = takeTurns(1, Y, R.Y, Piece > 1);
    if (Looks.size() == 1)
      continue;
    NumRunsFound -= R.X.size();
    Rows.pop_back();
    for (AxisLook L : Looks) {
      Rows.push_back({L, {}});
      if (!findRow(L.At, Z, Rows.back()))
        return false;
    }
  }
  return true;
}

/// Counts what these runs execute in \p NumZ layers from \p Z on.
bool ProfileWalker::countRows(uint64_t Z, uint64_t NumZ,
                              std::vector<Row> &Rows) {
  std::vector<uint64_t> Fixed;
  for (Row &R : Rows)
    for (Run &X : R.X) {
      A.BlockIndex = {X.At, R.Y.At, Z};
      noteWalked(A.BlockIndex);
      const uint64_t Extents[] = {X.Count, R.Y.Count, NumZ};
      Dimensions.clear();
      Weight.Multiple = 1;
      for (unsigned N = 0; N != 3; ++N) {
        Weight.Multiple *= double(Extents[N]);
        if (!Program.Axes[N].Index.empty())
          Dimensions.push_back({&Program.Axes[N].Index, Extents[N], int(N)});
      }
      if (LocalityRecorder *To = records())
        To->beginBlocks(A.BlockIndex, {X.Count, R.Y.Count, NumZ},
                        {X.Back, R.Y.Back, 0});
      Barriers.beginBlock(A.BlockIndex);
      BoxNow = {X.Count, R.Y.Count, NumZ};
      if (X.Warps.empty())
        Fixed = Program.FixedWarps;
      if (!runWarps(X.Warps.empty() ? Fixed : X.Warps))
        return false;
      Barriers.endBlock();
    }
  return true;
}

bool ProfileWalker::runGrid() {
  const uint64_t NumZ = Program.Axes[2].Extent;
  size_t Layers = 0;
  for (uint64_t Z = 0, Count = 0; Z != NumZ; Z += Count, ++Layers) {
    std::vector<Row> Rows;
    Now = Pass::FindRuns;
    const uint64_t Piece = startAxis(2, Z, Layers);
    if (!findRows(Z, Rows))
      return false;
    Count = Piece > 1 ? Piece : AxisRuns[2];
    auto Looks = takeTurns(2, Z, {Z, Count}, Piece > 1);
    for (AxisLook L : Looks) {
      if (L.At != Z) {
        for (const Row &R : Rows)
          NumRunsFound -= R.X.size();
        Rows.clear();
        Now = Pass::FindRuns;
        if (!findRows(L.At, Rows))
          return false;
      }
      Now = Pass::Count;
      if (!countRows(L.At, L.Count, Rows))
        return false;
    }
  }
  return true;
}

/// Runs the functions that are called with unknown arguments, once for all who
/// call them; nobody knows with which lanes.
bool ProfileWalker::runAlone() {
  uint64_t Lanes = std::min<uint64_t>(WarpSize, Launch.threadsPerBlock());
  A.Warp = 0;
  A.BlockIndex = {0, 0, 0};
  Dimensions.clear();
  if (Records)
    Records->beginAlone();
  Now = Pass::Count;
  bool Good = true;
  for (const CallContext *C : Program.AloneOrder) {
    const Estimate N = Counts->callsOf(*C);
    if (N.High == 0 || !Good)
      continue;
    bool IsLikely = N.Value > 0, IsBounded = std::isfinite(N.High);
    Weight.Multiple = IsLikely ? N.Value : IsBounded ? N.High : 1;
    Weight.LowScale = IsLikely ? N.Low / N.Value : 0;
    Weight.HighScale = IsLikely && IsBounded ? N.High / N.Value : 1;
    Weight.IsUnbounded = !IsBounded || C->CallsItself;
    Weight.Beyond = Infinity;
    ActiveLanes Entry =
        ActiveLanes::plain(uint32_t((uint64_t(1) << Lanes) - 1));
    bool IsKnown = N.isKnown() && !C->CallsItself;
    Entry.doubt(IsKnown ? Status::Known : Status::Assumed);
    Entry.Weight = IsLikely;
    Alive = Entry;
    ExitFlows Exits;
    ActiveLanes Back;
    Good = runRegion({*C, C->whole(), Exits, Back}, Entry);
  }
  Weight = PathWeight();
  return Good;
}
