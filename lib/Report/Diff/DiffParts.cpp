//===- DiffParts.cpp - What several forms of a comparison say -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DiffParts.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

namespace {

enum class ValueUnit { Microseconds, Joules, Share, Bytes, Number };

/// How people read a value.
struct ValueWords {
  StringRef Label;
  ValueUnit Unit;
};

} // namespace

static ValueWords wordsOf(const ValueDiff &D) {
  switch (D.What) {
#define DIFF_VALUE(MEMBER, KEY, LABEL, UNIT)                                   \
  case DiffValue::MEMBER:                                                      \
    return {LABEL, ValueUnit::UNIT};
#include "ptxpredict/Review/DiffValues.def"
  case DiffValue::OfClass:
    return {D.Class, ValueUnit::Number};
  }
  return {};
}

/// "12.3 us", "48 B", "75 %"; "-" of none.
static std::string valueText(const std::optional<Estimate> &V, ValueUnit Unit) {
  if (!V)
    return "-";
  switch (Unit) {
  case ValueUnit::Microseconds:
    return shortTime(V->Value);
  case ValueUnit::Joules:
    return shortEnergy(V->Value);
  case ValueUnit::Share:
    return percent(V->Value);
  case ValueUnit::Bytes:
    return shortEstimate(*V) + " B";
  case ValueUnit::Number:
    return shortEstimate(*V);
  }
  return {};
}

std::string ptxpredict::changeText(std::optional<double> Change) {
  if (!Change || !std::isfinite(*Change) || *Change == 0)
    return "";
  const double Share = std::fabs(*Change);
  const char *Sign = *Change < 0 ? "-" : "+";
  if (Share < 0.0005)
    return (Sign + Twine("0.0 %")).str();
  if (Share >= 10)
    return shortNumber(*Change + 1) + " times";
  // A tenth of a per cent where a limit may be that low.
  return Sign + (Share < 0.0995
                     ? shortNumber(std::round(Share * 1000) / 10) + " %"
                     : percent(Share));
}

std::string ptxpredict::slowdownText(const DeviceDiff &At) {
  std::optional<double> Slowdown = At.slowdown();
  return Slowdown && std::isinf(*Slowdown) ? "cannot run any more"
                                           : changeText(Slowdown);
}

std::string ptxpredict::beforeAfter(const ValueDiff &V, StringRef Arrow) {
  const ValueUnit Unit = wordsOf(V).Unit;
  std::string Before = valueText(V.Base, Unit), After = valueText(V.Head, Unit);
  return Before == After ? After : (Before + Arrow + After).str();
}

static DiffRow rowOf(StringRef Where, const ValueDiff &V) {
  const ValueWords Words = wordsOf(V);
  return {Where.str(),
          Words.Label.str(),
          valueText(V.Base, Words.Unit),
          valueText(V.Head, Words.Unit),
          changeText(V.change()),
          V.Matters};
}

static std::string limiterText(TimeLimiter L) {
  return L == TimeLimiter::None ? "-" : plainNameOf(L).str();
}

std::string ptxpredict::deviceText(const KernelDiff &D, const DeviceDiff &At) {
  const bool OneModel = llvm::all_of(
      D.Devices, [&](const DeviceDiff &O) { return O.Model == At.Model; });
  return OneModel ? At.Device : At.Device + ", " + At.Model;
}

std::vector<DiffRow> ptxpredict::diffRows(const KernelDiff &D, bool All) {
  std::vector<DiffRow> Rows;
  auto IsShown = [&](const ValueDiff &V) {
    return V.Matters || (All && !V.isSame());
  };
  for (const DeviceDiff &At : D.Devices) {
    const std::string Where = deviceText(D, At);
    Rows.push_back(rowOf(Where, At.TimeUs));
    Rows.back().Change = slowdownText(At);
    if (At.BaseLimiter != At.HeadLimiter)
      Rows.push_back({"", "limited by", limiterText(At.BaseLimiter),
                      limiterText(At.HeadLimiter), "", At.LimiterMatters});
    for (const ValueDiff *V :
         {&At.EnergyJ, &At.Registers, &At.BlocksPerSM, &At.Occupancy}) {
      // The same as of the kernel itself, on most devices.
      const ValueDiff &OfKernel = D.Values.front();
      const bool IsSaid = V == &At.Registers && OfKernel.Matters && V->Base &&
                          V->Head && OfKernel.Base && OfKernel.Head &&
                          V->Base->Value == OfKernel.Base->Value &&
                          V->Head->Value == OfKernel.Head->Value;
      if (IsShown(*V) && !IsSaid)
        Rows.push_back(rowOf("", *V));
    }
  }
  bool First = true;
  auto Add = [&](const ValueDiff &V) {
    if (!IsShown(V))
      return;
    Rows.push_back(rowOf(First ? "kernel" : "", V));
    First = false;
  };
  for (const ValueDiff &V : D.Values)
    Add(V);
  for (const ValueDiff &V : D.Mix)
    Add(V);
  return Rows;
}

std::string ptxpredict::pairText(const DiffResult &R, const KernelDiff &D) {
  const std::string &Was = R.base(D).Demangled;
  switch (D.Pair.MatchedBy) {
  case PairedBy::Place:
  case PairedBy::Name:
    return "";
  case PairedBy::Content:
    return "was " + Was + ", which did the same";
  case PairedBy::Similarity:
    return "was perhaps " + Was + ", similar by " + percent(D.Pair.Similarity);
  }
  return "";
}

std::string ptxpredict::pathsText(const DiffResult &R, const KernelDiff &D,
                                  StringRef Arrow) {
  const std::string &Base = R.Base.Inputs[D.Pair.Base.Input].Path,
                    &Head = R.Head.Inputs[D.Pair.Head.Input].Path;
  return Base == Head ? Head : (Base + Arrow + Head).str();
}

std::string ptxpredict::diffHeadline(const DiffResult &R) {
  const size_t All = R.Kernels.size(), Changed = R.numChanged();
  const std::string Kernels =
      std::to_string(All) + (All == 1 ? " kernel" : " kernels");
  if (!R.anythingMatters())
    return "no change that matters in " + Kernels;
  std::string Text;
  auto Add = [&](const std::string &Part) {
    Text += (Text.empty() ? "" : ", ") + Part;
  };
  if (All != 0)
    Add(std::to_string(Changed) + " of " + Kernels + " changed");
  if (!R.Added.empty())
    Add(std::to_string(R.Added.size()) + " added");
  if (!R.Removed.empty())
    Add(std::to_string(R.Removed.size()) + " removed");
  return Text;
}

std::string ptxpredict::worstText(const DiffResult &R) {
  std::optional<DiffResult::Worst> W = R.worst();
  if (!W || (W->Slowdown <= R.Options.Noise && !R.exceedsLimit()))
    return "";
  std::string Text = "slowest: " + R.head(*W->Kernel).Demangled + ", " +
                     slowdownText(*W->Device) + " on " +
                     deviceText(*W->Kernel, *W->Device);
  if (R.Options.MaxRegression)
    Text +=
        (R.exceedsLimit() ? ", over the limit of " : ", within the limit of ") +
        shortNumber(*R.Options.MaxRegression * 100) + " %";
  return Text;
}

std::vector<const KernelDiff *> ptxpredict::shownKernels(const DiffResult &R,
                                                         bool All) {
  std::vector<const KernelDiff *> Shown;
  for (const KernelDiff &D : R.Kernels)
    if (All || D.Matters)
      Shown.push_back(&D);
  auto SlowdownOf = [](const KernelDiff &D) {
    double Most = -1;
    for (const DeviceDiff &At : D.Devices)
      Most = std::max(Most, At.slowdown().value_or(-1));
    return Most;
  };
  llvm::stable_sort(Shown, [&](const KernelDiff *A, const KernelDiff *B) {
    return SlowdownOf(*A) > SlowdownOf(*B);
  });
  return Shown;
}

std::vector<const FindingDiff *> ptxpredict::shownFindings(const KernelDiff &D,
                                                           bool All) {
  std::vector<const FindingDiff *> Shown;
  for (const FindingDiff &F : D.Findings)
    if (All || F.Matters)
      Shown.push_back(&F);
  return Shown;
}

std::string ptxpredict::stateText(const FindingDiff &F) {
  const StringRef Level = toString(F.Record.Found.Level);
  switch (F.What) {
  case FindingChange::New:
    return ("new " + Level).str();
  case FindingChange::Gone:
    return ("gone " + Level).str();
  case FindingChange::MoreSevere:
  case FindingChange::LessSevere:
    return ("now " + Level + ", was " +
            toString(F.Was.value_or(F.Record.Found.Level)))
        .str();
  }
  return "";
}

std::string ptxpredict::placeText(const FindingLocation &Where) {
  std::string Text = Where.Path;
  for (unsigned N : {Where.Line, Where.Column}) {
    if (N == 0)
      break;
    Text += ":" + std::to_string(N);
  }
  return Text;
}
