//===- PtxasInfo.h - Exact resources from a log of ptxas -v -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_TOOLCHAIN_PTXASINFO_H
#define PTXPREDICT_DRIVER_TOOLCHAIN_PTXASINFO_H

#include "ptxpredict/Support/Diagnostics.h"
#include <optional>

namespace ptxpredict {

/// What `ptxas -v` prints of one kernel for one architecture.
struct PtxasFunctionInfo {
  std::string Name;               ///< mangled
  std::string Target;             ///< "sm_90a"; empty in logs that do not say
  unsigned ComputeCapability = 0; ///< 90; 0 without a target
  unsigned Registers = 0;         ///< per thread
  unsigned Barriers = 0;          ///< 0 in logs that do not say
  uint64_t SharedBytes = 0;       ///< static
  std::optional<uint64_t> StackBytes;                      ///< per thread
  std::optional<uint64_t> SpillStoreBytes, SpillLoadBytes; ///< per thread
  std::optional<uint64_t> CodeBytes; ///< not in the log, but in the cubin
};

/// Everything a log says, in its order. Lines of other kinds are skipped, so
/// the output of a whole build will do.
struct PtxasInfo {
  std::vector<PtxasFunctionInfo> Functions;

  /// The kernel's record for \p Target; without one that for its compute
  /// capability, else for another; null if the log does not have the kernel.
  const PtxasFunctionInfo *find(StringRef Name, StringRef Target) const;
  /// The kernel's record for a compute capability; null without one.
  const PtxasFunctionInfo *find(StringRef Name,
                                unsigned ComputeCapability) const;
};

/// Reads the engine's buffer. True on error (reported): a log without any
/// kernel's registers is one.
bool parsePtxasInfo(DiagnosticEngine &Diags, PtxasInfo &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_TOOLCHAIN_PTXASINFO_H
