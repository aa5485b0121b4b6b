//===- BlockParting.h - Conditions that part a block's threads --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_BLOCKPARTING_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_BLOCKPARTING_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict::counting {

/// Whether conditions that something leaves open may be true for some threads
/// of a block and false for others. What is loaded from one address is taken
/// to be the same for all, and so is how often they run a loop that only such
/// conditions leave.
class BlockParting {
public:
  bool mayPart(const Expression *Predicate, const SymbolicValues &V);

private:
  bool differs(const Expression &Symbol, const SymbolicValues &V);
  bool mayLeaveApart(unsigned Cycle, const SymbolicValues &V);

  llvm::DenseMap<std::pair<const SymbolicValues *, unsigned>, bool> LeaveApart;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_BLOCKPARTING_H
