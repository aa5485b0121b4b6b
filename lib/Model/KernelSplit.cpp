//===- KernelSplit.cpp - A kernel's work on several devices ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/KernelSplit.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;
using From = SplitBytes::FromTy;

StringRef ptxpredict::toString(SplitBytes::FromTy F) {
  static constexpr StringRef Names[] = {"", "footprint", "buffers", "given"};
  return Names[unsigned(F)];
}

StringRef ptxpredict::toString(SplitPower P) {
  static constexpr StringRef Names[] = {"", "measured", "model", "given",
                                        "limit"};
  return Names[unsigned(P)];
}

/// What \p Some of \p All blocks touch that all of them do, if each block adds
/// as much: the line through both, at no blocks.
static double wholePart(double OfSome, double Some, double OfAll, double All) {
  const double Whole = (OfSome * All - OfAll * Some) / (All - Some);
  return std::clamp(Whole, 0.0, OfAll);
}

/// The footprint that is nearest to that of half of the blocks; null without.
static const BlocksFootprint *halfOf(const Locality &L) {
  const BlocksFootprint *Best = nullptr;
  const double Half = double(L.Blocks.empty() ? 0 : L.Blocks.back().Blocks) / 2;
  for (const BlocksFootprint &F : ArrayRef(L.Blocks).drop_back())
    if (!Best || std::abs(double(F.Blocks) - Half) <
                     std::abs(double(Best->Blocks) - Half))
      Best = &F;
  return Best;
}

/// All buffers that the launch gives; 0 unless it says how large each is.
static double bufferBytes(const LaunchConfig &L) {
  uint64_t Sum = 0;
  bool AllKnown = true;
  for (const auto &[Place, Bytes] : L.BufferBytes)
    Sum = llvm::SaturatingAdd(Sum, Bytes);
  L.forEachBuffer([&](unsigned Index, uint64_t Offset, const ArgumentValue &) {
    AllKnown &= L.BufferBytes.count({Index, Offset}) != 0;
  });
  return AllKnown ? double(Sum) : 0;
}

/// The parts of \p B that are whole, by what half of the blocks touch.
static void findWhole(const Locality &L, SplitBytes &B) {
  const BlocksFootprint *Half = halfOf(L);
  if (!Half)
    return;
  const BlocksFootprint &All = L.Blocks.back();
  auto Whole = [&](Estimate TouchedMemory::*Member, double Bytes) {
    return std::min(
        Bytes, wholePart((Half->Touched.*Member).Value, double(Half->Blocks),
                         (All.Touched.*Member).Value, double(All.Blocks)));
  };
  B.WholeIn = Whole(&TouchedMemory::ReadBytes, B.In);
  B.WholeOut = Whole(&TouchedMemory::WrittenBytes, B.Out);
  B.In -= B.WholeIn;
  B.Out -= B.WholeOut;
}

SplitBytes ptxpredict::splitBytesOf(const KernelCharacteristics &K) {
  SplitBytes B;
  if (K.Launch.GridIsAssumed || K.Launch.BlockIsAssumed)
    return B;
  const double Buffers = bufferBytes(K.Launch);
  const std::optional<FootprintCharacteristics> &F = K.Footprint;
  if (F) {
    B.From = From::Footprint;
    B.How = weakest(F->GridReadBytes.Status, F->GridWrittenBytes.Status);
    B.In = F->GridReadBytes.Value;
    B.Out = F->GridWrittenBytes.Value;
    if (K.Reuse)
      findWhole(*K.Reuse, B);
  }
  if (Buffers <= 0)
    return B;
  B.From = From::Buffers;
  auto IsDecided = [](const Estimate &E) {
    return E.Status <= Status::Estimated;
  };
  if (F && IsDecided(F->GridReadBytes) && IsDecided(F->GridWrittenBytes)) {
    // Buffers are copied as a whole.
    const double Times = std::max(1.0, Buffers / F->GridBytes.Value);
    for (double *Part : {&B.In, &B.Out, &B.WholeIn, &B.WholeOut})
      *Part *= F->GridBytes.Value > 0 ? Times : 0;
    return B;
  }
  // Nobody knows which part of them a share needs.
  B.How = Status::Known;
  B.In = 0;
  B.WholeIn = Buffers;
  if (F && IsDecided(F->GridWrittenBytes))
    return B;
  B.Out = 0;
  B.WholeOut = Buffers;
  return B;
}

double KernelSplit::timeSaved() const {
  return 1 - Best->Seconds / Alone->Seconds;
}

double KernelSplit::energySaved() const {
  return 1 - Best->EnergyJ / Alone->EnergyJ;
}

namespace {

class KernelSplitter {
public:
  KernelSplitter(const SplitQuestion &Q, const KernelCharacteristics *K)
      : Q(Q), K(K) {}

  KernelSplit split(ArrayRef<const Prediction *> Predictions);

private:
  const SplitQuestion &Q;
  const KernelCharacteristics *K;
  KernelSplit Result;

  void assume(const Twine &Text) { Result.Assumed.push_back(Text.str()); }
  void fillTime(const SplitSide &S, const Prediction *P, KernelSide &Side);
  void fillPower(const SplitSide &S, const Prediction *P, KernelSide &Side);
  SplitParty partyOf(const SplitSide &S, const KernelSide &Side) const;
  void shareBlocks();
  void addSeries();
};

} // namespace

void KernelSplitter::fillTime(const SplitSide &S, const Prediction *P,
                              KernelSide &Side) {
  if (S.Measured) {
    Side.TimeUs = Estimate::known(S.Measured->TimeUs);
    return;
  }
  if (!P) {
    Side.Why = "nothing is predicted for it";
    return;
  }
  if (const Model *By = findModel(P->Model))
    Side.Model = By->name();
  if (P->TimeUs && P->TimeUs->Value > 0 && std::isfinite(P->TimeUs->Value)) {
    Side.TimeUs = P->TimeUs;
    return;
  }
  Side.Why = !P->Refusal.empty()        ? P->Refusal
             : P->Applies.Notes.empty() ? "the model has no answer"
                                        : P->Applies.Notes.front();
}

void KernelSplitter::fillPower(const SplitSide &S, const Prediction *P,
                               KernelSide &Side) {
  auto Set = [&](double W, SplitPower Why) {
    Side.PowerW = W;
    Side.PowerFrom = Why;
  };
  if (S.Measured && S.Measured->PowerW)
    Set(*S.Measured->PowerW, SplitPower::Measured);
  else if (P && P->PowerW)
    Set(P->PowerW->Value, SplitPower::Model);
  else if (S.ActiveW)
    Set(*S.ActiveW, SplitPower::Given);
  else if (S.On && S.On->ActiveWatts)
    Set(*S.On->ActiveWatts, SplitPower::Given);
  else if (S.On && S.On->TDPWatts) {
    Set(*S.On->TDPWatts, SplitPower::Limit);
    assume("power of " + S.Name + " at work: its limit, " +
           shortNumber(*Side.PowerW) + " W");
  }
  if (S.Measured && S.Measured->IdleW)
    Side.IdleW = S.Measured->IdleW;
  else if (S.IdleW)
    Side.IdleW = S.IdleW;
  else if (S.On && S.On->IdleWatts)
    Side.IdleW = S.On->IdleWatts.Value;
  else if (Side.PowerW)
    assume("idle power of " + S.Name + ": 0 W");
}

SplitParty KernelSplitter::partyOf(const SplitSide &S,
                                   const KernelSide &Side) const {
  SplitParty P;
  P.Work.Seconds = Side.TimeUs ? Side.TimeUs->Value * 1e-6 * Q.Times
                               : std::numeric_limits<double>::infinity();
  if (Side.PowerW)
    P.DynamicW = std::max(0.0, *Side.PowerW - Side.IdleW.value_or(0));
  if (S.Link.Name.empty())
    return P;
  const SplitBytes &B = Result.Bytes;
  P.Work.Bytes = B.In + B.Out;
  // One rate for both ways, in the mean over the bytes.
  if (const double Seconds =
          B.In * S.Link.In.SecondsPerByte + B.Out * S.Link.Out.SecondsPerByte;
      Seconds > 0)
    P.Work.LinkGBs = P.Work.Bytes / Seconds * 1e-9;
  if (B.In + B.WholeIn > 0)
    P.Work.FixedSeconds +=
        S.Link.In.StartupSeconds + B.WholeIn * S.Link.In.SecondsPerByte;
  if (B.Out + B.WholeOut > 0)
    P.Work.FixedSeconds +=
        S.Link.Out.StartupSeconds + B.WholeOut * S.Link.Out.SecondsPerByte;
  return P;
}

/// Whole blocks by share, of which the sum is the grid: what is left after
/// rounding down goes to the largest remainders.
void KernelSplitter::shareBlocks() {
  if (!K || K->Launch.GridIsAssumed)
    return;
  const uint64_t All = K->Launch.blocks();
  uint64_t Left = All;
  std::vector<std::pair<double, size_t>> Remainders;
  for (auto [I, Share] : llvm::enumerate(Result.Best->Shares)) {
    const double Exact = Share * double(All);
    const uint64_t Whole = std::min(uint64_t(Exact), Left);
    Result.Sides[I].Blocks = Whole;
    Left -= Whole;
    if (Share > 0)
      Remainders.emplace_back(double(Whole) - Exact, I);
  }
  llvm::sort(Remainders);
  for (const auto &[Negative, I] : Remainders)
    if (Left != 0) {
      ++*Result.Sides[I].Blocks;
      --Left;
    }
  for (auto [S, Side] : llvm::zip_equal(Q.Sides, Result.Sides))
    if (S.On && *Side.Blocks != 0 && double(*Side.Blocks) < *S.On->NumSMs)
      assume(S.Name + ": " + plural(*Side.Blocks, "block") + " for " +
             plural(uint64_t(*S.On->NumSMs), S.On->IsCPU ? "core" : "SM") +
             " take longer than their share of the time");
}

void KernelSplitter::addSeries() {
  for (const SystemSeries &Series : systemSeries()) {
    SeriesSplit S;
    S.Series = Series;
    const SplitSystem Changed =
        applySeries(Result.System, Series, *Q.SeriesFactor);
    S.Points = sweepShares(Changed, Q.Points);
    S.IsLinear = isLinear(S.Points);
    Result.Series.push_back(std::move(S));
  }
}

KernelSplit KernelSplitter::split(ArrayRef<const Prediction *> Predictions) {
  if (Q.Bytes)
    Result.Bytes = *Q.Bytes;
  else if (K)
    Result.Bytes = splitBytesOf(*K);
  if (Result.Bytes.From == From::Nothing &&
      llvm::any_of(Q.Sides,
                   [](const SplitSide &S) { return !S.Link.Name.empty(); })) {
    Result.Why = "nobody knows what it moves over links; --grid and --block or "
                 "a launch file say it, or --bytes-in=N and --bytes-out=N";
    return std::move(Result);
  }
  SplitSystem &System = Result.System;
  System.JointW = Q.JointW;
  double Rate = 0;
  for (auto [S, P] : llvm::zip_equal(Q.Sides, Predictions)) {
    KernelSide Side;
    fillTime(S, P, Side);
    if (Side.TimeUs)
      fillPower(S, P, Side);
    System.IdleW += Side.IdleW.value_or(0);
    System.Parties.push_back(partyOf(S, Side));
    if (Side.TimeUs)
      Rate += 1 / Side.TimeUs->Value;
    Result.Sides.push_back(std::move(Side));
  }
  for (KernelSide &Side : Result.Sides)
    if (Side.TimeUs)
      Side.ByPerformance = 1 / Side.TimeUs->Value / Rate;
  Result.Best = bestSplit(System, Q.Goal);
  Result.Alone = bestAlone(System, Q.Goal);
  if (!Result.Best) {
    Result.Why = System.base() ? "the power of a device is not known, and so "
                                 "no energy"
                               : "no device has an answer for it";
    return std::move(Result);
  }
  for (auto [S, P] : llvm::zip_equal(Q.Sides, System.Parties))
    if (System.JointW && System.IdleW + P.DynamicW > *System.JointW)
      assume("joint power: " + shortNumber(*System.JointW) +
             " W are less than " + shortNumber(System.IdleW + P.DynamicW) +
             " W with " + S.Name + " alone at work");
  shareBlocks();
  Result.Points = sweepShares(System, Q.Points);
  Result.IsLinear = isLinear(Result.Points);
  if (Q.SeriesFactor)
    addSeries();
  return std::move(Result);
}

KernelSplit ptxpredict::splitKernel(const SplitQuestion &Q,
                                    const KernelCharacteristics *K,
                                    ArrayRef<const Prediction *> Predictions) {
  return KernelSplitter(Q, K).split(Predictions);
}
