//===- Golden.h - Rows of golden files --------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_MODEL_GOLDEN_H
#define PTXPREDICT_TEST_UNIT_MODEL_GOLDEN_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace ptxpredict {

using GoldenRow = std::map<std::string, std::string>;

/// The fields of a line; a comma between quotes parts none.
inline SmallVector<std::string, 32> goldenFields(StringRef Line) {
  SmallVector<std::string, 32> Fields(1);
  bool Quoted = false;
  for (char C : Line)
    if (C == '"')
      Quoted = !Quoted;
    else if (C == ',' && !Quoted)
      Fields.emplace_back();
    else
      Fields.back() += C;
  return Fields;
}

/// The rows of a golden file by column name.
inline std::vector<GoldenRow> goldenRows(StringRef Name) {
  auto Buffer = llvm::MemoryBuffer::getFile(
      Twine(PTXPREDICT_TEST_INPUTS "/golden/") + Name, /*IsText=*/true);
  std::vector<GoldenRow> Rows;
  if (!Buffer) {
    ADD_FAILURE() << Name.str() << ": " << Buffer.getError().message();
    return Rows;
  }
  SmallVector<StringRef, 64> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  auto Header = goldenFields(Lines.front().trim());
  for (StringRef Line : ArrayRef(Lines).drop_front()) {
    auto Fields = goldenFields(Line.trim());
    EXPECT_EQ(Fields.size(), Header.size()) << Name.str() << ": " << Line.str();
    GoldenRow &R = Rows.emplace_back();
    for (size_t I = 0; I != std::min(Fields.size(), Header.size()); ++I)
      R[Header[I]] = Fields[I];
  }
  return Rows;
}

inline const std::string &goldenText(const GoldenRow &R,
                                     const std::string &Column) {
  static const std::string None;
  auto It = R.find(Column);
  if (It == R.end()) {
    ADD_FAILURE() << "no column " << Column;
    return None;
  }
  return It->second;
}

inline double goldenNumber(const GoldenRow &R, const std::string &Column) {
  double V = NAN;
  StringRef Text = goldenText(R, Column);
  if (Text.getAsDouble(V))
    ADD_FAILURE() << Column << ": " << Text.str();
  return V;
}

/// Equal but for \p Relative of the larger, or for rounding about zero.
inline void expectGolden(double Got, double Want, const Twine &What,
                         double Relative = 1e-6) {
  EXPECT_NEAR(
      Got, Want,
      std::max(1e-12, Relative * std::max(std::abs(Got), std::abs(Want))))
      << What.str();
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_MODEL_GOLDEN_H
