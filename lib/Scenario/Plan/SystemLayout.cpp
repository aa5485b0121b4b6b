//===- SystemLayout.cpp - Every part of a system by number ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/SystemLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <set>

using namespace ptxpredict;

/// Servers of one part.
static unsigned serversOf(const SystemComponent &C) {
  switch (C.Kind) {
  case ComponentKind::CPU:
    return 1;
  case ComponentKind::GPU:
    return 1 + C.CopyEngines;
  default:
    return 0;
  }
}

SystemLayout::SystemLayout(const System &S, std::optional<uint64_t> Asked,
                           unsigned ConcurrentKernels)
    : S(S), ConcurrentKernels(ConcurrentKernels) {
  unsigned HasSharing[2] = {0, 0};
  for (const NodeKind &N : S.Nodes)
    for (const SystemLink &K : N.Links)
      ++HasSharing[unsigned(K.Sharing)];
  if (S.Network.Of)
    ++HasSharing[unsigned(S.Network.Sharing)];
  IsMixed = HasSharing[0] != 0 && HasSharing[1] != 0;
  for (const NodeKind &N : S.Nodes) {
    KindLayout &L = Kinds.emplace_back();
    L.Count = Asked && S.Nodes.size() == 1 ? *Asked : N.Count;
    L.FirstNode = NumNodes;
    L.FirstServer = uint32_t(NumServers);
    L.FirstLink = uint32_t(NumLinks);
    for (const SystemComponent &C : N.Components) {
      L.ComponentServer.push_back(L.Servers);
      L.ServersEach.push_back(serversOf(C));
      L.Servers += uint32_t(C.Count * serversOf(C));
      if (C.Kind == ComponentKind::GPU)
        L.NumGPUs += C.Count;
      else if (C.Kind == ComponentKind::NIC)
        L.NumNICs += C.Count;
    }
    auto Add = [&](const SystemLinkKind &Kind, uint64_t Count) {
      LinkPlace P{L.Servers, L.Links, Kind.Duplex == LinkDuplex::Full ? 2u : 1u,
                  Kind.Sharing == LinkSharing::FIFO, false};
      P.IsFlow = !P.IsFIFO || IsMixed;
      if (P.IsFIFO)
        L.Servers += uint32_t(Count * P.Ways);
      if (P.IsFlow)
        L.Links += uint32_t(Count * P.Ways);
      L.LinkPlaces.push_back(P);
    };
    for (const SystemLink &K : N.Links)
      Add(K, K.Count);
    if (S.Network.Of)
      Add(S.Network, L.NumNICs);
    for (unsigned I = 0; I != N.Links.size(); ++I)
      L.Fastest.push_back(I);
    llvm::stable_sort(L.Fastest, [&N](unsigned A, unsigned B) {
      return *N.Links[A].Of->BandwidthGBs > *N.Links[B].Of->BandwidthGBs;
    });
    NumNodes += L.Count;
    NumServers += L.Count * L.Servers;
    NumLinks += L.Count * L.Links;
  }
}

unsigned SystemLayout::kindOf(uint32_t Node) const {
  unsigned Kind = 0;
  while (Node >= Kinds[Kind].FirstNode + Kinds[Kind].Count)
    ++Kind;
  return Kind;
}

void SystemLayout::addResources(TaskGraph &G) const {
  for (const auto &[N, L] : llvm::zip(S.Nodes, Kinds)) {
    // What one node has, in the order of its numbers.
    std::vector<unsigned> Places;
    std::vector<double> Rates;
    Places.reserve(L.Servers);
    Rates.reserve(L.Links);
    for (const SystemComponent &C : N.Components)
      for (uint64_t I = 0; I != C.Count; ++I) {
        if (C.Kind == ComponentKind::CPU)
          Places.push_back(unsigned(C.Cores));
        if (C.Kind != ComponentKind::GPU)
          continue;
        Places.push_back(ConcurrentKernels ? ConcurrentKernels
                                           : C.ConcurrentKernels);
        Places.insert(Places.end(), C.CopyEngines, 1);
      }
    auto Add = [&](const SystemLinkKind &Kind, const LinkPlace &P,
                   uint64_t Count) {
      if (P.IsFIFO)
        Places.insert(Places.end(), Count * P.Ways, 1);
      if (P.IsFlow)
        Rates.insert(Rates.end(), Count * P.Ways, *Kind.Of->BandwidthGBs * 1e9);
    };
    for (const auto &[Kind, P] : llvm::zip(N.Links, L.LinkPlaces))
      Add(Kind, P, Kind.Count);
    if (S.Network.Of)
      Add(S.Network, L.LinkPlaces.back(), L.NumNICs);
    for (uint64_t Node = 0; Node != L.Count; ++Node) {
      for (unsigned P : Places)
        G.addServer(P);
      for (double R : Rates)
        G.addLink(R);
    }
  }
}

ServerNumber SystemLayout::coresOf(const ComponentPlace &P) const {
  const KindLayout &L = Kinds[P.Kind];
  return ServerNumber(L.FirstServer + (P.Node - L.FirstNode) * L.Servers +
                      L.ComponentServer[P.Component] +
                      P.Index * L.ServersEach[P.Component]);
}

ServerNumber SystemLayout::kernelsOf(const ComponentPlace &P) const {
  return coresOf(P);
}

ServerNumber SystemLayout::copiesOf(const ComponentPlace &P,
                                    TransferWay Way) const {
  const bool IsOut = Way != TransferWay::HostToDevice;
  return coresOf(P) + 1 + (IsOut && component(P).CopyEngines > 1 ? 1 : 0);
}

/// The part of that number among all of one kind in a node.
static std::optional<ComponentPlace> findPart(const NodeKind &N,
                                              ComponentPlace P,
                                              ComponentKind Kind,
                                              uint64_t Number) {
  for (const auto &[Index, C] : llvm::enumerate(N.Components)) {
    if (C.Kind != Kind)
      continue;
    if (Number < C.Count) {
      P.Component = uint16_t(Index);
      P.Index = uint32_t(Number);
      return P;
    }
    Number -= C.Count;
  }
  return std::nullopt;
}

std::optional<ComponentPlace> SystemLayout::gpu(uint32_t Node,
                                                uint64_t Number) const {
  const unsigned Kind = kindOf(Node);
  return findPart(S.Nodes[Kind], {Node, uint16_t(Kind), 0, 0},
                  ComponentKind::GPU, Number);
}

std::optional<ComponentPlace> SystemLayout::nic(uint32_t Node,
                                                uint64_t Number) const {
  const unsigned Kind = kindOf(Node);
  return findPart(S.Nodes[Kind], {Node, uint16_t(Kind), 0, 0},
                  ComponentKind::NIC, Number);
}

unsigned SystemLayout::gpuNumber(const ComponentPlace &P) const {
  unsigned Number = P.Index;
  const NodeKind &N = S.Nodes[P.Kind];
  for (unsigned C = 0; C != P.Component; ++C)
    if (N.Components[C].Kind == ComponentKind::GPU)
      Number += unsigned(N.Components[C].Count);
  return Number;
}

namespace {

/// The numbers from First on, before End.
struct NumberRange {
  uint64_t First, End;
  bool contains(uint64_t N) const { return First <= N && N < End; }
};

} // namespace

/// Of \p Others things that are shared out among \p Count, those of number \p N
/// (SystemLink).
static NumberRange shareOf(uint64_t N, uint64_t Count, uint64_t Others) {
  if (Others < Count) {
    const uint64_t One = N * Others / Count;
    return {One, One + 1};
  }
  auto FirstOf = [&](uint64_t I) { return (I * Others + Count - 1) / Count; };
  return {FirstOf(N), FirstOf(N + 1)};
}

/// Calls \p Do with a neighbour and the step to it until it answers true.
template <typename FnT>
void SystemLayout::forEachNeighbor(unsigned Kind, Spot At, FnT Do) const {
  const NodeKind &N = S.Nodes[Kind];
  for (unsigned Index : Kinds[Kind].Fastest)
    for (unsigned Side = 0; Side != 2; ++Side) {
      const SystemLink &L = N.Links[Index];
      if (L.Ends[Side] != At.Component)
        continue;
      const unsigned Other = L.Ends[1 - Side];
      const uint64_t Own = N.Components[At.Component].Count;
      const uint64_t Theirs = N.Components[Other].Count;
      const NumberRange Links = shareOf(At.Index, Own, L.Count);
      for (uint64_t J = Links.First; J != Links.End; ++J) {
        const NumberRange Ends = shareOf(J, L.Count, Theirs);
        if (Do(uint16_t(Other), Ends, Step{Index, uint32_t(J), Side == 0}))
          return;
      }
    }
}

std::optional<SystemLayout::LocalRoute>
SystemLayout::search(unsigned Kind, Spot From,
                     llvm::function_ref<bool(Spot)> IsEnd,
                     std::optional<Spot> End, Spot &Found) const {
  struct Visit {
    Spot At;
    size_t Before;
    Step By;
  };
  std::vector<Visit> Visits{{From, SIZE_MAX, {}}};
  std::set<std::pair<uint16_t, uint32_t>> Seen{{From.Component, From.Index}};
  for (size_t Next = 0; Next != Visits.size(); ++Next) {
    bool IsDone = false;
    const Spot At = Visits[Next].At;
    // Neither GPUs nor NICs pass on what is not theirs.
    const ComponentKind Through = S.Nodes[Kind].Components[At.Component].Kind;
    if (Next != 0 &&
        (Through == ComponentKind::GPU || Through == ComponentKind::NIC))
      continue;
    // A known end is found without a look at all neighbours.
    if (End)
      forEachNeighbor(Kind, At, [&](uint16_t C, NumberRange Ends, Step By) {
        if (C != End->Component || !Ends.contains(End->Index))
          return false;
        Visits.push_back({*End, Next, By});
        return IsDone = true;
      });
    if (!IsDone)
      forEachNeighbor(Kind, At, [&](uint16_t C, NumberRange Ends, Step By) {
        for (uint64_t I = Ends.First; I != Ends.End; ++I) {
          const Spot There{C, uint32_t(I)};
          if (!Seen.insert({C, There.Index}).second)
            continue;
          Visits.push_back({There, Next, By});
          if (IsEnd(There))
            return IsDone = true;
        }
        return false;
      });
    if (!IsDone)
      continue;
    Found = Visits.back().At;
    LocalRoute R;
    for (size_t V = Visits.size() - 1; V != 0; V = Visits[V].Before)
      R.push_back(Visits[V].By);
    std::reverse(R.begin(), R.end());
    return R;
  }
  return std::nullopt;
}

const std::optional<SystemLayout::LocalRoute> &
SystemLayout::localRoute(unsigned Kind, Spot From, Spot To) {
  auto [At, IsNew] = Local.try_emplace(
      {Kind, From.Component, From.Index, To.Component, To.Index});
  if (IsNew) {
    Spot Found;
    At->second =
        From == To
            ? LocalRoute()
            : search(Kind, From, [&](Spot P) { return P == To; }, To, Found);
  }
  return At->second;
}

std::optional<ComponentPlace> SystemLayout::nearest(const ComponentPlace &P,
                                                    ComponentKind Wanted) {
  auto [At, IsNew] =
      Nearest.try_emplace({P.Kind, P.Component, P.Index, uint32_t(Wanted)});
  const NodeKind &N = S.Nodes[P.Kind];
  if (IsNew && component(P).Kind == Wanted) {
    At->second = P;
  } else if (IsNew) {
    Spot Found;
    auto IsWanted = [&](Spot Q) {
      return N.Components[Q.Component].Kind == Wanted;
    };
    if (search(P.Kind, {P.Component, P.Index}, IsWanted, {}, Found))
      At->second = {P.Node, P.Kind, Found.Component, Found.Index};
  }
  std::optional<ComponentPlace> R = At->second;
  if (R)
    R->Node = P.Node;
  return R;
}

std::optional<ComponentPlace> SystemLayout::cpuOf(const ComponentPlace &P) {
  return nearest(P, ComponentKind::CPU);
}

std::optional<ComponentPlace> SystemLayout::nicOf(const ComponentPlace &P) {
  std::optional<ComponentPlace> First = nearest(P, ComponentKind::NIC);
  if (!First)
    return std::nullopt;
  // Its share, if that is as near.
  const uint64_t Own = component(P).Count;
  ComponentPlace Shared = *First;
  Shared.Index = uint32_t(uint64_t(P.Index) * component(*First).Count / Own);
  const auto &Near = localRoute(P.Kind, {P.Component, P.Index},
                                {First->Component, First->Index});
  const auto &There = localRoute(P.Kind, {P.Component, P.Index},
                                 {Shared.Component, Shared.Index});
  return There && There->size() <= Near->size() ? Shared : *First;
}

RouteHop SystemLayout::hop(const ComponentPlace &At, unsigned Link,
                           uint64_t Number, bool IsForward) const {
  const KindLayout &L = Kinds[At.Kind];
  const NodeKind &N = S.Nodes[At.Kind];
  const LinkPlace &P = L.LinkPlaces[Link];
  const uint64_t Node = At.Node - L.FirstNode;
  const uint64_t Which = Number * P.Ways + (P.Ways == 2 && !IsForward ? 1 : 0);
  RouteHop H;
  H.By = Link < N.Links.size()
             ? static_cast<const SystemLinkKind *>(&N.Links[Link])
             : &S.Network;
  if (P.IsFIFO)
    H.Server =
        ServerNumber(L.FirstServer + Node * L.Servers + P.FirstServer + Which);
  if (P.IsFlow)
    H.Link = LinkNumber(L.FirstLink + Node * L.Links + P.FirstLink + Which);
  return H;
}

RouteHop SystemLayout::networkHop(const ComponentPlace &NIC, bool IsOut) const {
  const NodeKind &N = S.Nodes[NIC.Kind];
  uint64_t Number = NIC.Index;
  for (unsigned C = 0; C != NIC.Component; ++C)
    if (N.Components[C].Kind == ComponentKind::NIC)
      Number += N.Components[C].Count;
  return hop(NIC, unsigned(N.Links.size()), Number, IsOut);
}

void SystemLayout::append(const ComponentPlace &Node, const LocalRoute &Local,
                          SystemRoute &R) const {
  for (const Step &Each : Local)
    R.push_back(hop(Node, Each.Link, Each.Number, Each.IsForward));
}

std::optional<SystemRoute> SystemLayout::route(const ComponentPlace &From,
                                               const ComponentPlace &To) {
  SystemRoute R;
  auto Walk = [&](const ComponentPlace &A, const ComponentPlace &B) {
    const auto &Way =
        localRoute(A.Kind, {A.Component, A.Index}, {B.Component, B.Index});
    if (Way)
      append(A, *Way, R);
    return Way.has_value();
  };
  if (From.Node == To.Node)
    return Walk(From, To) ? std::optional(R) : std::nullopt;
  if (!S.Network.Of)
    return std::nullopt;
  const std::optional<ComponentPlace> Out = nicOf(From), In = nicOf(To);
  if (!Out || !In || !Walk(From, *Out))
    return std::nullopt;
  R.push_back(networkHop(*Out, /*IsOut=*/true));
  R.push_back(networkHop(*In, /*IsOut=*/false));
  return Walk(*In, To) ? std::optional(R) : std::nullopt;
}

ResourceName SystemLayout::nameOf(uint32_t Number, bool IsServer) const {
  unsigned Kind = 0;
  auto Size = [&](const KindLayout &L) {
    return IsServer ? L.Servers : L.Links;
  };
  auto First = [&](const KindLayout &L) {
    return IsServer ? L.FirstServer : L.FirstLink;
  };
  while (Size(Kinds[Kind]) == 0 ||
         Number >= First(Kinds[Kind]) + Kinds[Kind].Count * Size(Kinds[Kind]))
    ++Kind;
  const KindLayout &L = Kinds[Kind];
  const NodeKind &N = S.Nodes[Kind];
  const uint32_t InKind = Number - First(L);
  const uint32_t InNode = InKind % Size(L);
  ResourceName R;
  R.Of.Kind = uint16_t(Kind);
  R.Of.Node = uint32_t(L.FirstNode + InKind / Size(L));
  using Part = ResourceName::PartTy;
  for (unsigned C = 0; IsServer && C != N.Components.size(); ++C) {
    const unsigned Each = L.ServersEach[C];
    if (InNode < L.ComponentServer[C] ||
        InNode >= L.ComponentServer[C] + N.Components[C].Count * Each)
      continue;
    const uint32_t Within = InNode - L.ComponentServer[C];
    R.Of.Component = uint16_t(C);
    R.Of.Index = Within / Each;
    R.Component = &N.Components[C];
    const uint32_t Which = Within % Each;
    R.Part = N.Components[C].Kind == ComponentKind::CPU ? Part::Cores
             : Which == 0                               ? Part::Kernels
             : Which == 1                               ? Part::CopyIn
                                                        : Part::CopyOut;
    return R;
  }
  for (const auto &[Index, P] : llvm::enumerate(L.LinkPlaces)) {
    const uint64_t Count =
        Index < N.Links.size() ? N.Links[Index].Count : L.NumNICs;
    const uint32_t FirstOfLink = IsServer ? P.FirstServer : P.FirstLink;
    if (!(IsServer ? P.IsFIFO : P.IsFlow) || InNode < FirstOfLink ||
        InNode >= FirstOfLink + Count * P.Ways)
      continue;
    const uint32_t Within = InNode - FirstOfLink;
    R.Of.Component = uint16_t(Index);
    R.Of.Index = Within / P.Ways;
    const SystemLinkKind &By =
        Index < N.Links.size() ? N.Links[Index] : S.Network;
    R.By = By.Of;
    R.IsFair = By.Sharing == LinkSharing::Fair;
    R.Part = P.Ways == 1       ? Part::LinkBoth
             : Within % 2 == 0 ? Part::LinkForward
                               : Part::LinkBack;
    break;
  }
  return R;
}

ResourceName SystemLayout::nameOfServer(ServerNumber N) const {
  return nameOf(N, /*IsServer=*/true);
}

ResourceName SystemLayout::nameOfLink(LinkNumber N) const {
  return nameOf(N, /*IsServer=*/false);
}
