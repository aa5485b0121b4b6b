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
      return T.Value;
  return std::nullopt;
}

ArrayRef<StringRef> ptxpredict::modelNames() {
  static constexpr StringRef Names[] = {MWPCWPName};
  return Names;
}

const Model *ptxpredict::findModel(StringRef Name) {
  return Name == MWPCWPName ? &mwpcwpModel() : nullptr;
}
