//===- Columns.cpp - Rows of CSV as columns -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Columns.h"
#include "ptxpredict/Support/CSVFile.h"
#include "ptxpredict/Support/Text.h"
#include <limits>

using namespace ptxpredict;
using namespace ptxpredict::tool;

Columns::Columns(StringRef CSV) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(CSV, "output"));
  CSVFile File;
  if (File.read(Diags))
    return;
  NumRows = File.size();
  for (size_t N = 0; N != File.columns().size(); ++N) {
    Column &C = All.emplace_back();
    C.Name = File.columns()[N].str();
    for (size_t Row = 0; Row != NumRows && C.IsNumbers; ++Row) {
      const StringRef Cell = File.cell(Row, unsigned(N));
      double V = std::numeric_limits<double>::quiet_NaN();
      C.IsNumbers = Cell.empty() || !Cell.getAsDouble(V);
      C.Numbers.push_back(V);
    }
    // A column of empty cells alone could be either; it has no number.
    if (C.IsNumbers)
      continue;
    C.Numbers.clear();
    for (size_t Row = 0; Row != NumRows; ++Row)
      C.Texts.push_back(File.cell(Row, unsigned(N)).str());
    for (const std::string &Text : C.Texts)
      C.Pointers.push_back(Text.c_str());
  }
}

const double *Columns::numbers(size_t C) const {
  return All[C].IsNumbers ? All[C].Numbers.data() : nullptr;
}

const char *const *Columns::texts(size_t C) const {
  return All[C].IsNumbers ? nullptr : All[C].Pointers.data();
}
