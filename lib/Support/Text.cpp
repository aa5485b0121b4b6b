//===- Text.cpp - Numbers and names in text -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/YAMLParser.h"
#include <algorithm>
#include <charconv>
#include <cmath>

using namespace ptxpredict;

/// Cuts a unit suffix off \p Text and returns its factor, 1 without one.
static int64_t consumeSuffix(StringRef &Text) {
  static constexpr struct {
    StringRef Suffix;
    int64_t Factor;
  } Suffixes[] = {{"Ki", int64_t(1) << 10}, {"Mi", int64_t(1) << 20},
                  {"Gi", int64_t(1) << 30}, {"k", 1000},
                  {"M", 1000000},           {"G", 1000000000}};
  for (const auto &S : Suffixes)
    if (Text.consume_back(S.Suffix))
      return S.Factor;
  return 1;
}

std::optional<int64_t> ptxpredict::parseInteger(StringRef Text) {
  int64_t Factor = consumeSuffix(Text);
  bool Negative = Text.consume_front("-");
  unsigned Radix = Text.consume_front_insensitive("0x")   ? 16
                   : Text.consume_front_insensitive("0b") ? 2
                                                          : 10;
  uint64_t Magnitude;
  int64_t Value;
  if (Text.empty() || !llvm::isAlnum(Text.front()) ||
      Text.getAsInteger(Radix, Magnitude) ||
      Magnitude > uint64_t(INT64_MAX) + Negative ||
      __builtin_mul_overflow(int64_t(Negative ? 0 - Magnitude : Magnitude),
                             Factor, &Value))
    return std::nullopt;
  return Value;
}

std::optional<double> ptxpredict::parseNumber(StringRef Text) {
  if (std::optional<int64_t> I = parseInteger(Text))
    return double(*I);
  int64_t Factor = consumeSuffix(Text);
  // "nan", "inf" and hexadecimal floats are no numbers for a user of ours.
  if (Text.find_first_not_of("0123456789.eE+-") != StringRef::npos)
    return std::nullopt;
  // LLVM's reader takes more forms, and ten times as long.
  double Value;
  const auto [End, Error] = std::from_chars(Text.begin(), Text.end(), Value);
  if ((Error != std::errc() || End != Text.end()) && Text.getAsDouble(Value))
    return std::nullopt;
  if (!std::isfinite(Value * double(Factor)))
    return std::nullopt;
  return Value * double(Factor);
}

StringRef ptxpredict::nearestName(StringRef Name,
                                  ArrayRef<StringRef> Candidates) {
  unsigned Limit = std::max<unsigned>(1, unsigned(Name.size() + 2) / 3) + 1;
  StringRef Best, Longer;
  for (StringRef C : Candidates) {
    unsigned D = Name.edit_distance_insensitive(C, true, Limit);
    if (D < Limit)
      Best = C, Limit = D;
    // A name that was cut short is nearer than one that was mistyped.
    if (Name.size() >= 3 && C.starts_with_insensitive(Name) &&
        (Longer.empty() || C.size() < Longer.size()))
      Longer = C;
  }
  return Limit != 0 && !Longer.empty() ? Longer : Best;
}

std::string ptxpredict::didYouMean(StringRef Name,
                                   ArrayRef<StringRef> Candidates,
                                   const Twine &Otherwise) {
  StringRef Near = nearestName(Name, Candidates);
  return Near.empty() ? Otherwise.str()
                      : ("; did you mean '" + Near + "'?").str();
}

std::string ptxpredict::shortestDecimal(double Value) {
  char Buffer[48];
  if (Value == std::trunc(Value) && std::abs(Value) < 1e15 &&
      !(Value == 0 && std::signbit(Value)))
    return std::string(
        Buffer, std::to_chars(Buffer, std::end(Buffer), int64_t(Value)).ptr);
  // As digits and exponent, to choose between the two forms by size.
  auto [End, EC] = std::to_chars(Buffer, std::end(Buffer), Value,
                                 std::chars_format::scientific);
  StringRef Text(Buffer, size_t(End - Buffer));
  size_t E = Text.find('e');
  int Exponent = 0;
  if (E != StringRef::npos)
    std::from_chars(Buffer + E + (Buffer[E + 1] == '+' ? 2 : 1), End, Exponent);
  if (E != StringRef::npos && Exponent >= -5 && Exponent <= 15) {
    auto [FixedEnd, _] = std::to_chars(Buffer, std::end(Buffer), Value,
                                       std::chars_format::fixed);
    return std::string(Buffer, FixedEnd);
  }
  return Text.str();
}

std::string ptxpredict::decimalOrNull(double Value) {
  return std::isfinite(Value) ? shortestDecimal(Value) : "null";
}

std::string ptxpredict::shortNumber(double V) {
  if (!std::isfinite(V))
    return "-";
  if (V == std::round(V) && std::abs(V) < 1e9)
    return shortestDecimal(V);
  const std::string Text = formatNumber("%.4g", V);
  // Through the number once more: "%g" turns to exponents early.
  std::from_chars(Text.data(), Text.data() + Text.size(), V);
  return shortestDecimal(V);
}

std::string ptxpredict::shortTime(double Microseconds) {
  if (Microseconds < 1000)
    return shortNumber(Microseconds) + " us";
  if (Microseconds < 1e6)
    return shortNumber(Microseconds / 1000) + " ms";
  return shortNumber(Microseconds / 1e6) + " s";
}

std::string ptxpredict::shortEnergy(double Joules) {
  if (Joules < 1e-3)
    return shortNumber(Joules * 1e6) + " uJ";
  if (Joules < 1)
    return shortNumber(Joules * 1000) + " mJ";
  return shortNumber(Joules) + " J";
}

std::string ptxpredict::plural(uint64_t N, StringRef What) {
  return (Twine(N) + " " + What + (N == 1 ? "" : "s")).str();
}

std::string ptxpredict::nounAfter(double N, StringRef What) {
  return What.str() + (shortNumber(N) == "1" ? "" : "s");
}

std::string ptxpredict::percent(double Fraction) {
  return formatNumber("%.0f %%", Fraction * 100);
}

std::string ptxpredict::quoteYAML(StringRef Text) {
  // LLVM ends a text at the first byte that is no UTF-8.
  std::string Valid;
  if (!llvm::json::isUTF8(Text)) {
    Valid = llvm::json::fixUTF8(Text);
    Text = Valid;
  }
  // It leaves 0x7f; our escapes are those of YAML.
  return '"' + printable(llvm::yaml::escape(Text, /*EscapePrintable=*/false)) +
         '"';
}
