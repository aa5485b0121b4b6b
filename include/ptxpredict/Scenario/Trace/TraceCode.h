//===- TraceCode.h - Which code a kernel of a profile is --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_TRACE_TRACECODE_H
#define PTXPREDICT_SCENARIO_TRACE_TRACECODE_H

#include "ptxpredict/Support/KernelNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace ptxpredict {

/// A kernel whose code is there.
struct TraceCode {
  std::string Kernel; ///< its name in the file, mangled if it is so there
  std::string File;   ///< as the scenario shall write it
};

/// Finds the code of a kernel by the name that a profiler gives it: mangled,
/// demangled in NVIDIA's spelling, or the function's name alone.
class TraceCodeFinder {
public:
  /// \p Codes must outlive it. The first file that has a kernel goes before
  /// others.
  explicit TraceCodeFinder(ArrayRef<TraceCode> Codes);

  /// Null if none is, or if several may be. \p Near: some have its function's
  /// name.
  const TraceCode *find(StringRef Name, bool &Near) const;

private:
  struct Candidate {
    const TraceCode *Code;
    KernelNames Names;
    std::string Comparable; ///< of Names.Demangled
  };
  llvm::StringMap<std::vector<Candidate>> ByFunction;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_TRACE_TRACECODE_H
