//===- Model.cpp - The models by name -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/MWPCWP.h"

using namespace ptxpredict;

std::optional<double> Prediction::term(StringRef Name) const {
  for (const Term &T : Terms)
    if (T.Name == Name)
      if (const double *Value = std::get_if<double>(&T.Value))
        return *Value;
  return std::nullopt;
}

ArrayRef<StringRef> ptxpredict::modelNames() {
  static constexpr StringRef Names[] = {"mwp-cwp"};
  return Names;
}

const Model *ptxpredict::findModel(StringRef Name) {
  const Model &MWPCWP = mwpcwpModel();
  return Name == MWPCWP.name() ? &MWPCWP : nullptr;
}
