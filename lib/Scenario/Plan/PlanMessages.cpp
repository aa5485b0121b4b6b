//===- PlanMessages.cpp - Messages and collective operations --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlanBuilder.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace ptxpredict;
using Kind = OperationKind;

void PlanBuilder::runMessage(const Operation &Op) {
  if (Op.Label >= LabelSize.size())
    return;
  std::optional<uint64_t> Rank = whole(Op.Peer, "rank", 0);
  std::optional<uint64_t> Tag = whole(Op.Tag, "tag", 0);
  if (!Rank || !Tag)
    return;
  const std::string &Label = S.Processes[Op.Label].Label;
  if (*Rank >= LabelSize[Op.Label])
    return error(Op.Place, "there is no process " + Twine(*Rank) + " of '" +
                               Label + "': there are " +
                               Twine(LabelSize[Op.Label]));
  const uint32_t Other = LabelStart[Op.Label] + uint32_t(*Rank);
  const PlannedProcess &Own = Result.Processes[Now.Number];
  const PlannedProcess &Peer = Result.Processes[Other];
  if (Op.Kind == Kind::Receive) {
    const TaskNumber T = addTask(Op, 0);
    after(T, Now.Host);
    Now.Host = T;
    Receives.push_back({{uint64_t(Other) << 32 | Now.Number, *Tag},
                        uint32_t(Receives.size()),
                        T,
                        &Op});
    return;
  }
  const double Bytes = value(Op.Amount, "bytes");
  TransferCost C;
  if (!(Own.Place == Peer.Place)) {
    const std::optional<SystemRoute> R = Layout.route(Own.Place, Peer.Place);
    if (!R)
      return error(Op.Place, "there is no way from process " + Twine(Own.Rank) +
                                 " of '" + Now.Of->Label + "' to process " +
                                 Twine(Peer.Rank) + " of '" + Label + "'");
    C = costOf(*R, TransferWay::PeerToPeer, HostMemory::Pinned);
    if (!Op.Policy.empty()) {
      SmallVector<StringRef, 8> Known;
      const LinkPolicy *Found = nullptr;
      for (const RouteHop &H : *R)
        for (const LinkPolicy &P : H.By->Of->Policies) {
          Known.push_back(P.Name);
          if (P.Name == Op.Policy && Bytes >= double(P.FromBytes) &&
              (!Found || Found->FromBytes < P.FromBytes))
            Found = &P;
        }
      if (!llvm::is_contained(Known, Op.Policy))
        return error(Op.Place, "no link on the way has a policy '" + Op.Policy +
                                   "'" + meantOrListed(Op.Policy, Known));
      if (Found) {
        C.Startup *= *Found->LatencyFactor;
        C.SecondsPerByte *= *Found->LatencyFactor;
        for (LinkUse &L : C.Links)
          L.Weight *= *Found->LatencyFactor;
        Result.EnergyFactors.emplace_back(TaskNumber(Result.Graph.numTasks()),
                                          *Found->EnergyFactor);
      }
    }
  }
  TaskNumber T = NoTask;
  if (Op.Seconds != NoFormula)
    T = addTask(Op, value(Op.Seconds, "seconds"), C.Servers);
  else if (C.IsFlow)
    T = addTask(Op, C.Startup, C.Servers, Bytes, C.Links);
  else
    T = addTask(Op, C.Startup + Bytes * C.SecondsPerByte, C.Servers);
  after(T, Now.Host);
  Sends.push_back({{uint64_t(Now.Number) << 32 | Other, *Tag},
                   uint32_t(Sends.size()),
                   T,
                   &Op});
}

void PlanBuilder::matchMessages() {
  auto Sort = [](std::vector<Message> &All) {
    llvm::sort(All, [](const Message &A, const Message &B) {
      return std::tie(A.Key[0], A.Key[1], A.Order) <
             std::tie(B.Key[0], B.Key[1], B.Order);
    });
  };
  Sort(Sends);
  Sort(Receives);
  auto Key = [](const Message &M) { return std::pair(M.Key[0], M.Key[1]); };
  auto Say = [&](const Message &M, bool IsSend) {
    const uint64_t From = M.Key[0] >> 32, To = M.Key[0] & UINT32_MAX;
    auto Name = [&](uint64_t N) {
      const PlannedProcess &P = Result.Processes[N];
      return "process " + std::to_string(P.Rank) + " of '" +
             S.Processes[P.Label].Label + "'";
    };
    error(M.Op->Place,
          IsSend ? Name(From) + " sends what " + Name(To) + " never receives"
                 : Name(To) + " waits for a message of " + Name(From) +
                       " that is never sent" +
                       (M.Key[1] ? " (tag " + std::to_string(M.Key[1]) + ")"
                                 : std::string()));
  };
  size_t R = 0;
  for (const Message &Sent : Sends) {
    for (; R != Receives.size() && Key(Receives[R]) < Key(Sent); ++R)
      Say(Receives[R], /*IsSend=*/false);
    if (R == Receives.size() || Key(Sent) < Key(Receives[R])) {
      Say(Sent, /*IsSend=*/true);
      continue;
    }
    after(Receives[R++].Task, Sent.Task);
  }
  for (; R != Receives.size(); ++R)
    Say(Receives[R], /*IsSend=*/false);
}

const CollectiveRoute &PlanBuilder::routeOf(unsigned Label, bool IsAllToAll) {
  auto [At, IsNew] = Routes.try_emplace({Label, IsAllToAll});
  if (IsNew) {
    std::vector<ComponentPlace> Places;
    Places.reserve(LabelSize[Label]);
    for (uint32_t N = 0; N != LabelSize[Label]; ++N)
      Places.push_back(Result.Processes[LabelStart[Label] + N].Place);
    At->second =
        IsAllToAll ? allToAllRoute(Layout, Places) : ringRoute(Layout, Places);
  }
  return At->second;
}

void PlanBuilder::addCollective(const Operation &Op, Collective &C,
                                uint64_t Size) {
  C.Op = &Op;
  C.Bytes = value(Op.Amount, "bytes");
  if (Op.Seconds != NoFormula) {
    C.Task = addTask(Op, value(Op.Seconds, "seconds"));
    return;
  }
  const CollectiveCost Cost =
      collectiveCost(Op.Kind, Op.Algorithm, Size, C.Bytes);
  if (Size < 2) {
    C.Task = addTask(Op, 0);
    return;
  }
  const unsigned Label = Result.Processes[Now.Number].Label;
  const CollectiveRoute &R = routeOf(Label, Op.Kind == Kind::AllToAll);
  if (R.NoWay)
    error(Op.Place, "there is no way from process " + Twine(R.NoWay->first) +
                        " of '" + S.Processes[Label].Label + "' to process " +
                        Twine(R.NoWay->second));
  std::vector<ServerNumber> Servers;
  std::vector<LinkUse> Links;
  double SecondsPerByte = 0;
  const bool IsFlow = llvm::any_of(
      R.Uses, [](const CollectiveRoute::Use &U) { return !U.By.Server; });
  for (const CollectiveRoute::Use &U : R.Uses) {
    const Link &L = *U.By.By->Of;
    const Link::Timing T =
        L.timing(TransferWay::PeerToPeer, HostMemory::Pinned);
    SecondsPerByte = std::max(SecondsPerByte, U.Weight / T.BytesPerSecond);
    if (U.By.Server)
      Servers.push_back(*U.By.Server);
    if (U.By.Link)
      Links.push_back(
          {*U.By.Link, U.Weight * *L.BandwidthGBs * 1e9 / T.BytesPerSecond});
    if (T.StartupIsAssumed)
      assume(L.Name + ": startup of p2p " +
             shortNumber(T.StartupSeconds * 1e6) + " us (--link-file)");
    if (T.EfficiencyIsAssumed)
      assume(L.Name + ": efficiency of p2p " +
             shortNumber(T.BytesPerSecond / (*L.BandwidthGBs * 1e9)) +
             " (--link-file)");
  }
  const double Startup = Cost.Startups * R.StartupSeconds;
  C.Task = IsFlow && Cost.Bytes > 0
               ? addTask(Op, Startup, Servers, Cost.Bytes, Links)
               : addTask(Op, Startup + Cost.Bytes * SecondsPerByte, Servers);
}

void PlanBuilder::runCollective(const Operation &Op) {
  const unsigned Label = Result.Processes[Now.Number].Label;
  const uint32_t Index = NextCollective[Now.Number]++;
  std::vector<Collective> &All = Collectives[Label];
  if (Index == All.size())
    addCollective(Op, All.emplace_back(), LabelSize[Label]);
  Collective &C = All[Index];
  ++C.Arrived;
  if (C.Op != &Op &&
      (C.Op->Kind != Op.Kind || C.Op->Algorithm != Op.Algorithm)) {
    error(Op.Place, "process " + Twine(Result.Processes[Now.Number].Rank) +
                        " of '" + Now.Of->Label + "' comes to " +
                        toString(Op.Kind) + " where process 0 comes to " +
                        toString(C.Op->Kind));
    if (!Result.Errors.empty() && Result.Errors.back().Place == Op.Place) {
      Result.Errors.back().OtherPlace = C.Op->Place;
      Result.Errors.back().OtherText = "process 0 is here";
    }
    return;
  }
  if (Op.Amount != NoFormula && value(Op.Amount, "bytes") != C.Bytes)
    error(Op.Place, "processes of '" + Now.Of->Label +
                        "' do not agree on the bytes of " + toString(Op.Kind) +
                        ": " + shortestDecimal(C.Bytes) + " and " +
                        shortestDecimal(value(Op.Amount, "bytes")));
  after(C.Task, Now.Host);
  if (!Op.HasStream) { // in the default one, and the process waits for it
    after(C.Task, lastOfAll(Op));
    Now.Host = C.Task;
    return;
  }
  if (GPUState *G = gpuOf(Op)) {
    after(C.Task, lastOf(Op, *G, Op.Stream));
    issue(*G, Op, C.Task);
  }
}

void PlanBuilder::checkCollectives() {
  for (const auto &[Label, All] : llvm::enumerate(Collectives))
    for (const Collective &C : All)
      if (C.Arrived != LabelSize[Label])
        error(C.Op->Place, "only " + Twine(C.Arrived) + " of " +
                               Twine(LabelSize[Label]) + " processes of '" +
                               S.Processes[Label].Label + "' come to " +
                               toString(C.Op->Kind));
}
