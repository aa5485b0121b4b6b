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

/// Whose paths a kernel has.
enum class PathOf : uint8_t {
  MeanWarp,         ///< DependenceCharacteristics itself
  LongestWarps,     ///< DependenceCharacteristics::Longest
  LongestOfHeaviest ///< HeaviestBlocksCharacteristics::Path
};

/// Which instructions, and in which order.
enum class PathOrder : uint8_t {
  Code,    ///< those of the input
  Machine, ///< those that a machine issues, loads moved up
  Packed   ///< the same where no register is left for that
};

/// Lengths of the critical paths of one kernel, and of variants of it with the
/// same dependences: to find one costs more than the rest of a model. Any
/// number of threads may ask.
class PathCache {
public:
  /// Core cycles by \p T. \p P is that of \p Whose.
  double cycles(PathOf Whose, const WarpPath &P, PathOrder Order,
                const LatencyTable &T);

private:
  struct Key {
    PathOf Whose;
    PathOrder Order;
    double Issue;
    std::array<double, NumSchedClasses> Cycles;

    bool operator<(const Key &O) const {
      return std::tie(Whose, Order, Issue, Cycles) <
             std::tie(O.Whose, O.Order, O.Issue, O.Cycles);
    }
  };
  std::mutex Mutex;
  std::map<Key, double> Known;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_PATHCACHE_H
