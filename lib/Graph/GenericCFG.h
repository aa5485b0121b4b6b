//===- GenericCFG.h - LLVM's generic CFG templates for our graph *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The specialisations that LLVM's generic dominator, cycle and uniformity
// templates ask for. Private to lib/Graph: the templates are an internal
// interface of LLVM and change between its versions.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_GRAPH_GENERICCFG_H
#define PTXPREDICT_LIB_GRAPH_GENERICCFG_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/GenericSSAContext.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/Support/GenericDomTree.h"

namespace ptxpredict {
inline ArrayRef<Block *> successors(const Block *B) { return B->Successors; }
inline ArrayRef<Block *> predecessors(const Block *B) {
  return B->Predecessors;
}
inline size_t succ_size(const Block *B) { return B->Successors.size(); }
inline size_t pred_size(const Block *B) { return B->Predecessors.size(); }
inline auto instrs(const Block &B) {
  return llvm::make_pointee_range(B.Instructions);
}
} // namespace ptxpredict

namespace llvm {
template <>
struct GraphTraits<ptxpredict::Block *> {
  using NodeRef = ptxpredict::Block *;
  using ChildIteratorType = ArrayRef<NodeRef>::iterator;
  static NodeRef getEntryNode(NodeRef B) { return B; }
  static ChildIteratorType child_begin(NodeRef B) {
    return ArrayRef(B->Successors).begin();
  }
  static ChildIteratorType child_end(NodeRef B) {
    return ArrayRef(B->Successors).end();
  }
  static unsigned getNumber(NodeRef B) { return B->Number; }
};
template <>
struct GraphTraits<const ptxpredict::Block *>
    : GraphTraits<ptxpredict::Block *> {
  using NodeRef = const ptxpredict::Block *;
  static NodeRef getEntryNode(NodeRef B) { return B; }
  static ChildIteratorType child_begin(NodeRef B) {
    return ArrayRef(B->Successors).begin();
  }
  static ChildIteratorType child_end(NodeRef B) {
    return ArrayRef(B->Successors).end();
  }
  static unsigned getNumber(NodeRef B) { return B->Number; }
};
template <>
struct GraphTraits<Inverse<ptxpredict::Block *>> {
  using NodeRef = ptxpredict::Block *;
  using ChildIteratorType = ArrayRef<NodeRef>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> B) { return B.Graph; }
  static ChildIteratorType child_begin(NodeRef B) {
    return ArrayRef(B->Predecessors).begin();
  }
  static ChildIteratorType child_end(NodeRef B) {
    return ArrayRef(B->Predecessors).end();
  }
  static unsigned getNumber(NodeRef B) { return B->Number; }
};
template <>
struct GraphTraits<ptxpredict::InstructionGraph *>
    : GraphTraits<ptxpredict::Block *> {
  using nodes_iterator = ArrayRef<ptxpredict::Block *>::iterator;
  static NodeRef getEntryNode(ptxpredict::InstructionGraph *G) {
    return G->Blocks.front();
  }
  static nodes_iterator nodes_begin(ptxpredict::InstructionGraph *G) {
    return ArrayRef(G->Blocks).begin();
  }
  static nodes_iterator nodes_end(ptxpredict::InstructionGraph *G) {
    return ArrayRef(G->Blocks).end();
  }
  static unsigned size(ptxpredict::InstructionGraph *G) {
    return unsigned(G->Blocks.size());
  }
  static unsigned getMaxNumber(ptxpredict::InstructionGraph *G) {
    return size(G);
  }
  // Blocks are never renumbered.
  static unsigned getNumberEpoch(ptxpredict::InstructionGraph *) { return 0; }
};
template <>
struct GraphTraits<const ptxpredict::InstructionGraph *>
    : GraphTraits<ptxpredict::InstructionGraph *> {};
template <>
struct GenericSSATraits<ptxpredict::InstructionGraph> {
  using BlockT = ptxpredict::Block;
  using FunctionT = ptxpredict::InstructionGraph;
  using InstructionT = ptxpredict::Instruction;
  using ValueRefT = ptxpredict::Value *;
  using ConstValueRefT = const ptxpredict::Value *;
  using UseT = ptxpredict::Operand;
};
} // namespace llvm

namespace ptxpredict {
using DominatorTree = llvm::DominatorTreeBase<Block, false>;
/// Kept with the body: SSA construction, which adds no block, finds it.
struct Dominators {
  DominatorTree Tree;
  explicit Dominators(const InstructionGraph &G) {
    Tree.recalculate(const_cast<InstructionGraph &>(G));
    Tree.updateDFSNumbers();
  }
};
using PostDominatorTree = llvm::DominatorTreeBase<Block, true>;
using SSAContext = llvm::GenericSSAContext<InstructionGraph>;
} // namespace ptxpredict

#endif // PTXPREDICT_LIB_GRAPH_GENERICCFG_H
