//===- KernelDiff.cpp - What changed between two builds -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/KernelDiff.h"
#include "ptxpredict/ISA/ISA.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace ptxpredict;

StringRef ptxpredict::toString(FindingChange C) {
  switch (C) {
  case FindingChange::New:
    return "new";
  case FindingChange::Gone:
    return "gone";
  case FindingChange::MoreSevere:
    return "more-severe";
  case FindingChange::LessSevere:
    return "less-severe";
  }
  return "";
}

StringRef ValueDiff::key() const {
  switch (What) {
#define DIFF_VALUE(MEMBER, KEY, LABEL, UNIT)                                   \
  case DiffValue::MEMBER:                                                      \
    return KEY;
#include "ptxpredict/Review/DiffValues.def"
  case DiffValue::OfClass:
    return Class;
  }
  return {};
}

bool ValueDiff::isSame() const {
  if (!Base || !Head)
    return Base.has_value() == Head.has_value();
  return Base->Value == Head->Value ||
         (std::isnan(Base->Value) && std::isnan(Head->Value));
}

std::optional<double> ValueDiff::change() const {
  if (!Base || !Head)
    return std::nullopt;
  if (isSame())
    return 0;
  if (Base->Value == 0)
    return HUGE_VAL;
  return Head->Value / Base->Value - 1;
}

std::optional<double> DeviceDiff::slowdown() const {
  if (InBase && InHead && TimeUs.Base && !TimeUs.Head)
    return HUGE_VAL;
  return TimeUs.change();
}

/// A number of which any change matters.
static ValueDiff exactly(DiffValue What, std::optional<Estimate> Base,
                         std::optional<Estimate> Head) {
  ValueDiff D{What, {}, Base, Head};
  D.Matters = !D.isSame();
  return D;
}

/// The same where not knowing it is knowing of none.
static ValueDiff exactlyIfAny(DiffValue What, std::optional<Estimate> Base,
                              std::optional<Estimate> Head) {
  ValueDiff D{What, {}, Base, Head};
  D.Matters = (Base ? Base->Value : 0) != (Head ? Head->Value : 0);
  return D;
}

/// A number of which changes within \p Noise do not matter.
static ValueDiff about(DiffValue What, std::optional<Estimate> Base,
                       std::optional<Estimate> Head, double Noise) {
  ValueDiff D = exactly(What, Base, Head);
  std::optional<double> Change = D.change();
  D.Matters &= !Change || !(std::fabs(*Change) <= Noise);
  return D;
}

static Estimate number(double V) { return Estimate::known(V); }

/// What warps execute, by class. A class matters by its share of the whole.
/// Jumps do not: with blocks in another order there are more or fewer of them,
/// until the assembler orders the blocks its own way; if they cost time, that
/// says so.
static std::vector<ValueDiff>
compareMix(const KernelRecord &Base, const KernelRecord &Head, double Noise) {
  std::map<std::string, ValueDiff> ByClass;
  for (const auto &[Class, N] : Base.Mix)
    ByClass[Class].Base = N;
  for (const auto &[Class, N] : Head.Mix)
    ByClass[Class].Head = N;
  const double Whole =
      std::max(Base.Instructions.Value, Head.Instructions.Value);
  std::vector<ValueDiff> Result;
  for (auto &[Class, D] : ByClass) {
    D.Class = Class;
    const double Change =
        std::fabs((D.Head ? D.Head->Value : 0) - (D.Base ? D.Base->Value : 0));
    D.Matters = Class != toString(OpClass::Control) && Change > Noise * Whole;
    Result.push_back(std::move(D));
  }
  return Result;
}

static DeviceDiff compareDevices(const DeviceRecord *Base,
                                 const DeviceRecord *Head, double Noise) {
  DeviceDiff D;
  const DeviceRecord &Either = Head ? *Head : *Base;
  D.Device = Either.Device;
  D.Model = Either.Model;
  D.InBase = Base != nullptr;
  D.InHead = Head != nullptr;
  auto Of = [](const DeviceRecord *R, auto Get) -> std::optional<Estimate> {
    return R ? std::optional<Estimate>(Get(*R)) : std::nullopt;
  };
  auto Both = [&](auto Get) {
    return std::pair<std::optional<Estimate>, std::optional<Estimate>>(
        Of(Base, Get), Of(Head, Get));
  };
  using Record = const DeviceRecord &;
  D.TimeUs = about(DiffValue::Time, Base ? Base->TimeUs : std::nullopt,
                   Head ? Head->TimeUs : std::nullopt, Noise);
  D.EnergyJ = about(DiffValue::Energy, Base ? Base->EnergyJ : std::nullopt,
                    Head ? Head->EnergyJ : std::nullopt, Noise);
  auto [RegistersBase, RegistersHead] =
      Both([](Record R) { return R.Registers; });
  D.Registers = exactly(DiffValue::Registers, RegistersBase, RegistersHead);
  auto [BlocksBase, BlocksHead] =
      Both([](Record R) { return number(R.BlocksPerSM); });
  D.BlocksPerSM = exactly(DiffValue::BlocksPerSM, BlocksBase, BlocksHead);
  auto [OccupancyBase, OccupancyHead] =
      Both([](Record R) { return number(R.Occupancy); });
  D.Occupancy = exactly(DiffValue::Occupancy, OccupancyBase, OccupancyHead);
  D.BaseLimiter = Base ? Base->Limiter : TimeLimiter::None;
  D.HeadLimiter = Head ? Head->Limiter : TimeLimiter::None;
  D.LimiterMatters = D.BaseLimiter != D.HeadLimiter;
  D.Matters = D.LimiterMatters;
  for (const ValueDiff *V :
       {&D.TimeUs, &D.EnergyJ, &D.Registers, &D.BlocksPerSM, &D.Occupancy})
    D.Matters |= V->Matters;
  return D;
}

static std::vector<DeviceDiff> compareDevices(const KernelRecord &Base,
                                              const KernelRecord &Head,
                                              double Noise) {
  auto KeyOf = [](const DeviceRecord &R) { return R.Device + '\0' + R.Model; };
  llvm::StringMap<const DeviceRecord *> OfBase;
  for (const DeviceRecord &R : Base.Devices)
    OfBase[KeyOf(R)] = &R;
  std::vector<DeviceDiff> Result;
  for (const DeviceRecord &R : Head.Devices) {
    auto It = OfBase.find(KeyOf(R));
    Result.push_back(
        compareDevices(It == OfBase.end() ? nullptr : It->second, &R, Noise));
    if (It != OfBase.end())
      OfBase.erase(It);
  }
  for (const DeviceRecord &R : Base.Devices)
    if (OfBase.count(KeyOf(R)) != 0)
      Result.push_back(compareDevices(&R, nullptr, Noise));
  return Result;
}

/// "ld.shared.f32" of "@%p1 ld.shared.f32 %f1, [%rd2];"
static StringRef opcodeOf(StringRef Code) {
  Code = Code.ltrim();
  if (Code.starts_with("@"))
    Code = Code.drop_until([](char C) { return C == ' ' || C == '\t'; });
  return Code.ltrim().take_until(
      [](char C) { return C == ' ' || C == '\t' || C == ';'; });
}

namespace {

/// Finds each finding of one side its own on the other.
class FindingMatcher {
public:
  FindingMatcher(ArrayRef<FindingRecord> Base, ArrayRef<FindingRecord> Head,
                 double Noise)
      : Base(Base), Head(Head), Noise(Noise), BaseTaken(Base.size()),
        HeadTaken(Head.size()) {}

  std::vector<FindingDiff> run();

private:
  ArrayRef<FindingRecord> Base, Head;
  double Noise;
  std::vector<char> BaseTaken, HeadTaken;
  std::vector<FindingDiff> Result;

  /// Those with the same key are the same, in order, as often as both sides
  /// have it.
  template <typename Fn>
  void match(Fn KeyOf);
  void add(const FindingRecord &Was, const FindingRecord &Is);
};

} // namespace

/// What is as severe as a warning, or would save that much.
static bool isWorthTelling(const Finding &F) {
  return F.Level <= Severity::Warning || F.bestGain().value_or(0) >= LeastGain;
}

void FindingMatcher::add(const FindingRecord &Was, const FindingRecord &Is) {
  const Finding &A = Was.Found, &B = Is.Found;
  if (A.Level == B.Level)
    return;
  FindingDiff D{B.Level < A.Level ? FindingChange::MoreSevere
                                  : FindingChange::LessSevere,
                Is, A.Level};
  // A gain just over LeastGain makes a warning, one just under it a note.
  std::optional<double> GainA = A.bestGain(), GainB = B.bestGain();
  D.Matters = !GainA || !GainB || std::fabs(*GainA - *GainB) > Noise;
  Result.push_back(std::move(D));
}

template <typename Fn>
void FindingMatcher::match(Fn KeyOf) {
  llvm::StringMap<std::vector<size_t>> OfBase; // the last one first
  for (size_t I = Base.size(); I-- != 0;)
    if (!BaseTaken[I])
      OfBase[KeyOf(Base[I])].push_back(I);
  for (size_t I = 0; I != Head.size(); ++I) {
    if (HeadTaken[I])
      continue;
    auto It = OfBase.find(KeyOf(Head[I]));
    if (It == OfBase.end() || It->second.empty())
      continue;
    const size_t B = It->second.back();
    It->second.pop_back();
    BaseTaken[B] = HeadTaken[I] = 1;
    add(Base[B], Head[I]);
  }
}

std::vector<FindingDiff> FindingMatcher::run() {
  match([](const FindingRecord &R) {
    return (R.Found.Id + Twine('\0') + R.Code).str();
  });
  // Registers may have other names, and source lines other texts.
  match([](const FindingRecord &R) {
    return (R.Found.Id + Twine('\0') + opcodeOf(R.Code)).str();
  });
  for (size_t I = 0; I != Head.size(); ++I)
    if (!HeadTaken[I])
      Result.push_back({FindingChange::New, Head[I], std::nullopt,
                        isWorthTelling(Head[I].Found)});
  for (size_t I = 0; I != Base.size(); ++I)
    if (!BaseTaken[I])
      Result.push_back({FindingChange::Gone, Base[I], Base[I].Found.Level,
                        isWorthTelling(Base[I].Found)});
  return std::move(Result);
}

KernelDiff ptxpredict::compareKernels(const KernelRecord &Base,
                                      const KernelRecord &Head,
                                      const DiffOptions &Options) {
  KernelDiff D;
  D.OtherLaunch = !(Base.Grid == Head.Grid) || !(Base.Block == Head.Block);
  D.Values = {exactly(DiffValue::Registers, Base.Registers, Head.Registers),
              exactlyIfAny(DiffValue::Spills, Base.SpillBytes, Head.SpillBytes),
              exactly(DiffValue::StaticShared,
                      number(double(Base.StaticSharedBytes)),
                      number(double(Head.StaticSharedBytes))),
              exactly(DiffValue::LocalMemory, number(double(Base.LocalBytes)),
                      number(double(Head.LocalBytes))),
              about(DiffValue::StaticInstructions, number(Base.NumStatic),
                    number(Head.NumStatic), Options.Noise),
              about(DiffValue::Instructions, Base.Instructions,
                    Head.Instructions, Options.Noise)};
  D.Mix = compareMix(Base, Head, Options.Noise);
  // Both count jumps. Of what is executed the classes say what matters, and
  // the length of code is none of time.
  const bool MixMatters =
      llvm::any_of(D.Mix, [](const ValueDiff &V) { return V.Matters; });
  for (ValueDiff &V : D.Values)
    if (V.What == DiffValue::Instructions)
      V.Matters &= MixMatters;
    else if (V.What == DiffValue::StaticInstructions)
      V.Matters = false;
  D.Devices = compareDevices(Base, Head, Options.Noise);
  D.Findings =
      FindingMatcher(Base.Findings, Head.Findings, Options.Noise).run();
  auto Matters = [](const auto &Part) { return Part.Matters; };
  D.Matters = D.OtherLaunch || llvm::any_of(D.Values, Matters) || MixMatters ||
              llvm::any_of(D.Devices, Matters) ||
              llvm::any_of(D.Findings, Matters);
  return D;
}

size_t DiffResult::numChanged() const {
  return size_t(
      llvm::count_if(Kernels, [](const KernelDiff &D) { return D.Matters; }));
}

bool DiffResult::anythingMatters() const {
  return !Removed.empty() || !Added.empty() || numChanged() != 0;
}

std::optional<DiffResult::Worst> DiffResult::worst() const {
  std::optional<Worst> Result;
  for (const KernelDiff &K : Kernels)
    for (const DeviceDiff &D : K.Devices) {
      const double S = D.slowdown().value_or(0);
      if (S > (Result ? Result->Slowdown : 0))
        Result = Worst{&K, &D, S};
    }
  return Result;
}

bool DiffResult::exceedsLimit() const {
  std::optional<Worst> W = worst();
  return Options.MaxRegression && W && W->Slowdown > *Options.MaxRegression;
}

bool DiffResult::hasFailingFinding() const {
  if (!Options.FailOn)
    return false;
  auto IsFailing = [&](const Finding &F) { return F.Level <= *Options.FailOn; };
  for (const KernelDiff &K : Kernels)
    for (const FindingDiff &F : K.Findings)
      if ((F.What == FindingChange::New ||
           F.What == FindingChange::MoreSevere) &&
          IsFailing(F.Record.Found))
        return true;
  return llvm::any_of(Added, [&](KernelRef R) {
    return llvm::any_of(
        kernelAt(Head, R).Findings,
        [&](const FindingRecord &F) { return IsFailing(F.Found); });
  });
}

DiffResult ptxpredict::compareBuilds(Build Base, Build Head,
                                     const DiffOptions &Options) {
  DiffResult R;
  R.Options = Options;
  R.Base = std::move(Base);
  R.Head = std::move(Head);
  KernelPairs Pairs = pairKernels(R.Base, R.Head);
  for (const KernelPair &P : Pairs.Pairs) {
    R.Kernels.push_back(compareKernels(kernelAt(R.Base, P.Base),
                                       kernelAt(R.Head, P.Head), Options));
    R.Kernels.back().Pair = P;
  }
  R.Removed = std::move(Pairs.Removed);
  R.Added = std::move(Pairs.Added);
  return R;
}
