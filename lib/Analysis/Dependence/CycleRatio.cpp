//===- CycleRatio.cpp - The maximum cycle ratio of a graph ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CycleRatio.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// Finds the strongly connected components that lead to \p End, by R. Tarjan's
/// algorithm (Depth-first search and linear graph algorithms, 1972).
void CycleRatio::findComponents(unsigned End) {
  Way.assign(1, End);
  while (!Way.empty()) {
    unsigned N = Way.back();
    Visit &V = Visits[N];
    if (V.Time == 0) {
      V.Time = V.Least = ++Time;
      V.NextEdge = Incoming[N].First;
      Open.push_back(N);
    }
    bool IsDeeper = false;
    while (V.NextEdge != Incoming[N].End && !IsDeeper) {
      unsigned From = Edges[V.NextEdge++].From;
      IsDeeper = Visits[From].Time == 0;
      if (IsDeeper)
        Way.push_back(From);
      else if (Nodes[From].Component == None)
        V.Least = std::min(V.Least, Visits[From].Time);
    }
    if (IsDeeper)
      continue;
    Way.pop_back();
    if (!Way.empty())
      Visits[Way.back()].Least = std::min(Visits[Way.back()].Least, V.Least);
    if (V.Least == V.Time)
      finishComponent(N);
  }
}

void CycleRatio::finishComponent(unsigned Root) {
  bool IsAlone = Open.back() == Root;
  for (unsigned N = None; N != Root; Open.pop_back()) {
    N = Open.back();
    Nodes[N].Component = Root;
    bool IsCyclic = !IsAlone;
    for (unsigned K = Incoming[N].First; K != Incoming[N].End; ++K)
      IsCyclic |= Edges[K].From == N;
    if (IsCyclic)
      Cyclic.push_back(N);
  }
}

/// The cycle of policies that \p Start is on.
RatioCycle CycleRatio::cycleAt(unsigned Start) const {
  RatioCycle C;
  unsigned N = Start;
  do {
    const RatioEdge &E = Edges[Nodes[N].Policy];
    C.Cycles += E.Cycles;
    C.Iterations += E.Iterations;
    C.Nodes.push_back(N);
    N = E.From;
  } while (N != Start);
  std::reverse(C.Nodes.begin(), C.Nodes.end());
  return C;
}

/// Gives \p Start, and what its policy leads to, ratios and values.
void CycleRatio::follow(unsigned Start) {
  unsigned N = Start;
  for (Way.clear(); Nodes[N].Mark == 0; N = Edges[Nodes[N].Policy].From) {
    Nodes[N].Mark = Start + 1;
    Way.push_back(N);
  }
  // A new cycle keeps N's value of before.
  unsigned Fixed = None;
  if (Nodes[N].Mark == Start + 1) {
    Fixed = N;
    double Cycles = 0, Iterations = 0;
    do {
      const RatioEdge &E = Edges[Nodes[N].Policy];
      Cycles += E.Cycles;
      Iterations += E.Iterations;
      N = E.From;
    } while (N != Fixed);
    Nodes[N].Ratio = Cycles / Iterations;
  }
  for (unsigned To : llvm::reverse(Way)) {
    if (To == Fixed)
      continue;
    const RatioEdge &E = Edges[Nodes[To].Policy];
    Nodes[To].Ratio = Nodes[E.From].Ratio;
    Nodes[To].Value =
        Nodes[E.From].Value + E.Cycles - Nodes[To].Ratio * E.Iterations;
  }
}

void CycleRatio::evaluate() {
  for (unsigned N : Cyclic)
    Nodes[N].Mark = 0;
  for (unsigned N : Cyclic)
    if (Nodes[N].Mark == 0)
      follow(N);
}

/// Calls \p Fn with every edge on a cycle: its index, target and source.
template <typename FnT>
void CycleRatio::forEachEdge(FnT Fn) {
  for (unsigned N : Cyclic)
    for (unsigned K = Incoming[N].First; K != Incoming[N].End; ++K)
      if (const Node &From = Nodes[Edges[K].From];
          From.Component == Nodes[N].Component)
        Fn(K, N, From);
}

static bool isGreater(double A, double B) {
  return A > B && A > B + 1e-9 * std::max({1.0, std::fabs(A), std::fabs(B)});
}

/// Lets nodes follow edges from nodes with greater ratios; false if there are
/// none.
bool CycleRatio::improveRatios() {
  bool Any = false;
  forEachEdge([&](unsigned K, unsigned N, const Node &From) {
    Node &To = Nodes[N];
    double Now = std::max(To.Ratio, Nodes[Edges[To.Policy].From].Ratio);
    if (isGreater(From.Ratio, Now)) {
      To.Policy = K;
      Any = true;
    }
  });
  return Any;
}

/// The same for longer ways at equal ratios.
bool CycleRatio::improveValues() {
  bool Any = false;
  for (unsigned N : Cyclic)
    Longest[N] = Nodes[N].Value;
  forEachEdge([&](unsigned K, unsigned N, const Node &From) {
    Node &To = Nodes[N];
    if (isGreater(To.Ratio, From.Ratio))
      return;
    double Length =
        From.Value + Edges[K].Cycles - To.Ratio * Edges[K].Iterations;
    if (isGreater(Length, Longest[N])) {
      Longest[N] = Length;
      To.Policy = K;
      Any = true;
    }
  });
  return Any;
}

RatioCycle CycleRatio::findLongest(ArrayRef<IncomingEdges> AllIncoming,
                                   ArrayRef<RatioEdge> AllEdges,
                                   ArrayRef<unsigned> Ends) {
  Incoming = AllIncoming;
  Edges = AllEdges;
  Nodes.assign(Incoming.size(), {});
  Visits.assign(Incoming.size(), {});
  Longest.resize(Incoming.size());
  Cyclic.clear();
  Time = 0;
  for (unsigned N : Ends)
    if (Visits[N].Time == 0)
      findComponents(N);
  if (Cyclic.empty())
    return {};
  forEachEdge([&](unsigned K, unsigned N, const Node &) {
    unsigned &P = Nodes[N].Policy;
    if (P == None || Edges[K].Cycles > Edges[P].Cycles)
      P = K;
  });
  evaluate();
  for (unsigned Step = 0; Step != MaxRatioSteps; ++Step) {
    if (!improveRatios() && !improveValues())
      break;
    evaluate();
  }
  unsigned Best = *llvm::max_element(Cyclic, [&](unsigned A, unsigned B) {
    return Nodes[A].Ratio < Nodes[B].Ratio;
  });
  // Backwards until a node comes again.
  for (unsigned N : Cyclic)
    Nodes[N].Mark = 0;
  for (; Nodes[Best].Mark == 0; Best = Edges[Nodes[Best].Policy].From)
    Nodes[Best].Mark = 1;
  return cycleAt(Best);
}
