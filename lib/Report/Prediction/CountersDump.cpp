//===- CountersDump.cpp - --dump=counters ---------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Counted.h"
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

/// Where a number comes from: a profiler, a run on the CPU, or the code.
static std::string sourceOf(const KernelCharacteristics &K, Counter C,
                            bool IsThere) {
  if (K.Counted)
    if (const CounterValue *V = K.Counted->Counters[C])
      return V->Name->By ? ("counters: " + V->Name->Name).str() : "counters";
  if (!IsThere)
    return "";
  return K.MeasuredOn.empty() ? "code" : "profile";
}

static std::string rangeOf(const Estimate &E) {
  if (E.isKnown() || (E.Low == E.Value && E.High == E.Value))
    return "";
  return shortNumber(E.Low) + " to " +
         (std::isfinite(E.High) ? shortNumber(E.High) : "any number");
}

void ptxpredict::printCounters(const Report &R, raw_ostream &OS) {
  using Align = TextTable::Align;
  for (const KernelReport &Kernel : R.Kernels) {
    const KernelCharacteristics &K = *Kernel.Characteristics;
    const Device *Last = nullptr;
    for (const Prediction &P : Kernel.Predictions) {
      // Once a device; a sweep's first point stands for the others.
      if (P.On == Last || P.On->IsCPU)
        continue;
      Last = P.On;
      OS << "counters of " << K.Name << " on " << P.Device << ", by " << P.Model
         << '\n';
      const CounterEstimates All = predictCounters(KernelOnDevice(K, *P.On), P);
      TextTable Table({Align::Left, Align::Right, Align::Left, Align::Left,
                       Align::Left, Align::Left, Align::Left});
      Table.addRow(
          {"counter", "value", "unit", "of", "status", "range", "from"});
      for (unsigned C = 0; C != NumCounters; ++C) {
        const CounterInfo &Info = infoOf(Counter(C));
        const std::optional<Estimate> &E = All[C];
        Table.addRow({Info.Name.str(), E ? shortNumber(E->Value) : "-",
                      toString(Info.Unit).str(), toString(Info.Scope).str(),
                      E ? toString(E->Status).str() : "missing",
                      E ? rangeOf(*E) : "",
                      sourceOf(K, Counter(C), E.has_value())});
      }
      Table.print(OS);
    }
  }
}
