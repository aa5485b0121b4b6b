//===- TraceNumbers.cpp - Numbers of traces and their units ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scenario/Trace/TraceNumbers.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace ptxpredict;

/// Without the commas between groups of three digits; nothing if they stand
/// elsewhere.
static std::optional<std::string> withoutGroups(StringRef Text) {
  auto [Whole, Fraction] = Text.split('.');
  SmallVector<StringRef, 8> Groups;
  Whole.split(Groups, ',');
  std::string Joined;
  for (size_t N = 0; N != Groups.size(); ++N) {
    const size_t Digits = Groups[N].ltrim("+-").size();
    if (N == 0 ? Digits == 0 || Digits > 3 : Groups[N].size() != 3)
      return std::nullopt;
    Joined += Groups[N];
  }
  if (Text.contains('.'))
    Joined += ("." + Fraction).str();
  return Joined;
}

std::optional<DecimalCell> ptxpredict::readDecimalCell(StringRef Text) {
  std::string Plain;
  if (Text.contains(',')) {
    std::optional<std::string> Joined = withoutGroups(Text);
    if (!Joined)
      return std::nullopt;
    Plain = std::move(*Joined);
    Text = Plain;
  }
  // What other inputs' numbers may be beyond this: 1k, 0x10.
  if (Text.find_first_not_of("0123456789.eE+-") != StringRef::npos)
    return std::nullopt;
  std::optional<double> Value = parseNumber(Text);
  if (!Value)
    return std::nullopt;
  DecimalCell D;
  D.Value = *Value;
  if (Text.contains_insensitive("e"))
    return D;
  auto [Whole, Fraction] = Text.split('.');
  D.Step = std::pow(10.0, -double(Fraction.size()));
  int64_t Digits = 0;
  if (Whole.size() + Fraction.size() < 20 &&
      !StringRef((Whole + Fraction).str()).getAsInteger(10, Digits))
    D.Digits = Digits;
  return D;
}

std::optional<int64_t> ptxpredict::wholeUnits(const DecimalCell &D, double Unit,
                                              int64_t Limit) {
  const double Value = D.Value * Unit;
  if (!(std::abs(Value) < double(Limit)))
    return std::nullopt;
  const double Scale = Unit * D.Step; // of the last digit
  if (D.Digits && Scale >= 0.5)
    return *D.Digits * int64_t(std::llround(Scale));
  return int64_t(std::llround(Value));
}

std::pair<StringRef, StringRef> ptxpredict::splitHeading(StringRef Cell) {
  Cell = Cell.trim(" \t\"\r");
  if (Cell.consume_back(")")) {
    auto [Name, Unit] = Cell.split('(');
    return {Name.trim(), Unit.trim()};
  }
  auto [Name, Unit] = Cell.split(':');
  return {Name, Unit.contains('_') ? Unit.rsplit('_').second : Unit};
}

std::optional<double> ptxpredict::nanosecondsOf(StringRef Unit) {
  return llvm::StringSwitch<std::optional<double>>(Unit)
      .Cases({"ns", "nsec", "nanoseconds"}, 1.0)
      .Cases({"us", "usec", "microseconds"}, 1e3)
      .Cases({"ms", "msec", "milliseconds"}, 1e6)
      .Cases({"s", "sec", "seconds"}, 1e9)
      .Default(std::nullopt);
}

std::optional<double> ptxpredict::bytesOf(StringRef Unit) {
  return llvm::StringSwitch<std::optional<double>>(Unit)
      .Cases({"B", "byte", "bytes"}, 1.0)
      .Cases({"KB", "kB"}, 1e3)
      .Case("MB", 1e6)
      .Case("GB", 1e9)
      .Case("TB", 1e12)
      .Case("KiB", 1024.0)
      .Case("MiB", 1048576.0)
      .Case("GiB", 1073741824.0)
      .Default(std::nullopt);
}

/// \p Value / 10^Decimals, not negative, exact.
static std::string scaledText(int64_t Value, unsigned Decimals) {
  std::string Digits = std::to_string(Value);
  if (Digits.size() <= Decimals)
    Digits.insert(0, Decimals + 1 - Digits.size(), '0');
  std::string Fraction = Digits.substr(Digits.size() - Decimals);
  Digits.resize(Digits.size() - Decimals);
  Fraction.resize(StringRef(Fraction).rtrim('0').size());
  return Fraction.empty() ? Digits : Digits + "." + Fraction;
}

std::string ptxpredict::secondsText(int64_t Ns) { return scaledText(Ns, 9); }

std::string ptxpredict::microsecondsText(int64_t Ns) {
  return scaledText(Ns, 3);
}
