//===- ScalingFile.cpp - A program over sizes and processors --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Scaling/ScalingFile.h"
#include <cmath>

using namespace ptxpredict;

namespace {

struct NumberRow {
  StringRef Key, Unit, Meaning;
  double Least;
};

} // namespace

static const NumberRow &rowOf(ScalingNumber N) {
  static constexpr NumberRow Rows[] = {
#define SCALING_MACHINE(MEMBER, KEY, UNIT, LEAST, MEANING)                     \
  {KEY, UNIT, MEANING, LEAST},
#define SCALING_LOGGP(MEMBER, KEY, UNIT, LEAST, MEANING)                       \
  {KEY, UNIT, MEANING, LEAST},
#define SCALING_APPLICATION(MEMBER, KEY, UNIT, LEAST, MEANING)                 \
  {KEY, UNIT, MEANING, LEAST},
#include "ptxpredict/Scenario/Scaling/ScalingNumbers.def"
  };
  return Rows[size_t(N)];
}

StringRef ptxpredict::toString(ScalingNumber N) { return rowOf(N).Key; }
StringRef ptxpredict::unitOf(ScalingNumber N) { return rowOf(N).Unit; }
StringRef ptxpredict::meaningOf(ScalingNumber N) { return rowOf(N).Meaning; }
double ptxpredict::leastOf(ScalingNumber N) { return rowOf(N).Least; }

StringRef ptxpredict::toString(ScalingNetwork N) {
  switch (N) {
  case ScalingNetwork::Printed:
    return "printed";
  case ScalingNetwork::Pairwise:
    return "pairwise";
  case ScalingNetwork::LogGP:
    return "loggp";
  }
  return "";
}

std::optional<StringRef> ptxpredict::whyNoSize(const ScalingAxis &A, double V) {
  constexpr double Most = 1e15; // whole numbers are exact up to there
  if (!(V > 0) || !std::isfinite(V))
    return "must be above 0";
  if (A.IsWhole && (V != std::floor(V) || V > Most))
    return "must be a whole number from 1 to 1e15";
  return std::nullopt;
}
