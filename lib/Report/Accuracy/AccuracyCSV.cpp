//===- AccuracyCSV.cpp - Every measurement and prediction, as a table -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/KernelKind.h"
#include "ptxpredict/Report/Accuracy/AccuracyReport.h"
#include "ptxpredict/Report/Writers/CSVRow.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static StringRef outcomeText(const ValidatedPoint &P) {
  switch (P.Result) {
  case ValidatedPoint::Outcome::NoCode:
    return "no code";
  case ValidatedPoint::Outcome::NoCounters:
    return "no counters";
  case ValidatedPoint::Outcome::Failed:
    return "failed";
  default:
    return "predicted";
  }
}

/// Units that power is the sum of; those that are just on have no rate.
static constexpr StringRef WithRate[] = {
#define POWER_UNIT(ENUM, NAME, KEY, SCOPE, MEANING) NAME,
#include "ptxpredict/Device/PowerUnits.def"
};
static constexpr StringRef JustOn[] = {"CONST_SM", "LEAKAGE", "ACTIVATION",
                                       "MEMORY_CLOCK", "IDLE"};

static const UnitPower *findUnit(const ModelAnswer &A, StringRef Name) {
  for (const UnitPower &U : A.PowerUnits)
    if (U.Name == Name)
      return &U;
  return nullptr;
}

static void writePowerUnits(CSVRow &Row, const ModelAnswer &A) {
  auto Cell = [&](StringRef Name, double UnitPower::*Member) {
    const UnitPower *U = findUnit(A, Name);
    Row.number(U ? std::optional(U->*Member) : std::nullopt);
  };
  for (StringRef Name : WithRate) {
    Cell(Name, &UnitPower::AccessRate);
    Cell(Name, &UnitPower::Watts);
  }
  for (StringRef Name : JustOn)
    Cell(Name, &UnitPower::Watts);
}

// The columns of the heading and of the rows go together.

static constexpr StringRef Columns[] = {"dataset",
                                        "line",
                                        "kernel",
                                        "device",
                                        "set",
                                        "default",
                                        "apart",
                                        "code",
                                        "grid",
                                        "block",
                                        "core_mhz",
                                        "mem_mhz",
                                        "measured_us",
                                        "measured_power_w",
                                        "measured_instructions",
                                        "measured_dram_sectors",
                                        "measured_l2_sectors",
                                        "measured_shared_wavefronts",
                                        "outcome",
                                        "model",
                                        "time_us",
                                        "time_us_low",
                                        "time_us_high",
                                        "ratio",
                                        "limiter",
                                        "power_w",
                                        "power_w_low",
                                        "power_w_high",
                                        "instructions",
                                        "dram_sectors",
                                        "l2_sectors",
                                        "shared_wavefronts",
                                        "problem",
                                        "kind",
                                        "no_upper_bound",
                                        "like"};

static void writeHead(ArrayRef<StringRef> Terms, bool Verbose,
                      raw_ostream &OS) {
  CSVRow Head(OS);
  for (StringRef Column : Columns)
    Head.text(Column);
  for (StringRef Term : Terms)
    Head.text(Term);
  if (!Verbose)
    return;
  for (StringRef Name : WithRate) {
    Head.text("rate_" + Name.str());
    Head.text("watts_" + Name.str());
  }
  for (StringRef Name : JustOn)
    Head.text("watts_" + Name.str());
}

static void writeMeasurement(CSVRow &Row, const ValidatedPoint &P,
                             StringRef Dataset) {
  Row.text(Dataset);
  Row.number(double(P.Line));
  Row.text(P.Kernel->Name);
  Row.text(P.Device);
  Row.text(P.Set);
  Row.text(P.IsDefault ? "true" : "false");
  Row.text(P.Kernel->Apart);
  Row.text(P.Code);
  Row.text(P.Launch.Grid ? toString(*P.Launch.Grid) : "");
  Row.text(P.Launch.Block ? toString(*P.Launch.Block) : "");
  Row.number(P.Point.CoreMHz);
  Row.number(P.Point.MemMHz);
  Row.number(P.TimeUs);
  Row.number(P.PowerW);
  for (const std::optional<double> &C : P.Counters)
    Row.number(C);
  Row.text(outcomeText(P));
}

static void writeAnswer(CSVRow &Row, const ModelAnswer &A,
                        const ValidatedPoint &P) {
  if (A.HasRange) {
    Row.estimate(A.TimeUs);
  } else {
    Row.number(A.TimeUs ? std::optional(A.TimeUs->Value) : std::nullopt);
    Row.text("");
    Row.text("");
  }
  Row.number(A.TimeUs ? std::optional(A.TimeUs->Value / P.TimeUs)
                      : std::nullopt);
  Row.text(toString(A.Limiter));
  Row.estimate(A.PowerW);
  for (const std::optional<double> &C : A.Counts)
    Row.number(C);
  Row.text(A.Problem);
  Row.text(P.Kernel->Kind);
  Row.text(A.NoUpperBound);
  Row.text(A.Kind ? toString(*A.Kind) : "");
}

static void writeTerms(CSVRow &Row, const ModelAnswer &A,
                       ArrayRef<StringRef> Terms) {
  for (StringRef Name : Terms) {
    const auto *Found = llvm::find_if(
        ArrayRef(A.Terms), [&](const Term &T) { return T.Name == Name; });
    Row.number(Found == ArrayRef(A.Terms).end() ? std::nullopt
                                                : std::optional(Found->Value));
  }
}

void ptxpredict::printAccuracyCSV(const ValidationReport &R,
                                  const AccuracyViewOptions &Options,
                                  ArrayRef<StringRef> Terms, raw_ostream &OS) {
  if (!Options.Verbose)
    Terms = {};
  writeHead(Terms, Options.Verbose, OS);
  for (const ValidatedPoint &P : R.Points) {
    const Dataset &D = R.Datasets[P.Dataset].About;
    for (size_t M = 0; M != std::max<size_t>(1, P.Answers.size()); ++M) {
      static const ModelAnswer None;
      const ModelAnswer &A = P.Answers.empty() ? None : P.Answers[M];
      CSVRow Row(OS);
      writeMeasurement(Row, P, D.Name);
      Row.text(P.Answers.empty() ? "" : R.Models[M]);
      writeAnswer(Row, A, P);
      writeTerms(Row, A, Terms);
      if (Options.Verbose)
        writePowerUnits(Row, A);
    }
  }
}
