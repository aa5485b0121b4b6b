//===- HTMLTimeline.cpp - Copies and work of a block over time ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HTMLParts.h"
#include "ptxpredict/Support/Text.h"

using namespace ptxpredict;

/// More buffers and steps are left out.
static constexpr unsigned MaxBuffers = 8, MaxSteps = 24;

/// A step's copy goes into the next buffer, as soon as the step that used it
/// before has ended; steps follow each other
/// (docs/models/Bottleneck.md#latency).
bool html::printCopyTimeline(const Prediction &P, raw_ostream &OS) {
  auto Term = [&](StringRef Name) { return P.term(Name).value_or(0); };
  const double Steps = Term("Copy_steps"), Stages = Term("Copy_stages"),
               Copy = Term("Copy_latency"), Rounds = Term("Rounds");
  if (!(Steps >= 2) || !(Stages >= 1) || !(Copy > 0) || !(Rounds > 0))
    return false;
  const double Work = (Term("T_latency") / Rounds - Term("Copy_wait")) / Steps;
  if (!(Work > 0) || !std::isfinite(Work))
    return false;
  const auto NumBuffers = unsigned(std::min<double>(Stages, MaxBuffers));
  const auto NumSteps = unsigned(
      std::min<double>({Steps, double(MaxSteps), double(3 * NumBuffers + 2)}));
  constexpr unsigned CopyColor = 0, WorkColor = 1;
  svg::Timeline T;
  T.Title = "Copies and work of a block over time";
  T.Axis = "core cycles";
  T.Legend = {{CopyColor, "copy"}, {WorkColor, "work on it"}};
  for (unsigned B = 0; B != NumBuffers; ++B)
    T.Rows.push_back({"buffer " + std::to_string(B), {}});
  std::vector<double> Free(NumBuffers, 0);
  double Done = 0;
  for (unsigned N = 0; N != NumSteps; ++N) {
    double &IsFree = Free[N % NumBuffers];
    const double Arrived = IsFree + Copy;
    const double Start = std::max(Done, Arrived);
    Done = Start + Work;
    auto Tip = [&](StringRef What, double From, double To) {
      return "step " + std::to_string(N) + ": " + What.str() + ", cycle " +
             shortNumber(From) + " to " + shortNumber(To);
    };
    std::vector<svg::Span> &Row = T.Rows[N % NumBuffers].Spans;
    Row.push_back({IsFree, Arrived, CopyColor, Tip("copy", IsFree, Arrived)});
    Row.push_back({Start, Done, WorkColor, Tip("work", Start, Done)});
    IsFree = Done;
  }
  printFigure("Copy and compute on " + P.Device,
              "the first " + std::to_string(NumSteps) + " of " +
                  shortNumber(Steps) +
                  " steps of a block that has an SM for "
                  "itself: a copy takes " +
                  shortNumber(Copy) + " cycles, the work of a step " +
                  shortNumber(Work) +
                  (double(NumBuffers) < Stages
                       ? "; of " + shortNumber(Stages) + " buffers " +
                             std::to_string(NumBuffers) + " are shown"
                       : ""),
              T, OS);
  return true;
}
