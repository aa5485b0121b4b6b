//===- CycleRatio.cpp - The maximum cycle ratio of a graph ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CycleRatio.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// The strongly connected component of each node, by R. Tarjan's algorithm
/// (Depth-first search and linear graph algorithms, 1972).
static std::vector<unsigned> findComponents(unsigned NumNodes,
                                            ArrayRef<RatioEdge> Edges) {
  std::vector<unsigned> Start(NumNodes + 1), From(Edges.size());
  for (const RatioEdge &E : Edges)
    ++Start[E.To + 1];
  for (unsigned N = 0; N != NumNodes; ++N)
    Start[N + 1] += Start[N];
  std::vector<unsigned> Next(Start.begin(), Start.end() - 1);
  for (const RatioEdge &E : Edges)
    From[Next[E.To]++] = E.From;
  Next.assign(Start.begin(), Start.end() - 1);

  constexpr unsigned Unseen = 0, Done = ~0u;
  unsigned Time = 0, NumComponents = 0;
  std::vector<unsigned> Least(NumNodes, Unseen), Seen(NumNodes, Unseen),
      Component(NumNodes), Way, Open;
  for (unsigned Root = 0; Root != NumNodes; ++Root) {
    if (Seen[Root] != Unseen)
      continue;
    Way.push_back(Root);
    while (!Way.empty()) {
      unsigned N = Way.back();
      if (Seen[N] == Unseen) {
        Seen[N] = Least[N] = ++Time;
        Open.push_back(N);
      }
      if (Next[N] != Start[N + 1]) {
        unsigned P = From[Next[N]++];
        if (Seen[P] == Unseen)
          Way.push_back(P);
        else
          Least[N] = std::min(Least[N], Seen[P]);
        continue;
      }
      Way.pop_back();
      if (!Way.empty())
        Least[Way.back()] = std::min(Least[Way.back()], Least[N]);
      if (Least[N] != Seen[N])
        continue;
      for (unsigned M = Done; M != N; Open.pop_back()) {
        M = Open.back();
        Component[M] = NumComponents;
        Seen[M] = Done; // no more part of any other one
      }
      ++NumComponents;
    }
  }
  return Component;
}

namespace {

/// The policy of a node is one of its incoming edges. Followed backwards, it
/// ends in a cycle, which gives the node its ratio, and its value: how long the
/// way from that cycle is, less what the ratio allows for it.
class PolicyIteration {
public:
  PolicyIteration(unsigned NumNodes, ArrayRef<RatioEdge> Edges);
  RatioCycle run();

private:
  static constexpr unsigned None = ~0u;
  RatioCycle cycleAt(unsigned Node) const;
  void evaluate();
  void follow(unsigned Node);
  bool improveRatios();
  bool improveValues();

  unsigned NumNodes;
  std::vector<RatioEdge> Edges;   ///< those on cycles
  std::vector<unsigned> Policy;   ///< by node: index of an edge, or None
  std::vector<double> Ratio;      ///< by node
  std::vector<double> Value;      ///< by node
  std::vector<unsigned> SeenFrom; ///< by node, while policies are followed
  std::vector<unsigned> Way;
};

PolicyIteration::PolicyIteration(unsigned NumNodes, ArrayRef<RatioEdge> All)
    : NumNodes(NumNodes), Policy(NumNodes, None), Ratio(NumNodes),
      Value(NumNodes), SeenFrom(NumNodes) {
  std::vector<unsigned> Component = findComponents(NumNodes, All);
  for (const RatioEdge &E : All)
    if (Component[E.From] == Component[E.To])
      Edges.push_back(E);
  for (unsigned K = 0; K != Edges.size(); ++K) {
    unsigned &P = Policy[Edges[K].To];
    if (P == None || Edges[K].Cycles > Edges[P].Cycles)
      P = K;
  }
}

/// The cycle of policies that \p Node is on.
RatioCycle PolicyIteration::cycleAt(unsigned Node) const {
  RatioCycle C;
  unsigned N = Node;
  do {
    const RatioEdge &E = Edges[Policy[N]];
    C.Cycles += E.Cycles;
    C.Iterations += E.Iterations;
    C.Nodes.push_back(N);
    N = E.From;
  } while (N != Node);
  std::reverse(C.Nodes.begin(), C.Nodes.end());
  return C;
}

/// Gives \p Node, and what its policy leads to, ratios and values.
void PolicyIteration::follow(unsigned Node) {
  unsigned Mark = Node + 1, N = Node;
  for (Way.clear(); SeenFrom[N] == 0; N = Edges[Policy[N]].From) {
    SeenFrom[N] = Mark;
    Way.push_back(N);
  }
  if (SeenFrom[N] == Mark) { // a new cycle, whose value is that of before at N
    Ratio[N] = cycleAt(N).ratio();
    for (auto It = std::find(Way.begin(), Way.end(), N) + 1; It != Way.end();
         ++It)
      Ratio[*It] = Ratio[N];
  }
  for (unsigned To : llvm::reverse(Way)) {
    const RatioEdge &E = Edges[Policy[To]];
    if (To == N)
      continue;
    Ratio[To] = Ratio[E.From];
    Value[To] = Value[E.From] + E.Cycles - Ratio[To] * E.Iterations;
  }
}

void PolicyIteration::evaluate() {
  std::fill(SeenFrom.begin(), SeenFrom.end(), 0);
  for (unsigned N = 0; N != NumNodes; ++N)
    if (Policy[N] != None && SeenFrom[N] == 0)
      follow(N);
}

static bool isGreater(double A, double B) {
  return A > B + 1e-9 * std::max({1.0, std::fabs(A), std::fabs(B)});
}

/// Lets nodes follow edges from nodes with greater ratios; false if there are
/// none.
bool PolicyIteration::improveRatios() {
  bool Any = false;
  for (unsigned K = 0; K != Edges.size(); ++K) {
    unsigned &P = Policy[Edges[K].To];
    double Now = std::max(Ratio[Edges[K].To], Ratio[Edges[P].From]);
    if (isGreater(Ratio[Edges[K].From], Now)) {
      P = K;
      Any = true;
    }
  }
  return Any;
}

/// The same for longer ways at equal ratios.
bool PolicyIteration::improveValues() {
  bool Any = false;
  std::vector<double> Longest = Value;
  for (unsigned K = 0; K != Edges.size(); ++K) {
    const RatioEdge &E = Edges[K];
    if (isGreater(Ratio[E.To], Ratio[E.From]))
      continue;
    double Length = Value[E.From] + E.Cycles - Ratio[E.To] * E.Iterations;
    if (isGreater(Length, Longest[E.To])) {
      Longest[E.To] = Length;
      Policy[E.To] = K;
      Any = true;
    }
  }
  return Any;
}

RatioCycle PolicyIteration::run() {
  if (Edges.empty())
    return {};
  evaluate();
  for (unsigned Step = 0; Step != MaxRatioSteps; ++Step) {
    if (!improveRatios() && !improveValues())
      break;
    evaluate();
  }
  unsigned Best = Edges.front().To;
  for (unsigned N = 0; N != NumNodes; ++N)
    if (Policy[N] != None && Ratio[N] > Ratio[Best])
      Best = N;
  // Backwards until a node comes again.
  std::fill(SeenFrom.begin(), SeenFrom.end(), 0);
  for (; SeenFrom[Best] == 0; Best = Edges[Policy[Best]].From)
    SeenFrom[Best] = 1;
  return cycleAt(Best);
}

} // namespace

RatioCycle ptxpredict::maxCycleRatio(unsigned NumNodes,
                                     ArrayRef<RatioEdge> Edges) {
  return PolicyIteration(NumNodes, Edges).run();
}
