//===- FairShares.cpp - What each flow has of its links -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scenario/Engine/FairShares.h"
#include <algorithm>
#include <functional>
#include <limits>

using namespace ptxpredict;

static constexpr double Never = std::numeric_limits<double>::infinity();

FairShares::FairShares(const TaskGraph &Graph)
    : Graph(Graph), Links(Graph.numLinks()) {}

void FairShares::touch(ArrayRef<LinkUse> Uses) {
  for (const LinkUse &U : Uses)
    if (Link &L = Links[U.Link]; !L.IsTouched) {
      L.IsTouched = true;
      Touched.push_back(U.Link);
    }
}

uint32_t FairShares::begin(TaskNumber T, double Now) {
  uint32_t Number = 0;
  if (Unused.empty()) {
    Number = uint32_t(Flows.size());
    Flows.emplace_back();
  } else {
    Number = Unused.back();
    Unused.pop_back();
  }
  const ArrayRef<LinkUse> Uses = Graph.links(T);
  Flow &F = Flows[Number];
  F.Bytes = Graph.bytes(T);
  F.Since = Now;
  F.Rate = 0;
  F.End = Never;
  F.Links = Uses.data();
  F.NumLinks = uint32_t(Uses.size());
  F.Task = T;
  for (const LinkUse &U : Uses)
    Links[U.Link].Uses.push_back({Number, U.Weight});
  touch(Uses);
  return Number;
}

void FairShares::end(uint32_t First, std::vector<TaskNumber> &Ends) {
  for (uint32_t Number = First; Number != None;) {
    Flow &F = Flows[Number];
    touch(F.links());
    Ends.push_back(F.Task);
    F.Task = NoTask;
    Ended.push_back(Number);
    Number = F.NextDue;
  }
}

void FairShares::dropEnded(Link &L) {
  L.Uses.erase(std::remove_if(L.Uses.begin(), L.Uses.end(),
                              [this](const Use &U) {
                                return Flows[U.Flow].Task == NoTask;
                              }),
               L.Uses.end());
}

void FairShares::shareTouched(double Now, EventHeap &Events) {
  if (!Ended.empty())
    for (LinkNumber L : Touched)
      dropEnded(Links[L]);
  Unused.insert(Unused.end(), Ended.begin(), Ended.end());
  Ended.clear();
  ++Round;
  for (LinkNumber Number : Touched) {
    Link &L = Links[Number];
    L.IsTouched = false;
    if (L.Round == Round || L.Uses.empty())
      continue;
    gather(Number);
    if (Group.size() == 1)
      shareAlone(Flows[Group.front()], Now);
    else if (GroupLinks.size() == 1)
      shareOne(L, Graph.bytesPerSecond(Number), Now);
    else
      shareAll(Now);
    pushNextEnd(Events);
  }
  Touched.clear();
}

/// Finds the flows and links that are joined with \p First.
void FairShares::gather(LinkNumber First) {
  Group.clear();
  GroupLinks.assign(1, First);
  Links[First].Round = Round;
  for (size_t I = 0; I != GroupLinks.size(); ++I)
    for (const Use &U : Links[GroupLinks[I]].Uses) {
      Flow &F = Flows[U.Flow];
      if (F.Round == Round)
        continue;
      F.Round = Round;
      Group.push_back(U.Flow);
      if (F.NumLinks == 1)
        continue;
      for (const LinkUse &Other : F.links())
        if (Link &L = Links[Other.Link]; L.Round != Round) {
          L.Round = Round;
          GroupLinks.push_back(Other.Link);
        }
    }
}

/// Of a flow that shares nothing: the time is rounded no more often than it is
/// for one who works it out.
void FairShares::shareAlone(Flow &F, double Now) {
  double Rate = Never;
  for (const LinkUse &U : F.links())
    Rate = std::min(Rate, Graph.bytesPerSecond(U.Link) / U.Weight);
  if (Rate == F.Rate)
    return;
  setRate(F, Rate, Now);
  double Seconds = 0;
  for (const LinkUse &U : F.links())
    Seconds =
        std::max(Seconds, F.Bytes * U.Weight / Graph.bytesPerSecond(U.Link));
  F.End = Now + Seconds;
}

/// Of flows that have but one link, the same one.
void FairShares::shareOne(Link &L, double BytesPerSecond, double Now) {
  double Weight = 0;
  for (const Use &U : L.Uses)
    Weight += U.Weight;
  for (const Use &U : L.Uses)
    setRate(Flows[U.Flow], BytesPerSecond / Weight, Now);
}

void FairShares::shareAll(double Now) {
  for (uint32_t F : Group)
    Flows[F].NextRate = -1;
  Filling.clear();
  for (LinkNumber Number : GroupLinks) {
    Link &L = Links[Number];
    L.Left = Graph.bytesPerSecond(Number);
    L.Weight = 0;
    for (const Use &U : L.Uses)
      L.Weight += U.Weight;
    L.Open = uint32_t(L.Uses.size());
    Filling.emplace_back(L.Left / L.Weight, Number);
  }
  const auto IsLater = std::greater<>();
  std::make_heap(Filling.begin(), Filling.end(), IsLater);
  double Rate = 0;
  for (size_t NumOpen = Group.size(); NumOpen != 0;) {
    std::pop_heap(Filling.begin(), Filling.end(), IsLater);
    auto &[FullAt, Number] = Filling.back();
    Link &L = Links[Number];
    // When a flow has got its rate, those beside it have no less left than they
    // had.
    const double FullNow = L.Left / L.Weight;
    if (L.Open != 0 && FullNow > FullAt) {
      FullAt = FullNow;
      std::push_heap(Filling.begin(), Filling.end(), IsLater);
      continue;
    }
    Filling.pop_back();
    if (L.Open == 0)
      continue;
    NumOpen -= L.Open;
    Rate = std::max(Rate, FullNow);
    fix(L, Rate);
  }
  for (uint32_t F : Group)
    setRate(Flows[F], Flows[F].NextRate, Now);
}

/// Gives \p Rate to the flows of \p Full that have none.
void FairShares::fix(const Link &Full, double Rate) {
  for (const Use &U : Full.Uses) {
    Flow &F = Flows[U.Flow];
    if (F.NextRate >= 0)
      continue;
    F.NextRate = Rate;
    for (const LinkUse &Over : F.links()) {
      Link &L = Links[Over.Link];
      L.Left -= Over.Weight * Rate;
      L.Weight -= Over.Weight;
      --L.Open;
    }
  }
}

/// A flow whose rate stays keeps its end, to the last bit.
void FairShares::setRate(Flow &F, double Rate, double Now) {
  if (Rate == F.Rate)
    return;
  F.Bytes = std::max(0.0, F.Bytes - F.Rate * (Now - F.Since));
  F.Since = Now;
  F.Rate = Rate;
  F.End = F.Bytes > 0 ? Now + F.Bytes / Rate : Now;
}

void FairShares::pushNextEnd(EventHeap &Events) {
  double First = Never;
  uint32_t Head = None;
  for (uint32_t Number : Group) {
    Flow &F = Flows[Number];
    F.Version += F.Version % 2; // the event that it has holds no more
    if (F.End < First)
      Head = None;
    if (F.End > First)
      continue;
    First = F.End;
    F.NextDue = Head;
    Head = Number;
  }
  Flow &F = Flows[Head];
  Events.push({F.End, F.Task, ++F.Version});
}
