//===- ActiveLanes.cpp - The lanes that come to a block, and how surely ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ActiveLanes.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <numeric>

using namespace ptxpredict;

uint32_t ActiveLanes::unevenMust() const {
  uint32_t Lanes = 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    Lanes |= uint32_t(Uneven[L] >= 1) << L;
  return Lanes & May;
}

double ActiveLanes::meanShare() const {
  return Rounds.empty() ? 1
                        : std::accumulate(Rounds.begin(), Rounds.end(), 0.0) /
                              double(Rounds.size());
}

std::array<double, WarpSize + 1>
ActiveLanes::roundsByLanes(uint32_t Lanes) const {
  std::array<double, WarpSize + 1> Often{};
  const double All = llvm::popcount(Lanes);
  for (double Share : Rounds) {
    const double Number = std::clamp(Share * All, std::min(All, 1.0), All);
    const auto Below = unsigned(Number);
    const double Above = Number - Below;
    Often[Below] += (1 - Above) / double(Rounds.size());
    if (Above > 0)
      Often[Below + 1] += Above / double(Rounds.size());
  }
  return Often;
}

void ActiveLanes::setShares(llvm::function_ref<float(unsigned)> OfLane) {
  IsPlain = false;
  std::array<float, WarpSize> Shares{};
  std::optional<float> Common;
  bool AreSame = true;
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!(May >> L & 1))
      continue;
    Shares[L] = OfLane(L);
    AreSame &= Shares[L] == Common.value_or(Shares[L]);
    Common = Shares[L];
  }
  Uneven.clear();
  if (AreSame)
    Even = Common.value_or(1);
  else
    Uneven.assign(Shares);
}

void ActiveLanes::halveShares() {
  IsPlain = false;
  Even /= 2;
  for (float &S : Uneven)
    S /= 2;
}

void ActiveLanes::settle() {
  if (IsPlain || IsParted || must() != May)
    return;
  unsigned Former = Waited;
  *this = plain(May);
  Waited = Former;
}

bool ActiveLanes::sameLanes(const ActiveLanes &O) const {
  if (May != O.May)
    return false;
  if (Uneven.empty() && O.Uneven.empty())
    return Even == O.Even && Even > 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (May >> L & 1 && (share(L) != O.share(L) || share(L) <= 0))
      return false;
  return true;
}

bool ActiveLanes::operator==(const ActiveLanes &O) const {
  return sameLanes(O) && Likely == O.Likely && IsCertain == O.IsCertain &&
         Status == O.Status && Weight == O.Weight && IsParted == O.IsParted;
}

void ActiveLanes::merge(const ActiveLanes &O, bool Settles) {
  if (!O)
    return;
  if (!*this) {
    *this = O;
    return;
  }
  bool Parts = Waited != O.Waited || IsParted || O.IsParted;
  if (IsPlain && O.IsPlain && !(May & O.May) && !Parts) {
    Likely = May |= O.May;
    return;
  }
  const bool IsSame = May == O.May;
  IsCertain = IsCertain && O.IsCertain && Likely == O.Likely && IsSame;
  IsPlain = false;
  if (Uneven.empty() && O.Uneven.empty() &&
      (IsSame || (!(May & O.May) && Even == O.Even))) {
    Even = IsSame ? std::min(Even + O.Even, 1.0f) : O.Even;
    May |= O.May;
  } else {
    std::array<float, WarpSize> Sum;
    for (unsigned L = 0; L != WarpSize; ++L)
      Sum[L] = std::min(share(L) + O.share(L), 1.0f);
    May |= O.May;
    setShares([&](unsigned L) { return Sum[L]; });
  }
  if (Weight == 0 || O.Weight == 0) {
    // What nobody takes to come has no lanes of its own.
    Likely = Weight != 0     ? Likely
             : O.Weight != 0 ? O.Likely
                             : Likely | O.Likely;
    Weight += O.Weight;
  } else {
    // Of lanes that parted one side is there whenever the other is; lanes that
    // come by either way come by one of them.
    Weight = Likely & O.Likely ? std::min(Weight + O.Weight, 1.0)
                               : std::max(Weight, O.Weight);
    Likely |= O.Likely;
  }
  Status = weakest(Status, O.Status);
  IsTypical |= O.IsTypical;
  PartedBy = PartedBy ? PartedBy : O.PartedBy;
  Waited = std::max(Waited, O.Waited);
  if (Parts)
    part();
  else if (Settles)
    settle();
}

void ActiveLanes::part() {
  IsParted = true;
  IsPlain = IsCertain = false;
  Status = weakest(Status, Status::Assumed);
}

void ActiveLanes::doubt(ptxpredict::Status S) {
  if (!May)
    return;
  halveShares();
  IsCertain = false;
  Status = weakest(Status, S);
}

std::pair<ActiveLanes, ActiveLanes> ptxpredict::split(const ActiveLanes &F,
                                                      const ConditionLanes &C) {
  std::pair<ActiveLanes, ActiveLanes> Sides(F, F);
  auto &[True, False] = Sides;
  True.May &= C.May;
  False.May &= ~C.Must;
  if (!(True.May & False.May)) { // decided here
    True.Likely &= True.May;
    False.Likely &= False.May;
    // Who is there at all is open.
    if (!F.IsPlain && !F.IsCertain && True && False)
      for (ActiveLanes *Side : {&True, &False})
        if (!Side->must())
          Side->Status = weakest(Side->Status, Status::Assumed);
    for (ActiveLanes *Side : {&True, &False})
      if (!Side->Likely && Side->May) {
        Side->Likely = Side->May;
        Side->Weight = 0;
      }
    return Sides;
  }
  bool IsByLanes = C.Basis == Condition::BasisTy::Launch ||
                   C.Basis == Condition::BasisTy::Bounded ||
                   C.Basis == Condition::BasisTy::Index;
  if (IsByLanes) {
    True.Likely &= C.Likely;
    False.Likely &= ~C.Likely;
  } else {
    True.Likely &= C.May;
    False.Likely &= ~C.Must;
    bool IsBoth = C.Basis == Condition::BasisTy::Divergent &&
                  C.Status != Status::Known; // lanes go either way
    True.Weight *= IsBoth ? 1 : C.Probability;
    False.Weight *= IsBoth ? 1 : 1 - C.Probability;
  }
  uint32_t Undecided = True.May & False.May;
  for (ActiveLanes *Side : {&True, &False}) {
    bool HasCertain = Side->May & ~Undecided & F.must();
    if (Side->May == Undecided)
      Side->halveShares();
    else
      Side->setShares([&](unsigned L) {
        return Undecided >> L & 1 ? F.share(L) / 2 : F.share(L);
      });
    if (!Side->Likely) {
      Side->Likely = Side->May;
      Side->Weight = 0;
    } else if (HasCertain) {
      Side->Weight = F.Weight;
    }
    Side->Status = weakest(Side->Status, C.Status);
    C.mark(*Side);
    Side->IsCertain &=
        !C.VariesInWarp || (Side == &True ? C.HoldsAlike : C.FailsAlike);
  }
  return Sides;
}
