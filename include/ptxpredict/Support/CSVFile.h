//===- CSVFile.h - Tables of comma-separated values -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_CSVFILE_H
#define PTXPREDICT_SUPPORT_CSVFILE_H

#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/StringSaver.h"
#include <optional>

namespace ptxpredict {

/// The rows of a file of comma-separated values (RFC 4180), with any line ends,
/// one after the other. Cells point into the text, or live as long as the
/// reader.
class CSVRows {
public:
  using Row = SmallVector<StringRef, 32>;

  /// \p Text is the buffer of \p Diags or a part of it. A byte-order mark
  /// before it is skipped.
  CSVRows(StringRef Text, DiagnosticEngine &Diags);

  bool atEnd() const { return Rest.empty(); }
  /// What is left, from the beginning of a line.
  StringRef rest() const { return Rest; }
  /// Leaves out the rest of this line.
  void skipLine();
  /// Takes a line's cells; an empty line is one empty cell. False if quotes are
  /// wrong (reported): nothing is known of what follows.
  bool take(Row &Cells);
  /// Where a cell stands.
  SMLoc placeOf(StringRef Cell) const;

private:
  /// Takes the cell that the rest begins with; nothing if its quotes are wrong
  /// (reported).
  std::optional<StringRef> takeCell();
  std::optional<StringRef> takeQuotedCell();

  StringRef Rest;
  DiagnosticEngine *Diags;
  /// Cells with doubled quotes, and where they stand.
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Unquoted{Allocator};
  llvm::DenseMap<const char *, const char *> Places;
};

/// A heading and rows of as many cells. Empty lines are skipped. Cells point
/// into the buffer of the DiagnosticEngine that they were read from.
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
  /// False if a name stands there twice (reported).
  bool setColumns(ArrayRef<StringRef> Names, DiagnosticEngine &Diags);

  std::vector<StringRef> Columns;
  std::vector<StringRef> Cells; ///< row by row
  llvm::StringMap<unsigned> ByName;
  std::optional<CSVRows> Rows; ///< owns some of the cells
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_CSVFILE_H
