//===- OneModel.h - The one model that predicts kernels ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_ONEMODEL_H
#define PTXPREDICT_TOOLS_ONEMODEL_H

#include "CommandLine.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"

namespace ptxpredict::tool {

/// The model that \p O names, by default our own. True on error (reported).
inline bool readOneModel(const StringOpt &O, const Model *&Result) {
  const std::string Names[] = {
      O.getNumOccurrences() != 0 ? O.getValue() : BottleneckName.str()};
  DiagnosticEngine Diags;
  std::vector<const Model *> Models;
  if (!findModels(Names, Diags, Models)) {
    printDiagnostics(&Diags);
    return true;
  }
  if (Models.size() != 1)
    return usageError("--model: kernels are predicted by one model") != Done;
  Result = Models.front();
  return false;
}

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_ONEMODEL_H
