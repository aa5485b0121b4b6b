//===- ClusterQueue.h - Clusters that wait for their start ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_CLUSTERQUEUE_H
#define PTXPREDICT_LIB_EMULATOR_CORE_CLUSTERQUEUE_H

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace ptxpredict::emulator {

/// The clusters of a run, by number in the grid. The first ones are resident:
/// they start by themselves. Those behind them start once others have ended,
/// unless a running cluster takes their places over (clusterlaunchcontrol).
class ClusterQueue {
public:
  /// \p Clusters are ascending.
  ClusterQueue(std::vector<uint64_t> Clusters, uint64_t Resident)
      : Clusters(std::move(Clusters)),
        Rest(size_t(std::min<uint64_t>(Resident, this->Clusters.size()))),
        NumResident(Rest) {}

  size_t size() const { return Clusters.size(); }

  /// The next one that starts, if it comes before \p End.
  std::optional<uint64_t> start(uint64_t End) {
    std::lock_guard<std::mutex> Lock(Mutex);
    size_t &From = Next != NumResident ? Next : Rest;
    if (From == Clusters.size() || Clusters[From] >= End)
      return std::nullopt;
    return Clusters[From++];
  }
  /// The next one that is not resident; it will not start.
  std::optional<uint64_t> takeOver() {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (Rest == Clusters.size())
      return std::nullopt;
    return Clusters[Rest++];
  }

private:
  std::mutex Mutex;
  const std::vector<uint64_t> Clusters;
  size_t Next = 0; ///< of the resident ones
  size_t Rest;     ///< the first of the others that is left
  const size_t NumResident;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_CLUSTERQUEUE_H
