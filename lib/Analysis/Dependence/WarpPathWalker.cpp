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
/// What is less likely is left out.
static constexpr double LeastMass = 1e-9;

WarpPathWalker::WarpPathWalker(const FunctionDependence &F,
                               const LatencyTable &T,
                               ArrayRef<CallCost> Callees, bool IsKernel,
                               bool WithWaits)
    : M(F, T, Callees, IsKernel, WithWaits), F(F),
      Budget((PassesAllowed + 1) * F.Instructions.size()),
      Incoming(F.Blocks.size()), LoopAt(F.Blocks.size(), -1),
      HasChoice(F.Blocks.size()), Exits(F.Loops.size()), Known(F.Loops.size()) {
  for (uint32_t L = 0; L != F.Loops.size(); ++L)
    LoopAt[F.Loops[L].First] = int(L);
  for (uint32_t At = 0; At != F.Blocks.size(); ++At) {
    const IssuedBlock &B = F.Blocks[At];
    HasChoice[At] =
        llvm::count_if(B.Edges,
                       [](const IssuedBlock::Edge &E) { return E.Share > 0; }) +
            (B.Both > 0) >
        1;
  }
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
void WarpPathWalker::addTo(std::vector<WarpState> &States, WarpState &&S) {
  if (S.Mass <= LeastMass)
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

/// Sends lanes on that are at S.Index, behind the block at \p Position.
void WarpPathWalker::route(uint32_t Position, WarpState &&S) {
  Pass &P = *Passes.back();
  auto Next = llvm::find_if(
      S.Index, [&](uint32_t At) { return At > Position && At < P.End; });
  if (Next != S.Index.end())
    return addTo(Incoming[*Next], std::move(S));
  if (P.Is != Pass::Mode::Through && llvm::is_contained(S.Index, P.First))
    return addTo(P.Back, std::move(S));
  addTo(P.Leaving, std::move(S));
}

WarpPathWalker::WayList
WarpPathWalker::waysFrom(uint32_t Position, const BlockEnd &E,
                         const WayShares *Chosen) const {
  const IssuedBlock &B = F.Blocks[Position];
  const Pass &P = *Passes.back();
  WayList Ways;
  auto Leaves = [&](uint32_t To) {
    return P.Is == Pass::Mode::Last && !P.contains(To);
  };
  const bool IsConditional = B.IsBranch && B.Edges.size() == 2;
  for (unsigned N = 0; N != B.Edges.size(); ++N) {
    const uint32_t To = B.Edges[N].To;
    if (!isOpen(To))
      continue;
    double Clock = To == IssuedBlock::Leave  ? E.Left
                   : IsConditional && N == 1 ? E.NotTaken
                                             : E.Taken;
    Ways.push_back({Chosen ? Chosen->Edges[N] : B.Edges[N].Share,
                    {To},
                    1,
                    Clock,
                    Leaves(To)});
  }
  Way Parts;
  Parts.Share = Chosen ? Chosen->Both : B.Both;
  if (Parts.Share <= 0)
    return Ways;
  assert(B.Edges.size() <= std::size(Parts.To) && "lanes part at branches");
  for (const IssuedBlock::Edge &Edge : B.Edges)
    if (isOpen(Edge.To) && Edge.To != IssuedBlock::Leave) {
      Parts.To[Parts.NumTo++] = Edge.To;
      Parts.Leaves |= Leaves(Edge.To);
    }
  // Where some lanes end, the others go on behind the instruction.
  const bool SomeEnd = B.Edges[0].To == IssuedBlock::Leave;
  Parts.Clock = SomeEnd ? E.NotTaken : E.Taken;
  if (Parts.NumTo != 0)
    Ways.push_back(Parts);
  return Ways;
}

/// Makes the shares those of all the ways that are open; in a loop's last pass
/// so many executions leave it as have to.
void WarpPathWalker::weigh(uint32_t Position, WayList &Ways) const {
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
  }
  llvm::erase_if(Ways, [](const Way &W) { return W.Share <= 0; });
}

/// Makes \p S the executions that go one way, but for their clock.
void WarpPathWalker::turn(WarpState &S, const Way &W) {
  S.Mass *= W.Share;
  for (uint32_t T : ArrayRef(W.To, W.NumTo))
    if (T != IssuedBlock::Leave)
      IsExact &= addPlace(S, T);
}

/// Whether executions go on with the next block, which nothing else has come
/// to. Then they need not be told from others, and M goes on with them.
bool WarpPathWalker::stays(uint32_t Position, const WarpState &S) const {
  const uint32_t Next = Position + 1;
  return Next < Passes.back()->End && LoopAt[Next] < 0 &&
         Incoming[Next].empty() && S.Mass > LeastMass &&
         llvm::is_contained(S.Index, Next);
}

/// Sends the executions that M is in the state of on their ways.
void WarpPathWalker::distribute(uint32_t Position, WarpState &S,
                                ArrayRef<Way> Ways, bool IsLast) {
  if (Ways.empty()) { // every way out is shut: the loop ends here
    IsExact &= M.save(S, Position);
    return route(Position, std::move(S));
  }
  if (Ways.size() > 1)
    IsExact &= M.save(S, Position);
  for (const Way &W : Ways.drop_back()) {
    WarpState Out = S;
    turn(Out, W);
    Out.advance(W.Clock);
    route(Position, std::move(Out));
  }
  const Way &Last = Ways.back();
  turn(S, Last);
  if (IsLast && stays(Position, S)) {
    M.advance(Last.Clock);
    if (&S != &Loaded)
      Loaded = std::move(S);
    IsLoaded = true;
    return;
  }
  if (Ways.size() == 1)
    IsExact &= M.save(S, Position);
  S.advance(Last.Clock);
  route(Position, std::move(S));
}

void WarpPathWalker::runBlock(uint32_t Position, WarpState &S,
                              const WayShares *Chosen, bool IsLast) {
  if (S.Index.size() == 1 && S.Index[0] == Position)
    S.Index.clear();
  else
    llvm::erase(S.Index, Position);
  const IssuedBlock &B = F.Blocks[Position];
  const BlockEnd E = M.run(B, S.Mass);
  if (B.Edges.size() == 1 && B.Both <= 0 &&
      Passes.back()->Is != Pass::Mode::Last && isOpen(B.Edges[0].To)) {
    // All go the one way, whatever its share.
    const uint32_t To = B.Edges[0].To;
    const Way Only{
        1, {To}, 1, To == IssuedBlock::Leave ? E.Left : E.Taken, false};
    return distribute(Position, S, Only, IsLast);
  }
  WayList Ways = waysFrom(Position, E, Chosen);
  if (!Ways.empty()) {
    weigh(Position, Ways);
    if (Ways.empty()) // counts say that nobody comes here
      return;
  }
  distribute(Position, S, Ways, IsLast);
}

/// Runs a block in the states that have come. Which of them go where is not
/// known; it is mostly checks of bounds that send warps apart, and they agree
/// with each other: those that have had the most to do have more to do.
void WarpPathWalker::runStates(uint32_t Position) {
  if (std::exchange(IsLoaded, false))
    return runBlock(Position, Loaded, nullptr, /*IsLast=*/true);
  std::vector<WarpState> &States = Incoming[Position];
  const IssuedBlock &B = F.Blocks[Position];
  // Where nobody comes, counts that say otherwise are no exact ones.
  const bool IsOpenChoice = HasChoice[Position] && States.size() != 1;
  IsExact &= !IsOpenChoice;
  if (States.empty())
    return;
  if (IsOpenChoice && B.Edges.size() == 2 &&
      llvm::all_of(B.Edges, [&](const IssuedBlock::Edge &E) {
        return isOpen(E.To) && (Passes.back()->Is != Pass::Mode::Last ||
                                Passes.back()->contains(E.To));
      }))
    runChosen(Position);
  else
    for (WarpState &S : States) {
      M.load(S);
      runBlock(Position, S, nullptr, &S == &States.back());
    }
  States.clear();
}

/// The same at a branch with two ways, both of them open.
void WarpPathWalker::runChosen(uint32_t Position) {
  const IssuedBlock &B = F.Blocks[Position];
  std::vector<WarpState> &States = Incoming[Position];
  SmallVector<WarpState *, MaxStates> Latest;
  for (WarpState &S : States)
    Latest.push_back(&S);
  llvm::stable_sort(Latest, [](const WarpState *X, const WarpState *Y) {
    return X->Clock > Y->Clock;
  });
  // What comes sooner is what a check guards; some lanes do less than all.
  unsigned Guarded = B.Edges[0].To < B.Edges[1].To ? 0 : 1;
  double Mass = 0, Sum = B.Edges[0].Share + B.Edges[1].Share + B.Both;
  for (const WarpState *S : Latest)
    Mass += S->Mass;
  double Left[] = {B.Edges[Guarded].Share, B.Both, B.Edges[1 - Guarded].Share};
  for (double &L : Left)
    L *= Mass / Sum;
  unsigned Way = 0;
  for (WarpState *S : Latest) {
    double Taken[3] = {};
    for (double Rest = S->Mass;;) {
      double Part = Way == 2 ? Rest : std::min(Rest, Left[Way]);
      Taken[Way] += Part / S->Mass;
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
    M.load(*S);
    runBlock(Position, *S, &Chosen, S == Latest.back());
  }
}

/// What has come to a loop, at its header or, if it is irreducible, anywhere.
std::vector<WarpState> WarpPathWalker::takeEntering(const IssuedLoop &L) {
  std::vector<WarpState> Entering;
  for (uint32_t At = L.First; At != L.End; ++At) {
    for (WarpState &S : Incoming[At]) {
      llvm::erase(S.Index, At);
      addTo(Entering, std::move(S));
    }
    Incoming[At].clear();
  }
  return Entering;
}

/// Goes through the blocks once, with what has come in.
void WarpPathWalker::runPass(Pass &P) {
  Passes.push_back(&P);
  for (uint32_t At = P.First; At < P.End; ++At) {
    // The loop that begins here, but for the one that this is a pass of.
    int Number = LoopAt[At];
    if (Number < 0 || (P.Is != Pass::Mode::Through && At == P.First)) {
      runStates(At);
      continue;
    }
    const IssuedLoop &L = F.Loops[size_t(Number)];
    for (WarpState &S : takeEntering(L))
      runLoop(uint32_t(Number), std::move(S));
    At = L.End - 1;
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
  addTo(Incoming[0], std::move(S));
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
