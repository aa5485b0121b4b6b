//===- ReadOnlyLoads.h - Loads of what the kernel never writes --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_ACCESS_READONLYLOADS_H
#define PTXPREDICT_ANALYSIS_ACCESS_READONLYLOADS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// A plain load of global memory through a pointer that the kernel is given.
struct ReadOnlyLoad {
  const Instruction *I = nullptr;
  /// The pointer, a Parameter.
  const Symbol *Pointer = nullptr;
  /// A store to global memory comes before it in its block, or is in the
  /// innermost loop around it: an assembler that does not know that they are
  /// different memory keeps their order.
  bool IsBehindStore = false;
};

/// The loads that could be ld.global.nc (PTX ISA, ld.global.nc) and are not, in
/// the kernel and the functions that it calls: no store, atomic or copy goes
/// through the same pointer, and none through one that is not known. Different
/// pointer arguments are different buffers. None where code is called that was
/// not looked into, other than the toolkit's own printing and checking.
///
/// Cost is linear in the code.
std::vector<ReadOnlyLoad> findReadOnlyLoads(const SymbolicValues &V,
                                            const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_ACCESS_READONLYLOADS_H
