//===- MeasuredText.cpp - A run against what was measured -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "ptxpredict/Support/PrintableText.h"

using namespace ptxpredict;
using Align = TextTable::Align;

std::vector<PredictedLabel> ptxpredict::labelsOf(const ScenarioReport &R) {
  const ScenarioTotals &T = R.Run.Point.Totals;
  std::vector<PredictedLabel> All{{"", T.Seconds, T.Energy.totalJ()}};
  for (const PhaseTotals &P : R.Phases)
    if (P.Phase != 0)
      All.push_back({R.S.Phases[P.Phase - 1], P.End - P.Start, P.EnergyJ});
  return All;
}

/// "+3 %", or nothing where there is nothing to compare.
static std::string errorText(const std::optional<double> &Error) {
  if (!Error)
    return "";
  return (*Error < 0 ? "-" : "+") + percent(std::abs(*Error));
}

void ptxpredict::printMeasuredText(ArrayRef<MeasuredAgainst> All,
                                   raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"measured", "time", "measured", "off", "energy", "measured", "off",
            "power off"});
  auto Time = [](const std::optional<double> &Seconds) {
    return Seconds ? shortTime(*Seconds * 1e6) : std::string("-");
  };
  auto Energy = [](const std::optional<double> &Joules) {
    return Joules ? shortEnergy(*Joules) : std::string("-");
  };
  for (const MeasuredAgainst &M : All)
    T.addRow({M.Label.empty() ? "the whole run" : printable(M.Label),
              Time(M.PredictedSeconds), Time(M.MeasuredSeconds),
              errorText(M.secondsError()), Energy(M.PredictedJoules),
              Energy(M.MeasuredJoules), errorText(M.joulesError()),
              errorText(M.wattsError())});
  OS << '\n';
  T.print(OS);
}
