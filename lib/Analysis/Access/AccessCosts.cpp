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

Slope counting::slopeOf(const Access &M, const Quantity &Q,
                        const Assignment *Here) {
  const bool IsShared = M.Space == AddressSpace::Shared;
  Slope S = ptxpredict::slopeOf(*M.Address, Q, Here, IsShared);
  S.IsLinear &= !(IsShared && S.HasKinks);
  return S;
}

/// Whether what \p C has as its only root is, in the corners of the dimensions
/// where it is largest and smallest, the linear form that \p SlopeOf says: then
/// nothing wraps around between them. \p Here: what it is at \p B; the bits of
/// \p Matters count.
static bool
isLinearAtCorners(CompiledExpressions &C, const RequestBatch &B,
                  llvm::function_ref<Slope(const Quantity &)> SlopeOf,
                  const LaneArray &Here, uint32_t Lanes, uint64_t Matters) {
  for (bool Largest : {true, false}) {
    uint64_t Expected = 0;
    SmallVector<uint64_t, 8> First;
    for (const Dimension &D : B.Dimensions) {
      First.push_back(D.Count == 1 ? 0 : valueOf(*D.Counter, B.A));
      if (D.Count == 1)
        continue;
      const Slope S = SlopeOf(*D.Counter);
      if ((S.Value > 0) != Largest)
        continue;
      setValue(*D.Counter, B.A, First.back() + D.Count - 1);
      Expected += uint64_t(S.Value) * (D.Count - 1);
    }
    C.run(B.A);
    for (auto [D, V] : llvm::zip(B.Dimensions, First))
      if (D.Count != 1)
        setValue(*D.Counter, B.A, V);
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1 && (C.lane(0, L) - Here[L] - Expected) & Matters)
        return false;
  }
  return true;
}

/// Whether the address is linear along the dimensions.
bool AccessCoster::isLinearHere(const Access &M, const RequestBatch &B,
                                const LaneArray &Here) {
  // At a launch that is assumed nothing is taken to wrap around.
  const bool Asks = !Launch.BlockIsAssumed && !Launch.GridIsAssumed;
  bool IsLinear = true, MayWrap = false;
  for (const Dimension &D : B.Dimensions) {
    if (D.Count == 1)
      continue;
    const Slope S = slopeOf(M, *D.Counter, &B.A);
    IsLinear &= S.IsLinear;
    MayWrap |= S.MayWrap && Asks;
  }
  if (!IsLinear || !MayWrap)
    return IsLinear;
  const uint32_t Lanes = B.Lanes.May & M.Lanes;
  const bool IsShared = M.Space == AddressSpace::Shared;
  CompiledExpressions AtCorner(M.Address);
  if (!isLinearAtCorners(
          AtCorner, B, [&](const Quantity &Q) { return slopeOf(M, Q, &B.A); },
          Here, Lanes, IsShared ? Period - 1 : ~uint64_t(0)))
    return false;
  // What wraps around twice may come out in line with where it began.
  const SmallVector<const Expression *, 4> Bends = bendsIn(*M.Address);
  if (Bends.size() < 2)
    return true;
  return llvm::all_of(Bends, [&](const Expression *X) {
    auto Of = [&](const Quantity &Q) {
      return ptxpredict::slopeOf(*X, Q, &B.A);
    };
    // Where it does not matter to banks.
    if (IsShared && llvm::any_of(B.Dimensions, [&](const Dimension &D) {
          return D.Count != 1 && !Of(*D.Counter).IsLinear;
        }))
      return true;
    CompiledExpressions C(X);
    C.run(B.A);
    LaneArray Now;
    for (unsigned L = 0; L != WarpSize; ++L)
      Now[L] = C.lane(0, L);
    return isLinearAtCorners(C, B, Of, Now, Lanes,
                             llvm::maskTrailingOnes<uint64_t>(X->Width));
  });
}

void AccessSums::bound(const RequestCosts &Low, const RequestCosts &High) {
  for (unsigned N = 0; N != NumCosts; ++N) {
    Least[N] = std::min(Least[N], Low[N]);
    Most[N] = std::max(Most[N], High[N]);
  }
}

void AccessSums::addCosts(const RequestCosts &Costs, double Times,
                          bool IsLikely) {
  for (unsigned N = 0; N != NumCosts; ++N)
    (IsLikely ? Sum : Unlikely)[N] += Costs[N] * Times;
  (IsLikely ? Weight : UnlikelyWeight) += Times;
}

void AccessCoster::countScattered(const Access &M, AccessSums &S,
                                  const ActiveLanes &F, double Times) {
  ScatteredCosts C = scatteredCosts(M, F.Likely & M.Lanes);
  if (S.Groups)
    gather(M, *S.Groups, F.Likely & M.Lanes, C.Mean);
  bool IsLikely = F.Weight != 0;
  if (M.Box) // a request for each lane
    Times *= llvm::popcount(F.Likely & M.Lanes);
  S.addCosts(C.Mean, Times * (IsLikely ? F.Weight : 1), IsLikely);
  S.bound(C.Least, C.Most);
  S.HasInexact = S.HasLoose = true;
  if (!F.IsPlain && !F.IsCertain)
    S.bound(leastCosts(M), scatteredCosts(M, F.May & M.Lanes).Most);
}

/// The multiple of which the open part of an address is. An access is aligned
/// to its size, so the open part is aligned as well wherever the rest is.
static uint64_t alignmentOfOpenPart(const Access &M, const LaneArray &Addresses,
                                    uint32_t Lanes) {
  if (M.OpenAlign >= Period)
    return M.OpenAlign;
  uint64_t Natural = M.Bytes & (0 - uint64_t(M.Bytes));
  for (unsigned L = 0; L != WarpSize; ++L)
    if (Lanes >> L & 1 && Addresses[L] % Natural != 0)
      return M.OpenAlign;
  return std::max(M.OpenAlign, std::min(Natural, Period));
}

void AccessCoster::countAt(const Access &M, AccessSums &Sums,
                           const ActiveLanes &F, const LaneArray &Addresses,
                           const Residents &R) {
  if (M.Box)
    return countBoxes(M, Sums, F, Addresses, R);
  uint32_t Lanes = F.Likely & M.Lanes, May = F.May & M.Lanes;
  if (!Lanes)
    Lanes = May;
  const uint64_t Open = alignmentOfOpenPart(M, Addresses, Lanes);
  RequestShape &S = shapeOf(M, Addresses, Lanes);
  bool IsMaskOpen = !R.IsExact && !F.IsPlain && !F.IsCertain;
  RequestShape *All = IsMaskOpen ? &shapeOf(M, Addresses, May) : nullptr;
  auto ResidueOf = [&](uint32_t Mask, unsigned Residue) {
    return unsigned((Addresses[unsigned(llvm::countr_zero(Mask))] + Residue) %
                    Period);
  };
  bool IsLikely = F.Weight != 0;
  for (auto [Offset, Often] : R.At) {
    double Times = Often * (IsLikely ? F.Weight : 1);
    unsigned Residue = ResidueOf(Lanes, Offset);
    if (Open < Period) {
      const RequestShape::Mean &Mean = meanFrom(S, Residue, Open);
      Sums.bound(Mean.Least, Mean.Most);
      Sums.addCosts(Mean.Value, Times, IsLikely);
    } else {
      const RequestCosts &C = costAt(S, Residue);
      Sums.bound(C, C);
      Sums.addCosts(C, Times, IsLikely);
    }
    if (R.IsExact)
      continue;
    Sums.HasInexact = true;
    if (R.IsSteady) {
      Sums.Residues.set(Residue);
      continue;
    }
    Sums.HasLoose = true;
    if (IsMaskOpen) {
      RequestCosts Most = costAt(*All, ResidueOf(May, Offset));
      // Fewer lanes may be out of line where all of them are not.
      Most[CC10] = mostCC10(May);
      Sums.bound(leastCosts(M), Most);
    }
  }
  if (!M.StrideOf && !M.MayBeApart)
    return;
  ScatteredCosts C = scatteredCosts(M, May);
  Sums.bound(IsMaskOpen ? leastCosts(M) : C.Least, C.Most);
}

/// So many of the lanes, as far apart as they can be.
static uint32_t someOf(uint32_t Lanes, unsigned Number) {
  const auto All = unsigned(llvm::popcount(Lanes));
  uint32_t Some = 0;
  for (unsigned N = 0; Lanes; Lanes &= Lanes - 1, ++N)
    if ((N + 1) * Number / All != N * Number / All)
      Some |= Lanes & (0 - Lanes);
  return Some;
}

/// Counts requests of rounds of a loop that lanes leave one after the other.
void AccessCoster::countRounds(const Access &M, AccessSums &S,
                               const RequestBatch &B) {
  const uint32_t All = B.Lanes.Likely & M.Lanes;
  const auto Often = B.Lanes.roundsByLanes(All);
  ActiveLanes Some = B.Lanes;
  Some.Rounds = {};
  for (unsigned N = 0; N != Often.size(); ++N) {
    if (Often[N] == 0)
      continue;
    Some.Likely = someOf(All, N);
    count(M, S,
          {Some, B.Evaluated, B.A, B.Dimensions, B.Multiple * Often[N],
           B.WarpRun, B.IsPart});
  }
}

void AccessCoster::count(const Access &M, AccessSums &S,
                         const RequestBatch &B) {
  const ActiveLanes &F = B.Lanes;
  if (!(F.May & M.Lanes))
    return;
  if (!F.Rounds.empty())
    return countRounds(M, S, B);
  // Where data scatter the lanes no two requests are alike.
  constexpr unsigned MaxShapes = 1024;
  if (Shapes.size() > MaxShapes)
    Shapes.clear();
  if (M.Kind == Access::KindTy::Uncounted) {
    S.Sum[ActiveLaneCount] += B.Multiple * F.Weight * llvm::popcount(F.Likely);
    S.Weight += B.Multiple * F.Weight;
    return;
  }
  bool AreLanesExact = F.IsPlain || (F.Status == Status::Known && F.IsCertain);
  Residents R{{{0, 1.0}}, AreLanesExact && M.isDecided() && !B.IsPart, false};
  S.IsPart |= B.IsPart;
  if (!AreLanesExact) {
    S.Worst = weakest(S.Worst, F.Status);
    S.HasOpenLanes = true;
  }
  if (M.Box)
    Clipped = clipBoxes(M, B);
  if (M.Kind == Access::KindTy::Scattered) {
    if (M.Groups && !S.IsPrepared)
      S.Groups = groupLanes(*M.Groups, M.Bytes, B.A);
    S.IsPrepared = true;
    return countScattered(M, S, F, B.Multiple);
  }
  LaneArray Here;
  for (unsigned L = 0; L != WarpSize; ++L)
    Here[L] = B.Evaluated->lane(M.Root, L);
  if (!S.IsPrepared)
    prepare(M, S, Here);
  S.IsLinearNow = isLinearHere(M, B, Here);
  S.IsLinear &= S.IsLinearNow;
  R.IsExact &= S.IsLinearNow;
  if (M.Box)
    R.IsExact &= Clipped.IsSteady;
  R.IsSteady = F.IsCertain && !M.IsStandIn && S.IsLinear;
  double Counted = 1;
  for (const Dimension &D : B.Dimensions) {
    if (D.Count == 1)
      continue;
    addTerm(R.At, uint64_t(slopeOf(M, *D.Counter, &B.A).Value), D.Count);
    Counted *= double(D.Count);
  }
  double Others = B.Multiple / Counted; // dimensions without a symbol
  bool Together = !(M.Address->Varies & VariesInBlock) || B.WarpRun == 1;
  for (auto &[Residue, Times] : R.At) // Multiple is that of all warps
    Times = Together ? Times * Others : Times * Others / double(B.WarpRun);
  if (Together)
    countAt(M, S, F, Here, R);
  else
    countWarps(M, S, B, Here, R);
}

namespace {
/// Warps whose lanes lie at the same distances from each other.
struct WarpGroup {
  unsigned Class;
  uint64_t First;
  Residues Shifts;
};
} // namespace

/// Groups a run of warps by class.
static SmallVector<WarpGroup, 2> groupWarps(const WarpAddresses &W,
                                            uint64_t First, uint64_t Number) {
  SmallVector<WarpGroup, 2> Groups;
  for (uint64_t N = First; N != First + Number; ++N) {
    unsigned Class = W.Class[N];
    auto *G = llvm::find_if(
        Groups, [&](const WarpGroup &Other) { return Other.Class == Class; });
    if (G == Groups.end()) {
      Groups.push_back({Class, N, {}});
      G = &Groups.back();
    }
    auto Shift = unsigned((W.Shift[N] - W.Shift[G->First]) % Period);
    auto *S = llvm::find_if(
        G->Shifts, [&](const auto &Pair) { return Pair.first == Shift; });
    if (S == G->Shifts.end())
      G->Shifts.push_back({Shift, 1});
    else
      S->second += 1;
  }
  return Groups;
}

/// Counts requests of a run of warps whose addresses differ.
void AccessCoster::countWarps(const Access &M, AccessSums &S,
                              const RequestBatch &B, const LaneArray &Here,
                              const Residents &R) {
  uint64_t FirstWarp = B.A.Warp;
  if (!S.Warps) {
    CompiledExpressions C(M.Address);
    for (uint64_t W = FirstWarp; W != FirstWarp + B.WarpRun; ++W) {
      B.A.Warp = W;
      C.run(B.A);
      LaneArray There;
      for (unsigned L = 0; L != WarpSize; ++L)
        There[L] = C.lane(0, L);
      countAt(M, S, B.Lanes, There, R);
    }
    B.A.Warp = FirstWarp;
    return;
  }
  for (const WarpGroup &G : groupWarps(*S.Warps, FirstWarp, B.WarpRun)) {
    LaneArray Addresses = Here;
    if (G.First != FirstWarp) {
      B.A.Warp = G.First;
      Addresses = evaluate(*M.Address, B.A);
      B.A.Warp = FirstWarp;
    }
    for (auto [Shift, Number] : G.Shifts) {
      Residents Shifted = R;
      for (auto &[Residue, Times] : Shifted.At) {
        Residue = (Residue + Shift) % Period;
        Times *= Number;
      }
      countAt(M, S, B.Lanes, Addresses, Shifted);
    }
  }
}

void AccessTotal::add(const AccessTotal &Other) {
  Access &M = Effect;
  AccessSums &S = Sums;
  const Access &O = Other.Effect;
  const AccessSums &From = Other.Sums;
  S.Requests += From.Requests;
  for (unsigned N = 0; N != NumCosts; ++N) {
    S.Sum[N] += From.Sum[N];
    S.Unlikely[N] += From.Unlikely[N];
  }
  S.bound(From.Least, From.Most);
  S.Weight += From.Weight;
  S.UnlikelyWeight += From.UnlikelyWeight;
  S.HasInexact |= From.HasInexact;
  S.IsPart |= From.IsPart;
  if (M.LaunchReason == OpenReason::None)
    M.LaunchReason = O.LaunchReason;
  S.HasOpenLanes |= From.HasOpenLanes;
  if (O.Box && O.Box != M.Box && From.HasInexact) {
    auto [Low, High] = boundsOfBox(*O.Box);
    S.bound(Low, High);
  }
  // Steps and residues of several addresses do not go together.
  S.HasLoose |= From.HasLoose || (From.HasInexact && O.Address != M.Address);
  M.Status = weakest(M.Status, O.Status);
  S.Worst = weakest(S.Worst, From.Worst);
  S.Residues |= From.Residues;
  S.Step = std::gcd(S.Step, From.Step);
  if (M.Reason == OpenReason::None)
    M.Reason = O.Reason;
  if (M.Space != O.Space)
    M.Space = AddressSpace::Generic;
  if (S.LaneStride != From.LaneStride)
    S.LaneStride = std::nullopt;
  M.Kind = std::max(M.Kind, O.Kind);
  M.MayMixSpaces |= O.MayMixSpaces;
  M.MayScatter |= O.MayScatter;
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

namespace {
/// The mean costs of an access's requests, with their bounds.
class MeanCosts {
public:
  explicit MeanCosts(const AccessTotal &T)
      : M(T.Effect), S(T.Sums), IsUnlikely(S.Weight == 0),
        Weight(IsUnlikely ? S.UnlikelyWeight : S.Weight),
        IsComplete(isComplete(S.Residues, S.Step)),
        IsWide(S.HasInexact &&
               (S.IsPart || !IsComplete || !S.IsLinear || M.MayScatter)) {
    // Elsewhere a request may have other lanes at other addresses.
    if (IsWide) {
      Low = leastCosts(M);
      High = scatteredCosts(M, M.Lanes).Most;
    }
  }

  Estimate of(CostKind C) const {
    if (Weight == 0) // no request
      return Estimate::known(0);
    double Value = (IsUnlikely ? S.Unlikely : S.Sum)[C] / Weight;
    bool IsOfLanes = C == ActiveLaneCount;
    if (!S.HasInexact || (IsOfLanes && !S.HasOpenLanes && !S.IsPart))
      return Estimate::known(Value);
    if (!S.HasLoose && IsComplete && S.Least[C] == S.Most[C])
      return Estimate::known(Value);
    Status How = weakest(IsOfLanes ? S.Worst : weakest(M.Status, S.Worst),
                         Status::Assumed);
    // What may be in shared memory may cost nothing of this.
    double Least = M.Space == AddressSpace::Generic && !IsOfLanes ? 0
                   : IsWide ? std::min(S.Least[C], Low[C])
                            : S.Least[C],
           Most = IsWide ? std::max(S.Most[C], High[C]) : S.Most[C];
    // It costs that whichever lanes there are, wherever they lie.
    if (Least == Most && !M.IsStandIn)
      return Estimate::known(Least);
    return Estimate(Value, How, std::min(Least, Value), std::max(Most, Value));
  }

private:
  const Access &M;
  const AccessSums &S;
  bool IsUnlikely; ///< all its requests are
  double Weight;
  bool IsComplete;
  bool IsWide; ///< requests may be others than those that were seen
  RequestCosts Low{}, High{};
};
} // namespace

AccessCounts AccessTotal::finish() const {
  const Access &M = Effect;
  AccessCounts R;
  R.Space = M.Space;
  R.LaneStrideBytes = Sums.LaneStride;
  R.Requests = Sums.Requests;
  R.Reason = M.Reason;
  if (R.Reason == OpenReason::None && !Sums.HasOpenLanes)
    R.Reason = M.LaunchReason;
  if (M.Kind == Access::KindTy::Uncounted) {
    const double Weight = Sums.Weight == 0 ? Sums.UnlikelyWeight : Sums.Weight;
    R.ActiveLanes = {Weight == 0 ? 0 : Sums.Sum[ActiveLaneCount] / Weight,
                     Status::Estimated, 0, WarpSize};
    // One for each lane, each block of a cluster or each piece of a fragment,
    // of which there are no more than lanes.
    R.Requests = {R.Requests.Value, Status::Estimated, 0,
                  R.Requests.High * WarpSize};
    return R;
  }
  const MeanCosts Mean(*this);
  R.ActiveLanes = Mean.of(ActiveLaneCount);
  if (M.MayMixSpaces) {
    constexpr double Spaces = 3; // global, shared and local memory
    R.Requests = {R.Requests.Value, weakest(R.Requests.Status, Status::Assumed),
                  R.Requests.Low, R.Requests.High * Spaces};
    R.ActiveLanes = {R.ActiveLanes.Value,
                     weakest(R.ActiveLanes.Status, Status::Assumed),
                     R.ActiveLanes.Low / Spaces, R.ActiveLanes.High};
    if (R.Reason == OpenReason::None)
      R.Reason = OpenReason::Generic;
  }
  if (M.IsAtomic)
    R.Passes = Mean.of(Passes);
  if (M.Space == AddressSpace::Shared) {
    R.Wavefronts = Mean.of(Wavefronts);
    R.Paired = Mean.of(Paired);
    if (M.Bytes == 4) {
      R.Wavefronts8 = Mean.of(Wavefronts8);
      R.Paired8 = Mean.of(Paired8);
    }
    if (M.Bytes == 4 || M.Bytes == 8) {
      R.Wavefronts16 = Mean.of(Wavefronts16);
      R.Paired16 = Mean.of(Paired16);
    }
    return R;
  }
  R.Sectors = Mean.of(Sectors);
  R.Lines = Mean.of(Lines);
  if (M.Box) // older devices have none
    return R;
  R.L1Wavefronts = Mean.of(Wavefronts);
  R.CC10 = Mean.of(CC10);
  R.CC12 = Mean.of(CC12);
  R.CC20 = Mean.of(CC20);
  return R;
}
