//===- WarpPathWalker.cpp - The ways of warps through a function ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Executions in different states are kept apart while they are few; of more at
// one block, two become one, the mean. Lanes of a warp that parted are at
// several positions; the first of them goes on.
//===----------------------------------------------------------------------===//
#include "WarpPathWalker.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::path;

/// Instructions followed beyond the first time, for each that there is.
static constexpr uint64_t PassesAllowed = 64;
/// States that a block is run in one by one.
static constexpr size_t MaxStates = 4;

WarpPathWalker::WarpPathWalker(const FunctionDependence &F,
                               const LatencyTable &T,
                               ArrayRef<CallCost> Callees, bool IsKernel)
    : M(F, T, Callees, IsKernel), F(F),
      Budget((PassesAllowed + 1) * F.Instructions.size()),
      Incoming(F.Blocks.size()), LoopAt(F.Blocks.size(), -1),
      Exits(F.Loops.size()), Known(F.Loops.size()) {
  for (uint32_t L = 0; L != F.Loops.size(); ++L)
    LoopAt[F.Loops[L].First] = int(L);
  SmallVector<uint32_t, 8> Inside; // loops, outer ones first
  for (uint32_t At = 0; At != F.Blocks.size(); ++At) {
    while (!Inside.empty() && F.Loops[Inside.back()].End <= At)
      Inside.pop_back();
    if (LoopAt[At] >= 0)
      Inside.push_back(uint32_t(LoopAt[At]));
    for (uint32_t Loop : llvm::reverse(Inside)) {
      const IssuedLoop &L = F.Loops[Loop];
      if (llvm::all_of(F.Blocks[At].Edges, [&](const IssuedBlock::Edge &E) {
            return E.To >= L.First && E.To < L.End;
          }))
        break;
      Exits[Loop].push_back(At);
    }
  }
}

/// Adds a state to those that are kept apart. Where they are too many, the one
/// that fits best and is least likely takes it in.
void WarpPathWalker::addTo(std::vector<WarpState> &States, WarpState S) {
  constexpr double Least = 1e-9;
  if (S.Mass <= Least)
    return;
  for (WarpState &Known : States)
    if (isSame(Known, S)) {
      merge(Known, S);
      return;
    }
  if (States.size() < MaxStates) {
    States.push_back(std::move(S));
    return;
  }
  WarpState *Best = nullptr;
  for (WarpState &Known : States)
    if (!Best || std::pair(Known.Index != S.Index, Known.Mass) <
                     std::pair(Best->Index != S.Index, Best->Mass))
      Best = &Known;
  IsExact &= merge(*Best, S);
}

void WarpPathWalker::arrive(uint32_t Position, WarpState S) {
  addTo(Incoming[Position], std::move(S));
  if (!Incoming[Position].empty())
    Pending.insert(Position);
}

std::vector<WarpState> WarpPathWalker::takeIncoming(uint32_t Position) {
  Pending.erase(Position);
  return std::exchange(Incoming[Position], {});
}

WarpState WarpPathWalker::mergeAll(std::vector<WarpState> States) {
  WarpState All = std::move(States.front());
  for (const WarpState &S : ArrayRef(States).drop_front())
    IsExact &= merge(All, S);
  return All;
}

bool WarpPathWalker::isOpen(uint32_t To) const {
  for (const Pass *P : llvm::reverse(Passes)) {
    if (P->Is == Pass::Mode::Last && To == P->First)
      return false;
    if (P->contains(To)) // and so do outer ones, behind their headers
      return true;
    if (P->Is == Pass::Mode::Again)
      return false;
  }
  return true;
}

/// Sends lanes on that are at S.At, behind the block at \p Position.
void WarpPathWalker::route(uint32_t Position, WarpState S) {
  Pass &P = *Passes.back();
  auto Next = llvm::find_if(
      S.Index, [&](uint32_t At) { return At > Position && At < P.End; });
  if (Next != S.Index.end())
    return arrive(*Next, std::move(S));
  if (P.Is != Pass::Mode::Through && llvm::is_contained(S.Index, P.First))
    return addTo(P.Back, std::move(S));
  addTo(P.Leaving, std::move(S));
}

/// Where some of the executions of a block go on.
struct WarpPathWalker::Way {
  double Share = 0; ///< of the executions
  SmallVector<uint32_t, 2> To;
  double Clock = 0;    ///< at which they arrive
  bool Leaves = false; ///< the loop whose last pass this is
};

SmallVector<WarpPathWalker::Way, 4>
WarpPathWalker::waysFrom(uint32_t Position, const BlockEnd &E,
                         const WayShares *Chosen) const {
  const IssuedBlock &B = F.Blocks[Position];
  const Pass &P = *Passes.back();
  SmallVector<Way, 4> Ways;
  auto Add = [&](double Share, SmallVector<uint32_t, 2> To, double Clock) {
    bool Leaves = P.Is == Pass::Mode::Last &&
                  llvm::any_of(To, [&](uint32_t T) { return !P.contains(T); });
    Ways.push_back({Share, std::move(To), Clock, Leaves});
  };
  const bool IsConditional = B.IsBranch && B.Edges.size() == 2;
  for (unsigned N = 0; N != B.Edges.size(); ++N) {
    const uint32_t To = B.Edges[N].To;
    if (!isOpen(To))
      continue;
    double Clock = To == IssuedBlock::Leave  ? E.Left
                   : IsConditional && N == 1 ? E.NotTaken
                                             : E.Taken;
    Add(Chosen ? Chosen->Edges[N] : B.Edges[N].Share, {To}, Clock);
  }
  double Both = Chosen ? Chosen->Both : B.Both;
  if (Both <= 0)
    return Ways;
  SmallVector<uint32_t, 2> To;
  for (const IssuedBlock::Edge &Edge : B.Edges)
    if (isOpen(Edge.To) && Edge.To != IssuedBlock::Leave)
      To.push_back(Edge.To);
  // Where some lanes end, the others go on behind the instruction.
  bool SomeEnd = B.Edges[0].To == IssuedBlock::Leave;
  if (!To.empty())
    Add(Both, std::move(To), SomeEnd ? E.NotTaken : E.Taken);
  return Ways;
}

/// Sends \p W.Share of the executions on their way.
void WarpPathWalker::send(uint32_t Position, const WarpState &S, const Way &W) {
  if (W.Share <= 0)
    return;
  WarpState Out = S;
  Out.Mass *= W.Share;
  Out.Clock = W.Clock;
  // What is in flight is told from the clock.
  double Later = W.Clock - S.Clock;
  auto Advance = [&](double &Cycles) {
    Cycles = std::max(0.0, Cycles - Later);
  };
  Advance(Out.Busy);
  Advance(Out.Open.Ready);
  Advance(Out.Bulk.Ready);
  for (CopyGroup &G : Out.Groups)
    Advance(G.Ready);
  for (Result &R : Out.Results)
    Advance(R.Ready);
  llvm::erase_if(Out.Results, [](const Result &R) {
    return R.Ready == 0 && R.FreshLong == 0 && R.FreshShared == 0;
  });
  for (uint32_t T : W.To)
    if (T != IssuedBlock::Leave)
      IsExact &= addPlace(Out, T);
  route(Position, std::move(Out));
}

/// Sends the executions on all of the ways that are open, in proportion to
/// their shares; in a loop's last pass so many leave it as have to.
void WarpPathWalker::distribute(uint32_t Position, const WarpState &S,
                                SmallVector<Way, 4> Ways) {
  if (Ways.empty()) { // every way out is shut: the loop ends here
    WarpState Out = S;
    return route(Position, std::move(Out));
  }
  double Sums[2] = {}; // of those that stay, and those that leave
  unsigned Numbers[2] = {};
  for (const Way &W : Ways) {
    Sums[W.Leaves] += W.Share;
    ++Numbers[W.Leaves];
  }
  const Pass &P = *Passes.back();
  double Leaving =
      P.Is == Pass::Mode::Last ? P.LeavingShare.lookup(Position) : 0;
  if (Sums[1] <= 0)
    Leaving = 0;
  else if (Numbers[0] == 0)
    Leaving = 1;
  for (Way &W : Ways) {
    double Alike = 1.0 / double(Numbers[W.Leaves]);
    W.Share = (W.Leaves ? Leaving : 1 - Leaving) *
              (Sums[W.Leaves] > 0 ? W.Share / Sums[W.Leaves] : Alike);
    send(Position, S, W);
  }
}

void WarpPathWalker::runBlock(uint32_t Position, WarpState S,
                              const WayShares *Chosen) {
  llvm::erase(S.Index, Position);
  M.load(S);
  BlockEnd E = M.run(F.Blocks[Position], S.Mass);
  IsExact &= M.save(S);
  distribute(Position, S, waysFrom(Position, E, Chosen));
}

/// Runs a block in each of \p States. Which of them go where is not known; it
/// is mostly checks of bounds that send warps apart, and they agree with each
/// other: those that have had the most to do have more to do.
void WarpPathWalker::runStates(uint32_t Position,
                               std::vector<WarpState> States) {
  const IssuedBlock &B = F.Blocks[Position];
  bool IsOpenChoice =
      llvm::count_if(B.Edges,
                     [](const IssuedBlock::Edge &E) { return E.Share > 0; }) +
          (B.Both > 0) >
      1;
  IsExact &= States.size() == 1 || !IsOpenChoice;
  bool Chooses =
      States.size() > 1 && IsOpenChoice && B.Edges.size() == 2 &&
      llvm::all_of(B.Edges, [&](const IssuedBlock::Edge &E) {
        return isOpen(E.To) && (Passes.back()->Is != Pass::Mode::Last ||
                                Passes.back()->contains(E.To));
      });
  if (!Chooses) {
    for (WarpState &S : States)
      runBlock(Position, std::move(S), nullptr);
    return;
  }
  llvm::stable_sort(States, [](const WarpState &X, const WarpState &Y) {
    return X.Clock > Y.Clock;
  });
  // What comes sooner is what a check guards; some lanes do less than all.
  unsigned Guarded = B.Edges[0].To < B.Edges[1].To ? 0 : 1;
  double Mass = 0, Sum = B.Edges[0].Share + B.Edges[1].Share + B.Both;
  for (const WarpState &S : States)
    Mass += S.Mass;
  double Left[] = {B.Edges[Guarded].Share, B.Both, B.Edges[1 - Guarded].Share};
  for (double &L : Left)
    L *= Mass / Sum;
  unsigned Way = 0;
  for (WarpState &S : States) {
    double Taken[3] = {};
    for (double Rest = S.Mass;;) {
      double Part = Way == 2 ? Rest : std::min(Rest, Left[Way]);
      Taken[Way] += Part / S.Mass;
      Left[Way] -= Part;
      Rest -= Part;
      if (Rest <= 0)
        break;
      ++Way;
    }
    WayShares Chosen;
    Chosen.Edges[Guarded] = Taken[0];
    Chosen.Both = Taken[1];
    Chosen.Edges[1 - Guarded] = Taken[2];
    runBlock(Position, std::move(S), &Chosen);
  }
}

/// Goes through the blocks once, with what has come in.
void WarpPathWalker::runPass(Pass &P) {
  Passes.push_back(&P);
  for (uint32_t At = P.First; At < P.End; ++At) {
    // The loop that begins here, but for the one that this is a pass of.
    int Number = LoopAt[At];
    if (Number < 0 || (P.Is != Pass::Mode::Through && At == P.First)) {
      runStates(At, takeIncoming(At));
      continue;
    }
    // An irreducible one may be entered anywhere.
    uint32_t End = F.Loops[size_t(Number)].End;
    std::vector<WarpState> Entering;
    for (auto It = Pending.lower_bound(At); It != Pending.end() && *It < End;) {
      uint32_t In = *It++;
      for (WarpState &S : takeIncoming(In)) {
        llvm::erase(S.Index, In);
        addTo(Entering, std::move(S));
      }
    }
    for (WarpState &S : Entering)
      runLoop(uint32_t(Number), std::move(S));
    At = End - 1;
  }
  Passes.pop_back();
}

CallCost WarpPathWalker::run() {
  CallCost Cost;
  if (F.Blocks.empty())
    return Cost;
  Pass P;
  P.End = uint32_t(F.Blocks.size());
  WarpState S;
  S.Mass = 1;
  S.Index = {0};
  arrive(0, std::move(S));
  runPass(P);
  double Mass = 0, Cycles = 0;
  for (const WarpState &Left : P.Leaving) {
    Mass += Left.Mass;
    Cycles += Left.Mass * Left.Clock;
  }
  Cost.Cycles = Mass > 0 ? Cycles / Mass : 0;
  Cost.Sums = M.Sums;
  return Cost;
}
