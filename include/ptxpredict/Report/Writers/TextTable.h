//===- TextTable.h - Aligned columns and short numbers ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_TEXTTABLE_H
#define PTXPREDICT_REPORT_WRITERS_TEXTTABLE_H

#include "ptxpredict/Support/Estimate.h"
#include "ptxpredict/Support/Text.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// Rows of texts, printed in columns as wide as their widest cell.
class TextTable {
public:
  enum class Align { Left, Right };

  explicit TextTable(std::vector<Align> Columns)
      : Columns(std::move(Columns)) {}
  void addRow(std::vector<std::string> Cells);
  /// The first row is the heading, which may be empty. Columns that are empty
  /// in every other row are left out. Each line starts with \p Indent spaces
  /// and ends without any.
  void print(raw_ostream &OS, unsigned Indent = 2) const;

private:
  std::vector<Align> Columns;
  std::vector<std::vector<std::string>> Rows;
};

/// The width of a report in columns.
constexpr unsigned ReportColumns = 100;

/// What stands behind a number of that status: "", "~", "?" or "!".
StringRef statusMark(Status S);
/// \ref shortNumber and \ref statusMark.
std::string shortEstimate(const Estimate &E);
/// A bar of '#', for a share of 1, or of more, of BarColumns.
std::string shareBar(double Share);
constexpr unsigned BarColumns = 20;
/// \p Text if it has at most \p Width columns, else cut in its middle.
std::string fit(StringRef Text, unsigned Width);
/// \p Text on lines of \p Columns, broken at spaces; the first line is already
/// \p Used columns long, the others start with \p Indent spaces.
void printWrapped(raw_ostream &OS, StringRef Text, unsigned Used,
                  unsigned Indent, unsigned Columns = ReportColumns);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_WRITERS_TEXTTABLE_H
