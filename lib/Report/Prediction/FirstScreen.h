//===- FirstScreen.h - The answer for a kernel on one screen ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_PREDICTION_FIRSTSCREEN_H
#define PTXPREDICT_LIB_REPORT_PREDICTION_FIRSTSCREEN_H

#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

/// Columns and, of one kernel with one prediction, lines of the screen.
constexpr unsigned ScreenColumns = 80, ScreenLines = 24;

/// What is most worth knowing of a kernel with one prediction: its time, what
/// limits that, what to try, and what the answer rests on.
void printFirstScreen(const Report &R, const KernelReport &K, raw_ostream &OS,
                      bool Colors);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_PREDICTION_FIRSTSCREEN_H
