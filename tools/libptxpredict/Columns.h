//===- Columns.h - Rows of CSV as columns -----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_LIBPTXPREDICT_COLUMNS_H
#define PTXPREDICT_TOOLS_LIBPTXPREDICT_COLUMNS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace ptxpredict::tool {

/// A result in CSV by column.
class Columns {
public:
  /// \p CSV is what the command wrote; what is none has no columns.
  explicit Columns(StringRef CSV);

  size_t numRows() const { return NumRows; }
  size_t size() const { return All.size(); }
  const std::string &name(size_t C) const { return All[C].Name; }
  /// A number a row, NaN where there is none; null for texts.
  const double *numbers(size_t C) const;
  /// A text a row; null for numbers.
  const char *const *texts(size_t C) const;

private:
  struct Column {
    std::string Name;
    bool IsNumbers = true;
    std::vector<double> Numbers;
    std::vector<std::string> Texts;
    std::vector<const char *> Pointers;
  };
  size_t NumRows = 0;
  std::vector<Column> All;
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_LIBPTXPREDICT_COLUMNS_H
