//===- PathCache.h - Critical paths that were found before ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_PATHCACHE_H
#define PTXPREDICT_MODEL_PATHCACHE_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include <array>
#include <map>
#include <mutex>
#include <tuple>

namespace ptxpredict {

/// Lengths of the critical paths of one kernel, and of variants of it with the
/// same dependences: to find one costs more than the rest of a model. Any
/// number of threads may ask.
class PathCache {
public:
  /// Core cycles by \p T of what the machine issues, or of the code as it is.
  double cycles(const DependenceCharacteristics &D, bool AsMachine,
                const LatencyTable &T);

private:
  struct Key {
    bool AsMachine;
    double Issue;
    std::array<double, NumSchedClasses> Cycles;

    bool operator<(const Key &O) const {
      return std::tie(AsMachine, Issue, Cycles) <
             std::tie(O.AsMachine, O.Issue, O.Cycles);
    }
  };
  std::mutex Mutex;
  std::map<Key, double> Known;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_PATHCACHE_H
