//===- Records.h - What a child process says of its steps -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The process that uses the GPU may die of what it runs. So another one keeps
// what was measured: lines come to it through a pipe, a kind and fields with
// tabs between.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_RECORDS_H
#define PTXPREDICT_MEASURE_RECORDS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict::measure {

struct Record {
  std::string Kind;
  std::vector<std::string> Fields;

  /// A line without its end; tabs and line ends in fields become spaces.
  std::string line() const;
  static Record parse(StringRef Line);
};

/// Kinds of records.
namespace kinds {
inline constexpr const char *Fact = "fact";     ///< name, value
inline constexpr const char *Result = "result"; ///< name, value, unit, MHz, MHz
inline constexpr const char *Kernel = "kernel"; ///< the columns of KernelRow
inline constexpr const char *Done = "done";     ///< of the step that ran
inline constexpr const char *Skipped = "skipped"; ///< why
inline constexpr const char *Failed = "failed";   ///< why
/// Why; the process can do nothing more.
inline constexpr const char *Fatal = "fatal";
} // namespace kinds

/// A number with as many digits as a measurement has, at most.
std::string measured(double Value);

/// Writes records into a pipe.
class RecordWriter {
public:
  explicit RecordWriter(int Descriptor) : Descriptor(Descriptor) {}
  void write(const Record &R) const;
  void result(StringRef Name, StringRef Unit, double Value, double CoreMHz = 0,
              double MemoryMHz = 0) const;

private:
  int Descriptor;
};

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_RECORDS_H
