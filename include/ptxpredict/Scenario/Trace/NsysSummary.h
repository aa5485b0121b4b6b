//===- NsysSummary.h - Kernels by launch shape, in the mean -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Reads what `nsys stats --report cuda_gpu_kern_gb_sum --format csv` prints:
// the rows of NVIDIA Nsight Systems' report "CUDA GPU Kernel/Grid/Block
// Summary", one for each kernel, grid and block, with their mean time:
// Time (%), Total Time (ns), Instances, Avg (ns), Med (ns), Min (ns), Max (ns),
// StdDev (ns), GridXYZ, BlockXYZ, Name. It names no device and no shared
// memory.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_TRACE_NSYSSUMMARY_H
#define PTXPREDICT_SCENARIO_TRACE_NSYSSUMMARY_H

#include "ptxpredict/Support/Diagnostics.h"
#include <array>

namespace ptxpredict {

/// A kernel at one launch shape.
struct SummaryKernel {
  std::string Name;
  uint64_t Launches = 0; ///< at least 1
  double MeanNs = 0;     ///< of a launch, above 0
  std::array<uint32_t, 3> Grid{}, Block{};
  SMLoc Place; ///< of its name in the file
};

/// What a line of \p Text heads: such a report, and whether it says launches;
/// the report "CUDA GPU Kernel Summary" does not.
enum class SummaryForm : uint8_t { None, Kernels, KernelsAtShapes };
SummaryForm summaryFormOf(StringRef Text);

/// Reads the engine's buffer, in time linear in its size. True on error (all
/// reported): no heading, one without GridXYZ and BlockXYZ, a column twice or
/// missing, an unknown unit, rows of other lengths, cells that are no number.
bool readNsysSummary(DiagnosticEngine &Diags,
                     std::vector<SummaryKernel> &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_TRACE_NSYSSUMMARY_H
