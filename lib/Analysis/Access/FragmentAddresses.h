//===- FragmentAddresses.h - Where wmma.load and wmma.store go --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_FRAGMENTADDRESSES_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_FRAGMENTADDRESSES_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/MemoryAccess/FragmentLayout.h"

namespace ptxpredict {

/// The matrix that a wmma.load or wmma.store moves; none for another
/// instruction.
std::optional<FragmentLayout> findFragment(const Instruction &I);

/// The lanes' addresses in each of the instruction's requests, in 64 bits:
/// \p Base and the place of the lane's element. Null where one is not modelled.
SmallVector<const Expression *, 16> fragmentAddresses(const SymbolicValues &V,
                                                      const Instruction &I,
                                                      const FragmentLayout &F,
                                                      const Expression *Base);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_FRAGMENTADDRESSES_H
