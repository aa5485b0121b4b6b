//===- Sweep.cpp - Reading the axes of a sweep ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Sweep.h"
#include "DriverImpl.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <set>

using namespace ptxpredict;

namespace {

/// What the values of an axis are.
enum class ValueKind : uint8_t { Number, Count, Bytes, Shape, Argument };

struct AxisKind {
  StringRef Name;
  SweepOf What;
  ValueKind Kind;
};
constexpr StringRef ArgumentPrefix = "arg:";
constexpr AxisKind Kinds[] = {
    {"active-sms", SweepOf::ActiveSMs, ValueKind::Count},
    {"core-mhz", SweepOf::CoreMHz, ValueKind::Number},
    {"mem-mhz", SweepOf::MemMHz, ValueKind::Number},
    {"bandwidth", SweepOf::Bandwidth, ValueKind::Number},
    {"warps", SweepOf::Warps, ValueKind::Count},
    {"block", SweepOf::Block, ValueKind::Shape},
    {"grid", SweepOf::Grid, ValueKind::Shape},
    {"registers", SweepOf::Registers, ValueKind::Count},
    {"dynamic-smem", SweepOf::DynamicShared, ValueKind::Bytes}};

llvm::Error sweepError(const Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "--sweep: " + Message);
}

/// Reads the values of one axis.
class ValueReader {
public:
  ValueReader(SweepAxis &Axis, ValueKind Kind) : Axis(Axis), Kind(Kind) {}

  llvm::Error read(StringRef Text) {
    if (Text.contains(':'))
      return readRange(Text);
    std::set<StringRef> Seen;
    SmallVector<StringRef, 8> Items;
    Text.split(Items, ',');
    for (StringRef Item : Items) {
      if (!Seen.insert(Item).second)
        return sweepError("'" + Axis.Name + "' is " + Item + " twice");
      if (llvm::Error E = add(Item))
        return E;
    }
    return llvm::Error::success();
  }

private:
  SweepAxis &Axis;
  ValueKind Kind;

  std::string takes() const {
    switch (Kind) {
    case ValueKind::Number:
      return "numbers above 0";
    case ValueKind::Count:
      return "whole numbers from 1";
    case ValueKind::Bytes:
      return "whole numbers of bytes";
    case ValueKind::Shape:
      return "one to three positive extents as 16x16";
    case ValueKind::Argument:
      break;
    }
    return "numbers";
  }
  llvm::Error wrong(StringRef Item) const {
    return sweepError("'" + Axis.Name + "' takes " + takes() + "; not '" +
                      Item + "'");
  }

  /// Checks and adds one value.
  llvm::Error add(StringRef Item) {
    SweepEntry E;
    E.Text = Item.str();
    if (Kind == ValueKind::Shape) {
      std::optional<Dim3> Shape = parseDim3(Item);
      if (!Shape)
        return wrong(Item);
      E.Shape = *Shape;
    } else if (Kind == ValueKind::Argument) {
      std::optional<ArgumentValue> V = parseArgumentValue(Item);
      if (!V)
        return wrong(Item);
      E.Value = *V;
      E.Number = V->Float;
    } else {
      std::optional<double> N = parseNumber(Item);
      constexpr double Most = 0x1p31;
      double Least = Kind == ValueKind::Count ? 1 : 0;
      bool IsWhole = Kind == ValueKind::Count || Kind == ValueKind::Bytes;
      if (!N || *N < Least || (Kind == ValueKind::Number && *N == 0) ||
          *N > Most || (IsWhole && *N != std::floor(*N)))
        return wrong(Item);
      E.Number = *N;
    }
    Axis.Values.push_back(std::move(E));
    return llvm::Error::success();
  }

  llvm::Error readRange(StringRef Text) {
    SmallVector<StringRef, 4> Parts;
    Text.split(Parts, ':');
    std::optional<double> From = parseNumber(Parts[0]),
                          To = parseNumber(Parts[1]),
                          Step = Parts.size() > 2 ? parseNumber(Parts[2]) : 1;
    if (Parts.size() > 3 || !From || !To || !Step)
      return sweepError(
          "a range is FROM:TO or FROM:TO:STEP, in numbers; not '" + Text + "'");
    if (*Step <= 0)
      return sweepError("the step of a range must be above 0; not '" +
                        Parts[2] + "'");
    if (*To < *From)
      return sweepError("the range " + Text + " ends before it begins");
    // Not more than rounding beyond the end.
    double Steps = std::floor((*To - *From) / *Step * (1 + 1e-12));
    if (!(Steps < double(MaxSweepPoints)))
      return sweepError("the range " + Text + " has more than " +
                        Twine(MaxSweepPoints) + " values");
    for (size_t N = 0; N <= size_t(Steps); ++N)
      if (llvm::Error E = add(shortestDecimal(*From + double(N) * *Step)))
        return E;
    return llvm::Error::success();
  }
};

} // namespace

std::vector<StringRef> ptxpredict::sweepNames() {
  std::vector<StringRef> Names;
  for (const AxisKind &K : Kinds)
    Names.push_back(K.Name);
  return Names;
}

Expected<std::vector<double>>
ptxpredict::parseSweepNumbers(StringRef Name, StringRef Text, bool AreCounts) {
  SweepAxis Axis;
  Axis.Name = Name.str();
  if (llvm::Error E =
          ValueReader(Axis, AreCounts ? ValueKind::Count : ValueKind::Argument)
              .read(Text))
    return E;
  std::vector<double> Numbers;
  Numbers.reserve(Axis.Values.size());
  for (const SweepEntry &V : Axis.Values)
    Numbers.push_back(V.Number);
  return Numbers;
}

Expected<SweepAxis> ptxpredict::parseSweep(StringRef Text) {
  StringRef Name, Values;
  std::tie(Name, Values) = Text.split('=');
  if (Name.empty() || Values.empty())
    return sweepError("it takes WHAT=FROM:TO[:STEP] or WHAT=A,B,C; not '" +
                      Text + "'");
  SweepAxis Axis;
  Axis.Name = Name.str();
  ValueKind Kind = ValueKind::Argument;
  if (Name.starts_with(ArgumentPrefix)) {
    Axis.What = SweepOf::Argument;
    Axis.Parameter = Name.drop_front(ArgumentPrefix.size()).str();
    if (Axis.Parameter.empty())
      return sweepError("'arg:' lacks the parameter's index or name");
  } else {
    const AxisKind *Found =
        llvm::find_if(Kinds, [&](const AxisKind &K) { return K.Name == Name; });
    if (Found == std::end(Kinds)) {
      std::vector<StringRef> Names = sweepNames();
      Names.emplace_back("arg:NAME");
      return sweepError("nothing is called '" + Name + "'" +
                        meantOrListed(Name, Names));
    }
    Axis.What = Found->What;
    Kind = Found->Kind;
  }
  if (llvm::Error E = ValueReader(Axis, Kind).read(Values))
    return E;
  return Axis;
}

bool Driver::Impl::prepareSweeps() {
  ArrayRef<SweepAxis> Axes = Options.Sweeps;
  auto Error = [&](const Twine &Message) {
    General.error(SMLoc(), "--sweep: " + Message);
    return false;
  };
  auto Sweeps = [&](SweepOf What) {
    return llvm::any_of(Axes,
                        [&](const SweepAxis &A) { return A.What == What; });
  };
  size_t Points = 1;
  for (const SweepAxis &A : Axes) {
    for (const SweepAxis &B : ArrayRef(Axes.begin(), &A))
      if (A.Name == B.Name)
        return Error("'" + A.Name + "' is given twice");
    Points = std::min(Points * A.Values.size(), MaxSweepPoints + 1);
    if (A.What == SweepOf::Argument)
      for (const LaunchArgument &L : Options.Launch.Args)
        if (L.Parameter == A.Parameter)
          return Error("'" + A.Name + "' and --arg=" + L.Parameter +
                       "=... contradict each other");
  }
  if (Points > MaxSweepPoints)
    return Error("the axes have more than " + Twine(MaxSweepPoints) +
                 " points together");

  const LaunchSpec &L = Options.Launch;
  const bool ExactRegisters =
      Options.Registers || !Options.PtxasInfoPath.empty() || Options.Via;
  const struct {
    SweepOf What;
    bool IsFixed;
    StringRef Name, By;
  } Fixed[] = {
      {SweepOf::CoreMHz, Options.CoreMHz.has_value(), "core-mhz", "--core-mhz"},
      {SweepOf::MemMHz, Options.MemMHz.has_value(), "mem-mhz", "--mem-mhz"},
      {SweepOf::Bandwidth, Options.MemMHz.has_value(), "bandwidth",
       "--mem-mhz"},
      {SweepOf::Bandwidth, Sweeps(SweepOf::MemMHz), "bandwidth", "'mem-mhz'"},
      {SweepOf::ActiveSMs, Options.ActiveSMs.has_value(), "active-sms",
       "--active-sms"},
      {SweepOf::Grid, L.Grid.has_value(), "grid", "--grid"},
      {SweepOf::DynamicShared, L.DynamicSharedBytes.has_value(), "dynamic-smem",
       "--dynamic-smem"},
      {SweepOf::Registers, ExactRegisters, "registers",
       "--registers, --ptxas-info or --via"},
      {SweepOf::Warps, ExactRegisters, "warps",
       "--registers, --ptxas-info or --via"},
      {SweepOf::Warps, Sweeps(SweepOf::Registers), "warps", "'registers'"}};
  for (const auto &F : Fixed)
    if (F.IsFixed && Sweeps(F.What))
      return Error("'" + F.Name + "' and " + F.By + " contradict each other");
  for (const SweepAxis &A : Axes)
    if (A.changesLaunch() && !Options.ProfilePath.empty())
      return Error("'" + A.Name +
                   "': the counts of --profile are those of one launch");
    else if (A.changesLaunch() && !Options.CountersPath.empty())
      return Error("'" + A.Name +
                   "': the counters of --counters are those of one launch");
  return true;
}
