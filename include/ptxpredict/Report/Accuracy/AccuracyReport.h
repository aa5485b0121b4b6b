//===- AccuracyReport.h - Views of a validation -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_ACCURACY_ACCURACYREPORT_H
#define PTXPREDICT_REPORT_ACCURACY_ACCURACYREPORT_H

#include "ptxpredict/Validation/Accuracy.h"

namespace ptxpredict {

struct AccuracyViewOptions {
  bool Quiet = false;   ///< one line a dataset and model
  bool Verbose = false; ///< each kernel on each device; every term
  bool Sets = false;    ///< each configuration set
  /// The most rows of each model that are listed as its worst.
  size_t Worst = 0;
};

/// Tables of every dataset and of all of them together.
void printAccuracyText(const ValidationReport &R,
                       const AccuracyViewOptions &Options, raw_ostream &OS);

/// A heading and a row for every point and model: what was measured and
/// predicted. With Verbose each term of the models is a column.
void printAccuracyCSV(const ValidationReport &R,
                      const AccuracyViewOptions &Options,
                      ArrayRef<StringRef> Terms, raw_ostream &OS);

/// "schema" and "version" of the JSON that \ref printAccuracyJSON writes. The
/// version rises when a key is renamed or taken away.
constexpr StringRef ValidationSchemaName = "ptx-predict/validation";
constexpr unsigned ValidationSchemaVersion = 1;

/// One JSON object (docs/schemas/validation.schema.json).
void printAccuracyJSON(const ValidationReport &R,
                       const AccuracyViewOptions &Options, raw_ostream &OS);

/// The tables as Markdown, a section a dataset.
void printAccuracyMarkdown(const ValidationReport &R,
                           const AccuracyViewOptions &Options, raw_ostream &OS);

/// One page that needs nothing else: predicted against measured times of each
/// dataset and model, and the tables.
void printAccuracyHTML(const ValidationReport &R,
                       const AccuracyViewOptions &Options, raw_ostream &OS);

// Texts that views share.
/// "12.3 %" of a fraction; empty if it is not finite.
std::string errorText(double Fraction);
/// Two decimals; empty if it is not finite.
std::string ratioText(double Ratio);
/// How many rows are there, and how many are not, and why.
std::string rowsText(const ValidatedDataset &D);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_ACCURACY_ACCURACYREPORT_H
