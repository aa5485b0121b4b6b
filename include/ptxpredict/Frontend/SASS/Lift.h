//===- Lift.h - Machine code to instruction graphs --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Machine code is lifted to a graph of PTX instructions, as LLVM IR is lowered
// to one: what is known of PTX, which every analysis is written for, holds of
// it too. An instruction of the machine becomes one or more operations, of
// which one counts and keeps what the machine's says; what is not understood
// becomes an unknown instruction with the machine's mnemonic.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_LIFT_H
#define PTXPREDICT_FRONTEND_SASS_LIFT_H

#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Support/Diagnostics.h"

namespace ptxpredict::sass {

/// The functions of the cubin that \p Diags holds, whose bodies are lifted when
/// they are first needed. Null on error (reported).
std::unique_ptr<Module> lift(DiagnosticEngine &Diags);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_LIFT_H
