//===- MachineForms.h - Kinds of machine instructions -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// As which kind of machine work an instruction is counted. MachineCode.h finds
// it; how many machine instructions it is, a generation's compiler says
// (Model/MachineWork.h).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_MACHINEFORMS_H
#define PTXPREDICT_CODEGEN_MACHINEFORMS_H

#include "ptxpredict/Codegen/SchedClass.h"

namespace ptxpredict {

enum class MachineForm : uint8_t {
#define MACHINE_FORM(NAME, TEXT, WORK, MEANING) NAME,
#include "ptxpredict/Codegen/MachineForms.def"
};
constexpr unsigned NumMachineForms = unsigned(MachineForm::Other) + 1;

/// The name of MachineForms.def.
StringRef toString(MachineForm F);
/// The kind of work that it is.
SchedClass schedClassOf(MachineForm F);

/// Matrix instructions of a warp are counted by so many products: how large one
/// is, each generation decides.
constexpr double MatrixUnitMACs = 256;

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_MACHINEFORMS_H
