//===- Scaling.cpp - Scaling files as inputs of the fuzzer ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Scenario/Scaling/ScalingModel.h"
#include "ptxpredict/Scenario/Scaling/ScalingSolver.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// Values of each axis that are looked at.
static constexpr size_t FewValues = 3;

/// What holds of every point that has an answer.
static void checkPoint(const ScalingPoint &R) {
  const IsoEnergyEfficiency &Of = R.Of;
  fuzz::check(std::isfinite(Of.parallelJ()) && Of.parallelJ() > 0 &&
                  Of.SequentialJ > 0 && Of.SequentialSeconds > 0 &&
                  Of.parallelSeconds() > 0,
              "an energy or a time that cannot be");
  fuzz::check(Of.efficiency() > 0 && std::isfinite(Of.efficiency()),
              "an efficiency that cannot be");
  if (R.P == 1)
    fuzz::check(Of.efficiency() == 1, "one processor has not its own energy");
}

bool fuzz::runScaling(StringRef Text) {
  auto Diags = makeEngine(Text, "scaling.yaml");
  ScalingFile File;
  const bool Failed = parseScaling(*Diags, File);
  check(Failed == Diags->hasErrors(), "a scaling file: an error without a "
                                      "message, or a message without an error");
  if (Failed || File.Form == ScalingForm::Scenario)
    return false;
  for (const ScenarioKernel &K : File.Names.Kernels)
    if (K.By != ScenarioKernel::TimeBy::Given)
      return false; // nothing else is read, and there is no device
  DeviceRegistry Registry;
  SharedDevices Devices(Registry);
  ScalingModel Model(File, {}, Devices);
  DiagnosticEngine General;
  if (Model.prepare(*Diags, General)) {
    check(Diags->hasErrors() || General.hasErrors(), "it says nothing");
    return false;
  }
  auto Few = [](std::vector<double> Values) {
    Values.resize(std::min(Values.size(), FewValues));
    return Values;
  };
  std::vector<double> Clocks = Few(File.F.Values);
  if (Clocks.empty())
    Clocks.push_back(0);
  bool HasAny = false;
  for (double F : Clocks)
    for (double P : Few(File.P.Values)) {
      auto Ask = [&](double N) -> std::optional<double> {
        ScalingError Why;
        const std::optional<ScalingPoint> R = Model.evaluate(N, P, F, Why);
        check(R || !Why.Text.empty(), "an error that says nothing");
        if (!R)
          return std::nullopt;
        checkPoint(*R);
        HasAny = true;
        return R->Of.efficiency();
      };
      llvm::for_each(Few(File.N.Values), Ask);
      const SizeRange Range{File.N.From, File.N.To, File.N.IsWhole};
      const SizeSolution S = solveSize(Ask, Range, /*Theta=*/0.8);
      check((S.Status == ScalingStatus::Found) == (S.N > 0),
            "a size without a solution, or a solution without a size");
      check(S.N < 0 || (S.N >= Range.From && S.N <= Range.To),
            "a size out of its range");
    }
  return HasAny;
}
