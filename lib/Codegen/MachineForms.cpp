//===- MachineForms.cpp - Names of machine forms --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/MachineForms.h"

using namespace ptxpredict;

StringRef ptxpredict::toString(MachineForm F) {
  static constexpr StringRef Names[] = {
#define MACHINE_FORM(NAME, TEXT, WORK, MEANING) TEXT,
#include "ptxpredict/Codegen/MachineForms.def"
  };
  return Names[unsigned(F)];
}

SchedClass ptxpredict::schedClassOf(MachineForm F) {
  static constexpr SchedClass Works[] = {
#define MACHINE_FORM(NAME, TEXT, WORK, MEANING) SchedClass::WORK,
#include "ptxpredict/Codegen/MachineForms.def"
  };
  return Works[unsigned(F)];
}
