//===- KernelSummary.cpp - A kernel in one sentence -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

void ptxpredict::checkKernelSummary(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  Finding F = C.start(R);
  SmallVector<std::string, 4> Parts;
  for (const KernelThere &There : C.devices()) {
    Parts.push_back(shortTime(There.timeUs()) +
                    howKnown(There.Now.TimeUs->Status) + " on " +
                    There.name().str() +
                    (There.Now.Limiter == TimeLimiter::None
                         ? ""
                         : ", limited by " + limitedBy(There.Now, K).str()));
    F.add("time_us", There.timeUs(), There.name());
    F.add("limiter", toString(There.Now.Limiter), There.name());
    F.add("registers", There.Now.Registers.Value, There.name());
    F.add("occupancy", There.Now.Occ.Fraction, There.name());
  }
  constexpr size_t MostDevices = 4;
  F.Message = Parts.empty()
                  ? "no prediction"
                  : llvm::join(ArrayRef(Parts).take_front(MostDevices), "; ");
  if (Parts.size() > MostDevices)
    F.Message +=
        "; and " + std::to_string(Parts.size() - MostDevices) + " more devices";
  if (C.devices().size() == 1) {
    const Prediction &P = C.devices().front().Now;
    F.Message += "; " + shortNumber(P.Registers.Value) +
                 " registers, occupancy " + percent(P.Occ.Fraction);
  }
  const DependenceCharacteristics &D = K.Dependence;
  F.Message += "; ILP " + shortNumber(D.ILP.Value) + ", MSTR " +
               shortNumber(D.MSTR.Value);
  F.add("ilp", D.ILP.Value);
  F.add("mstr", D.MSTR.Value);
  if (!K.Assumptions.empty()) {
    // Each default that a number rests on; all of them are in a prediction.
    SmallVector<std::string, 4> What;
    for (const Assumption &A : K.Assumptions)
      What.push_back(A.what());
    constexpr size_t Most = 4;
    F.Message +=
        "; assumed: " + llvm::join(ArrayRef(What).take_front(Most), ", ");
    if (What.size() > Most)
      F.Message += " and " + std::to_string(What.size() - Most) + " more";
  }
  C.report(std::move(F));
}
