//===- ProfileWalker.cpp - Warps' ways through the code -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProfileWalker.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

ProfileWalker::ProfileWalker(const PreparedProgram &P,
                             const SymbolicValues &Kernel, uint64_t Allowed,
                             bool HasRecords)
    : Program(P), Launch(*P.Launch), Thoroughness(P.Thoroughness),
      Budget(Allowed), Kernel(Kernel),
      Barriers(Launch, Thoroughness != Effort::All || P.HidesBarriers),
      Regions(P.NumRegions), Blocks(P.NumBlocks) {
  Counts.emplace(P, Kernel.expressions());
  A.Block = Launch.Block;
  A.Grid = Launch.Grid;
  for (const auto &C : Program.Contexts) {
    for (const Region &R : C->Regions) {
      Budget += PassesAllowed * R.cost();
      if (R.Cycle >= 0)
        state(R).Compared = compileComparisons(R.Comparisons);
    }
    BlockState *S = &Blocks[C->FirstBlock];
    for (const PreparedBlock &B : C->Blocks) {
      if (!B.Conditions.empty())
        S->Compiled = std::make_unique<CompiledExpressions>(B.Conditions);
      if (!B.Addresses.empty())
        S->Located = std::make_unique<CompiledExpressions>(B.Addresses);
      S++->Compared = compileComparisons(B.Comparisons);
    }
  }
  if (!HasRecords)
    return;
  Records.emplace(Kernel.graph(), Launch);
  for (const RecordedEffect &E : Program.Recorded)
    Records->addAccess(*E.I, E.Number, *E.Effect);
}

bool ProfileWalker::run() { return runGrid() && runAlone(); }

StaticProfile ProfileWalker::finish() {
  StaticProfile Result;
  Result.IsSampled = Thoroughness != Effort::All;
  Result.Functions = Counts->finish();
  Result.Assumptions = Assumptions.take();
  Result.Barriers = Barriers.take();
  Result.Work = std::move(Work);
  Result.ReadBeyond = std::move(ReadBeyond);
  const Region &Kernel = Program.kernel().whole();
  if (Records)
    Result.Records = Records->take({Kernel.HasBarrier, Kernel.LoadStretches},
                                   Result.IsSampled);
  return Result;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void counting::sendTo(ExitFlows &Exits, const Block *To, const ActiveLanes &F) {
  if (!F)
    return;
  for (auto &[B, Former] : Exits)
    if (B == To) {
      Former.merge(F, /*Settles=*/false);
      return;
    }
  Exits.push_back({To, F});
}

/// Lanes go to a block: to the region's header again, elsewhere in the region,
/// or out of it.
void ProfileWalker::send(const RegionVisit &V, const Block *To,
                         const ActiveLanes &F) {
  if (!F)
    return;
  if (V.R.Cycle >= 0 && To == V.R.Items.front().B) {
    V.Back.merge(F);
  } else if (std::optional<int> Loop = V.C.loopInside(V.R, To)) {
    if (*Loop >= 0) // perhaps not by its header
      To = V.C.cycles()[size_t(*Loop)].Header;
    state(V.C, *To).Arrived.merge(F);
  } else {
    sendTo(V.Exits, To, F);
  }
}

/// Lanes that parted behind what dominates an item meet again there.
void ProfileWalker::joinAtDominator(const CallContext &C,
                                    const Region::Item &Item,
                                    ActiveLanes &Here) {
  if (Item.Above && !Here.IsPlain) {
    const ActiveLanes &Above =
        Item.AboveLoop < 0 ? state(C, *Item.Above).Arrived
                           : state(C.Regions[size_t(Item.AboveLoop)]).Entered;
    if (!Here.IsParted && Here.sameLanes(Above)) {
      unsigned Waited = Here.Waited;
      Here = Above;
      Here.Waited = Waited;
    } else {
      Here.Weight = std::min(Here.Weight, Above.Weight);
    }
  }
  // Those whom a condition parted meet where all ways from it lead.
  const Block &B = *Item.B;
  if (const Instruction *By = Here.PartedBy;
      By && By->Parent != &B && By->Parent->Parent == B.Parent &&
      C.V->controlFlow().postDominates(&B, By->Parent))
    Here.PartedBy = nullptr;
}

/// Counts what runs on behind a loop's header as a body.
void ProfileWalker::countBody(const RegionVisit &V, const ActiveLanes &F,
                              ArrayRef<ActiveLanes> Sent) {
  ActiveLanes Body = F;
  if (V.R.TestsFirst) { // the header may leave the loop
    const Block &Header = *V.R.Items.front().B;
    Body = ActiveLanes();
    for (size_t N = 0; N != Sent.size(); ++N)
      if (V.C.cycles()[size_t(V.R.Cycle)].contains(Header.Successors[N]))
        Body.merge(Sent[N]);
  }
  if (!Body)
    return;
  Counts->addBody(V.R, Body, Weight);
  state(V.R).BodiesNow += Weight.Multiple * Body.Weight;
}

/// Runs a block of the region, or a loop directly in it, if lanes come there.
bool ProfileWalker::runItem(const RegionVisit &V, const Region::Item &Item) {
  const Block &B = *Item.B;
  ActiveLanes &Here = state(V.C, B).Arrived;
  if (!Here)
    return true;
  joinAtDominator(V.C, Item, Here);
  if (Item.Inner >= 0) {
    const Region &Loop = V.C.Regions[size_t(Item.Inner)];
    ExitFlows Left;
    ActiveLanes Into = state(Loop).Entered = Here;
    const LoopVisit L{V.C, Loop, Into, Left};
    if (!(Loop.IsReducible ? runLoop(L) : runIrreducible(L)))
      return false;
    for (const auto &[To, F] : Left)
      send(V, To, F);
    return true;
  }
  SmallVector<ActiveLanes, 2> Sent;
  ActiveLanes F = Here;
  if (!runBlock(V, B, F, Sent))
    return false;
  if (isCounting() && V.R.Cycle >= 0 && &B == V.R.Items.front().B)
    countBody(V, F, Sent);
  for (size_t N = 0; N != Sent.size(); ++N)
    send(V, B.Successors[N], Sent[N]);
  return true;
}

/// Runs the blocks of a region once.
bool ProfileWalker::runRegion(const RegionVisit &V, const ActiveLanes &Entry) {
  ActiveLanes Elsewhere;
  if (!V.R.IsReducible) { // the header need not lead there
    Elsewhere = Entry;
    Elsewhere.doubt(Status::Assumed);
    Elsewhere.Weight = 0;
  }
  for (const Region::Item &Item : V.R.Items)
    state(V.C, *Item.B).Arrived = Elsewhere;
  state(V.C, *V.R.Items.front().B).Arrived = Entry;
  for (const Region::Item &Item : V.R.Items)
    if (!runItem(V, Item))
      return false;
  return true;
}
