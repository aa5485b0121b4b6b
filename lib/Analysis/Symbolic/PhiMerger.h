//===- PhiMerger.h - Phis where branches meet -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PHIMERGER_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PHIMERGER_H

#include "PhiVariation.h"

namespace ptxpredict {

/// Which value a phi has, as a tree of decisions.
struct GateTree {
  struct Node {
    const Expression *Condition = nullptr; ///< null: a leaf
    int IfTrue = -1, IfFalse = -1;         ///< nodes
    int Edge = -1; ///< a leaf's number among the predecessors
  };
  std::vector<Node> Nodes; ///< inner nodes behind theirs
  int Root = -1;           ///< -1: cannot be told
};

/// Finds what phis have where branches meet: a choice by the conditions on the
/// way (gated SSA).
class PhiMerger {
public:
  using Ref = const Expression *;
  PhiMerger(PartialValues &V, PhiVariation &Variations);

  /// How control gets to \p Target from where the paths to it part.
  GateTree gates(const Block &Target) const;
  /// How control gets from a loop's header through its body back to it.
  GateTree latchGates(const Block &Header) const;
  /// The phi's value by that tree; null if it cannot be told.
  Ref choose(const GateTree &T, const Instruction &Phi) const;
  /// Gives \p Phi its value.
  void merge(const Instruction &Phi, const GateTree &T);

private:
  GateTree walk(const Block &Root, const Block &Target, bool FromLatches) const;

  PartialValues &Values;
  const ControlFlow &CF;
  PhiVariation &Variation;
  std::vector<unsigned> Position; ///< in reverse post-order, by block
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PHIMERGER_H
