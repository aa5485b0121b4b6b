//===- BlockDependence.h - Parallelism within blocks ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// How far the instructions of a block depend on each other, with one cycle for
// each: the instruction-level parallelism, DEP and MSTR of the throughput model
// (S. Hong, PhD thesis, Georgia Institute of Technology, 2012, 5.3).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DEPENDENCE_BLOCKDEPENDENCE_H
#define PTXPREDICT_ANALYSIS_DEPENDENCE_BLOCKDEPENDENCE_H

#include "ptxpredict/Codegen/LocalArrays.h"

namespace ptxpredict {

/// Of one execution of a block.
struct BlockDependence {
  uint32_t Instructions = 0; ///< that a machine executes
  /// Instructions of the longest chain in which each one needs the one before:
  /// reads what it writes, or stands on the other side of a barrier, fence,
  /// wait or call with an access to memory. Loads and stores need not wait for
  /// each other otherwise, as memory keeps their order.
  uint32_t Height = 0;
  uint32_t LongLoads = 0; ///< see isLongLoad
  /// Groups of long loads: those that issue before the first instruction that
  /// needs what one of them brings. A block's end also ends a group. What
  /// asynchronous copies bring, the next wait for them needs.
  uint32_t LoadGroups = 0;
  /// Values that are written here and read, here or elsewhere.
  uint32_t ReadValues = 0;
  /// Sum over these of the way to the first instruction that reads them, in
  /// instructions: 1 for the next one. Counted in program order; for a value
  /// that is merged with others at the head of a block, to the end of the block
  /// that control comes from and on from there. A loop's back edge is followed
  /// once.
  uint64_t Distance = 0;

  double ilp() const;  ///< instructions a level of the chain
  double mstr() const; ///< long loads a group; 1 without any
  double dep() const;  ///< mean distance; 1 without a value that is read
};

/// By block number. \p InRegisters are no loads of memory.
std::vector<BlockDependence>
findBlockDependence(const InstructionGraph &G,
                    const LocalAccesses &InRegisters = LocalAccesses());

/// The same of many executions of blocks.
class DependenceSums {
public:
  void add(const BlockDependence &B, double Executions);
  double ilp() const; ///< instructions over heights; 1 without any
  double mstr() const;
  double dep() const;

private:
  double Instructions = 0, Heights = 0, Loads = 0, Groups = 0, Values = 0,
         Distances = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DEPENDENCE_BLOCKDEPENDENCE_H
