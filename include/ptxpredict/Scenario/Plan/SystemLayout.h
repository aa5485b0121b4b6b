//===- SystemLayout.h - Every part of a system by number --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_SYSTEMLAYOUT_H
#define PTXPREDICT_SCENARIO_PLAN_SYSTEMLAYOUT_H

#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include "ptxpredict/Scenario/System/System.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict {

/// One of a component's equal parts, in one node.
struct ComponentPlace {
  uint32_t Node = 0; ///< of all nodes, from 0
  uint16_t Kind = 0; ///< of nodes
  uint16_t Component = 0;
  uint32_t Index = 0;

  bool operator==(const ComponentPlace &O) const {
    return Node == O.Node && Component == O.Component && Index == O.Index;
  }
};

/// A link on the way, in one direction.
struct RouteHop {
  const SystemLinkKind *By = nullptr;
  /// Of a FIFO link.
  std::optional<ServerNumber> Server = {};
  /// Of a fair one, and of a FIFO one where the node has both: what goes over
  /// both is a flow.
  std::optional<LinkNumber> Link = {};
};
using SystemRoute = SmallVector<RouteHop, 4>;

/// What a server or link of the graph is.
struct ResourceName {
  enum class PartTy : uint8_t {
    Cores,
    Kernels,
    CopyIn,
    CopyOut,
    LinkForward,
    LinkBack,
    LinkBoth
  } Part = PartTy::Cores;
  /// Of a link the kind of link and its number, in place of a component's.
  ComponentPlace Of;
  const SystemComponent *Component = nullptr; ///< null of a link
  const Link *By = nullptr;                   ///< null of a component
  bool IsFair = false;                        ///< of a link
};

/// The numbers that the parts of a system have in a TaskGraph, and the ways
/// between them. Refers to the system. Costs as much as its kinds of nodes, not
/// as many as there are of these. Not thread-safe: routes are kept.
class SystemLayout {
public:
  /// \p NumNodes: of the only kind, in place of its count.
  explicit SystemLayout(const System &S, std::optional<uint64_t> NumNodes = {},
                        unsigned ConcurrentKernels = 0);

  const System &system() const { return S; }
  uint64_t numNodes() const { return NumNodes; }
  uint64_t numNodes(unsigned Kind) const { return Kinds[Kind].Count; }
  /// The node's kind.
  unsigned kindOf(uint32_t Node) const;
  const SystemComponent &component(const ComponentPlace &P) const {
    return S.Nodes[P.Kind].Components[P.Component];
  }

  /// Adds all servers and links to an empty graph.
  void addResources(TaskGraph &G) const;
  size_t numServers() const { return NumServers; }
  size_t numLinks() const { return NumLinks; }
  ServerNumber coresOf(const ComponentPlace &CPU) const;
  ServerNumber kernelsOf(const ComponentPlace &GPU) const;
  ServerNumber copiesOf(const ComponentPlace &GPU, TransferWay Way) const;

  /// The GPU of that number in a node; nothing if it has fewer.
  std::optional<ComponentPlace> gpu(uint32_t Node, uint64_t Number) const;
  unsigned gpuNumber(const ComponentPlace &GPU) const;
  uint64_t numGPUs(unsigned Kind) const { return Kinds[Kind].NumGPUs; }
  /// The nearest CPU, by links; of equally near ones the first. Nothing where
  /// none is joined.
  std::optional<ComponentPlace> cpuOf(const ComponentPlace &P);
  /// The nearest NIC likewise, but that its share of equally near ones is the
  /// component's share of its kind.
  std::optional<ComponentPlace> nicOf(const ComponentPlace &P);
  uint64_t numNICs(unsigned Kind) const { return Kinds[Kind].NumNICs; }
  std::optional<ComponentPlace> nic(uint32_t Node, uint64_t Number) const;

  /// The fewest links from one place to another, through CPUs and switches, and
  /// over the network where they are in two nodes. Nothing if there is no way.
  /// Empty from a place to itself.
  std::optional<SystemRoute> route(const ComponentPlace &From,
                                   const ComponentPlace &To);
  /// A NIC's way out into the network, or in from it.
  RouteHop networkHop(const ComponentPlace &NIC, bool IsOut) const;

  ResourceName nameOfServer(ServerNumber N) const;
  ResourceName nameOfLink(LinkNumber N) const;

private:
  struct LinkPlace {
    uint32_t FirstServer, FirstLink; ///< in the node
    unsigned Ways;                   ///< 1 or 2
    bool IsFIFO, IsFlow;
  };
  struct KindLayout {
    uint64_t Count = 0, FirstNode = 0;
    uint64_t NumGPUs = 0, NumNICs = 0;
    uint32_t Servers = 0, Links = 0; ///< of a node
    uint32_t FirstServer = 0, FirstLink = 0;
    std::vector<uint32_t> ComponentServer; ///< of the first one
    std::vector<unsigned> ServersEach;
    std::vector<LinkPlace> LinkPlaces; ///< behind the node's links the NICs'
    std::vector<unsigned> Fastest;     ///< the node's links, by bandwidth
  };
  /// A place within any node of a kind.
  struct Spot {
    uint16_t Component = 0;
    uint32_t Index = 0;
    bool operator==(const Spot &O) const {
      return Component == O.Component && Index == O.Index;
    }
  };
  struct Step {
    uint32_t Link; ///< index into NodeKind::Links
    uint32_t Number;
    bool IsForward;
  };
  using LocalRoute = std::vector<Step>;

  template <typename FnT>
  void forEachNeighbor(unsigned Kind, Spot At, FnT Do) const;
  std::optional<LocalRoute> search(unsigned Kind, Spot From,
                                   llvm::function_ref<bool(Spot)> IsEnd,
                                   std::optional<Spot> End, Spot &Found) const;
  const std::optional<LocalRoute> &localRoute(unsigned Kind, Spot From,
                                              Spot To);
  std::optional<ComponentPlace> nearest(const ComponentPlace &P,
                                        ComponentKind Kind);
  /// That of a link's number in a node, in one direction.
  RouteHop hop(const ComponentPlace &Node, unsigned Link, uint64_t Number,
               bool IsForward) const;
  void append(const ComponentPlace &Node, const LocalRoute &Local,
              SystemRoute &R) const;
  ResourceName nameOf(uint32_t Number, bool IsServer) const;

  const System &S;
  unsigned ConcurrentKernels;
  uint64_t NumNodes = 0;
  size_t NumServers = 0, NumLinks = 0;
  bool IsMixed = false; ///< some links are FIFO, some fair
  std::vector<KindLayout> Kinds;
  std::map<std::array<uint32_t, 5>, std::optional<LocalRoute>> Local;
  std::map<std::array<uint32_t, 4>, std::optional<ComponentPlace>> Nearest;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_SYSTEMLAYOUT_H
