//===- BlockFrequency.h - How often blocks run ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_BLOCKFREQUENCY_H
#define PTXPREDICT_ANALYSIS_BLOCKFREQUENCY_H

#include "ptxpredict/Analysis/TripCounts.h"

namespace ptxpredict {

/// Executions of each block, by number, per warp and entry of the function:
/// loops weighted by their trip counts, branches by their conditions. A block
/// outside loops runs at most once, since lanes that parted meet again.
std::vector<Count> blockFrequencies(const InstructionGraph &G,
                                    const ControlFlow &CF,
                                    const Conditions &Conds,
                                    ArrayRef<LoopTripCount> Loops,
                                    std::vector<Assumption> &Assumptions);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_BLOCKFREQUENCY_H
