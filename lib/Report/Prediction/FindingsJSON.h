//===- FindingsJSON.h - Findings in JSON ------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_PREDICTION_FINDINGSJSON_H
#define PTXPREDICT_LIB_REPORT_PREDICTION_FINDINGSJSON_H

#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Support/Finding.h"

namespace ptxpredict {

/// The key "findings" with an object for each.
void writeFindings(JSONWriter &J, ArrayRef<Finding> Findings);

/// The keys of one finding, in its object.
void writeKeys(JSONWriter &J, const Finding &F);
/// The key "gain": shares by device; nothing without any.
void writeGains(JSONWriter &J, const Finding &F);

/// An object with these keys.
void writeOnOneLine(JSONWriter &J, llvm::function_ref<void(JSONWriter &)> Keys);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_PREDICTION_FINDINGSJSON_H
