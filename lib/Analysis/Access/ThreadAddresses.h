//===- ThreadAddresses.h - Where the threads of a block access --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Whether two threads of a block may access the same bytes. Addresses are taken
// apart into what all threads share and what is each thread's own, and the
// latter is evaluated for all of them, so that every swizzle is exact.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_THREADADDRESSES_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_THREADADDRESSES_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict::counting {

/// The bytes that each thread of a block accesses within an array.
struct ThreadAddresses {
  unsigned Bytes = 0; ///< of a thread
  /// What all threads add to the address, constants aside; one object for equal
  /// ones.
  const Expression *Common = nullptr;
  /// A term that is a multiple of Step, another one for each thread, or null.
  const Expression *Mixed = nullptr;
  uint64_t Step = 0;
  /// The thread's own bytes from there on, without the constant of the address.
  const Expression *Own = nullptr;
  uint64_t Constant = 0;
};

class ThreadAddressFinder {
public:
  /// Of a block that is assumed the largest one of its kind is looked at.
  ThreadAddressFinder(Expressions &E, const LaunchConfig &Launch);

  /// Nothing where an address changes while the kernel runs, or depends on
  /// data: it may be any.
  std::optional<ThreadAddresses> find(const Expression *Address,
                                      const Symbol &Base, unsigned Bytes);
  /// Whether a thread of one may access a byte that another thread of the other
  /// does, both within the same array.
  bool mayMeet(const ThreadAddresses &A, const ThreadAddresses &B);

private:
  using Place = std::pair<int64_t, uint64_t>; ///< an offset, and its thread
  /// What all threads make of an expression.
  struct Offsets {
    std::vector<int64_t> ByThread;
    std::vector<Place> Sorted;
    bool AreEqual = false;
  };

  const Offsets &offsetsOf(const Expression *X);
  bool isInjective(const Expression *X);

  Expressions &E;
  Assignment Any;
  uint64_t Threads;
  /// Unrolled loops access the same places again, a constant further on.
  llvm::DenseMap<const Expression *, std::unique_ptr<const Offsets>> Known;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_THREADADDRESSES_H
