//===- AccessCosts.cpp - What a memory instruction's requests cost --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a request costs repeats every 128 bytes of its address. Linear terms of
// counters and indices make a distribution of residues, term by term, whatever
// their ranges; the lanes' addresses are evaluated, whatever their form.
//===----------------------------------------------------------------------===//
#include "AccessCosts.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Adds a term that is \p Step times a number below \p Count.
static void addTerm(Residues &To, uint64_t Step, uint64_t Count) {
  Step %= Period;
  if (Step == 0 || Count == 1) {
    for (auto &[R, Times] : To)
      Times *= double(Count);
    return;
  }
  uint64_t Repeats = Period / std::gcd<uint64_t>(Step, Period);
  std::array<double, Period> Sum{};
  for (uint64_t J = 0; J != std::min(Repeats, Count); ++J) {
    uint64_t Times = Count / Repeats + (J < Count % Repeats);
    for (auto [R, Former] : To)
      Sum[(R + J * Step) % Period] += Former * double(Times);
  }
  To.clear();
  for (unsigned R = 0; R != Period; ++R)
    if (Sum[R] != 0)
      To.push_back({R, Sum[R]});
}

/// Whether the address is the linear form that its slopes say in the corners of
/// the dimensions where it is largest and smallest: then nothing wraps around
/// between them.
bool AccessCoster::isLinearHere(const Access &M, Assignment &A,
                                ArrayRef<Dimension> Dimensions, uint32_t Lanes,
                                const LaneArray &Here) {
  // At a launch that is assumed nothing is taken to wrap around.
  bool Asks = !Launch.BlockIsAssumed && !Launch.GridIsAssumed;
  for (bool Largest : {true, false}) {
    bool MayWrap = false;
    uint64_t Expected = 0;
    SmallVector<uint64_t, 8> First;
    for (const Dimension &D : Dimensions) {
      First.push_back(D.Count == 1 ? 0 : valueOf(*D.Counter, A));
      if (D.Count == 1)
        continue;
      Slope S = slopeOf(*M.Address, *D.Counter);
      if (!S.IsLinear)
        return false;
      MayWrap |= S.MayWrap && Asks;
      if ((S.Value > 0) != Largest)
        continue;
      setValue(*D.Counter, A, First.back() + D.Count - 1);
      Expected += uint64_t(S.Value) * (D.Count - 1);
    }
    LaneArray Corner{};
    if (MayWrap)
      Corner = evaluate(*M.Address, A);
    for (auto [D, V] : llvm::zip(Dimensions, First))
      if (D.Count != 1)
        setValue(*D.Counter, A, V);
    if (!MayWrap)
      return true;
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1 && Corner[L] != Here[L] + Expected)
        return false;
  }
  return true;
}

void AccessCoster::countScattered(Access &M, const ActiveLanes &F,
                                  double Times) {
  RequestCosts Mean, Low, High;
  scatter(M, F.Likely & M.Lanes, Mean, Low, High);
  if (M.Groups)
    gather(M, F.Likely & M.Lanes, Mean);
  bool IsLikely = F.Weight != 0;
  double By = Times * (IsLikely ? F.Weight : 1);
  for (unsigned N = 0; N != NumCosts; ++N) {
    (IsLikely ? M.Sum : M.Unlikely)[N] += Mean[N] * By;
    M.Least[N] = std::min(M.Least[N], Low[N]);
    M.Most[N] = std::max(M.Most[N], High[N]);
  }
  (IsLikely ? M.Weight : M.UnlikelyWeight) += By;
  M.HasInexact = M.HasLoose = true;
  if (F.IsPlain || F.IsCertain)
    return;
  Low = leastOf(M);
  scatter(M, F.May & M.Lanes, Mean, Mean, High);
  for (unsigned N = 0; N != NumCosts; ++N) {
    M.Least[N] = std::min(M.Least[N], Low[N]);
    M.Most[N] = std::max(M.Most[N], High[N]);
  }
}

void AccessCoster::countAt(Access &M, const ActiveLanes &F,
                           const LaneArray &Addresses,
                           ArrayRef<std::pair<unsigned, double>> At,
                           bool IsExact, bool IsSteady) {
  uint32_t Lanes = F.Likely & M.Lanes, May = F.May & M.Lanes;
  if (!Lanes)
    Lanes = May;
  uint64_t Open = M.OpenAlign;
  if (Open < Period) {
    // An access is aligned to its size, so the open part is a multiple of that
    // as well wherever the rest is.
    uint64_t Natural = M.Bytes & (0 - uint64_t(M.Bytes));
    bool IsAligned = true;
    for (unsigned L = 0; L != WarpSize; ++L)
      IsAligned &= !(Lanes >> L & 1) || Addresses[L] % Natural == 0;
    if (IsAligned)
      Open = std::max(Open, std::min(Natural, Period));
  }
  RequestShape &S = shapeOf(M, Addresses, Lanes);
  bool IsMaskOpen = !IsExact && !F.IsPlain && !F.IsCertain;
  RequestShape *All = IsMaskOpen ? &shapeOf(M, Addresses, May) : nullptr;
  auto PlaceOf = [&](uint32_t Mask, unsigned Residue) {
    return unsigned((Addresses[unsigned(llvm::countr_zero(Mask))] + Residue) %
                    Period);
  };
  auto Bounds = [&](const RequestCosts &Low, const RequestCosts &High) {
    for (unsigned N = 0; N != NumCosts; ++N) {
      M.Least[N] = std::min(M.Least[N], Low[N]);
      M.Most[N] = std::max(M.Most[N], High[N]);
    }
  };
  bool IsLikely = F.Weight != 0;
  for (auto [Residue, Often] : At) {
    double Times = Often * (IsLikely ? F.Weight : 1);
    unsigned Place = PlaceOf(Lanes, Residue);
    const RequestCosts *C = nullptr;
    if (Open < Period) {
      const RequestShape::Mean &Mean = meanFrom(S, Place, Open);
      C = &Mean.Value;
      Bounds(Mean.Least, Mean.Most);
    } else {
      C = &costAt(S, Place);
      Bounds(*C, *C);
    }
    for (unsigned N = 0; N != NumCosts; ++N)
      (IsLikely ? M.Sum : M.Unlikely)[N] += (*C)[N] * Times;
    (IsLikely ? M.Weight : M.UnlikelyWeight) += Times;
    if (IsExact)
      continue;
    M.HasInexact = true;
    if (IsSteady) {
      M.Residues.set(Place);
      continue;
    }
    M.HasLoose = true;
    if (IsMaskOpen) {
      RequestCosts Most = costAt(*All, PlaceOf(May, Residue));
      // Fewer lanes may be out of their places where all are not.
      Most[CC10] = std::max(llvm::popcount(May), 4);
      Bounds(leastOf(M), Most);
    }
  }
  if (!M.StrideOf)
    return;
  RequestCosts Ignored, Low, High;
  scatter(M, May, Ignored, Low, High);
  if (IsMaskOpen)
    Low = leastOf(M);
  Bounds(Low, High);
}

void AccessCoster::count(Access &M, const ActiveLanes &F,
                         const CompiledExpressions *Evaluated, Assignment &A,
                         ArrayRef<Dimension> Dimensions, double Multiple,
                         uint64_t WarpRun, bool IsPart) {
  if (!(F.May & M.Lanes))
    return;
  if (M.Kind == Access::KindTy::Uncounted) {
    M.Sum[ActiveLaneCount] += Multiple * F.Weight * llvm::popcount(F.Likely);
    M.Weight += Multiple * F.Weight;
    return;
  }
  bool FlowIsExact = F.IsPlain || (F.Status == Status::Known && F.IsCertain);
  bool IsExact = FlowIsExact && M.isDecided() && !IsPart;
  M.IsPart |= IsPart;
  if (!FlowIsExact) {
    M.Worst = weakest(M.Worst, F.Status);
    M.HasOpenLanes = true;
  }
  if (M.Kind == Access::KindTy::Scattered) {
    if (M.Groups && !M.Groups->IsPrepared)
      prepareGroups(M, A);
    return countScattered(M, F, Multiple);
  }
  LaneArray Here;
  for (unsigned L = 0; L != WarpSize; ++L)
    Here[L] = Evaluated->lane(M.Root, L);
  if (!M.IsPrepared)
    prepare(M, Here);
  bool IsSteady = F.IsCertain && !M.IsStandIn && M.IsLinear;
  if (!isLinearHere(M, A, Dimensions, F.May & M.Lanes, Here))
    IsExact = IsSteady = M.IsLinear = M.IsLinearNow = false;
  else
    M.IsLinearNow = true;
  Residues At{{0, 1.0}};
  double Counted = 1;
  for (const Dimension &D : Dimensions) {
    if (D.Count == 1)
      continue;
    addTerm(At, uint64_t(slopeOf(*M.Address, *D.Counter).Value), D.Count);
    Counted *= double(D.Count);
  }
  double Others = Multiple / Counted; // dimensions without a symbol
  bool Together = !(M.Address->Varies & VariesInBlock) || WarpRun == 1;
  for (auto &[R, Times] : At) // Multiple is of all warps of the run
    Times = Together ? Times * Others : Times * Others / double(WarpRun);
  if (Together)
    return countAt(M, F, Here, At, IsExact, IsSteady);
  uint64_t FirstWarp = A.Warp;
  if (!M.Warps) {
    CompiledExpressions C(M.Address);
    for (uint64_t W = FirstWarp; W != FirstWarp + WarpRun; ++W) {
      A.Warp = W;
      C.run(A);
      for (unsigned L = 0; L != WarpSize; ++L)
        Here[L] = C.lane(0, L);
      countAt(M, F, Here, At, IsExact, IsSteady);
    }
    A.Warp = FirstWarp;
    return;
  }
  // Warps of one class together, as the first of it in the run.
  struct Group {
    unsigned Class;
    uint64_t First;
    Residues Shifts;
  };
  SmallVector<Group, 2> Groups;
  for (uint64_t W = FirstWarp; W != FirstWarp + WarpRun; ++W) {
    unsigned Class = M.Warps->Class[W];
    auto *G = llvm::find_if(
        Groups, [&](const Group &Other) { return Other.Class == Class; });
    if (G == Groups.end()) {
      Groups.push_back({Class, W, {}});
      G = &Groups.back();
    }
    auto Shift =
        unsigned((M.Warps->Shift[W] - M.Warps->Shift[G->First]) % Period);
    auto *S = llvm::find_if(
        G->Shifts, [&](const auto &Pair) { return Pair.first == Shift; });
    if (S == G->Shifts.end())
      G->Shifts.push_back({Shift, 1});
    else
      S->second += 1;
  }
  for (const Group &G : Groups) {
    LaneArray Places = Here;
    if (G.First != FirstWarp) {
      A.Warp = G.First;
      Places = evaluate(*M.Address, A);
      A.Warp = FirstWarp;
    }
    for (auto [Shift, Number] : G.Shifts) {
      Residues Shifted = At;
      for (auto &[R, Times] : Shifted) {
        R = (R + Shift) % Period;
        Times *= Number;
      }
      countAt(M, F, Places, Shifted, IsExact, IsSteady);
    }
  }
}

void Access::add(const Access &O) {
  Requests += O.Requests;
  for (unsigned N = 0; N != NumCosts; ++N) {
    Sum[N] += O.Sum[N];
    Unlikely[N] += O.Unlikely[N];
    Least[N] = std::min(Least[N], O.Least[N]);
    Most[N] = std::max(Most[N], O.Most[N]);
  }
  Weight += O.Weight;
  UnlikelyWeight += O.UnlikelyWeight;
  HasInexact |= O.HasInexact;
  IsPart |= O.IsPart;
  if (LaunchReason == OpenReason::None)
    LaunchReason = O.LaunchReason;
  HasOpenLanes |= O.HasOpenLanes;
  // Steps and residues of several addresses do not go together.
  HasLoose |= O.HasLoose || (O.HasInexact && O.Address != Address);
  Status = weakest(Status, O.Status);
  Worst = weakest(Worst, O.Worst);
  Residues |= O.Residues;
  Step = std::gcd(Step, O.Step);
  if (Reason == OpenReason::None)
    Reason = O.Reason;
  if (Space != O.Space)
    Space = AddressSpace::Generic;
  if (LaneStride != O.LaneStride)
    LaneStride = std::nullopt;
  Kind = std::max(Kind, O.Kind);
}

/// Whether requests lie at no other residues than those that were seen,
/// wherever indices and counters go from there.
static bool isComplete(const std::bitset<128> &Residues, uint64_t Step) {
  if (Step == 0)
    return true;
  for (unsigned R = 0; R != Period; ++R)
    if (Residues[R] && !Residues[(R + Step) % Period])
      return false;
  return true;
}

AccessCounts AccessCoster::finish(const Access &M) {
  AccessCounts R;
  R.Space = M.Space;
  R.LaneStrideBytes = M.LaneStride;
  R.Requests = M.Requests;
  R.Reason = M.Reason;
  if (R.Reason == OpenReason::None && !M.HasOpenLanes)
    R.Reason = M.LaunchReason;
  bool IsUnlikely = M.Weight == 0;
  double Weight = IsUnlikely ? M.UnlikelyWeight : M.Weight;
  if (M.Kind == Access::KindTy::Uncounted) {
    R.ActiveLanes = {Weight == 0 ? 0 : M.Sum[ActiveLaneCount] / Weight,
                     Status::Estimated, 0, WarpSize};
    R.Requests = {R.Requests.Value, Status::Estimated, 0,
                  std::numeric_limits<double>::infinity()};
    return R;
  }
  bool IsComplete = isComplete(M.Residues, M.Step);
  // Elsewhere a request may have other lanes at other places.
  RequestCosts Ignored, Low{}, High{};
  bool IsWide = M.HasInexact && (M.IsPart || !IsComplete || !M.IsLinear);
  if (IsWide) {
    scatter(M, M.Lanes, Ignored, Low, High);
    Low = leastOf(M);
  }
  auto Mean = [&](CostKind C) {
    if (Weight == 0) // no request
      return Estimate::known(0);
    double Value = (IsUnlikely ? M.Unlikely : M.Sum)[C] / Weight;
    bool IsOfFlow = C == ActiveLaneCount;
    if (!M.HasInexact || (IsOfFlow && !M.HasOpenLanes && !M.IsPart))
      return Estimate::known(Value);
    if (!M.HasLoose && IsComplete && M.Least[C] == M.Most[C])
      return Estimate::known(Value);
    Status How = weakest(IsOfFlow ? M.Worst : weakest(M.Status, M.Worst),
                         Status::Assumed);
    // What may be in shared memory may cost nothing of this.
    double Least = M.Space == AddressSpace::Generic && C != ActiveLaneCount ? 0
                   : IsWide ? std::min(M.Least[C], Low[C])
                            : M.Least[C],
           Most = IsWide ? std::max(M.Most[C], High[C]) : M.Most[C];
    // It costs that whichever lanes there are, wherever they lie.
    if (Least == Most && !M.IsStandIn)
      return Estimate::known(Least);
    return Estimate(Value, How, std::min(Least, Value), std::max(Most, Value));
  };
  R.ActiveLanes = Mean(ActiveLaneCount);
  if (M.Space == AddressSpace::Shared) {
    R.Wavefronts = Mean(Wavefronts);
    R.Paired = Mean(Paired);
    if (M.Bytes == 4) {
      R.Wavefronts8 = Mean(Wavefronts8);
      R.Paired8 = Mean(Paired8);
    }
    if (M.Bytes == 4 || M.Bytes == 8) {
      R.Wavefronts16 = Mean(Wavefronts16);
      R.Paired16 = Mean(Paired16);
    }
    return R;
  }
  R.Sectors = Mean(Sectors);
  R.Lines = Mean(Lines);
  R.CC10 = Mean(CC10);
  R.CC12 = Mean(CC12);
  R.CC20 = Mean(CC20);
  return R;
}
