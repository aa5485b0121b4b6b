//===- Text.h - Numbers with suffixes and nearest names --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_TEXT_H
#define PTXPREDICT_SUPPORT_TEXT_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ptxpredict {

/// Reads a whole number in decimal, 0x… or 0b…, perhaps negative, perhaps with
/// one of the suffixes k M G (powers of 1000) or Ki Mi Gi (powers of 1024).
/// Nothing on any other text and on overflow of 64 bits.
std::optional<int64_t> parseInteger(StringRef Text);

/// As \ref parseInteger, and decimal fractions and exponents. Only finite
/// results.
std::optional<double> parseNumber(StringRef Text);

/// The candidate that was probably meant by \p Name: the shortest that starts
/// with it, or the nearest by edit distance of at most a third of the name's
/// length, rounded up. Empty if there is none.
StringRef nearestName(StringRef Name, ArrayRef<StringRef> Candidates);

/// The end of a message about a wrong \p Name: "; did you mean 'x'?" with the
/// nearest candidate, or \p Otherwise if there is none.
std::string didYouMean(StringRef Name, ArrayRef<StringRef> Candidates,
                       const Twine &Otherwise = "");

/// The shortest decimal text that reads back as the same double.
std::string shortestDecimal(double Value);

/// The same as a number of YAML or JSON: "null" if it is not finite.
std::string decimalOrNull(double Value);

/// Four significant digits, whole numbers below 10^9 in full: "12.35", "24301".
std::string shortNumber(double V);
/// A time with its unit: "1.235 ms".
std::string shortTime(double Microseconds);
/// An energy with its unit: "1.235 mJ".
std::string shortEnergy(double Joules);
/// "1 block", "2 blocks"
std::string plural(uint64_t N, StringRef What);
/// "lane" after a number that \ref shortNumber writes as 1, else "lanes".
std::string nounAfter(double N, StringRef What);
/// "45 %"
std::string percent(double Fraction);

/// \p Text as a double-quoted scalar of YAML.
std::string quoteYAML(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_TEXT_H
