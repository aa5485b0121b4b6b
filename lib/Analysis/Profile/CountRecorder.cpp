//===- CountRecorder.cpp - Adds up what a walk executes -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CountRecorder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Basis = Condition::BasisTy;

CountRecorder::CountRecorder(const PreparedProgram &P, Expressions &E)
    : Program(P), Costs(E, *P.Launch), Guards(P.NumGuards, nullptr),
      Loops(P.NumRegions), Accesses(P.NumAccesses),
      Calls(P.Contexts.size(), Estimate::known(0)) {
  llvm::DenseMap<const InstructionGraph *, FunctionCounts *> Known;
  for (const auto &C : Program.Contexts) {
    const InstructionGraph &G = C->V->graph();
    FunctionCounts *&F = Known[&G];
    if (!F) {
      F = Functions.emplace_back(std::make_unique<FunctionCounts>()).get();
      F->G = &G;
      F->Blocks.resize(G.Blocks.size());
      F->Loops.resize(C->cycles().size());
    }
    FunctionOf.push_back(F);
    for (const PreparedBlock &B : C->Blocks)
      for (const Event &Here : B.Events) {
        if (Here.Guard < 0)
          continue;
        const Guard &Of = B.Guards[unsigned(Here.Guard)];
        GuardCounts &Counts = F->Guards[Here.I];
        if (Of.Basis != Basis::Decided) {
          Counts.IsDecided = false;
          Counts.Reason = Of.Reason;
        }
      }
  }
  // From here on the tables of guards do not grow.
  for (const auto &C : Program.Contexts)
    for (const PreparedBlock &B : C->Blocks)
      for (const Event &Here : B.Events)
        if (Here.Guard >= 0)
          Guards[B.Guards[unsigned(Here.Guard)].Number] =
              &FunctionOf[C->Number]->Guards.find(Here.I)->second;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Adds so much for each warp that comes.
void CountRecorder::add(Estimate &To, const ActiveLanes &F, const Number &N,
                        const PathWeight &W) {
  double Times = W.Multiple * F.Weight;
  if (N.Fewest == N.Most && F.Status == Status::Known && !W.IsUnbounded) {
    To += Estimate::known(Times * N.Likely);
    return;
  }
  To += Estimate(Times * N.Likely, weakest(F.Status, Status::Assumed),
                 F.must() && !W.IsUnbounded ? W.Multiple * N.Fewest * W.LowScale
                                            : 0,
                 N.Most == 0 ? 0 : N.Most * W.most());
}

void CountRecorder::addRuns(Estimate &To, const ActiveLanes &F,
                            const PathWeight &W) {
  // Lanes that parted come one by one at the most, and perhaps in different
  // iterations together.
  if (F.IsParted)
    add(To, F, {1, double(!W.IsInLoop), double(llvm::popcount(F.May))}, W);
  else if (!W.IsUnbounded && F.must())
    To += Estimate::known(W.Multiple);
  else
    add(To, F, {1, 1, 1}, W);
}

void CountRecorder::addLanes(Estimate &To, const ActiveLanes &F,
                             const PathWeight &W) {
  add(To, F,
      {llvm::popcount(F.Likely) * F.meanShare(),
       double(llvm::popcount(F.must())), double(llvm::popcount(F.May))},
      W);
}

void CountRecorder::addBlock(const CallContext &C, const Block &B,
                             const ActiveLanes &F, const PathWeight &W) {
  BlockCounts &N = FunctionOf[C.Number]->Blocks[B.Number];
  addRuns(N.Runs, F, W);
  addLanes(N.Lanes, F, W);
}

void CountRecorder::addGuard(const Guard &G, const ActiveLanes &F,
                             const GuardSides &Sides, const PathWeight &W) {
  GuardCounts &N = *Guards[G.Number];
  const auto &[Active, Others] = Sides;
  if (Active) {
    addRuns(N.Any, Active, W);
    addLanes(N.Lanes, Active, W);
  }
  bool MaySplit = Active && Others;
  bool BothLikely = F.Weight == 0 || (Active.Weight != 0 && Others.Weight != 0);
  bool Splits = MaySplit && BothLikely &&
                (Active.Likely != F.Likely || G.Basis == Basis::Divergent);
  bool IsExact = !(Active.May & Others.May) && (F.IsPlain || F.IsCertain) &&
                 !W.IsUnbounded;
  bool Must = Active.must() && Others.must();
  // Lanes that parted may come together in different iterations.
  if (F.IsParted && G.Must != Guard::True && G.May != Guard::False)
    add(N.Split, F, {double(Splits), 0, llvm::popcount(F.May) / 2.0}, W);
  else if (G.VariesInWarp && MaySplit)
    add(N.Split, F,
        {double(Splits), double(IsExact ? Splits : Must),
         double(Splits || !IsExact)},
        W);
}

double CountRecorder::addRequests(const Access &M, unsigned Number,
                                  const RequestBatch &B, const PathWeight &W) {
  AccessSums &S = Accesses[Number];
  if (M.Box) // each lane's is a request
    addLanes(S.Requests, B.Lanes, W);
  else
    addRuns(S.Requests, B.Lanes, W);
  const double Before = S.Sum[Sectors];
  Costs.count(M, S, B);
  return S.Sum[Sectors] - Before;
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

namespace {
/// A loop in all contexts of its function together.
struct LoopTotal {
  const Region &R; ///< in the first of them
  LoopSums Sums;
  bool IsSelfContained, IsOpen, IsByLaunch;
  const Symbol *Open;
  OpenReason Reason;
  std::optional<double> HeaderRuns;

  LoopTotal(const Region &R, const LoopSums &S)
      : R(R), Sums(S), IsSelfContained(R.IsSelfContained && !S.HasParted),
        IsOpen(R.IsOpen), IsByLaunch(R.IsByLaunch), Open(R.Open),
        Reason(R.Reason), HeaderRuns(R.HeaderRuns) {}

  void add(const LoopTotal &O) {
    Sums.Entries += O.Sums.Entries;
    Sums.Bodies += O.Sums.Bodies;
    Sums.Fewest = std::min(Sums.Fewest, O.Sums.Fewest);
    Sums.Most = std::max(Sums.Most, O.Sums.Most);
    Sums.IsEndless |= O.Sums.IsEndless;
    IsSelfContained &= O.IsSelfContained;
    IsOpen |= O.IsOpen;
    IsByLaunch |= O.IsByLaunch;
    if (!Open) {
      Open = O.Open;
      Reason = O.Reason;
    }
    if (!HeaderRuns)
      HeaderRuns = O.HeaderRuns;
  }

  OpenReason reason(ArrayRef<GuardCounts *> Guards) const;
  double tripCount() const;
  LoopCounts finish(const Block &Header, ArrayRef<GuardCounts *> Guards) const;
};
} // namespace

/// What leaves open how often the loop is left.
OpenReason LoopTotal::reason(ArrayRef<GuardCounts *> Guards) const {
  if (Sums.IsEndless)
    return OpenReason::Endless;
  if (!R.IsReducible)
    return OpenReason::SeveralEntries;
  if (!IsOpen || R.IsGiven)
    return OpenReason::None;
  OpenReason Found = Open ? Reason : OpenReason::Exits;
  if (Found == OpenReason::Exits && IsByLaunch)
    for (const Guard *G : R.Exits)
      if (G->Basis == Basis::Launch || G->Basis == Basis::Bounded)
        Found = Guards[G->Number]->Reason;
  return Found;
}

/// The likely number of bodies per entry.
double LoopTotal::tripCount() const {
  const Estimate &Entries = Sums.Entries;
  double Value = Entries.Value > 0   ? Sums.Bodies.Value / Entries.Value
                 : Entries.isKnown() ? 0
                 : HeaderRuns        ? R.bodiesIn(*HeaderRuns)
                                     : Sums.Most;
  // Parts of iterations add up to whole ones but for rounding.
  return std::abs(Value - std::round(Value)) < 1e-9 * Value ? std::round(Value)
                                                            : Value;
}

LoopCounts LoopTotal::finish(const Block &Header,
                             ArrayRef<GuardCounts *> Guards) const {
  LoopCounts L;
  if (R.Items.empty()) { // a part of what is around it
    L.Reason = OpenReason::Nesting;
    L.TripCount = {DefaultTripCount, Status::Assumed, 0, Infinity};
    return L;
  }
  L.Reason = reason(Guards);
  const Estimate &Entries = Sums.Entries, &Bodies = Sums.Bodies;
  const bool NeverPolls = R.Polling && Entries.isKnown() && Entries.Value == 0;
  if (R.IsGiven) {
    L.TripCount = Estimate::known(NeverPolls ? 0 : R.bodiesIn(*HeaderRuns));
    // Nobody says that it is entered.
    if (R.Polling && !NeverPolls && Entries.Low == 0) {
      L.TripCount = {L.TripCount.Value, Status::Assumed, 0, L.TripCount.Value};
      L.Reason = OpenReason::Entry;
    }
    return L;
  }
  bool IsConstant =
      IsSelfContained && Sums.Fewest == Sums.Most && !Sums.IsEndless;
  double Value = tripCount();
  // Of a loop that nobody may enter, a run has 0.
  if ((Entries.isKnown() && Bodies.isKnown()) ||
      (IsConstant && Entries.Low > 0)) {
    L.TripCount = Estimate::known(Value);
    L.Reason = OpenReason::None;
    return L;
  }
  if (L.Reason == OpenReason::None)
    L.Reason = OpenReason::Entry;
  double Low = 0, High = IsConstant && Entries.Value > 0 ? Sums.Most : Infinity;
  if (Entries.isKnown() && Entries.Value > 0) {
    Low = Bodies.Low / Entries.Value;
    High = Bodies.High / Entries.Value;
  }
  High = std::min(High, R.MostBodies);
  if (Header.MostHeaderRuns)
    High = std::min(High, R.bodiesIn(double(*Header.MostHeaderRuns)));
  L.TripCount = {Value, Status::Assumed, std::min(Low, Value),
                 std::max(High, Value)};
  return L;
}

void CountRecorder::finishLoops(ArrayRef<const CallContext *> Contexts,
                                FunctionCounts &F) {
  const CallContext &First = *Contexts.front();
  for (size_t N = 0; N + 1 < First.Regions.size(); ++N) {
    auto In = [&](const CallContext &C) {
      return LoopTotal(C.Regions[N], loop(C.Regions[N]));
    };
    LoopTotal Sum = In(First);
    for (const CallContext *C : Contexts.drop_front())
      Sum.add(In(*C));
    F.Loops[N] = Sum.finish(First.header(First.Regions[N]), Guards);
  }
}

void CountRecorder::finishAccesses(ArrayRef<const CallContext *> Contexts,
                                   FunctionCounts &F) {
  const CallContext &First = *Contexts.front();
  for (size_t N = 0; N != First.Blocks.size(); ++N) {
    const PreparedBlock &P = First.Blocks[N];
    auto TotalOf = [&](unsigned Number) {
      auto In = [&](const CallContext &C) {
        const PreparedBlock &B = C.Blocks[N];
        return AccessTotal{B.Accesses[Number],
                           Accesses[B.FirstAccess + Number]};
      };
      AccessTotal Sum = In(First);
      for (const CallContext *C : Contexts.drop_front())
        if (Number < C->Blocks[N].Accesses.size())
          Sum.add(In(*C));
      return Sum;
    };
    for (const Event &E : P.Events)
      for (unsigned A = E.FirstAccess; A != E.FirstAccess + E.NumAccesses;) {
        AccessTotal Sum = TotalOf(A++); // and all parts of the request
        for (; A != E.FirstAccess + E.NumAccesses && P.Accesses[A].Continues;
             ++A)
          Sum.add(TotalOf(A));
        F.Accesses[E.I].push_back(Sum.finish());
      }
  }
}

std::vector<std::unique_ptr<FunctionCounts>> CountRecorder::finish() {
  // Contexts of one function together.
  llvm::MapVector<FunctionCounts *, SmallVector<const CallContext *, 2>>
      ByFunction;
  for (const auto &C : Program.Contexts)
    ByFunction[FunctionOf[C->Number]].push_back(C.get());
  for (const auto &[F, Contexts] : ByFunction) {
    finishLoops(Contexts, *F);
    finishAccesses(Contexts, *F);
  }
  fillReasons(Program, Functions);
  return std::move(Functions);
}
