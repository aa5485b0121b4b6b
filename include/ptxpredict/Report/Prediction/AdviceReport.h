//===- AdviceReport.h - Findings as text and JSON ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_PREDICTION_ADVICEREPORT_H
#define PTXPREDICT_REPORT_PREDICTION_ADVICEREPORT_H

#include "ptxpredict/Report/Prediction/Report.h"
#include <functional>
#include <optional>

namespace ptxpredict {

/// "schema" and "version" of the JSON. The version rises when a key is renamed
/// or taken away.
constexpr StringRef AdviceSchemaName = "ptx-predict/advice";
constexpr unsigned AdviceSchemaVersion = 1;

/// The text of a line of \p Input or of a source that it names; nothing if it
/// cannot be read. Any number of threads may ask.
using LineReader = std::function<std::optional<StringRef>(
    StringRef Path, unsigned Line, StringRef Input)>;

/// The findings of each kernel, each with the line that it is about, what would
/// be saved and what to do; or, for Quiet, one line each.
std::unique_ptr<ReportForm> adviceTextForm(Verbosity V, bool Colors,
                                           LineReader Lines);

/// One JSON object, schema "ptx-predict/advice"
/// (docs/schemas/advice.schema.json).
std::unique_ptr<ReportForm> adviceJSONForm();

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_PREDICTION_ADVICEREPORT_H
