//===- Lower.h - PTX syntax tree to instruction graphs ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_PTX_LOWER_H
#define PTXPREDICT_FRONTEND_PTX_LOWER_H

#include "ptxpredict/Frontend/PTX/AST.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Support/Diagnostics.h"
#include <memory>

namespace ptxpredict::ptx {

/// The graphs of all functions of \p Tree that have a body, in the order of the
/// text, and the variables of the module. \p Tree must have been parsed without
/// errors. The module refers to the engine's buffer, but not to the tree.
///
/// What a reader of the graph should know:
/// - A `p|q` pair is a Vector of two, `{a, b}|p` a Vector of a Vector and `p`.
/// - A name with an offset outside of brackets (`mov.u64 d, a+8`, `a[2]`) is an
///   Address with the role Read.
/// - `.param` variables of a body, which carry a call's arguments, are Symbols.
/// - `brx.idx` has the List of its targets in place of their label; so have
///   calls through `.calltargets`. A `.callprototype` is a Symbol.
/// - A register of a vector type is one register for each of its elements.
///
/// Null after an error, which is reported.
std::unique_ptr<Module> lower(const AST &Tree, DiagnosticEngine &Diags);

/// The same, but bodies are lowered when a HeldBodies asks for them, and
/// dropped after it. \p Tree and \p Diags must live as long as the module.
std::unique_ptr<Module> lowerLazily(const AST &Tree, DiagnosticEngine &Diags);

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_FRONTEND_PTX_LOWER_H
