//===- Collectives.cpp - What collective operations cost ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/Collectives.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using Kind = OperationKind;

CollectiveCost ptxpredict::collectiveCost(OperationKind Of,
                                          CollectiveAlgorithm Algorithm,
                                          uint64_t Size, double Bytes) {
  if (Size < 2)
    return {};
  const double P = double(Size);
  const double Depth = std::ceil(std::log2(P));
  const double Part = (P - 1) / P * Bytes;
  const bool IsRing = Algorithm == CollectiveAlgorithm::Ring;
  switch (Of) {
  case Kind::AllReduce: // a reduce-scatter and an all-gather; two trees
    return IsRing ? CollectiveCost{2 * (P - 1), 2 * Part}
                  : CollectiveCost{2 * Depth, 2 * Bytes};
  case Kind::AllGather:
  case Kind::ReduceScatter:
    return {IsRing ? P - 1 : Depth, Part};
  case Kind::Broadcast: // in pieces, one behind the other
    return {IsRing ? P - 1 : Depth, Bytes};
  case Kind::AllToAll:
    return {P - 1, Part};
  default:
    return {Depth, 0}; // Barrier: a dissemination barrier
  }
}

namespace {

/// A NIC, and the first and the last of a node's processes that are nearest to
/// it: a ring comes in to the one and goes out from the other.
struct Rail {
  ComponentPlace First, Last, NIC;
};

/// Adds up what goes over each link.
class RouteSum {
public:
  RouteSum(SystemLayout &Layout, ArrayRef<ComponentPlace> Places)
      : Layout(Layout), Places(Places) {}

  /// Places of one node that follow each other, from \p First to \p End.
  struct Group {
    size_t First, End;
    std::vector<Rail> Rails; ///< of NICs that are not the same
  };
  std::vector<Group> groups();

  void add(ArrayRef<RouteHop> Hops, double Weight, double &Startup);
  /// Between two places of a node; false without a way.
  bool addWithin(size_t From, size_t To, double Weight);
  /// Between groups, of two nodes.
  bool addBetween(const Group &From, const Group &To, double Weight);
  bool addOut(const ComponentPlace &From, const ComponentPlace &NIC,
              double Weight, double &Startup);
  bool addIn(const ComponentPlace &NIC, const ComponentPlace &To, double Weight,
             double &Startup);
  void take(double Startup) {
    Result.StartupSeconds = std::max(Result.StartupSeconds, Startup);
  }
  CollectiveRoute finish();

  CollectiveRoute Result;

private:
  SystemLayout &Layout;
  ArrayRef<ComponentPlace> Places;
};

} // namespace

std::vector<RouteSum::Group> RouteSum::groups() {
  std::vector<Group> All;
  for (size_t N = 0; N != Places.size(); ++N) {
    if (N == 0 || Places[N].Node != Places[N - 1].Node)
      All.push_back({N, N, {}});
    All.back().End = N + 1;
  }
  for (Group &G : All)
    for (size_t N = G.First; N != G.End && All.size() > 1; ++N) {
      const std::optional<ComponentPlace> NIC = Layout.nicOf(Places[N]);
      if (!NIC)
        continue;
      auto At =
          llvm::find_if(G.Rails, [&](const Rail &R) { return R.NIC == *NIC; });
      if (At == G.Rails.end())
        G.Rails.push_back({Places[N], Places[N], *NIC});
      else
        At->Last = Places[N];
    }
  return All;
}

void RouteSum::add(ArrayRef<RouteHop> Hops, double Weight, double &Startup) {
  for (const RouteHop &H : Hops) {
    const Link::Timing T =
        H.By->Of->timing(TransferWay::PeerToPeer, HostMemory::Pinned);
    Startup += T.StartupSeconds;
    Result.Uses.push_back({H, Weight});
  }
}

bool RouteSum::addWithin(size_t From, size_t To, double Weight) {
  const std::optional<SystemRoute> R = Layout.route(Places[From], Places[To]);
  if (!R) {
    Result.NoWay = {From, To};
    return false;
  }
  double Startup = 0;
  add(*R, Weight, Startup);
  take(Startup);
  return true;
}

bool RouteSum::addOut(const ComponentPlace &From, const ComponentPlace &NIC,
                      double Weight, double &Startup) {
  const std::optional<SystemRoute> Way = Layout.route(From, NIC);
  if (!Way)
    return false;
  add(*Way, Weight, Startup);
  add(Layout.networkHop(NIC, /*IsOut=*/true), Weight, Startup);
  return true;
}

bool RouteSum::addIn(const ComponentPlace &NIC, const ComponentPlace &To,
                     double Weight, double &Startup) {
  const std::optional<SystemRoute> Way = Layout.route(NIC, To);
  if (!Way)
    return false;
  add(Layout.networkHop(NIC, /*IsOut=*/false), Weight, Startup);
  add(*Way, Weight, Startup);
  return true;
}

bool RouteSum::addBetween(const Group &From, const Group &To, double Weight) {
  const size_t NumRails = std::min(From.Rails.size(), To.Rails.size());
  if (NumRails == 0 || !Layout.system().Network.Of) {
    Result.NoWay = {From.End - 1, To.First};
    return false;
  }
  for (size_t N = 0; N != NumRails; ++N) {
    double Startup = 0;
    const double Share = Weight / double(NumRails);
    const Rail &Out = From.Rails[N], &In = To.Rails[N];
    if (!addOut(Out.Last, Out.NIC, Share, Startup) ||
        !addIn(In.NIC, In.First, Share, Startup)) {
      Result.NoWay = {From.End - 1, To.First};
      return false;
    }
    take(Startup);
  }
  return true;
}

CollectiveRoute RouteSum::finish() {
  auto KeyOf = [](const CollectiveRoute::Use &U) {
    return std::pair(U.By.Server, U.By.Link);
  };
  llvm::stable_sort(Result.Uses, [&](const auto &A, const auto &B) {
    return KeyOf(A) < KeyOf(B);
  });
  std::vector<CollectiveRoute::Use> Sums;
  for (const CollectiveRoute::Use &U : Result.Uses)
    if (!Sums.empty() && KeyOf(Sums.back()) == KeyOf(U))
      Sums.back().Weight += U.Weight;
    else
      Sums.push_back(U);
  Result.Uses = std::move(Sums);
  return std::move(Result);
}

CollectiveRoute ptxpredict::ringRoute(SystemLayout &Layout,
                                      ArrayRef<ComponentPlace> Places) {
  RouteSum Sum(Layout, Places);
  const std::vector<RouteSum::Group> Groups = Sum.groups();
  for (size_t N = 0; N != Groups.size(); ++N) {
    const RouteSum::Group &G = Groups[N];
    for (size_t I = G.First; I + 1 < G.End; ++I)
      if (!Sum.addWithin(I, I + 1, 1))
        return Sum.finish();
    const RouteSum::Group &Next = Groups[(N + 1) % Groups.size()];
    const bool IsGood = Groups.size() > 1 ? Sum.addBetween(G, Next, 1)
                        : G.End - G.First > 1
                            ? Sum.addWithin(G.End - 1, G.First, 1)
                            : true;
    if (!IsGood)
      break;
  }
  return Sum.finish();
}

CollectiveRoute ptxpredict::allToAllRoute(SystemLayout &Layout,
                                          ArrayRef<ComponentPlace> Places) {
  RouteSum Sum(Layout, Places);
  const std::vector<RouteSum::Group> Groups = Sum.groups();
  const double Others = double(Places.size()) - 1;
  for (const RouteSum::Group &G : Groups) {
    const auto Own = double(G.End - G.First);
    for (size_t I = G.First; Own > 1 && I != G.End; ++I)
      if (!Sum.addWithin(I, I + 1 == G.End ? G.First : I + 1,
                         (Own - 1) / Others))
        return Sum.finish();
    if (Groups.size() == 1)
      break;
    // What each sends to those of other nodes, and gets from them.
    for (size_t I = G.First; I != G.End; ++I) {
      double Startup = 0;
      const double Share = (Others + 1 - Own) / Others;
      const std::optional<ComponentPlace> NIC = Layout.nicOf(Places[I]);
      if (!NIC || !Layout.system().Network.Of ||
          !Sum.addOut(Places[I], *NIC, Share, Startup) ||
          !Sum.addIn(*NIC, Places[I], Share, Startup)) {
        Sum.Result.NoWay = {I, &G == &Groups[0] ? Groups[1].First : 0};
        return Sum.finish();
      }
      Sum.take(Startup);
    }
  }
  return Sum.finish();
}
