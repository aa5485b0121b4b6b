//===- PlainLayout.h - The parts of a random system, one by one -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What docs/commands/Scenario.md and docs/formats/Systems.md say of places,
// ways and collective operations, as plainly as can be and without the
// project's own: for tests to compare with.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLAINLAYOUT_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLAINLAYOUT_H

#include "RandomScenario.h"
#include <map>
#include <tuple>

namespace ptxpredict {

/// One of a part's equal ones.
struct PlainPlace {
  unsigned Node = 0, Part = 0, Index = 0;
  auto key() const { return std::tie(Node, Part, Index); }
  bool operator==(const PlainPlace &O) const { return key() == O.key(); }
  bool operator!=(const PlainPlace &O) const { return key() != O.key(); }
  bool operator<(const PlainPlace &O) const { return key() < O.key(); }
};

/// One direction of a link, or both of one of half duplex.
struct PlainWay {
  unsigned Node = 0;
  const RandomJoint *Of = nullptr;
  unsigned Number = 0;
  bool IsBack = false;
  bool operator<(const PlainWay &O) const {
    return std::tie(Node, Of, Number, IsBack) <
           std::tie(O.Node, O.Of, O.Number, O.IsBack);
  }
};

/// What a transfer needs.
struct PlainLoad {
  double Startup = 0;
  /// How often its bytes go over each, over the efficiency there.
  std::map<PlainWay, double> Weights;

  bool isFlow() const; ///< some share their bandwidth
  /// What so many bytes take that nothing else disturbs.
  double seconds(double Bytes) const;
};

/// How many startups, one after the other, and how many bytes from each process
/// to the next.
struct PlainCost {
  double Startups = 0, Bytes = 0;
};
PlainCost plainCost(const RandomOperation &Op, double Size, double Bytes);

class PlainLayout {
public:
  explicit PlainLayout(const RandomSystem &S);

  const RandomPart &part(const PlainPlace &P) const {
    return Kinds[P.Node]->Parts[P.Part];
  }
  /// The places of a label in their order.
  std::vector<PlainPlace> places(const std::string &Label) const;
  PlainPlace gpu(unsigned Node, unsigned Number) const;
  unsigned gpuNumber(const PlainPlace &GPU) const;
  unsigned numGPUs(unsigned Node) const {
    return unsigned(parts(Node, ComponentKind::GPU).size());
  }
  PlainPlace cpuOf(const PlainPlace &P) const;

  PlainLoad transfer(const PlainPlace &From, const PlainPlace &To,
                     TransferWay Way, HostMemory Memory) const;
  PlainLoad ring(const std::vector<PlainPlace> &Places) const;
  PlainLoad allToAll(const std::vector<PlainPlace> &Places) const;

private:
  using Route = std::vector<PlainWay>;

  std::vector<PlainPlace> parts(unsigned Node, ComponentKind Kind) const;
  std::vector<std::pair<PlainPlace, PlainWay>>
  neighbors(const PlainPlace &P) const;
  Route search(const PlainPlace &From, const PlainPlace &To) const;
  const Route &within(const PlainPlace &From, const PlainPlace &To) const;
  Route route(const PlainPlace &From, const PlainPlace &To) const;
  std::vector<PlainPlace> nearest(const PlainPlace &P,
                                  ComponentKind Kind) const;
  PlainPlace nicOf(const PlainPlace &P) const;
  Route out(const PlainPlace &From) const;
  Route in(const PlainPlace &To) const;
  void addPeer(PlainLoad &L, const Route &R, double Share) const;

  const RandomSystem &S;
  std::vector<const RandomNode *> Kinds; ///< by node
  mutable std::map<std::pair<PlainPlace, PlainPlace>, Route> Known;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLAINLAYOUT_H
