//===- StaticProfile.cpp - What a launch executes, without running it -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Dimensions are the block's indices, the warps and the loops' counters. Along
// each, a run of values is found for which every condition has the same sign in
// every lane. Comparisons of linear forms have it between two places at which
// they do, as long as nothing wraps around; others are looked at value by
// value.
//===----------------------------------------------------------------------===//
#include "StaticProfileImpl.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// With little effort: runs of blocks along an axis that are looked at one by
/// one, and as many again where conditions tell them apart.
static constexpr unsigned FewRuns = 4, FewRunsOfAssumed = 1;

GuardCounts &FunctionCounts::guardOf(const Instruction &I) {
  GuardCounts *&G = Guards[&I];
  if (!G) {
    G = &GuardStore.emplace_back();
    G->Any = G->Lanes = G->Split = Estimate::known(0);
  }
  return *G;
}

const FunctionCounts *StaticProfile::of(const InstructionGraph &G) const {
  for (const auto &F : Functions)
    if (F->G == &G)
      return F.get();
  return nullptr;
}

StaticProfiler::StaticProfiler(const SymbolicValues &V, const LaunchConfig &L,
                               uint64_t Allowed, Effort HowMuch,
                               bool HasRecords)
    : Kernel(V), Launch(L), Budget(Allowed), Thoroughness(HowMuch), Costs(V, L),
      Records(HasRecords ? std::make_shared<LocalityRecords>(V.graph(), L)
                         : nullptr),
      Barriers(L) {
  Barriers.IsPartial = Thoroughness != Effort::All;
  A.Block = Launch.Block;
  A.Grid = Launch.Grid;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// The sides of comparisons, as the assignment has them.
static std::vector<Sides> sidesOf(ArrayRef<Comparison> Comparisons,
                                  CompiledExpressions &C, const Assignment &A) {
  C.run(A);
  std::vector<Sides> Found(Comparisons.size());
  for (unsigned N = 0; N != Found.size(); ++N)
    for (unsigned L = 0; L != WarpSize; ++L) {
      Found[N].Left[L] = C.lane(2 * N, L);
      Found[N].Right[L] = C.lane(2 * N + 1, L);
    }
  return Found;
}

/// How many values of \p Q from the present one on, \p Limit at most, leave all
/// monotone comparisons with the signs that they have.
uint64_t StaticProfiler::signRun(ArrayRef<Comparison> Comparisons,
                                 CompiledExpressions *C, const Quantity &Q,
                                 uint64_t Limit, uint32_t Lanes) {
  if (Limit == 1 || llvm::none_of(Comparisons, [&](const Comparison &X) {
        return dependsOn(*X.E, Q);
      }))
    return Limit;
  uint64_t First = valueOf(Q, A);
  std::vector<Sides> From = sidesOf(Comparisons, *C, A);
  uint64_t Run = longestRun(Limit, [&](uint64_t Steps) {
    setValue(Q, A, First + Steps);
    std::vector<Sides> To = sidesOf(Comparisons, *C, A);
    Spent += Comparisons.size();
    for (auto [X, Y, Z] : llvm::zip(Comparisons, From, To))
      if (dependsOn(*X.E, Q) && !X.IsPredicate && isMonotone(*X.E, Q) &&
          !keepsSign(*X.E, Q, Y, Z, Steps, Lanes))
        return false;
    return true;
  });
  setValue(Q, A, First);
  return Run;
}

uint64_t StaticProfiler::signRun(Region &R, uint64_t Limit, uint32_t Lanes) {
  return signRun(R.Comparisons, R.Compared.get(), R.Counter, Limit, Lanes);
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
      if (!Comparisons[N].IsPredicate) {
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
void StaticProfiler::limitWarps(PreparedBlock &P, uint32_t Lanes) {
  if (WarpRun == 1 || !FixedWarps.empty())
    return;
  uint64_t First = A.Warp;
  std::vector<uint32_t> Here = truths(P.Comparisons, *P.Compared, A);
  for (uint64_t W = 1; W != WarpRun; ++W) {
    A.Warp = First + W;
    std::vector<uint32_t> There = truths(P.Comparisons, *P.Compared, A);
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
void StaticProfiler::limitRuns(const Region &, PreparedBlock &P,
                               uint32_t Lanes) {
  if (P.Comparisons.empty())
    return;
  bool Varies = llvm::any_of(P.Comparisons, [](const Comparison &X) {
    return (X.E->Varies & VariesInBlock) != 0;
  });
  uint64_t First = A.Warp;
  auto Limit = [&] {
    if (Varies)
      limitWarps(P, Lanes);
    // Each warp of the run has its own place along the axes.
    for (uint64_t W = 0; W != (Varies ? WarpRun : 1); ++W) {
      A.Warp = First + W;
      for (Axis &X : Axes)
        if (!X.Index.empty())
          X.Run =
              signRun(P.Comparisons, P.Compared.get(), X.Index, X.Run, Lanes);
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

/// Device limits are checked later, and not all of a block that is too large is
/// looked at.
static constexpr uint64_t MostWarps = 128;

/// Runs the warps of a block: those of \p Runs together, which is found first.
bool StaticProfiler::runWarps(std::vector<uint64_t> &Runs) {
  CallContext &C = *Contexts.front();
  uint64_t Threads = Launch.threadsPerBlock(), Warps = Launch.warpsPerBlock();
  uint64_t Whole = Threads / WarpSize;
  double Scale = 1;
  if (Warps > MostWarps) {
    Scale = double(Warps) / double(MostWarps);
    Warps = Whole = MostWarps;
  }
  double Former = Multiple;
  bool Good = true;
  size_t N = 0;
  for (uint64_t W = 0; W != Warps && Good; ++N) {
    A.Warp = W;
    uint64_t Here = std::min<uint64_t>(WarpSize, Threads - W * WarpSize);
    auto Lanes = uint32_t((uint64_t(1) << Here) - 1);
    bool IsFound = N < Runs.size();
    WarpRun = IsFound ? Runs[N] : W < Whole ? Whole - W : 1;
    Multiple = Former * Scale * (Now == Pass::Count ? double(WarpRun) : 1);
    ExitFlows Exits;
    ActiveLanes Back;
    Alive = ActiveLanes::plain(Lanes);
    if (Now == Pass::Count) {
      Apiece = Multiple;
      Barriers.beginWarps(WarpRun, Lanes);
    }
    if (Records && Now == Pass::Count)
      Records->beginWarps(W, WarpRun);
    Good = runRegion(C, C.Regions.back(), Alive, Exits, Back);
    if (Records && Now == Pass::Count)
      Records->end();
    if (!IsFound)
      Runs.push_back(WarpRun);
    W += WarpRun;
  }
  Multiple = Former;
  WarpRun = 1;
  return Good;
}

bool StaticProfiler::runGrid() {
  struct Run {
    uint64_t First, Count;
    std::vector<uint64_t> Warps;
  };
  struct Row {
    Run Y;
    std::vector<Run> X;
  };
  // Nothing tells blocks and warps apart: one stands for all.
  bool Together =
      (!BlocksDiffer && !FixedWarps.empty()) || Thoroughness == Effort::One;
  // Of a grid that nobody asked for a few blocks say enough.
  bool LooksAtFew = Thoroughness == Effort::Some || Launch.GridIsAssumed;
  unsigned Few = Thoroughness == Effort::Some ? FewRuns : FewRunsOfAssumed;
  auto Start = [&](unsigned N, uint64_t First, size_t Runs) {
    bool CanRun = Axes[N].CanRun || Thoroughness >= Effort::Few ||
                  (LooksAtFew && Runs >= Few);
    Axes[N].Run = CanRun ? Axes[N].Extent - First : 1;
  };
  uint64_t RunZ = 0;
  for (uint64_t Z = 0, NumZ = 0; Z != Axes[2].Extent; Z += RunZ, ++NumZ) {
    std::vector<Row> Rows;
    Now = Pass::FindRuns;
    Start(2, Z, NumZ);
    for (uint64_t Y = 0; Y != Axes[1].Extent; Y += Rows.back().Y.Count) {
      Row &R = Rows.emplace_back();
      Start(1, Y, Rows.size() - 1);
      for (uint64_t X = 0; X != Axes[0].Extent; X += R.X.back().Count) {
        Start(0, X, R.X.size());
        A.BlockIndex = {X, Y, Z};
        std::vector<uint64_t> Warps = FixedWarps;
        if (!Together && !runWarps(Warps))
          return false;
        if (LooksAtFew && R.X.size() >= 2 * Few)
          Axes[0].Run = Axes[0].Extent - X; // the rest like this one
        R.X.push_back({X, Axes[0].Run, std::move(Warps)});
      }
      if (LooksAtFew && Rows.size() >= 2 * Few)
        Axes[1].Run = Axes[1].Extent - Y;
      R.Y = {Y, Axes[1].Run, {}};
    }
    if (LooksAtFew && NumZ >= Few)
      Axes[2].Run = Axes[2].Extent - Z;
    RunZ = Axes[2].Run;
    Now = Pass::Count;
    for (Row &R : Rows)
      for (Run &X : R.X) {
        A.BlockIndex = {X.First, R.Y.First, Z};
        uint64_t Extents[] = {X.Count, R.Y.Count, RunZ};
        Dimensions.clear();
        Multiple = 1;
        for (unsigned N = 0; N != 3; ++N) {
          Multiple *= double(Extents[N]);
          if (!Axes[N].Index.empty())
            Dimensions.push_back({&Axes[N].Index, Extents[N], int(N)});
        }
        if (Records)
          Records->beginBlocks(A.BlockIndex, {X.Count, R.Y.Count, RunZ});
        Barriers.beginBlock(A.BlockIndex);
        if (!runWarps(X.Warps))
          return false;
        Barriers.endBlock();
      }
  }
  return true;
}

bool StaticProfiler::run() {
  CallContext *Whole = prepare(Kernel, 0);
  if (Records)
    Records->HasBarrier = Whole->Regions.back().HasBarrier;
  prepareAlone();
  findExitCounts();
  findAxes();
  if (Launch.warpsPerBlock() <= MostWarps && Thoroughness != Effort::One)
    findWarps();
  uint64_t Cost = 0;
  for (const auto &C : Contexts)
    for (const Region &R : C->Regions)
      Cost += R.cost();
  Budget += PassesAllowed * Cost;
  return runGrid() && runAlone();
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

LoopCounts StaticProfiler::finishLoop(const Region &R, const Block &Header) {
  LoopCounts L;
  if (R.Items.empty()) { // a part of what is around it
    L.Reason = OpenReason::Nesting;
    L.TripCount = {DefaultTripCount, Status::Assumed, 0,
                   std::numeric_limits<double>::infinity()};
    return L;
  }
  if (R.IsEndless)
    L.Reason = OpenReason::Endless;
  else if (!R.IsReducible)
    L.Reason = OpenReason::SeveralEntries;
  else if (R.IsOpen && !R.IsGiven)
    L.Reason = R.Open ? reasonOf(*R.Open) : OpenReason::Exits;
  if (L.Reason == OpenReason::Exits && R.IsByLaunch)
    for (const Guard *G : R.Exits)
      if (G->Basis == Condition::BasisTy::Launch)
        L.Reason = G->Out->Reason;
  if (R.IsGiven) {
    double Trips = *R.HeaderRuns - (R.TestsFirst ? 1 : 0);
    L.TripCount = Estimate::known(Trips);
    return L;
  }
  bool IsConstant = R.IsSelfContained && R.Fewest == R.Most && !R.IsEndless;
  double Value = R.Entries.Value > 0   ? R.Bodies.Value / R.Entries.Value
                 : R.Entries.isKnown() ? 0
                                       : R.Most;
  if (R.Entries.Value == 0 && !R.Entries.isKnown() && R.HeaderRuns)
    Value = *R.HeaderRuns - (R.TestsFirst ? 1 : 0);
  // Of parts of iterations together.
  if (std::abs(Value - std::round(Value)) < 1e-9 * Value)
    Value = std::round(Value);
  if ((R.Entries.isKnown() && R.Bodies.isKnown()) ||
      (IsConstant && R.Entries.Value > 0)) {
    L.TripCount = Estimate::known(Value);
    L.Reason = OpenReason::None;
    return L;
  }
  if (L.Reason == OpenReason::None)
    L.Reason = OpenReason::Entry;
  double Low = 0, High = std::numeric_limits<double>::infinity();
  if (R.Entries.isKnown() && R.Entries.Value > 0) {
    Low = R.Bodies.Low / R.Entries.Value;
    High = R.Bodies.High / R.Entries.Value;
  }
  if (Header.MostHeaderRuns)
    High =
        std::min(High, double(*Header.MostHeaderRuns) - (R.TestsFirst ? 1 : 0));
  L.TripCount = {Value, Status::Assumed, std::min(Low, Value),
                 std::max(High, Value)};
  return L;
}

StaticProfile StaticProfiler::finish() {
  Result.IsSampled = Thoroughness != Effort::All;
  // Contexts of one function together.
  llvm::DenseMap<const FunctionCounts *, CallContext *> First;
  for (const auto &C : Contexts) {
    auto [It, IsNew] = First.try_emplace(C->Out, C.get());
    CallContext &Sum = *It->second;
    if (IsNew)
      continue;
    for (auto [To, R] : llvm::zip(Sum.Regions, C->Regions)) {
      To.Entries += R.Entries;
      To.Bodies += R.Bodies;
      To.Fewest = std::min(To.Fewest, R.Fewest);
      To.Most = std::max(To.Most, R.Most);
      To.IsSelfContained &= R.IsSelfContained;
      To.IsOpen |= R.IsOpen;
      To.IsEndless |= R.IsEndless;
      To.IsByLaunch |= R.IsByLaunch;
      if (!To.Open)
        To.Open = R.Open;
      if (!To.HeaderRuns)
        To.HeaderRuns = R.HeaderRuns;
    }
    for (auto [To, P] : llvm::zip(Sum.Blocks, C->Blocks))
      for (auto [M, Other] : llvm::zip(To.Accesses, P.Accesses))
        M.add(Other);
  }
  for (const auto &C : Contexts) {
    if (First.lookup(C->Out) != C.get())
      continue;
    for (size_t N = 0; N + 1 < C->Regions.size(); ++N)
      C->Out->Loops[N] =
          finishLoop(C->Regions[N], *C->V->controlFlow().cycles()[N].Header);
    for (const PreparedBlock &P : C->Blocks)
      for (const Event &E : P.Events) {
        auto All = ArrayRef(P.Accesses).slice(E.FirstAccess, E.NumAccesses);
        while (!All.empty()) {
          auto Parts = All.drop_front().take_while(
              [](const Access &Part) { return Part.Continues; });
          auto &To = C->Out->Accesses[E.I];
          if (Parts.empty()) {
            To.push_back(AccessCoster::finish(All.front()));
          } else {
            Access M = All.front(); // and all parts of the request
            for (const Access &Part : Parts)
              M.add(Part);
            To.push_back(AccessCoster::finish(M));
          }
          All = All.drop_front(1 + Parts.size());
        }
      }
  }
  fillReasons();
  Result.Barriers = Barriers.take();
  if (Records)
    Records->IsSampled = Result.IsSampled;
  Result.Records = std::move(Records);
  llvm::stable_sort(
      Result.Assumptions,
      [](const Assumption &X, const Assumption &Y) { return X.Line < Y.Line; });
  return std::move(Result);
}

StaticProfile ptxpredict::profileStatically(const SymbolicValues &V,
                                            const LaunchConfig &Launch,
                                            uint64_t Budget, bool HasRecords) {
  StageTimer Timer(Stage::StaticProfile);
  for (Effort How : {Effort::All, Effort::Some, Effort::Few}) {
    uint64_t Allowed = How == Effort::Few ? 4 * Budget : Budget;
    StaticProfiler Counter(V, Launch, Allowed, How, HasRecords);
    if (Counter.run())
      return Counter.finish();
  }
  StaticProfiler Counter(V, Launch, Budget, Effort::One, HasRecords);
  (void)Counter.run();
  return Counter.finish();
}
