//===- PlainLayout.cpp - The parts of a random system, one by one ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlainLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace ptxpredict;
using Kind = OperationKind;

bool PlainLoad::isFlow() const {
  return llvm::any_of(Weights,
                      [](const auto &W) { return !W.first.Of->IsFIFO; });
}

double PlainLoad::seconds(double Bytes) const {
  double Longest = 0;
  for (const auto &[Way, Weight] : Weights)
    Longest = std::max(Longest, Bytes * Weight / (Way.Of->Of.GBs * 1e9));
  return Startup + Longest;
}

PlainCost ptxpredict::plainCost(const RandomOperation &Op, double P,
                                double Bytes) {
  if (P == 1)
    return {};
  double Log = 0; // of 2, rounded up
  while (std::exp2(Log) < P)
    ++Log;
  const bool IsTree = Op.Algorithm == CollectiveAlgorithm::Tree;
  switch (Op.Kind) {
  case Kind::AllReduce:
    return IsTree ? PlainCost{2 * Log, 2 * Bytes}
                  : PlainCost{2 * (P - 1), 2 * (P - 1) / P * Bytes};
  case Kind::AllGather:
  case Kind::ReduceScatter:
    return {IsTree ? Log : P - 1, (P - 1) / P * Bytes};
  case Kind::Broadcast:
    return {IsTree ? Log : P - 1, Bytes};
  case Kind::AllToAll:
    return {P - 1, (P - 1) / P * Bytes};
  default: // Barrier
    return {Log, 0};
  }
}

PlainLayout::PlainLayout(const RandomSystem &S) : S(S) {
  for (const RandomNode &N : S.Nodes)
    Kinds.insert(Kinds.end(), N.Count, &N);
}

std::vector<PlainPlace> PlainLayout::parts(unsigned Node,
                                           ComponentKind Kind) const {
  std::vector<PlainPlace> All;
  for (unsigned P = 0; P != Kinds[Node]->Parts.size(); ++P)
    for (unsigned I = 0; I != Kinds[Node]->Parts[P].Count; ++I)
      if (Kinds[Node]->Parts[P].Kind == Kind)
        All.push_back({Node, P, I});
  return All;
}

std::vector<PlainPlace> PlainLayout::places(const std::string &Label) const {
  std::vector<PlainPlace> All;
  for (unsigned Node = 0; Node != Kinds.size(); ++Node)
    for (ComponentKind Kind : {ComponentKind::CPU, ComponentKind::GPU})
      for (const PlainPlace &P : parts(Node, Kind))
        for (const auto &[Name, Each] : part(P).Labels)
          if (Name == Label)
            All.insert(All.end(), Each, P);
  return All;
}

PlainPlace PlainLayout::gpu(unsigned Node, unsigned Number) const {
  return parts(Node, ComponentKind::GPU)[Number];
}

unsigned PlainLayout::gpuNumber(const PlainPlace &GPU) const {
  const std::vector<PlainPlace> All = parts(GPU.Node, ComponentKind::GPU);
  return unsigned(llvm::find(All, GPU) - All.begin());
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

/// Whether link \p Link of \p Links is at end \p End of \p Ends.
static bool joins(unsigned Link, unsigned Links, unsigned End, unsigned Ends) {
  return Links >= Ends ? Link * Ends / Links == End
                       : End * Links / Ends == Link;
}

std::vector<std::pair<PlainPlace, PlainWay>>
PlainLayout::neighbors(const PlainPlace &P) const {
  std::vector<std::pair<PlainPlace, PlainWay>> All;
  const RandomNode &N = *Kinds[P.Node];
  for (const RandomJoint &J : N.Joints)
    for (unsigned Side = 0; Side != 2; ++Side) {
      const unsigned Other = J.Ends[1 - Side];
      if (J.Ends[Side] != P.Part)
        continue;
      for (unsigned L = 0; L != J.Count; ++L)
        for (unsigned I = 0; I != N.Parts[Other].Count; ++I)
          if (joins(L, J.Count, P.Index, N.Parts[P.Part].Count) &&
              joins(L, J.Count, I, N.Parts[Other].Count))
            All.push_back(
                {{P.Node, Other, I}, {P.Node, &J, L, !J.IsHalf && Side == 1}});
    }
  return All;
}

/// All that have the fewest links are looked at. GPUs and NICs are ends alone.
PlainLayout::Route PlainLayout::search(const PlainPlace &From,
                                       const PlainPlace &To) const {
  if (From == To)
    return {};
  std::vector<std::pair<PlainPlace, Route>> Ends{{From, {}}};
  std::set<PlainPlace> Seen{From};
  while (!Ends.empty()) {
    std::vector<std::pair<PlainPlace, Route>> Longer;
    std::vector<Route> There;
    for (const auto &[At, Before] : Ends)
      for (const auto &[Next, Way] : neighbors(At)) {
        const ComponentKind Kind = part(Next).Kind;
        if (Seen.count(Next) || (Next != To && (Kind == ComponentKind::GPU ||
                                                Kind == ComponentKind::NIC)))
          continue;
        Route R = Before;
        R.push_back(Way);
        if (Next == To)
          There.push_back(R);
        Longer.emplace_back(Next, std::move(R));
      }
    for (const auto &[At, R] : Longer)
      Seen.insert(At);
    Ends = std::move(Longer);
    if (There.empty())
      continue;
    auto FirstOf = [](const Route &R) { return R.front().Of->Of.GBs; };
    const Route Best =
        *llvm::max_element(There, [&](const Route &A, const Route &B) {
          return FirstOf(A) < FirstOf(B);
        });
    EXPECT_EQ(
        llvm::count_if(
            There, [&](const Route &R) { return FirstOf(R) == FirstOf(Best); }),
        1)
        << "the system should leave no choice";
    return Best;
  }
  ADD_FAILURE() << "the system should have a way";
  return {};
}

const PlainLayout::Route &PlainLayout::within(const PlainPlace &From,
                                              const PlainPlace &To) const {
  const auto [At, IsNew] = Known.try_emplace({From, To});
  if (IsNew)
    At->second = search(From, To);
  return At->second;
}

std::vector<PlainPlace> PlainLayout::nearest(const PlainPlace &P,
                                             ComponentKind Kind) const {
  size_t Fewest = SIZE_MAX;
  std::vector<PlainPlace> All;
  for (const PlainPlace &Q : parts(P.Node, Kind)) {
    const size_t Links = within(P, Q).size();
    if (Links < Fewest)
      All.clear();
    Fewest = std::min(Fewest, Links);
    if (Links == Fewest)
      All.push_back(Q);
  }
  return All;
}

PlainPlace PlainLayout::cpuOf(const PlainPlace &P) const {
  return nearest(P, ComponentKind::CPU).front();
}

/// Equally near ones are shared out among the equals of a part.
PlainPlace PlainLayout::nicOf(const PlainPlace &P) const {
  const std::vector<PlainPlace> Near = nearest(P, ComponentKind::NIC);
  const size_t All = parts(P.Node, ComponentKind::NIC).size();
  const size_t Share = P.Index * All / part(P).Count;
  for (const PlainPlace &N : Near)
    if (N.Index == Share)
      return N;
  return Near.front();
}

PlainLayout::Route PlainLayout::out(const PlainPlace &From) const {
  const PlainPlace NIC = nicOf(From);
  Route R = within(From, NIC);
  R.push_back({NIC.Node, &*S.Network, NIC.Index, false});
  return R;
}

PlainLayout::Route PlainLayout::in(const PlainPlace &To) const {
  const PlainPlace NIC = nicOf(To);
  Route R = within(NIC, To);
  R.insert(R.begin(), {NIC.Node, &*S.Network, NIC.Index, !S.Network->IsHalf});
  return R;
}

PlainLayout::Route PlainLayout::route(const PlainPlace &From,
                                      const PlainPlace &To) const {
  if (From.Node == To.Node)
    return within(From, To);
  Route R = out(From);
  llvm::append_range(R, in(To));
  return R;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

PlainLoad PlainLayout::transfer(const PlainPlace &From, const PlainPlace &To,
                                TransferWay Way, HostMemory Memory) const {
  PlainLoad L;
  const bool IsPeer = Way == TransferWay::PeerToPeer;
  const auto M = size_t(IsPeer ? HostMemory::Pageable : Memory);
  for (const PlainWay &W : route(From, To)) {
    L.Startup += W.Of->Of.StartupUs[size_t(Way)][M] / 1e6;
    L.Weights[W] += 1 / W.Of->Of.Efficiency[size_t(Way)][M];
  }
  return L;
}

/// \p Share of the bytes over a part of a ring.
void PlainLayout::addPeer(PlainLoad &L, const Route &R, double Share) const {
  double Startup = 0;
  for (const PlainWay &W : R) {
    Startup += W.Of->Of.StartupUs[2][0] / 1e6;
    L.Weights[W] += Share / W.Of->Of.Efficiency[2][0];
  }
  L.Startup = std::max(L.Startup, Startup);
}

PlainLoad PlainLayout::ring(const std::vector<PlainPlace> &Places) const {
  PlainLoad L;
  for (size_t I = 0; I != Places.size() && Places.size() > 1; ++I) {
    const PlainPlace &From = Places[I], &To = Places[(I + 1) % Places.size()];
    if (From.Node == To.Node) {
      addPeer(L, within(From, To), 1);
      continue;
    }
    // The NICs of both nodes, and between which processes each goes: from the
    // last one that is nearest to it to the first one.
    std::vector<PlainPlace> OutNICs, InNICs;
    std::map<PlainPlace, PlainPlace> Last, First;
    for (const PlainPlace &P : Places) {
      const PlainPlace NIC = nicOf(P);
      if (P.Node == From.Node && !llvm::is_contained(OutNICs, NIC))
        OutNICs.push_back(NIC);
      if (P.Node == To.Node && !llvm::is_contained(InNICs, NIC))
        InNICs.push_back(NIC);
      Last[NIC] = P;
      First.try_emplace(NIC, P);
    }
    const size_t Num = std::min(OutNICs.size(), InNICs.size());
    for (size_t N = 0; N != Num; ++N) {
      Route R = out(Last.at(OutNICs[N]));
      llvm::append_range(R, in(First.at(InNICs[N])));
      addPeer(L, R, 1 / double(Num));
    }
  }
  return L;
}

/// Within a node all goes from one to the next; what leaves it goes by the NIC
/// that is nearest to each.
PlainLoad PlainLayout::allToAll(const std::vector<PlainPlace> &Places) const {
  PlainLoad L;
  const auto Others = double(Places.size()) - 1;
  for (size_t I = 0; I != Places.size() && Places.size() > 1; ++I) {
    std::vector<size_t> Own;
    for (size_t J = 0; J != Places.size(); ++J)
      if (Places[J].Node == Places[I].Node)
        Own.push_back(J);
    const size_t Next = I == Own.back() ? Own.front() : I + 1;
    if (Own.size() > 1)
      addPeer(L, within(Places[I], Places[Next]),
              double(Own.size() - 1) / Others);
    if (Own.size() == Places.size())
      continue;
    Route R = out(Places[I]);
    llvm::append_range(R, in(Places[I]));
    addPeer(L, R, double(Places.size() - Own.size()) / Others);
  }
  return L;
}
