//===- AccuracyTables.h - The tables of a validation ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_ACCURACY_ACCURACYTABLES_H
#define PTXPREDICT_LIB_REPORT_ACCURACY_ACCURACYTABLES_H

#include "ptxpredict/Report/Accuracy/AccuracyReport.h"

namespace ptxpredict {

/// Texts in rows; all rows are as long as the heading.
struct AccuracyTable {
  std::string Title;
  size_t NumNames = 1; ///< columns at the left that are no numbers
  std::vector<std::string> Heading;
  std::vector<std::vector<std::string>> Rows;
};

/// Makes the tables that text, Markdown and pages show.
class AccuracyTables {
public:
  AccuracyTables(const ValidationReport &R, const AccuracyViewOptions &Options)
      : R(R), Options(Options), Shown(R) {}

  /// Those of one dataset, or of all together.
  std::vector<AccuracyTable> of(std::optional<unsigned> Dataset) const;
  /// A line a dataset and model.
  AccuracyTable overview() const;
  const ShownModels &shown() const { return Shown; }

private:
  /// Each kernel of a profile, largest disagreement first.
  AccuracyTable profiled(unsigned Dataset) const;
  AccuracyTable models(StringRef Title, const AccuracyGroup &G) const;
  std::string closedText(const ErrorSummary &E, size_t Model) const;
  /// A line a kind and model.
  AccuracyTable kinds(const Accuracy &A) const;
  AccuracyTable ranks(const Accuracy &A) const;
  AccuracyTable counts(const Accuracy &A) const;
  AccuracyTable kernelCounts(const Accuracy &A, size_t Model) const;
  AccuracyTable groups(StringRef Title, ArrayRef<AccuracyGroup> Groups) const;
  /// Without the groups that have no power.
  AccuracyTable powers(StringRef Title, ArrayRef<AccuracyGroup> Groups) const;
  AccuracyTable ablation(const Accuracy &A) const;
  AccuracyTable refit(const RefitResult &F) const;
  AccuracyTable limiters(const Accuracy &A) const;
  AccuracyTable sets(const Accuracy &A) const;
  AccuracyTable worst(const Accuracy &A, size_t Model) const;

  const ValidationReport &R;
  const AccuracyViewOptions &Options;
  ShownModels Shown;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_ACCURACY_ACCURACYTABLES_H
