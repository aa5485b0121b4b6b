//===- CFG.h - Dominators, cycles and uniformity of a graph -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_CFG_H
#define PTXPREDICT_GRAPH_CFG_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace ptxpredict {

/// A natural or irreducible cycle of blocks, as LLVM's GenericCycleInfo finds
/// them.
struct Cycle {
  Block *Header = nullptr;
  bool Reducible = true;
  unsigned Depth = 1;           ///< 1 for an outermost cycle
  int ParentIndex = -1;         ///< in ControlFlow::cycles(), -1 for none
  std::vector<Block *> Blocks;  ///< those of inner cycles included, by number
  std::vector<Block *> Latches; ///< blocks with an edge back to the header
  std::vector<Block *> ExitingBlocks; ///< blocks with an edge out of the cycle

  bool contains(const Block *B) const; ///< in logarithmic time
  /// Whether the header may leave before an iteration has done its work: what
  /// is behind it is more than copies and jumps. Its last run is none then.
  /// What a jump table ends is an iteration.
  bool testsFirst() const;
};

/// Dominance, post-dominance and cycles of one graph, computed once through
/// LLVM's generic templates. The templates are specialised in CFG.cpp alone.
class ControlFlow {
public:
  explicit ControlFlow(const InstructionGraph &G);
  ~ControlFlow();
  ControlFlow(ControlFlow &&) noexcept;

  bool dominates(const Block *A, const Block *B) const;
  bool postDominates(const Block *A, const Block *B) const;
  const Block *immediateDominator(const Block *B) const;
  /// Null at an exit, and where only the virtual exit post-dominates.
  const Block *immediatePostDominator(const Block *B) const;

  /// Outer cycles before inner ones.
  ArrayRef<Cycle> cycles() const;
  /// Index of the innermost cycle that holds \p B, -1 outside all.
  int innermostCycle(const Block *B) const;
  /// Blocks of the graph in reverse post-order, a cycle's blocks together.
  ArrayRef<Block *> reversePostOrder() const;

private:
  friend class Uniformity;
  struct Impl;
  std::unique_ptr<Impl> State;
};

/// Which values and branches differ between the lanes of a warp, by LLVM's
/// generic uniformity algorithm (Rosemann, Moll, Hack: An abstract
/// interpretation for SPMD divergence on reducible control flow graphs, POPL
/// 2021).
///
/// That algorithm walks from every divergent branch to where its lanes meet. In
/// code whose branches nest hundreds deep that would take quadratic time; there
/// every phi counts as divergent if any branch is.
class Uniformity {
public:
  /// \p IsSource says of an instruction whether its results differ between
  /// lanes even when its operands do not, \p IsUniform, if there is one,
  /// whether they are known not to differ although its operands do.
  Uniformity(const InstructionGraph &G, const ControlFlow &CF,
             llvm::function_ref<bool(const Instruction &)> IsSource,
             llvm::function_ref<bool(const Instruction &)> IsUniform = nullptr);
  ~Uniformity();
  Uniformity(Uniformity &&) noexcept;

  bool isDivergent(const Value *V) const;
  /// The block's terminator may send lanes to different successors.
  bool hasDivergentTerminator(const Block *B) const;

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_CFG_H
