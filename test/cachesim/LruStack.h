//===- LruStack.h - Distances between touches of the same thing -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_CACHESIM_LRUSTACK_H
#define PTXPREDICT_TEST_CACHESIM_LRUSTACK_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace ptxpredict::cachesim {

/// The stack of R. L. Mattson, J. Gecsei, D. R. Slutz and I. L. Traiger,
/// "Evaluation techniques for storage hierarchies", IBM Systems Journal 9(2),
/// 1970: a fully associative cache of n places that evicts what was touched
/// longest ago holds what has fewer than n others touched after it. So one pass
/// answers for all sizes. A Fenwick tree over time has a mark at the last touch
/// of everything that was touched; O(log n) a touch, n being how many there
/// are.
class LruStack {
public:
  /// Touches \p Block: how many others were touched since its last touch;
  /// nothing if it is the first one.
  std::optional<uint64_t> touch(uint64_t Block);
  /// Forgets all touches.
  void clear();
  /// Different blocks touched since the last clear().
  uint64_t size() const { return LastTouch.size(); }

private:
  void mark(uint64_t Time, int Change);
  uint64_t marksBefore(uint64_t Time) const;
  void renumber();

  llvm::DenseMap<uint64_t, uint64_t> LastTouch; ///< times, from 0 on
  std::vector<uint32_t> Tree; ///< of Fenwick, with as many places as times
  uint64_t Now = 0;
};

} // namespace ptxpredict::cachesim

#endif // PTXPREDICT_TEST_CACHESIM_LRUSTACK_H
