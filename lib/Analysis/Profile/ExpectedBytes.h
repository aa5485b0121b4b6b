//===- ExpectedBytes.h - What mbarriers expect of copies --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_EXPECTEDBYTES_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_EXPECTEDBYTES_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict::counting {

/// Bytes of each copy that an mbarrier is told of, in the kernel and in what it
/// calls. The copies behind an `expect_tx` of their mbarrier, or before it
/// where none is before them, are taken to share its bytes equally. A copy of
/// which that cannot be said is left out.
llvm::DenseMap<const Instruction *, uint64_t>
findExpectedBytes(const SymbolicValues &V);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_EXPECTEDBYTES_H
