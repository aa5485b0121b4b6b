//===- KernelBounds.h - What a kernel says of its launches ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_KERNELBOUNDS_H
#define PTXPREDICT_GRAPH_KERNELBOUNDS_H

#include <array>
#include <cstdint>
#include <optional>

namespace ptxpredict {

/// What a kernel's performance directives say; nothing for one that is absent.
struct KernelBounds {
  using Extent = std::array<uint64_t, 3>;
  std::optional<Extent> MaxThreads;       ///< .maxntid
  std::optional<Extent> RequiredThreads;  ///< .reqntid
  std::optional<Extent> RequiredCluster;  ///< .reqnctapercluster
  std::optional<unsigned> MinBlocksPerSM; ///< .minnctapersm
  std::optional<unsigned> MaxRegisters;   ///< .maxnreg
  std::optional<unsigned> MaxClusterRank; ///< .maxclusterrank
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_KERNELBOUNDS_H
