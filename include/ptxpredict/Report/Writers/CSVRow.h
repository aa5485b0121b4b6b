//===- CSVRow.h - One row of comma-separated values -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// RFC 4180, but with the line ends of this system. Texts have no line ends, and
// none that a spreadsheet would take for a formula.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_CSVROW_H
#define PTXPREDICT_REPORT_WRITERS_CSVROW_H

#include "ptxpredict/Support/Estimate.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <optional>

namespace ptxpredict {

/// Writes one row, cell by cell.
class CSVRow {
public:
  explicit CSVRow(raw_ostream &OS) : OS(OS) {}
  ~CSVRow() { OS << '\n'; }

  /// What is unprintable is escaped. What begins with "=", "+", "-" or "@" and
  /// is no number has a "'" in front.
  void text(StringRef T) {
    const std::string Shown = printable(T);
    const bool IsFormula =
        !T.empty() && StringRef("=+-@").contains(T[0]) && !parseNumber(T);
    cell((IsFormula ? "'" : "") + Shown);
  }
  /// What is not finite has an empty cell.
  void number(double N) { cell(std::isfinite(N) ? shortestDecimal(N) : ""); }
  void number(std::optional<double> N) { number(N.value_or(NAN)); }
  /// Value, low, high.
  void estimate(const std::optional<Estimate> &E) {
    number(E ? E->Value : NAN);
    number(E ? E->Low : NAN);
    number(E ? E->High : NAN);
  }

private:
  void cell(StringRef T) {
    OS << Comma;
    if (T.find_first_of(",\"") == StringRef::npos) {
      OS << T;
      return;
    }
    OS << '"';
    for (char C : T)
      OS << (C == '"' ? "\"\"" : StringRef(&C, 1));
    OS << '"';
  }

  raw_ostream &OS;
  llvm::ListSeparator Comma{","};
};

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_WRITERS_CSVROW_H
