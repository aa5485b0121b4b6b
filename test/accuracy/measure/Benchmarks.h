//===- Benchmarks.h - What the kernels of ptx/ measure ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_BENCHMARKS_H
#define PTXPREDICT_MEASURE_BENCHMARKS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ptxpredict::measure {

/// What a result is of the cycles of the longest block and the work of one.
enum class BenchmarkRule {
  PerWork,    ///< cycles / work
  PerCycle,   ///< work / cycles
  AllPerWork, ///< cycles / work of all blocks
};

/// A row of Benchmarks.inc, which generate/generate.py writes.
struct Benchmark {
  const char *Group, *Name, *Unit;
  const char *File, *Kernel; ///< of ptx/
  BenchmarkRule Rule;
  double Work;   ///< of a block
  unsigned Grid; ///< 0: a block for each SM
  unsigned Threads, Cluster, DynamicShared, Rounds, A, B;
  unsigned InBytes; ///< of each block
  /// Elements of 16 bits of a box, along a row and rows; 0: no tensor map.
  unsigned BoxInner, BoxOuter;

  /// "sm_90a"
  StringRef target() const;
};

/// In the order of the generator.
llvm::ArrayRef<Benchmark> benchmarks();

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_BENCHMARKS_H
