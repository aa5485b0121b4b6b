//===- ProfileTable.cpp - Predicted beside measured, kernel by kernel -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccuracyTables.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// How far off the answer of \p Model is, as |ln(predicted / measured)|; less
/// than any without one.
static double disagreement(const ValidatedPoint &P, size_t Model) {
  if (P.Answers.empty() || !P.Answers[Model].TimeUs)
    return -1;
  return std::abs(std::log(P.Answers[Model].TimeUs->Value / P.TimeUs));
}

/// "18 us - 31 us", or "from 18 us".
static std::string boundsText(const Estimate &E) {
  return std::isfinite(E.High) ? shortTime(E.Low) + " - " + shortTime(E.High)
                               : "from " + shortTime(E.Low);
}

AccuracyTable AccuracyTables::profiled(unsigned Dataset) const {
  // That of every kernel, if it is there.
  const size_t Model = llvm::is_contained(Shown.Models, R.Whole)
                           ? R.Whole
                           : Shown.Models.front();
  std::vector<const ValidatedPoint *> Points;
  bool SeveralDevices = false;
  for (const ValidatedPoint &P : R.Points)
    if (P.Dataset == Dataset) {
      SeveralDevices |= !Points.empty() && Points.front()->On != P.On;
      Points.push_back(&P);
    }
  llvm::stable_sort(Points, [&](const auto *A, const auto *B) {
    return disagreement(*A, Model) > disagreement(*B, Model);
  });
  AccuracyTable T{R.Models[Model] + " beside measured",
                  1,
                  {"kernel", "grid", "block", "launches", "measured",
                   "predicted", "ratio", "bounds", "limiter"},
                  {}};
  if (SeveralDevices)
    T.Heading.insert(T.Heading.begin() + 1, "device");
  for (const ValidatedPoint *P : Points) {
    std::vector<std::string> Cells{
        fit(P->Kernel->Name, 40), toString(P->Launch.Grid.value_or(Dim3())),
        toString(P->Launch.Block.value_or(Dim3())), std::to_string(P->Launches),
        shortTime(P->TimeUs)};
    if (SeveralDevices)
      Cells.insert(Cells.begin() + 1, P->Device);
    const ModelAnswer *A = P->Answers.empty() ? nullptr : &P->Answers[Model];
    if (A && A->TimeUs)
      Cells.insert(Cells.end(),
                   {shortTime(A->TimeUs->Value),
                    ratioText(A->TimeUs->Value / P->TimeUs),
                    boundsText(*A->TimeUs), toString(A->Limiter).str()});
    else
      Cells.insert(Cells.end(), {"-", "-", "-", "-"});
    T.Rows.push_back(std::move(Cells));
  }
  return T;
}
