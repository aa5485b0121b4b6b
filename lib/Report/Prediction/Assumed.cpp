//===- Assumed.cpp - Defaults that a kernel's numbers rest on -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

std::vector<Assumption> KernelReport::assumptions() const {
  std::vector<Assumption> All = Characteristics->Assumptions;
  for (const Prediction &P : Predictions) {
    if (!P.TimeUs || !P.Clock || !P.Clock->reachesAboveBoost())
      continue;
    auto IsOfDevice = [&P](const Assumption &A) {
      return A.Kind == AssumptionKind::CoreClock && A.Detail == P.Device;
    };
    if (llvm::none_of(All, IsOfDevice))
      All.push_back({AssumptionKind::CoreClock, P.Device,
                     shortestDecimal(P.Clock->HighMHz), /*IsNumber=*/true,
                     /*Line=*/0, "--core-mhz=N"});
  }
  return All;
}
