//===- Points.h - Rows of a dataset as points -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_DATASET_POINTS_H
#define PTXPREDICT_VALIDATION_DATASET_POINTS_H

#include "ptxpredict/Driver/Pipeline/CodeFile.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/Validation/Dataset/Dataset.h"

namespace ptxpredict {

/// What the cells of a row say, by name.
class RowNames {
public:
  RowNames(const CSVFile &Table, size_t Row) : Table(Table), Row(Row) {}

  /// The cell of a column; of COLUMN.KEY what the cell says of KEY, as in
  /// "A=1;B=2", "-a=1 -b 2" or, for x, y and z, "16x64"; what was defined.
  /// Nothing without one.
  std::optional<StringRef> text(StringRef Name) const;
  /// The same as a number.
  std::optional<double> number(StringRef Name) const;
  /// Gives \p Name a value, which goes before columns.
  void define(StringRef Name, double Value);

private:
  const CSVFile &Table;
  size_t Row;
  std::vector<std::pair<std::string, std::string>> Defined;
};

/// A row that was measured, and how to predict it.
struct MeasuredPoint {
  size_t Row = 0; ///< of the table
  const DatasetKernel *Kernel = nullptr;
  std::string Device; ///< our name
  double TimeUs = 0;
  std::optional<double> CoreMHz, MemMHz, PowerLimitW, PowerW;
  std::array<std::optional<double>, NumMeasuredCounts> Counters;
  std::vector<std::pair<Counter, double>> MoreCounters;
  std::array<std::optional<double>, NumPowerEvents> Events;
  std::string Set;       ///< its cells, joined by ", "; empty without sets
  bool IsDefault = true; ///< fits the dataset's `default`
  std::string Code;      ///< path, relative to the folder of code
  /// The launch file, relative to the dataset's folder; empty without one.
  std::string LaunchFile;
  uint64_t LaunchEntry = 1; ///< which of the kernel's in it, from 1
  LaunchSpec Launch;        ///< what goes before the launch file
  CompiledKernel Compiled;
  double WarpsPerSM = 0; ///< 0: those of the occupancy
  uint64_t Launches = 1; ///< that the measurement is the mean of
};

struct DatasetPoints {
  std::vector<MeasuredPoint> Points; ///< in the order of the file
  // Rows that are not there, by the first reason that holds.
  size_t LeftOut = 0;     ///< by the dataset's `where`
  size_t NoDevice = 0;    ///< of a device that it does not name
  size_t NoKernel = 0;    ///< no entry of `kernels` is for it
  size_t NotAsked = 0;    ///< of a kernel that is not one of the wanted ones
  size_t LaunchBound = 0; ///< shorter than `least_us`
  size_t NotDrawn = 0;    ///< by `sample`
};

/// The points of \p D, whose names \p Table has. With \p Only just the kernels
/// of these names. True on error (reported to \p Diags, the table's).
bool readPoints(const Dataset &D, const CSVFile &Table,
                ArrayRef<std::string> Only, DiagnosticEngine &Diags,
                DatasetPoints &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_DATASET_POINTS_H
