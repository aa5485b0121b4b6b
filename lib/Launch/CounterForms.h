//===- CounterForms.h - Layouts of files of counters ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LAUNCH_COUNTERFORMS_H
#define PTXPREDICT_LIB_LAUNCH_COUNTERFORMS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace ptxpredict {

/// Which layout a file has (docs/formats/Counters.md).
enum class CounterForm : uint8_t {
  NcuWide, ///< ncu --csv --page raw: a row of units, then a row a launch
  NcuLong, ///< ncu --csv: a row for each metric of a launch
  Nvprof,  ///< nvprof --csv --metrics … --events …: means of all launches
  Plain    ///< a row a launch, without units
};

/// What a column other than one of numbers says.
enum class CounterRole : uint8_t {
  Kernel,
  Device,
  Capability,
  Grid,
  Block,
  Launch,  ///< with Process: which launch a row is of
  Process, ///< of the host
  Metric,
  Unit,
  Value,
  Launches,
  Other ///< nothing of interest
};
constexpr unsigned NumCounterRoles = unsigned(CounterRole::Other) + 1;

/// A column of one of the forms.
struct CounterColumn {
  CounterForm Form;
  StringRef Title;
  CounterRole Is;
  bool IsNeeded;
};

/// By what the heading has, so that a misspelled column is missed in its form.
CounterForm counterFormOf(ArrayRef<StringRef> Heading);
/// The columns that are no counters, of all forms.
ArrayRef<CounterColumn> counterColumns();

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LAUNCH_COUNTERFORMS_H
