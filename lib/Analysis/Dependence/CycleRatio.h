//===- CycleRatio.h - The maximum cycle ratio of a graph --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_CYCLERATIO_H
#define PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_CYCLERATIO_H

#include "ptxpredict/Support/LLVM.h"
#include <vector>

namespace ptxpredict {

/// A node needs what \p From brought so many iterations ago.
struct RatioEdge {
  double Cycles = 0;
  unsigned From = 0;
  unsigned Iterations = 0;
};

/// The edges that lead to a node: a range of indices.
struct IncomingEdges {
  unsigned First = 0, End = 0;
};

/// A cycle and its cycles per iteration. Without any cycle there are no nodes.
struct RatioCycle {
  double Cycles = 0;
  unsigned Iterations = 0;
  std::vector<unsigned> Nodes; ///< in the order of the edges
  double ratio() const { return Iterations ? Cycles / Iterations : 0; }
};

/// Steps of the search, each linear in the edges. Few are needed; should they
/// not be enough, the cycle found is not the longest one.
constexpr unsigned MaxRatioSteps = 200;

/// Finds the cycle with the most cycles per iteration, by Howard's policy
/// iteration (Cochet-Terrasson et al., Numerical computation of spectral
/// elements in max-plus algebra, IFAC 1998; as A. Dasdan compares it,
/// Experimental analysis of the fastest optimum cycle ratio and mean
/// algorithms, TODAES 2004). Keeps its memory from one graph to the next.
///
/// The policy of a node is one of its incoming edges. Followed backwards, it
/// ends in a cycle, which gives the node its ratio, and its value: how long the
/// way from that cycle is, less what the ratio allows for it.
class CycleRatio {
public:
  /// Among the cycles that lead to one of \p Ends. Each must have an edge with
  /// Iterations > 0.
  RatioCycle findLongest(ArrayRef<IncomingEdges> Incoming,
                         ArrayRef<RatioEdge> Edges, ArrayRef<unsigned> Ends);

private:
  static constexpr unsigned None = ~0u;
  struct Node {
    double Ratio = 0, Value = 0;
    unsigned Policy = None; ///< index of an edge
    unsigned Mark = 0;      ///< while policies are followed
    unsigned Component = None;
  };
  void findComponents(unsigned End);
  void finishComponent(unsigned Root);
  RatioCycle cycleAt(unsigned N) const;
  void evaluate();
  void follow(unsigned N);
  bool improveRatios();
  bool improveValues();
  template <typename FnT>
  void forEachEdge(FnT Fn);

  ArrayRef<IncomingEdges> Incoming;
  ArrayRef<RatioEdge> Edges;
  std::vector<Node> Nodes;
  std::vector<unsigned> Cyclic; ///< nodes that are on cycles
  std::vector<unsigned> Way;
  std::vector<double> Longest; ///< by node
  // Of the search for components, by node.
  struct Visit {
    unsigned Time = 0, Least = 0, NextEdge = 0;
  };
  std::vector<Visit> Visits;
  std::vector<unsigned> Open;
  unsigned Time = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_CYCLERATIO_H
