//===- Bottleneck.cpp - The equations of our own model --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Bottleneck.h"
#include "ptxpredict/Model/BottleneckParts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

namespace {

enum class Scope { SM, GPU };

struct ResourceFacts {
  StringRef Name, Words;
  TimeLimiter Limiter;
  Scope AppliesTo;
};
constexpr ResourceFacts Facts[] = {
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  {NAME, WORDS, TimeLimiter::LIMITER, Scope::SCOPE},
#include "ptxpredict/Model/BottleneckTerms.def"
};

/// Requests queue up behind each other: waiting and the bandwidth of memory
/// join more gently than pipes that are full or not.
constexpr bool isBandwidth(unsigned I) {
  const auto R = BottleneckResource(I);
  return R == BottleneckResource::L2ToSM || R == BottleneckResource::L2 ||
         R == BottleneckResource::DRAM;
}
constexpr bool isLatency(unsigned I) {
  return BottleneckResource(I) == BottleneckResource::Latency;
}
constexpr bool isOfSM(unsigned I) { return Facts[I].AppliesTo == Scope::SM; }

/// The schedulers issue nothing while a block's warps meet at a barrier: what
/// both take adds up.
double issueTime(const ByResource<double> &Times) {
  return Times.of(BottleneckResource::Issue) +
         Times.of(BottleneckResource::Barrier);
}
constexpr bool isIssue(unsigned I) {
  const auto R = BottleneckResource(I);
  return R == BottleneckResource::Issue || R == BottleneckResource::Barrier;
}

/// Some of the resources, in their order.
struct ResourceList {
  std::array<uint8_t, NumBottleneckResources> Of{};
  unsigned Num = 0;

  constexpr explicit ResourceList(bool (*Has)(unsigned)) {
    for (unsigned I = 0; I != NumBottleneckResources; ++I)
      if (Has(I))
        Of[Num++] = uint8_t(I);
  }
  const uint8_t *begin() const { return Of.data(); }
  const uint8_t *end() const { return Of.data() + Num; }
};
constexpr ResourceList Bandwidths(isBandwidth);
/// Its time joins alone.
constexpr bool isAlone(unsigned I) {
  return !isBandwidth(I) && !isLatency(I) && !isIssue(I);
}
constexpr ResourceList Others(isAlone);
constexpr ResourceList WorkOfSM([](unsigned I) {
  return isOfSM(I) && !isLatency(I) && !isIssue(I);
});

/// How far SMs start blocks together, from 0 to 1, after so many rounds.
double inStep(double Rounds) {
  const double Each = 1 / std::max(1.0, std::floor(Rounds - 1e-9));
  return Each * Each;
}

/// A whole number of rounds, as long as they are few; later ones are no longer
/// in step, and the fraction counts.
double roundsOf(double Exact, double Rounds, bool HasWaves) {
  if (!HasWaves)
    return Exact;
  double Whole = std::ceil(Exact - 1e-9);
  return Exact + (Whole - Exact) * inStep(Rounds);
}

/// \p Base is at least 0: most are a share of something, often all of it.
double power(double Base, double Exponent) {
  return Base == 0 || Base == 1 ? Base : std::pow(Base, Exponent);
}

/// Times that a smooth maximum joins.
class JoinedTimes {
public:
  void add(double Time) {
    if (!(Time > 0))
      return;
    Times[Num++] = Time;
    Most = std::max(Most, Time);
  }

  /// The p-norm, scaled so that nothing overflows.
  double smoothMaximum(double Exponent) const {
    if (!std::isfinite(Most))
      return Most;
    double Sum = 0;
    for (unsigned I = 0; I != Num; ++I)
      Sum += power(Times[I] / Most, Exponent);
    return Most * power(Sum, 1 / Exponent);
  }

private:
  std::array<double, NumBottleneckResources> Times;
  unsigned Num = 0;
  double Most = 0;
};

} // namespace

StringRef ptxpredict::toString(BottleneckResource R) {
  return Facts[unsigned(R)].Name;
}

StringRef ptxpredict::plainNameOf(BottleneckResource R) {
  return Facts[unsigned(R)].Words;
}

TimeLimiter ptxpredict::limiterOf(BottleneckResource R) {
  return Facts[unsigned(R)].Limiter;
}

static constexpr StringRef PartNames[] = {
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  NAME,
#define BOTTLENECK_PART(MEMBER, NAME, MEANING) NAME,
#include "ptxpredict/Model/BottleneckTerms.def"
};

ArrayRef<StringRef> ptxpredict::bottleneckPartNames() { return PartNames; }

std::optional<BottleneckPart> ptxpredict::findBottleneckPart(StringRef Name) {
  const StringRef *Found = llvm::find(PartNames, Name);
  if (Found == std::end(PartNames))
    return std::nullopt;
  return BottleneckPart(Found - std::begin(PartNames));
}

bool BottleneckInputs::operator==(const BottleneckInputs &O) const {
  return Demand == O.Demand && HeaviestDemand == O.HeaviestDemand &&
         Rate == O.Rate && HasWaves == O.HasWaves && HasDrain == O.HasDrain &&
         HasMeetings == O.HasMeetings
#define BOTTLENECK_INPUT(MEMBER, NAME, UNIT, MEANING) &&MEMBER == O.MEMBER
#include "ptxpredict/Model/BottleneckTerms.def"
      ;
}

static double shareOf(double Time, double Whole, double Exponent) {
  return Whole > 0 ? power(std::min(1.0, Time / Whole), Exponent) : 0;
}

BottleneckShares::BottleneckShares(const BottleneckResult &R,
                                   const BottleneckInputs &In)
    : R(R), In(In), IsAny(R.Cycles > 0 && std::isfinite(R.Cycles)) {
  if (!IsAny)
    return;
  Full = R.Cycles - R.DrainCycles;
  Memory = shareOf(R.MemoryCycles, Full, In.Exponent);
  Bandwidth =
      Memory * shareOf(R.BandwidthCycles, R.MemoryCycles, In.MemoryExponent);
}

double BottleneckShares::of(BottleneckResource Of) const {
  if (!IsAny)
    return 0;
  const double OfFull = ofFull(Of);
  if (R.DrainCycles == 0)
    return OfFull;
  const double Drain = isLatency(unsigned(Of)) ? R.DrainCycles : 0;
  return (OfFull * Full + Drain) / R.Cycles;
}

BottleneckResource BottleneckShares::largest() const {
  // Shares of those that join alike are as their times.
  struct {
    bool (*Has)(unsigned);
    unsigned Longest = NumBottleneckResources;
  } Groups[] = {{isIssue}, {isBandwidth}, {isLatency}, {isAlone}};
  for (unsigned I = 0; I != NumBottleneckResources; ++I)
    for (auto &[Has, Longest] : Groups)
      if (Has(I) && R.Times[I] > 0 &&
          (Longest == NumBottleneckResources || R.Times[I] > R.Times[Longest]))
        Longest = I;
  unsigned Largest = 0;
  double Share = -1;
  for (const auto &G : Groups) {
    if (G.Longest == NumBottleneckResources)
      continue;
    const double Its = of(BottleneckResource(G.Longest));
    if (Its > Share || (Its == Share && G.Longest < Largest)) {
      Largest = G.Longest;
      Share = Its;
    }
  }
  return BottleneckResource(Largest);
}

/// Of the time until SMs drain.
double BottleneckShares::ofFull(BottleneckResource Of) const {
  const double Time = R.Times.of(Of);
  if (isLatency(unsigned(Of)))
    return Memory * shareOf(Time, R.MemoryCycles, In.MemoryExponent);
  if (isBandwidth(unsigned(Of)))
    return Bandwidth * shareOf(Time, R.BandwidthCycles, In.Exponent);
  if (Of != BottleneckResource::Issue && Of != BottleneckResource::Barrier)
    return shareOf(Time, Full, In.Exponent);
  const double Both = issueTime(R.Times);
  return Both > 0 ? shareOf(Both, Full, In.Exponent) / Both * Time : 0;
}

/// Cycles of the busiest resource of an SM.
static double workOf(const ByResource<double> &Times) {
  double Most = std::max(0.0, issueTime(Times));
  for (unsigned I : WorkOfSM)
    Most = std::max(Most, Times[I]);
  return Most;
}

/// Warps that meet at a barrier leave it together: the last of them comes when
/// the SM has done the work of all, and then all wait for the same loads. What
/// the SM's busiest resource takes for the others of a block so adds to what
/// each warp waits for. Copies in the background are there before: then it fits
/// into what a warp waits for its own results.
/// \p Times are those of so many blocks, \p Path is a warp's latency.
static double meetingCycles(const BottleneckInputs &In,
                            const ByResource<double> &Times, double Blocks,
                            double Path) {
  if (!In.HasMeetings || In.WarpsPerBlock <= 1 ||
      !(Times.of(BottleneckResource::Barrier) > 0) || !(Path > 0))
    return 0;
  const double Work = workOf(Times) / Blocks;
  const double OfOthers = Work * (1 - 1 / In.WarpsPerBlock);
  const double AllPaths = In.Demand.of(BottleneckResource::Latency);
  const double Own =
      AllPaths > 0 ? Path * (1 - In.MemoryPath / AllPaths) : Path;
  return OfOthers +
         In.Copied * (std::clamp(Work - Own, 0.0, OfOthers) - OfOthers);
}

/// What a block of so long a \p Path waits for bulk copies beyond it and its
/// meetings. Nobody has anything to do before the first one. A buffer is then
/// filled again when the block's warps, and the SM for all of them, have done
/// what they do with it: each goes round in a copy's latency and that.
static double copyWait(const BottleneckInputs &In,
                       const ByResource<double> &Times, double Blocks,
                       double Path, double Meeting) {
  if (!(In.CopySteps > 0) || !(In.CopyLatency > 0) || !(Path > 0))
    return 0;
  const double Work = std::max(Path, workOf(Times) / Blocks);
  const double Round =
      ((In.CopySteps - 1) * In.CopyLatency + Work) / In.CopyStages;
  return In.CopyLatency + std::max(0.0, Round - (Path + Meeting));
}

static bool takesTime(double Demand, double Rate) {
  return Demand > 0 && Rate > 0 && std::isfinite(Rate);
}

/// Core cycles that each resource alone takes for the launch, if its mean warp
/// asks for \p Demand; meetings and copies are part of them, of a block in
/// \p Meeting and \p Copies.
static ByResource<double> timesOf(const BottleneckInputs &In,
                                  const BottleneckResult &R,
                                  const ByResource<double> &Demand,
                                  double &Meeting, double &Copies) {
  ByResource<double> Times{};
  const double BusyWarps = R.BusyBlocks * In.WarpsPerBlock;
  const double AllWarps = In.Blocks * In.WarpsPerBlock;
  for (unsigned I = 0; I != NumBottleneckResources; ++I) {
    const double Rate = In.Rate[I];
    if (!takesTime(Demand[I], Rate))
      continue;
    if (isLatency(I))
      Times[I] = R.Rounds * Demand[I] / Rate;
    else
      Times[I] = (isOfSM(I) ? BusyWarps : AllWarps) * Demand[I] / Rate;
  }
  const double Path = Times.of(BottleneckResource::Latency) / R.Rounds;
  Meeting = meetingCycles(In, Times, R.BusyBlocks, Path);
  Copies = copyWait(In, Times, R.BusyBlocks, Path, Meeting);
  Times.of(BottleneckResource::Latency) += R.Rounds * (Meeting + Copies);
  return Times;
}

namespace {

/// What a warp asks for where blocks are unequal.
struct UnequalDemand {
  ByResource<double> Other{};  ///< of any block but the heaviest
  ByResource<double> Before{}; ///< of those that have ended before
};

} // namespace

/// \p Ended blocks have ended when the last of the heaviest starts; an SM has
/// \p Here of the heaviest at the same time as that one.
static UnequalDemand unequalDemand(const BottleneckInputs &In, double Ended,
                                   double Here) {
  UnequalDemand D;
  const double EndedHeaviest =
      std::clamp(In.HeaviestBlocks - Here * In.ActiveSMs, 0.0, Ended);
  for (unsigned I = 0; I != NumBottleneckResources; ++I) {
    D.Other[I] = std::max(0.0, In.Blocks * In.Demand[I] -
                                   In.HeaviestBlocks * In.HeaviestDemand[I]) /
                 (In.Blocks - In.HeaviestBlocks);
    if (Ended > 0)
      D.Before[I] = (EndedHeaviest * In.HeaviestDemand[I] +
                     (Ended - EndedHeaviest) * D.Other[I]) /
                    Ended;
  }
  return D;
}

static bool isUnequal(const BottleneckInputs &In) {
  return In.HeaviestBlocks > 0 && In.HeaviestBlocks < In.Blocks;
}

/// Where blocks are unequal, the SM that gets the last of the heaviest ones
/// takes as long as that one and the blocks beside it, once it has started.
static void waitForHeaviest(const BottleneckInputs &In, double Together,
                            BottleneckResult &R) {
  const double Ended =
      std::max(0.0, In.HeaviestBefore + 1 - Together * In.ActiveSMs);
  R.HeaviestStart = Ended / In.Blocks;
  const double Heaviest =
      std::clamp(In.HeaviestBlocks / In.ActiveSMs, 1.0, Together);
  const UnequalDemand Demand = unequalDemand(In, Ended, Heaviest);
  double MeetingBefore = 0, CopiesBefore = 0;
  const ByResource<double> Before =
      timesOf(In, R, Demand.Before, MeetingBefore, CopiesBefore);
  ByResource<double> OfOne{}; // of the heaviest
  for (unsigned I = 0; I != NumBottleneckResources; ++I)
    if (takesTime(In.HeaviestDemand[I], In.Rate[I]))
      OfOne[I] = (isLatency(I) ? 1 : In.WarpsPerBlock) * In.HeaviestDemand[I] /
                 In.Rate[I];
  const double Meeting =
      meetingCycles(In, OfOne, 1, OfOne.of(BottleneckResource::Latency));
  const double Longest = *std::max_element(R.Times.begin(), R.Times.end());
  for (unsigned I = 0; I != NumBottleneckResources; ++I) {
    if (!isOfSM(I) || !(OfOne[I] > 0))
      continue;
    double Time = R.HeaviestStart * Before[I];
    if (isLatency(I))
      Time += OfOne[I] + Meeting;
    else
      Time += Heaviest * OfOne[I] + (Together - Heaviest) * Demand.Other[I] *
                                        In.WarpsPerBlock / In.Rate[I];
    R.Times[I] = std::max(R.Times[I], Time);
  }
  R.WaitsForHeaviest =
      *std::max_element(R.Times.begin(), R.Times.end()) > Longest;
}

static void joinTimes(const BottleneckInputs &In, BottleneckResult &R) {
  JoinedTimes Bandwidth, Memory, All;
  for (unsigned I : Bandwidths)
    Bandwidth.add(R.Times[I]);
  R.BandwidthCycles = Bandwidth.smoothMaximum(In.Exponent);
  Memory.add(R.BandwidthCycles);
  Memory.add(R.Times.of(BottleneckResource::Latency));
  R.MemoryCycles = Memory.smoothMaximum(In.MemoryExponent);
  All.add(R.MemoryCycles);
  All.add(issueTime(R.Times));
  for (unsigned I : Others)
    All.add(R.Times[I]);
  R.Cycles = All.smoothMaximum(In.Exponent);
}

/// Of the path of a block: between that of the mean SM and that of the last,
/// chosen on measured kernels (docs/models/Bottleneck.md, Drain).
static constexpr double DrainShare = 0.75;

BottleneckResult ptxpredict::evaluateBottleneck(const BottleneckInputs &In) {
  BottleneckResult R;
  // Blocks go to the SM that has room: they spread evenly, and the busiest SM
  // has one more than the others where they do not come out even.
  const double PerSM = In.Blocks / In.ActiveSMs;
  const double Resident =
      std::max(1.0, std::min(In.ResidentBlocks, std::ceil(PerSM - 1e-9)));
  R.BusyBlocks = roundsOf(PerSM, PerSM / Resident, In.HasWaves);
  R.Rounds = std::max(1.0, roundsOf(R.BusyBlocks / Resident,
                                    R.BusyBlocks / Resident, In.HasWaves));
  R.Times = timesOf(In, R, In.Demand, R.MeetingCycles, R.CopyWait);
  joinTimes(In, R);
  // Rounds of SMs that are in step are whole. Of others the blocks that are
  // left when no more start end one after the other: half a block's path later
  // than the work says in the mean, a whole path on the last SM.
  const double Path = R.Times.of(BottleneckResource::Latency) / R.Rounds;
  const double Drain =
      In.HasDrain && std::isfinite(Path)
          ? DrainShare * (1 - inStep(R.BusyBlocks / Resident)) * Path
          : 0;
  const double Drained = R.Cycles + Drain;
  R.DrainCycles = Drain;
  if (isUnequal(In)) {
    waitForHeaviest(In, std::min(Resident, R.BusyBlocks), R);
    joinTimes(In, R);
    R.DrainCycles = std::clamp(Drained - R.Cycles, 0.0, Drain);
  }
  R.Cycles += R.DrainCycles;
  R.TimeUs = R.Cycles / (In.Freq * 1000) + In.StartUs;
  return R;
}
