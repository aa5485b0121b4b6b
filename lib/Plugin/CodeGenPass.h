//===- CodeGenPass.h - Remarks from code generation -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_PLUGIN_CODEGENPASS_H
#define PTXPREDICT_LIB_PLUGIN_CODEGENPASS_H

namespace ptxpredict::plugin {

/// From now on every code generation for NVPTX in this process has a pass right
/// before instructions are selected: it sees the very code that they are
/// selected from, and no pass runs twice.
void registerCodeGenPass();

} // namespace ptxpredict::plugin

#endif // PTXPREDICT_LIB_PLUGIN_CODEGENPASS_H
