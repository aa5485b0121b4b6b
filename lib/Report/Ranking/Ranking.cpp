//===- Ranking.cpp - A tuning space by predicted time ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Ranking/Ranking.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace ptxpredict;

StringRef ptxpredict::toString(RankBy By) {
  return By == RankBy::Time ? "time" : "energy";
}

namespace {

/// The counts of RankingCosts.def.
struct Costs {
#define RANKING_COST(MEMBER, TEXT, PER, ...) double MEMBER = 0;
#include "ptxpredict/Report/Ranking/RankingCosts.def"

  Costs(const KernelCharacteristics &K, const Prediction &P);
};

} // namespace

Costs::Costs(const KernelCharacteristics &K, const Prediction &P) {
  auto Of = [&](OpClass C) { return K.byClass(C).Value; };
  Instructions = K.Instructions.Value;
  FP32 = Of(OpClass::Fp32);
  Integer = Of(OpClass::Int) + Of(OpClass::Logic) + Of(OpClass::Compare);
  FP64 = Of(OpClass::Fp64);
  SFU = Of(OpClass::Sfu) + Of(OpClass::Convert);
  Barriers = K.BlockBarriers.Value;
  for (const MemoryCharacteristics &M : K.Memory) {
    double Requests = M.Requests.Value;
    if (M.Wavefronts)
      SharedWavefronts += Requests * M.Wavefronts->Value;
    if (M.Sectors) {
      DeviceSectors += Requests * M.Sectors->Value;
      (M.Space == AddressSpace::Local ? LocalRequests : DeviceRequests) +=
          Requests;
    }
    if (M.HottestRequests)
      HottestAtomics = std::max(HottestAtomics, M.HottestRequests->Value);
  }
  WarpCycles = P.Warp ? P.Warp->Cycles.Value : 0;
}

namespace {

enum class ResourceKind { Work, Waiting };

/// RankingCosts.def's row of a resource.
struct ResourceRow {
  StringRef Text;
  ResourceKind Kind;
};

} // namespace

static ResourceRow resourceRow(BottleneckResource R) {
  switch (R) {
#define RANKING_RESOURCE(MEMBER, TEXT, KIND)                                   \
  case BottleneckResource::MEMBER:                                             \
    return {TEXT, ResourceKind::KIND};
#include "ptxpredict/Report/Ranking/RankingCosts.def"
  }
  llvm_unreachable("all resources have a row");
}

/// The resources of a model that says how the time splits among them.
static void addResources(const Prediction &P, double Warps,
                         std::vector<RankedCost> &Result) {
  if (!P.TimeUs)
    return;
  for (const ResourceUse &U : P.Resources) {
    const ResourceRow Row = resourceRow(U.Resource);
    Result.push_back({Row.Text,
                      {},
                      U.Demand * Warps,
                      U.Share * P.TimeUs->Value,
                      Row.Kind == ResourceKind::Waiting});
  }
}

static RankedPrediction rankedPrediction(const KernelCharacteristics &K,
                                         const Prediction &P) {
  RankedPrediction R;
  R.Device = P.Device;
  R.Model = P.Model;
  R.CoreMHz = P.Clock ? P.Clock->BoostMHz : P.CoreMHz;
  R.MemMHz = P.MemMHz;
  R.PowerW = P.PowerW;
  R.EnergyJ = P.EnergyJ;
  R.Registers = P.Registers;
  R.Occ = P.Occ;
  R.Limiter = P.Limiter;
  if (P.Applies.Ok && P.TimeUs && std::isfinite(P.TimeUs->Value))
    R.TimeUs = P.TimeUs;
  else if (!P.Refusal.empty())
    R.Reason = P.Refusal;
  else if (!P.Occ.Reason.empty())
    R.Reason = P.Occ.Reason;
  else
    R.Reason = P.Applies.Notes.empty() ? "the model has no time for it"
                                       : P.Applies.Notes.front();
  const double Blocks = double(K.Launch.blocks()),
               Warps = Blocks * double(K.Launch.warpsPerBlock());
  addResources(P, Warps, R.Costs);
  if (R.Costs.empty()) {
    const Costs C(K, P);
    enum class Per { Warp, Launch };
    using L = TimeLimiter;
    auto Times = [&](Per What) { return What == Per::Warp ? Warps : 1; };
    R.Costs = {
#define RANKING_COST(MEMBER, TEXT, PER, ...)                                   \
  {TEXT, {__VA_ARGS__}, C.MEMBER * Times(Per::PER), NAN, false},
#include "ptxpredict/Report/Ranking/RankingCosts.def"
    };
  }
  const double SMs = std::max(1u, P.Point.ActiveSMs);
  R.BusySMs = std::min(Blocks, SMs);
  R.ResidentWarps =
      std::min(double(P.Occ.WarpsPerSM),
               std::ceil(Blocks / SMs) * double(K.Launch.warpsPerBlock()));
  const std::optional<double> Busy = P.term("Busy_blocks");
  R.Imbalance = Busy ? *Busy * SMs / Blocks : double(NAN);
  return R;
}

RankedCandidate::RankedCandidate(const Report &Head, const KernelReport &K,
                                 StringRef LaunchFile)
    : Path(Head.Inputs[K.Input].Path), Kernel(K.Characteristics->Name),
      Demangled(K.Characteristics->Demangled),
      LaunchFile(K.LaunchLine ? LaunchFile : ""), LaunchLine(K.LaunchLine),
      Grid(K.Characteristics->Launch.Grid),
      Block(K.Characteristics->Launch.Block),
      Cluster(K.Characteristics->Launch.Cluster),
      DynamicSharedBytes(K.Characteristics->Launch.DynamicSharedBytes) {
  Predictions.reserve(K.Predictions.size());
  for (const Prediction &P : K.Predictions)
    Predictions.push_back(rankedPrediction(*K.Characteristics, P));
}

/// A count that is so much greater is said to be; less is noise of the text.
static constexpr double Notable = 1.02;

/// "instructions 1.4x", or with numbers where there were none before.
static std::string growth(StringRef Text, double From, double To) {
  if (From > 0)
    return (Text + " " + shortNumber(std::round(To / From * 100) / 100) + "x")
        .str();
  return (Text + " " + shortNumber(To) + " instead of none").str();
}

static bool grew(double From, double To) {
  return From > 0 ? To / From >= Notable : To > 0;
}

static const RankedCost *findCost(const RankedPrediction &P, StringRef Text) {
  const auto *Found = llvm::find_if(
      ArrayRef(P.Costs), [&](const RankedCost &C) { return C.Text == Text; });
  return Found == ArrayRef(P.Costs).end() ? nullptr : &*Found;
}

/// What there is less of in flight, each with the ratio: SMs that have blocks,
/// and warps of an SM.
static std::vector<std::pair<double, std::string>>
lossesInFlight(const RankedPrediction &Earlier, const RankedPrediction &Later) {
  std::vector<std::pair<double, std::string>> Losses;
  auto Add = [&](StringRef Before, double From, double To, StringRef After) {
    if (To < From)
      Losses.emplace_back(From / To,
                          (Before + shortNumber(To) + " instead of " +
                           shortNumber(From) + After)
                              .str());
  };
  Add("blocks for ", Earlier.BusySMs, Later.BusySMs, " SMs");
  if (Later.ResidentWarps < Later.Occ.WarpsPerSM)
    Add("blocks for ", Earlier.ResidentWarps, Later.ResidentWarps,
        " warps of an SM");
  else
    Add("occupancy ", Earlier.ResidentWarps, Later.ResidentWarps,
        (" warps (" + toString(Later.Occ.Limiter) + ")").str());
  return Losses;
}

/// What the times of resources say, the most first.
static std::vector<std::string> reasonsByTime(const RankedPrediction &Earlier,
                                              const RankedPrediction &Later) {
  struct Growth {
    const RankedCost *From, *To;
    double Us;
  };
  std::vector<Growth> All;
  double Total = 0;
  for (const RankedCost &To : Later.Costs)
    if (const RankedCost *From = findCost(Earlier, To.Text))
      if (double Us = To.Us - From->Us; Us > 0) {
        All.push_back({From, &To, Us});
        Total += Us;
      }
  llvm::stable_sort(
      All, [](const Growth &A, const Growth &B) { return A.Us > B.Us; });
  std::vector<std::string> Reasons;
  auto Say = [&](const std::string &Text) {
    if (!llvm::is_contained(Reasons, Text))
      Reasons.push_back(Text);
  };
  const auto Losses = lossesInFlight(Earlier, Later);
  for (const Growth &G : All) {
    if (G.Us < Total / 4)
      break;
    if (grew(G.From->Amount, G.To->Amount))
      Say(growth(G.To->Text, G.From->Amount, G.To->Amount));
    else if (!Losses.empty() &&
             (G.To->IsWaiting || Later.BusySMs < Earlier.BusySMs))
      for (const auto &[Ratio, Text] : Losses)
        Say(Text);
    else if (grew(Earlier.Imbalance, Later.Imbalance))
      Say("the busiest SM has " + shortNumber(Later.Imbalance) +
          " instead of " + shortNumber(Earlier.Imbalance) +
          " times its share of blocks");
    else
      Say(growth("time for " + G.To->Text.str(), G.From->Us, G.To->Us));
  }
  return Reasons;
}

/// What counts that make kernels of the limiter slower say.
static std::vector<std::string> reasonsByCount(const RankedPrediction &Earlier,
                                               const RankedPrediction &Later) {
  std::vector<std::pair<double, std::string>> All;
  for (const RankedCost &To : Later.Costs) {
    const RankedCost *From = findCost(Earlier, To.Text);
    if (!From || !grew(From->Amount, To.Amount) ||
        !To.Limiters.has(Later.Limiter))
      continue;
    double Ratio = From->Amount > 0 ? To.Amount / From->Amount : INFINITY;
    All.emplace_back(Ratio, growth(To.Text, From->Amount, To.Amount));
  }
  // Those that more warps in flight would help.
  constexpr TimeLimiterSet OfFlight = {
      TimeLimiter::Occupancy, TimeLimiter::MemoryLatency, TimeLimiter::Launch};
  if (OfFlight.has(Later.Limiter))
    llvm::append_range(All, lossesInFlight(Earlier, Later));
  llvm::stable_sort(
      All, [](const auto &A, const auto &B) { return A.first > B.first; });
  std::vector<std::string> Reasons;
  Reasons.reserve(All.size());
  for (auto &[Ratio, Text] : All)
    Reasons.push_back(std::move(Text));
  return Reasons;
}

std::vector<std::string>
ptxpredict::reasonsBetween(const RankedPrediction &Earlier,
                           const RankedPrediction &Later, RankBy By) {
  std::vector<std::string> Reasons;
  const std::optional<Estimate> From = Earlier.value(By), To = Later.value(By);
  if (!From || !To || To->Value <= From->Value)
    return Reasons;
  if (By == RankBy::Energy) {
    // Energy is power over the time.
    if (Earlier.PowerW && Later.PowerW &&
        grew(Earlier.PowerW->Value, Later.PowerW->Value))
      Reasons.push_back(
          growth("power", Earlier.PowerW->Value, Later.PowerW->Value));
    if (!grew(Earlier.TimeUs->Value, Later.TimeUs->Value))
      return Reasons;
    Reasons.push_back(
        growth("time", Earlier.TimeUs->Value, Later.TimeUs->Value));
  }
  const bool HasTimes =
      !Later.Costs.empty() && !std::isnan(Later.Costs.front().Us);
  for (std::string &Text : HasTimes ? reasonsByTime(Earlier, Later)
                                    : reasonsByCount(Earlier, Later))
    if (Reasons.size() < 2)
      Reasons.push_back(std::move(Text));
  if (Later.Limiter != Earlier.Limiter && Reasons.size() < 2)
    Reasons.push_back(("limited by " + plainNameOf(Later.Limiter) +
                       " instead of " + plainNameOf(Earlier.Limiter))
                          .str());
  return Reasons;
}

static DeviceRanking sortOne(ArrayRef<RankedCandidate> Candidates,
                             StringRef Device, StringRef Model, RankBy By,
                             size_t Top) {
  DeviceRanking D;
  D.Device = Device;
  D.Model = Model;
  std::vector<RankedPlace> All;
  for (const RankedCandidate &C : Candidates)
    for (const RankedPrediction &P : C.Predictions) {
      if (P.Device != Device || P.Model != Model)
        continue;
      D.CoreMHz = P.CoreMHz;
      D.MemMHz = P.MemMHz;
      RankedPlace Place;
      Place.Candidate = &C;
      Place.Predicted = &P;
      (P.TimeUs && P.value(By) ? All : D.Unranked).push_back(Place);
    }
  auto Value = [&](const RankedPlace &P) { return *P.Predicted->value(By); };
  llvm::stable_sort(All, [&](const RankedPlace &A, const RankedPlace &B) {
    return Value(A).Value < Value(B).Value;
  });
  D.Ranked = All.size();
  if (!All.empty())
    D.Spread = Value(All.back()).Value / Value(All.front()).Value;
  if (All.size() > Top)
    All.resize(Top);
  for (size_t I = 0; I != All.size(); ++I) {
    All[I].Rank = I + 1;
    if (I == 0)
      continue;
    const Estimate Before = Value(All[I - 1]), Now = Value(All[I]);
    All[I].IsTie = Now.Value <= Before.High;
    All[I].Slower = Now.Value / Before.Value - 1;
    All[I].Reasons =
        reasonsBetween(*All[I - 1].Predicted, *All[I].Predicted, By);
  }
  D.Places = std::move(All);
  return D;
}

std::vector<DeviceRanking> Ranking::sort(size_t Top) const {
  std::vector<std::pair<StringRef, StringRef>> Places;
  for (const RankedCandidate &C : Candidates)
    for (const RankedPrediction &P : C.Predictions)
      if (std::pair<StringRef, StringRef> Place(P.Device, P.Model);
          !llvm::is_contained(Places, Place))
        Places.push_back(Place);
  std::vector<DeviceRanking> Result;
  Result.reserve(Places.size());
  for (const auto &[Device, Model] : Places)
    Result.push_back(sortOne(Candidates, Device, Model, By, Top));
  return Result;
}
