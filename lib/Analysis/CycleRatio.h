//===- CycleRatio.h - The maximum cycle ratio of a graph --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_CYCLERATIO_H
#define PTXPREDICT_LIB_ANALYSIS_CYCLERATIO_H

#include "ptxpredict/Support/LLVM.h"
#include <vector>

namespace ptxpredict {

/// \p To needs what \p From brought so many iterations ago.
struct RatioEdge {
  unsigned From = 0, To = 0;
  double Cycles = 0;
  unsigned Iterations = 0;
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

/// The cycle with the most cycles per iteration, by Howard's policy iteration
/// (Cochet-Terrasson et al., Numerical computation of spectral elements in
/// max-plus algebra, IFAC 1998; as Dasdan compares it, Experimental analysis of
/// the fastest optimum cycle ratio and mean algorithms, TODAES 2004). Every
/// cycle must have an edge with Iterations > 0. Fastest where edges with 0
/// iterations lead from lower to higher numbers.
RatioCycle maxCycleRatio(unsigned NumNodes, ArrayRef<RatioEdge> Edges);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_CYCLERATIO_H
