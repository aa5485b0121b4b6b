//===- TensorAccess.h - Where tcgen05 reads and writes ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_TENSORACCESS_H
#define PTXPREDICT_LIB_EMULATOR_CORE_TENSORACCESS_H

#include "MemoryAccess.h"

namespace ptxpredict::emulator {

/// Cells of a block's tensor memory.
struct TensorExtent {
  unsigned FirstLane, NumLanes, FirstColumn, NumColumns;
};

/// Whether the cells are allocated. False if the run ends.
bool checkTensorCells(WarpMachine &W, const Step &S, const BlockMachine &Block,
                      const TensorExtent &E);

/// Reports the use of columns to which a tcgen05.st is under way: in the lanes
/// of one warp, or in any.
void checkTensorStores(WarpMachine &W, const Step &S, const BlockMachine &Block,
                       unsigned FirstColumn, unsigned NumColumns,
                       std::optional<unsigned> Warp = std::nullopt);

/// The same, and whether it is behind the loads and stores of other warps,
/// where a multiplication or a copy reads or writes the columns.
void checkTensorUse(WarpMachine &W, const Step &S, const BlockMachine &Block,
                    std::pair<unsigned, unsigned> Columns, bool Writes);

/// The blocks that an instruction works on: its own, or with .cta_group::2 the
/// pair by rank. The only one is null if there is no pair, with which the run
/// ends.
SmallVector<BlockMachine *, 2> tensorBlocks(WarpMachine &W, const Step &S);

/// An address of shared memory as tcgen05.alloc and its commit take it: of a
/// generic one the low 32 bits, too, as public kernels have it (ThunderKittens
/// gives either where the other one is meant).
inline uint64_t tensorSharedAddress(uint64_t Address) {
  return Address & 0xffffffff;
}

std::string notATensorMatrix(uint64_t Descriptor);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_TENSORACCESS_H
