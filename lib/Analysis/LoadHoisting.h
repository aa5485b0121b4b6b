//===- LoadHoisting.h - A block's code in a scheduler's order ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to lib/Analysis.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_LOADHOISTING_H
#define PTXPREDICT_LIB_ANALYSIS_LOADHOISTING_H

#include "FoldedCode.h"

namespace ptxpredict {

/// \p B's operations if it is a short counted loop of one block, copied as an
/// assembler unrolls it: the values of the last copy keep their ids, the others
/// get new ones behind those of \p Width, and what only counts is folded into
/// offsets. Empty for another block.
std::vector<FoldedOp> unrollOnPaper(const FoldedCode::BlockCode &B,
                                    std::vector<uint8_t> &Width);

/// Moves loads, with what computes their addresses, up to 64 places up, as far
/// as dependences allow.
void hoistLoads(std::vector<FoldedOp> &Ops);

/// The contrary: moves loads and pure operations down to their first use in
/// the block where that shortens lives. \p LiveAtEnd is what the block's
/// successors read.
void sinkToUses(std::vector<FoldedOp> &Ops, ArrayRef<unsigned> LiveAtEnd,
                ArrayRef<uint8_t> Width);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_LOADHOISTING_H
