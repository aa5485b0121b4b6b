//===- OperationFacts.cpp - What machine operations do --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/OperationFacts.h"
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

StringRef sass::toString(Pipe P) {
  static constexpr StringRef Names[] = {
      "alu", "fma", "fp16", "fp64", "xu",  "tensor",  "tensor-memory",
      "lsu", "tex", "tma",  "adu",  "cbu", "uniform", "other"};
  return Names[unsigned(P)];
}

const FactRow *sass::factRowOf(const OperationRow &Row, unsigned Architecture) {
  const auto *It = llvm::find_if(Row.Facts, [&](const FactRow *F) {
    return Architecture >= F->First && Architecture <= F->Last;
  });
  return It == Row.Facts.end() ? nullptr : *It;
}

/// The class of work of what has other names or types than its mnemonic says.
static SchedClass workOf(const MachineInstruction &I, SchedClass Usual) {
  if (Usual == SchedClass::IntMultiply)
    return I.has("MOV")    ? SchedClass::Move
           : I.has("IADD") ? SchedClass::Int
           : I.has("SHL")  ? SchedClass::Shift
                           : Usual;
  if (Usual == SchedClass::Convert && I.has("F64"))
    return SchedClass::FP64Convert;
  return Usual;
}

std::optional<OperationFacts> sass::factsOf(const MachineInstruction &I,
                                            unsigned Architecture) {
  const FactRow *Row =
      I.Operation ? factRowOf(*I.Operation, Architecture) : nullptr;
  if (!Row)
    return std::nullopt;
  return OperationFacts{Row->RunsOn, Row->Results, workOf(I, Row->Class)};
}
