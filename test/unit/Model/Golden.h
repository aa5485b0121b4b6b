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

/// The rows of a golden file by column name. No field has a quoted comma before
/// the columns that are read.
inline std::vector<GoldenRow> goldenRows(StringRef Name) {
  auto Buffer = llvm::MemoryBuffer::getFile(
      Twine(PTXPREDICT_TEST_INPUTS "/golden/") + Name, /*IsText=*/true);
  std::vector<GoldenRow> Rows;
  if (!Buffer) {
    ADD_FAILURE() << Name.str() << ": " << Buffer.getError().message();
    return Rows;
  }
  SmallVector<StringRef, 64> Lines, Header;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  Lines.front().split(Header, ',');
  for (StringRef Line : ArrayRef(Lines).drop_front()) {
    SmallVector<StringRef, 32> Fields;
    Line.trim().split(Fields, ',', int(Header.size()) - 1);
    GoldenRow &R = Rows.emplace_back();
    for (size_t I = 0; I != Fields.size(); ++I)
      R[Header[I].trim().str()] = Fields[I].str();
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
