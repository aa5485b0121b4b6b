//===- Dataset.cpp - Measurements and what they mean, as inputs of the fuzzer
//===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An input is a dataset's YAML and, behind a separator, its table.
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Validation/Dataset/Points.h"
#include <cmath>

using namespace ptxpredict;

bool fuzz::runDataset(StringRef Text) {
  SmallVector<StringRef, 3> Parts = splitParts(Text);
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Parts[0], "input.yaml");
  auto TableDiags = makeEngine(Parts.size() > 1 ? Parts[1] : "", "input.csv");
  Dataset D;
  bool Failed = readDataset(*Diags, D);
  check(Failed == Diags->hasErrors(), "a dataset: an error without a message, "
                                      "or a message without an error");
  CSVFile Table;
  bool TableFailed = Table.read(*TableDiags);
  check(TableFailed == TableDiags->hasErrors(),
        "a table: an error without a message, or a message without an error");
  if (!TableFailed)
    for (size_t Row = 0; Row != Table.size(); ++Row)
      for (unsigned Column = 0; Column != Table.columns().size(); ++Column)
        check(Table.place(Row, Column).isValid(), "a cell without a place");
  if (Failed || TableFailed || checkNames(D, Table, *Diags))
    return false;

  DatasetPoints Points;
  if (readPoints(D, Table, {}, *TableDiags, Points)) {
    check(TableDiags->hasErrors(), "an error without a message");
    return false;
  }
  size_t Rows = Points.Points.size() + Points.LeftOut + Points.NoDevice +
                Points.NoKernel + Points.NotAsked + Points.LaunchBound +
                Points.NotDrawn;
  check(Rows == Table.size(), "rows were lost");
  for (const MeasuredPoint &P : Points.Points)
    check(P.Kernel && P.Row < Table.size() && std::isfinite(P.TimeUs),
          "a point that cannot be");
  return true;
}
