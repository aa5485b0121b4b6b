//===- InOrderIssue.cpp - One warp's issue of instructions ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InOrderIssue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <tuple>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::path;
using Copy = IssuedInstruction::Copy;

InOrderIssue::InOrderIssue(const FunctionDependence &F, const LatencyTable &T,
                           ArrayRef<CallCost> Callees, bool IsKernel,
                           bool WithWaits)
    : Waited(WithWaits ? F.Instructions.size() : 0), WaitedFor(Waited.size()),
      Mass(F.Blocks.size()), F(F), T(T), Callees(Callees), IsKernel(IsKernel),
      WithWaits(WithWaits), Slots(F.NumRegisters), Written(F.NumRegisters) {}

void InOrderIssue::listFreshLong(uint32_t Register) {
  if (!std::exchange(Slots[Register].IsInFreshLong, true))
    FreshLong.push_back(Register);
}

void InOrderIssue::listFreshShared(uint32_t Register) {
  if (!std::exchange(Slots[Register].IsInFreshShared, true))
    FreshShared.push_back(Register);
}

void InOrderIssue::load(const WarpState &S) {
  Written.filter([&](uint32_t R) {
    Slots[R] = Slot();
    return false;
  });
  FreshLong.clear();
  FreshShared.clear();
  Clock = S.Clock;
  BusyUntil = Clock + S.Busy;
  for (const Result &R : S.Results) {
    Written.insert(R.Register);
    Slot &To = Slots[R.Register];
    To.Ready = Clock + R.Ready;
    To.Writer = R.Writer;
    To.FreshLong = R.FreshLong;
    To.FreshShared = R.FreshShared;
    if (R.FreshLong > 0) {
      To.IsInFreshLong = true;
      FreshLong.push_back(R.Register);
    }
    if (R.FreshShared > 0) {
      To.IsInFreshShared = true;
      FreshShared.push_back(R.Register);
    }
  }
  auto At = [&](CopyGroup G) {
    G.Ready += Clock;
    return G;
  };
  Groups.clear();
  for (const CopyGroup &G : S.Groups)
    Groups.push_back(At(G));
  Open = At(S.Open);
  Bulk = At(S.Bulk);
}

bool InOrderIssue::save(WarpState &S, uint32_t Position) {
  S.Clock = Clock;
  S.Busy = std::max(0.0, BusyUntil - Clock);
  S.Results.resize_for_overwrite(Written.size());
  Result *End = S.Results.begin();
  double SumReady = 0;
  Written.filter([&](uint32_t R) {
    Slot &From = Slots[R];
    const bool IsInFlight =
        From.Ready > Clock || From.FreshLong > 0 || From.FreshShared > 0;
    const bool IsRead = F.LastReads.empty() || Position < F.LastReads[R];
    if (IsInFlight && IsRead) {
      const double Ready = std::max(0.0, From.Ready - Clock);
      SumReady += Ready;
      *End++ = {R, From.Writer, Ready, From.FreshLong, From.FreshShared};
      return true;
    }
    // What the lists of fresh ones hold has to say so.
    const bool IsListed = From.IsInFreshLong || From.IsInFreshShared;
    if (!IsListed)
      From = Slot();
    return IsListed;
  });
  S.Results.truncate(size_t(End - S.Results.begin()));
  S.SumReady = SumReady;
  constexpr size_t MaxResults = 256;
  bool KeepsAll = S.Results.size() <= MaxResults;
  if (!KeepsAll) {
    auto *Last = S.Results.begin() + MaxResults;
    std::nth_element(S.Results.begin(), Last, S.Results.end(),
                     [](const Result &A, const Result &B) {
                       return std::tuple(A.Ready, A.Writer, A.Register) >
                              std::tuple(B.Ready, B.Writer, B.Register);
                     });
    S.Results.erase(Last, S.Results.end());
    llvm::sort(S.Results, [](const Result &A, const Result &B) {
      return A.Register < B.Register;
    });
    S.SumReady = 0;
    for (const Result &R : S.Results)
      S.SumReady += R.Ready;
  }
  auto From = [&](CopyGroup G) {
    G.Ready = std::max(0.0, G.Ready - Clock);
    return G;
  };
  S.Groups.clear();
  for (const CopyGroup &G : Groups)
    S.Groups.push_back(From(G));
  S.Open = From(Open);
  S.Bulk = From(Bulk);
  return KeepsAll;
}

/// A wait that perhaps brings all loads that are in flight.
void InOrderIssue::roundTrip(double Chance, double Times, bool IsShared) {
  (IsShared ? Sums.SharedRoundTrips : Sums.RoundTrips) += Chance * Times;
  // Those are the executions in which other loads are in flight, too. What is
  // left of a chance by rounding is none.
  constexpr float Least = 1e-6F;
  auto Left = [&](float Fresh) {
    Fresh -= float(Chance);
    return Fresh > Least ? Fresh : 0;
  };
  llvm::erase_if(IsShared ? FreshShared : FreshLong, [&](uint32_t R) {
    Slot &S = Slots[R];
    float &Fresh = IsShared ? S.FreshShared : S.FreshLong;
    Fresh = Left(Fresh);
    (IsShared ? S.IsInFreshShared : S.IsInFreshLong) = Fresh > 0;
    return Fresh == 0;
  });
  if (IsShared)
    return;
  for (CopyGroup &G : Groups)
    G.Fresh = Left(float(G.Fresh));
  Open.Fresh = Left(float(Open.Fresh));
  Bulk.Fresh = Left(float(Bulk.Fresh));
}

double InOrderIssue::awaitCopies(const IssuedInstruction &I, double Times,
                                 uint32_t &Writer) {
  double Ready = 0, Fresh = 0;
  auto Await = [&](const CopyGroup &G) {
    if (G.Ready > Ready) {
      Ready = G.Ready;
      Writer = G.Writer;
    }
    Fresh = std::max(Fresh, G.Fresh);
  };
  size_t Kept = I.Copies == Copy::Wait ? size_t(std::max(0, I.Argument)) : 0;
  size_t NumAwaited = Groups.size() > Kept ? Groups.size() - Kept : 0;
  for (const CopyGroup &G : ArrayRef(Groups).take_front(NumAwaited))
    Await(G);
  Groups.erase(Groups.begin(), Groups.begin() + NumAwaited);
  if (I.Copies == Copy::WaitBulk) {
    Await(Bulk);
    Bulk = CopyGroup();
  }
  if (I.Copies == Copy::WaitBulk || I.Argument < 0) {
    Await(Open);
    Open = CopyGroup();
  }
  if (Fresh > 0)
    roundTrip(Fresh, Times, false);
  return Ready;
}

void InOrderIssue::startCopy(const IssuedInstruction &I, uint32_t Number,
                             double Start) {
  CopyGroup &G = I.Copies == Copy::Start ? Open : Bulk;
  G.Ready = std::max(G.Ready, Start + T.of(I.Result));
  G.Fresh = 1;
  G.Writer = Number;
}

void InOrderIssue::closeGroup() {
  Groups.push_back(Open);
  Open = CopyGroup();
  // The oldest of many become one: no wait leaves so many.
  constexpr size_t MaxGroups = 16;
  if (Groups.size() <= MaxGroups)
    return;
  CopyGroup &Oldest = Groups[0], &Next = Groups[1];
  if (Oldest.Ready > Next.Ready) {
    Next.Ready = Oldest.Ready;
    Next.Writer = Oldest.Writer;
  }
  Next.Fresh = std::max(Next.Fresh, Oldest.Fresh);
  Groups.erase(Groups.begin());
}

void InOrderIssue::noteFlight(double Start, double End, double Times) {
  if (End <= BusyUntil)
    return;
  Sums.BusyCycles += (End - std::max(Start, BusyUntil)) * Times;
  BusyUntil = End;
}

// What run() does for each instruction: it is a large part of the run time and
// becomes one loop.

template <bool HasWaits>
LLVM_ATTRIBUTE_ALWAYS_INLINE double
InOrderIssue::awaitResults(const IssuedInstruction &I, uint32_t Number,
                           double Times) {
  double Start = Clock;
  uint32_t Writer = Number;
  float Long = 0, Shared = 0; // chances
  for (uint32_t R : F.reads(I)) {
    const Slot &S = Slots[R];
    if (S.Ready > Start) {
      Start = S.Ready;
      Writer = S.Writer;
    }
    Long = std::max(Long, S.FreshLong);
    Shared = std::max(Shared, S.FreshShared);
  }
  if (I.Copies == Copy::Wait || I.Copies == Copy::WaitBulk) {
    uint32_t By = Number;
    if (double Ready = awaitCopies(I, Times, By); Ready > Start) {
      Start = Ready;
      Writer = By;
    }
  }
  if (Long > 0)
    roundTrip(Long, Times, false);
  if (Shared > 0)
    roundTrip(Shared, Times, true);
  if constexpr (HasWaits) {
    Waited[Number] += (Start - Clock) * Times;
    if (Start > Clock)
      WaitedFor[Number] = Writer;
  }
  return Start;
}

void InOrderIssue::addCall(const CallCost &C, double Times) {
  Clock += C.Cycles;
  Sums.add(C.Sums, Times);
  if (C.Sums.RoundTrips > 0)
    roundTrip(std::min(1.0, C.Sums.RoundTrips), 0, false);
  if (C.Sums.SharedRoundTrips > 0)
    roundTrip(std::min(1.0, C.Sums.SharedRoundTrips), 0, true);
}

LLVM_ATTRIBUTE_ALWAYS_INLINE void
InOrderIssue::writeResults(const IssuedInstruction &I, uint32_t Number,
                           double Ready) {
  for (uint32_t R : F.writes(I)) {
    Written.insert(R);
    Slot &S = Slots[R];
    const bool KeepsFormer = F.keepsFormer(I, R);
    if (!KeepsFormer || Ready > S.Ready) {
      S.Ready = Ready;
      S.Writer = Number;
    }
    float Kept = KeepsFormer ? 1 : 0;
    S.FreshLong = I.IsLongLoad ? 1 : S.FreshLong * Kept;
    S.FreshShared = I.IsSharedLoad ? 1 : S.FreshShared * Kept;
    if (I.IsLongLoad)
      listFreshLong(R);
    if (I.IsSharedLoad)
      listFreshShared(R);
  }
}

template <bool HasWaits>
LLVM_ATTRIBUTE_ALWAYS_INLINE double InOrderIssue::issue(uint32_t Number,
                                                        double Times) {
  const IssuedInstruction &I = F.Instructions[Number];
  const double Start = awaitResults<HasWaits>(I, Number, Times);
  const double Ready = Start + T.of(I.Result);
  Clock = Start + (I.IsPaired ? 0 : std::max(T.Issue, double(I.Stall)));
  switch (I.Result) {
  case SchedClass::Barrier:
  case SchedClass::Fence:
  case SchedClass::Call:
    Clock = std::max(Clock, Ready);
    break;
  default:
    break;
  }
  if (I.Result == SchedClass::Call && I.Argument >= 0)
    addCall(Callees[size_t(I.Argument)], Times);
  if (I.IsLongLoad)
    noteFlight(Start, Ready, Times);
  if (I.Copies == Copy::Start || I.Copies == Copy::StartBulk)
    startCopy(I, Number, Start);
  else if (I.Copies == Copy::Commit)
    closeGroup();
  writeResults(I, Number, Ready);
  return Start;
}

BlockEnd InOrderIssue::endOf(const IssuedBlock &B, double Start) const {
  BlockEnd E;
  E.Taken = E.NotTaken = E.Left = Clock;
  if (B.IsBranch) {
    E.Taken = std::max(Clock, Start + T.of(SchedClass::BranchTaken));
    E.NotTaken = std::max(Clock, Start + T.of(SchedClass::BranchNotTaken));
  }
  bool Returns =
      B.EndInstruction != B.FirstInstruction &&
      F.Instructions[B.EndInstruction - 1].Result == SchedClass::Exit;
  if (Returns)
    E.Left = IsKernel ? Start + T.of(SchedClass::Exit)
                      : std::max(Clock, Start + T.of(SchedClass::Call));
  return E;
}

template <bool HasWaits>
BlockEnd InOrderIssue::runBlock(const IssuedBlock &B, double Times) {
  double Start = Clock;
  if (IsPacked && !B.PackedOrder.empty())
    for (uint32_t N : B.PackedOrder)
      Start = issue<HasWaits>(B.FirstInstruction + N, Times);
  else
    for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N)
      Start = issue<HasWaits>(N, Times);
  return endOf(B, Start);
}

BlockEnd InOrderIssue::run(const IssuedBlock &B, double Times) {
  Mass[size_t(&B - F.Blocks.data())] += Times;
  Issued += B.EndInstruction - B.FirstInstruction;
  return WithWaits ? runBlock<true>(B, Times) : runBlock<false>(B, Times);
}
