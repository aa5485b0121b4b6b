//===- CSVRow.h - One row of comma-separated values -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// RFC 4180, but with the line ends of this system.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_CSVROW_H
#define PTXPREDICT_REPORT_WRITERS_CSVROW_H

#include "ptxpredict/Support/Estimate.h"
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

  void text(StringRef T) {
    OS << Comma;
    if (T.find_first_of(",\"\r\n") == StringRef::npos) {
      OS << T;
      return;
    }
    OS << '"';
    for (char C : T)
      OS << (C == '"' ? "\"\"" : StringRef(&C, 1));
    OS << '"';
  }
  /// What is not finite has an empty cell.
  void number(double N) { text(std::isfinite(N) ? shortestDecimal(N) : ""); }
  void number(std::optional<double> N) { number(N.value_or(NAN)); }
  /// Value, low, high.
  void estimate(const std::optional<Estimate> &E) {
    number(E ? E->Value : NAN);
    number(E ? E->Low : NAN);
    number(E ? E->High : NAN);
  }

private:
  raw_ostream &OS;
  llvm::ListSeparator Comma{","};
};

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_WRITERS_CSVROW_H
