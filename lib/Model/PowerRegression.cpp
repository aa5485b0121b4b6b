//===- PowerRegression.cpp - Power that was learned from rows -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/PowerRegression.h"
#include <algorithm>

using namespace ptxpredict;

ArrayRef<StringRef> ptxpredict::regressionKindNames() {
  static constexpr StringRef Names[] = {"mlr", "mlr+", "ann"};
  return Names;
}

ArrayRef<StringRef> ptxpredict::regressionSplitNames() {
  static constexpr StringRef Names[] = {"random", "kernel"};
  return Names;
}

ArrayRef<StringRef> ptxpredict::regressionTrainerNames() {
  static constexpr StringRef Names[] = {"levenberg-marquardt", "backprop"};
  return Names;
}

ArrayRef<StringRef> ptxpredict::regressionCountsNames() {
  static constexpr StringRef Names[] = {"counted", "static"};
  return Names;
}

StringRef RegressionInput::name() const {
  switch (Kind) {
  case KindTy::CoreClock:
    return "core_mhz";
  case KindTy::MemoryClock:
    return "mem_mhz";
  case KindTy::Event:
    break;
  }
  return infoOf(Event).Name;
}

std::string RegressionInput::unit() const {
  return Kind == KindTy::Event ? (infoOf(Event).Unit + " a core cycle").str()
                               : "MHz";
}

double RegressionInput::scaled(double V) const {
  return std::clamp((V - Least) / (Most - Least), 0.0, 1.0);
}

double PowerRegression::watts(ArrayRef<double> Values) const {
  assert(Values.size() == Inputs.size());
  if (Kind != RegressionKind::Network) {
    double Watts = Coefficients.front();
    for (size_t I = 0; I != Inputs.size(); ++I)
      Watts += Coefficients[I + 1] * Values[I];
    return Watts;
  }
  double Scaled[MaxRegressionInputs];
  for (size_t I = 0; I != Inputs.size(); ++I)
    Scaled[I] = Inputs[I].scaled(Values[I]);
  return fromTarget(Network.evaluate(ArrayRef(Scaled, Inputs.size())), LeastW,
                    MostW);
}
