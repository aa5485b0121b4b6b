//===- PhiPlacement.h - Where definitions meet ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_PHIPLACEMENT_H
#define PTXPREDICT_GRAPH_PHIPLACEMENT_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict {

/// The blocks where the definitions of one variable (a register, a place in
/// memory) meet and it is read afterwards: Sreedhar and Gao, A linear time
/// algorithm for placing phi-nodes (POPL 1995), restricted to where the
/// variable is live. LLVM's template walks all that a definition dominates,
/// which takes quadratic time in long kernels. Here the walk stops where the
/// variable is not live at entry: what is defined before does not reach beyond.
class PhiPlacement {
public:
  using ParentFn = llvm::function_ref<Block *(const Block *)>;

  /// \p ImmediateDominator gives null for the entry.
  PhiPlacement(const InstructionGraph &G, ParentFn ImmediateDominator);

  /// \p Defs write the variable, \p Uses read it before they write it. What it
  /// returns is valid until the next call.
  ArrayRef<Block *> compute(ArrayRef<Block *> Defs, ArrayRef<Block *> Uses);

  /// The blocks that \p B dominates immediately, by number.
  ArrayRef<Block *> children(const Block *B) const {
    unsigned From = FirstChild[B->Number];
    return ArrayRef(Children).slice(From, FirstChild[B->Number + 1] - From);
  }

private:
  /// Each is the number of the last variable for which it held.
  struct Mark {
    unsigned Defined = 0, LiveIn = 0, Visited = 0, Placed = 0;
    unsigned Level = 0; ///< in the dominator tree
  };
  Mark &mark(const Block *B) { return Marks[B->Number]; }
  ArrayRef<unsigned> predecessors(unsigned Number) const {
    return ArrayRef(Predecessors)
        .slice(FirstPredecessor[Number],
               FirstPredecessor[Number + 1] - FirstPredecessor[Number]);
  }
  /// Whether the mark is new.
  bool set(unsigned &M) { return std::exchange(M, Round) != Round; }

  ArrayRef<Block *> Blocks;
  std::vector<Block *> Children;
  std::vector<unsigned> FirstChild; ///< in Children, by block
  std::vector<unsigned> Predecessors, FirstPredecessor; ///< by block
  std::vector<Mark> Marks;
  unsigned Round = 0;
  SmallVector<Block *, 16> Work, Places;
  SmallVector<unsigned, 16> LiveWork;
  /// Blocks by level and number, a heap: the deepest one first.
  SmallVector<std::pair<unsigned, unsigned>, 16> Roots;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_PHIPLACEMENT_H
