//===- ScenarioImport.h - scenario --from-nsys=TRACE.csv ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_SCENARIOIMPORT_H
#define PTXPREDICT_TOOLS_SCENARIOIMPORT_H

#include "CommandLine.h"

namespace ptxpredict::tool {

/// What a scenario is made of a trace with.
struct ImportRequest {
  StringRef Trace;            ///< path of the CSV
  StringRef SystemName;       ///< empty: the scenario names none
  ArrayRef<std::string> Code; ///< files whose kernels are predicted
  StringRef Output;
};

/// Writes the scenario. The process's exit code.
int importScenario(const ImportRequest &Request);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_SCENARIOIMPORT_H
