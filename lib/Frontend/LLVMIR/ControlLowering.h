//===- ControlLowering.h - Blocks, edges, branches and returns --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_CONTROLLOWERING_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_CONTROLLOWERING_H

#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/IR/Instructions.h"

namespace ptxpredict::llvmir {

class FunctionLowering;

/// Lowers blocks and what leads from one to another: their order, branches,
/// and the copies that phis ask for on edges.
class ControlLowering {
public:
  explicit ControlLowering(FunctionLowering &L);

  void findBlocks();
  Block *block(const llvm::BasicBlock &BB) const { return Blocks.lookup(&BB); }
  void orderBlocks();
  /// The order in which blocks are lowered.
  ArrayRef<const llvm::BasicBlock *> order() const { return Order; }

  /// Leads from the current block to \p To.
  void continueAt(const llvm::BasicBlock &To);
  void lowerBranch(const llvm::BranchInst &I);
  void lowerSwitch(const llvm::SwitchInst &I);
  void lowerReturn(const llvm::ReturnInst &I);

private:
  using Copy = std::pair<Operand, Operand>; ///< to, from
  /// A case's value and where it goes.
  using Case = std::pair<llvm::APInt, const llvm::BasicBlock *>;
  /// The block of an edge's copies, until they are written.
  struct PendingEdge {
    Block *Start;
    const llvm::BasicBlock *To;
    SmallVector<Copy, 4> Copies;
  };
  SmallVector<Copy, 4> edgeCopies(const llvm::BasicBlock &From,
                                  const llvm::BasicBlock &To);
  void copyInParallel(ArrayRef<Copy> Copies);
  void jump(const llvm::BasicBlock &To, bool MayFall);
  Block *edgeBlock(const llvm::BasicBlock &To);
  void finishEdges();
  static bool isDense(ArrayRef<Case> Cases);
  void compareCases(const Operand &V, ArrayRef<Case> Cases,
                    const llvm::BasicBlock &Default);
  Operand jumpTable(ArrayRef<Case> Cases, const llvm::BasicBlock &Default);

  FunctionLowering &F;
  GraphBuilder &B;
  llvm::DenseMap<const llvm::BasicBlock *, Block *> Blocks;
  std::vector<const llvm::BasicBlock *> Order;
  /// What stands behind a block.
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> Next;
  SmallVector<PendingEdge, 2> PendingEdges;
  unsigned NumEdges = 0;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_CONTROLLOWERING_H
