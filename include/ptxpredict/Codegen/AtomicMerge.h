//===- AtomicMerge.h - Atomics that lanes do together -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_ATOMICMERGE_H
#define PTXPREDICT_CODEGEN_ATOMICMERGE_H

#include "ptxpredict/Graph/Instruction.h"

namespace ptxpredict {

/// What NVIDIA's assembler makes of an atomic operation (ptxas 12 for 7.5 to
/// 9.0).
enum class AtomicMerge : uint8_t {
  /// Each lane has its own.
  None,
  /// All lanes have one address, which the code shows: one of them adds what
  /// the warp has to add, or takes its minimum, …
  Warp,
  /// In shared memory 1 is added, and nobody asks for what was there: from 8.0
  /// on the hardware counts the lanes of a word at once.
  Count
};
StringRef toString(AtomicMerge M); ///< "none", "warp", "count"

/// Of \p I, an atomic operation or a reduction on global or shared memory.
AtomicMerge findAtomicMerge(const Instruction &I, AddressSpace Space);

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_ATOMICMERGE_H
