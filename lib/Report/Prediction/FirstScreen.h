//===- FirstScreen.h - The answer for a kernel on one screen ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_PREDICTION_FIRSTSCREEN_H
#define PTXPREDICT_LIB_REPORT_PREDICTION_FIRSTSCREEN_H

#include "ScreenText.h"
#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

/// What is most worth knowing of a kernel with one prediction: its time, what
/// limits that, what to try, and what the answer rests on.
void printFirstScreen(const Report &R, const KernelReport &K, raw_ostream &OS,
                      bool Colors);

/// What is most worth knowing of a kernel, part by part.
class FirstScreen {
public:
  FirstScreen(const Report &R, const KernelReport &Kernel)
      : R(R), Kernel(Kernel), K(*Kernel.Characteristics) {}

  void print(raw_ostream &OS, bool Colors);

private:
  const Report &R;
  const KernelReport &Kernel;
  const KernelCharacteristics &K;
  ScreenText Screen;

  const Prediction &first() const { return Kernel.Predictions.front(); }
  bool isAssumed(std::initializer_list<AssumptionKind> Kinds) const;

  // The answer (FirstScreen.cpp).
  void addHead();
  void addAnswer(const Prediction &P);
  void addRegisterSteps(const Prediction &P);
  void addSpeedOfLight(const Prediction &P);
  void addNotes(const Prediction &P);

  // What stands below it (FirstScreenParts.cpp).
  void addBars(const Prediction &P);
  void addTerms(const Prediction &P);
  void addTries();
  void addHottest(const Prediction &P);
  void addAssumed();
  void addMore();
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_PREDICTION_FIRSTSCREEN_H
