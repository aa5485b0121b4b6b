//===- CSVFile.h - Tables of comma-separated values -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_CSVFILE_H
#define PTXPREDICT_SUPPORT_CSVFILE_H

#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/StringSaver.h"
#include <optional>

namespace ptxpredict {

/// RFC 4180, with or without a byte-order mark, with any line ends: a heading
/// and rows of as many cells. Empty lines are skipped. Cells point into the
/// buffer of the DiagnosticEngine that they were read from.
class CSVFile {
public:
  /// Reads the engine's buffer. True on error (reported): no heading, a column
  /// twice, rows of other lengths, quotes that do not end.
  bool read(DiagnosticEngine &Diags);

  ArrayRef<StringRef> columns() const { return Columns; }
  /// The index of a column; nothing if there is none of that name.
  std::optional<unsigned> column(StringRef Name) const;
  /// Rows without the heading.
  size_t size() const {
    return Columns.empty() ? 0 : Cells.size() / Columns.size();
  }
  StringRef cell(size_t Row, unsigned Column) const {
    return Cells[Row * Columns.size() + Column];
  }
  /// Where a cell stands.
  SMLoc place(size_t Row, unsigned Column) const;

private:
  /// Takes the cell that \p Rest begins with; nothing if its quotes are wrong
  /// (reported).
  std::optional<StringRef> takeCell(StringRef &Rest, DiagnosticEngine &Diags);
  std::optional<StringRef> takeQuotedCell(StringRef &Rest,
                                          DiagnosticEngine &Diags);
  /// Takes a line's cells. False if quotes are wrong (reported).
  bool takeRow(StringRef &Rest, SmallVectorImpl<StringRef> &Row,
               DiagnosticEngine &Diags);
  /// False if a name stands there twice (reported).
  bool setColumns(ArrayRef<StringRef> Names, DiagnosticEngine &Diags);
  SMLoc placeOf(StringRef Cell) const;

  std::vector<StringRef> Columns;
  std::vector<StringRef> Cells; ///< row by row
  llvm::StringMap<unsigned> ByName;
  /// Cells with doubled quotes, and where they stand.
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Unquoted{Allocator};
  llvm::DenseMap<const char *, const char *> Places;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_CSVFILE_H
