//===- ProgramBuilderLoops.cpp - How often loops run, and what runs alike -===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopBounds.h"
#include "ProgramBuilder.h"
#include "RetryLoops.h"
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "ptxpredict/Graph/SourceNames.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Ref = const Expression *;

/// What an exit of a loop says of how often it runs; true if the counter
/// decides it in the end. The launch may have \p Given how often the loop runs.
static bool decideExit(Region &R, const Guard &G, bool Given) {
  if (G.Basis <= Condition::BasisTy::Bounded) {
    if (G.Basis != Condition::BasisTy::Decided)
      R.IsOpen = R.IsByLaunch = true;
    return dependsOn(*G.Evaluated, R.Counter);
  }
  R.IsOpen = true;
  if (!R.Open) {
    R.Open = G.Open;
    R.Reason = G.Open ? G.Reason : OpenReason::None;
  }
  if (G.Given && !Given) { // leaves with that chance each time
    double Leaves = *G.LeavesIf ? *G.Given : 1 - *G.Given;
    R.HeaderRuns = Leaves > 0 ? std::max(1 / Leaves, 1.0) : DefaultTripCount;
    R.IsGiven = true;
  }
  return false;
}

/// By how much the compiler unrolled the loop that has such a formula: the
/// whole of n/4 iterations has four of the source's in each, where a loop that
/// the source itself takes in steps of four has (n + 3)/4.
static uint64_t unrollFactor(Ref Bodies) {
  using Kind = Expression::KindTy;
  // The number has fewer bits than the register.
  if (Bodies->Kind == Kind::And && Bodies->Operands[1]->isConstant())
    Bodies = Bodies->Operands[0];
  while (Bodies->Kind == Kind::ZExt || Bodies->Kind == Kind::SExt ||
         Bodies->Kind == Kind::Trunc)
    Bodies = Bodies->Operands[0];
  const bool IsShift = Bodies->Kind == Kind::LShr || Bodies->Kind == Kind::AShr;
  if (!IsShift && Bodies->Kind != Kind::UDiv && Bodies->Kind != Kind::SDiv)
    return 1;
  auto [Of, By] = std::make_pair(Bodies->Operands[0], Bodies->Operands[1]);
  constexpr uint64_t MostBits = 6;
  if (!By->isConstant() || (IsShift && By->Addend > MostBits))
    return 1;
  const uint64_t Factor = IsShift ? uint64_t(1) << By->Addend : By->Addend;
  const bool RoundsUp =
      Factor == 0 || (Of->Kind == Kind::Sum && Of->Addend % Factor != 0);
  return RoundsUp || Factor > uint64_t(DefaultTripCount) ? 1 : Factor;
}

/// Bodies per entry of a loop of which nobody knows how often it runs. The
/// default is that of the source's loop: of the parts that a compiler made of
/// it one has that many iterations in fewer, and one has the rest.
static double assumedTrips(const CallContext &C, const Region &R) {
  TripCountFormula Formula = tripCountFormula(*C.V, unsigned(R.Cycle));
  Ref Bodies = Formula.Bodies;
  if (!Bodies)
    return DefaultTripCount;
  using Kind = Expression::KindTy;
  const bool IsRest = Bodies->Kind == Kind::And || Bodies->Kind == Kind::URem ||
                      Bodies->Kind == Kind::SRem;
  if (uint64_t Most = Bodies->Facts.UMax; Most < uint64_t(DefaultTripCount))
    return double(IsRest ? (Most + 1) / 2 : Most);
  return DefaultTripCount /
         double(std::max(Formula.UnrolledBy, unrollFactor(Bodies)));
}

/// Whether an exit is taken in the end, whatever its open numbers are: they
/// have bounds, and the counter gets there soon.
static bool endsByBounds(const CallContext &C, const Region &R, const Guard &G,
                         const PreparedBlock &P) {
  // Where it must leave, or may not stay any more.
  const unsigned Root = *G.LeavesIf ? G.Must : G.May;
  if (Root == Guard::True || Root == Guard::False ||
      !dependsOn(*P.Conditions[Root], R.Counter))
    return false;
  Ref Bodies = tripCountFormula(*C.V, unsigned(R.Cycle)).Bodies;
  return Bodies && Bodies->Facts.UMax < uint64_t(DefaultTripCount);
}

/// How often a loop's header runs, where its own conditions do not decide.
void ProgramBuilder::decideLoop(CallContext &C, Region &R) {
  const Cycle &L = C.cycles()[size_t(R.Cycle)];
  double Extra = R.TestsFirst ? 1 : 0;
  auto ToRuns = [&](double Trips) { return std::max(Trips + Extra, 1.0); };
  std::optional<double> Given = lookUpByLabel(Launch.TripCounts, *L.Header);
  if (!Given)
    Given = lookUpBySource(Launch.TripCounts, L);
  bool IsDecided = false, AsksSome = false;
  for (const Block *B : L.ExitingBlocks) {
    PreparedBlock &P = C.Blocks[B->Number];
    if (P.Guards.empty() || P.Guards.back().I != B->terminator() ||
        C.cycleOf(B) != R.Cycle ||
        !P.Guards.back().LeavesIf) { // from a loop within, or all at once
      R.IsSelfContained = false;
      continue;
    }
    const Guard &G = P.Guards.back();
    R.Exits.push_back(&G);
    // Who asks it is up to other branches.
    if (!llvm::all_of(L.Latches, [&](const Block *Latch) {
          return C.V->controlFlow().dominates(B, Latch);
        })) {
      R.IsSelfContained = false;
      AsksSome = true;
    }
    IsDecided |=
        decideExit(R, G, Given.has_value()) || endsByBounds(C, R, G, P);
  }
  if (Given) {
    R.HeaderRuns = ToRuns(*Given);
    R.IsGiven = R.IsOpen = true;
  } else if (const auto *Polling =
                 C.V->graph().analysis<PollingLoops>().of(unsigned(R.Cycle));
             Polling && !R.IsGiven) {
    R.Polling = Polling;
    R.HeaderRuns = 1;
    R.IsGiven = R.IsOpen = true;
  } else if (!IsDecided && !R.IsGiven && L.Header->HeaderRuns) {
    R.HeaderRuns = double(*L.Header->HeaderRuns);
    R.IsGiven = R.IsOpen = true;
  } else if (std::optional<WorkShare> Share; (!IsDecided || Launch.Work) &&
                                             !R.IsGiven &&
                                             (Share = findWorkShare(C, R))) {
    R.HeaderRuns = ToRuns(Share->Bodies);
    R.IsGiven = Share->IsGiven;
    R.SharesWork = R.IsOpen = true;
    R.IsSelfContained = false;
  } else if (!IsDecided && !R.IsGiven) {
    const std::optional<double> Retries = retryTrips(C, R, Launch);
    // Fewer than one body is a share of the entries.
    R.IsRare = Retries && *Retries < 1 && Extra > 0;
    R.HeaderRuns = R.IsRare  ? 1 + *Retries
                   : Retries ? ToRuns(std::max(1.0, std::round(*Retries)))
                             : ToRuns(assumedTrips(C, R));
    if (L.Header->MostHeaderRuns)
      R.HeaderRuns = std::min(*R.HeaderRuns, double(*L.Header->MostHeaderRuns));
    R.IsOpen = true;
    R.IsSelfContained = false;
  } else if (IsDecided && R.IsGiven) {
    R.HeaderRuns = std::nullopt; // the count limits it, chance aside
    R.IsGiven = false;
  }
  if (Thoroughness != Effort::All && !R.HeaderRuns && !Launch.GridIsAssumed &&
      !Launch.BlockIsAssumed)
    R.MostBodies = mostBodies(*C.V, unsigned(R.Cycle));
  R.Rounds = retryRounds(C, R);
  R.LanesLeave =
      R.Exits.size() != L.ExitingBlocks.size() ||
      llvm::any_of(R.Exits,
                   [](const Guard *G) {
                     return G->VariesInWarp &&
                            G->Basis != Condition::BasisTy::Decided;
                   }) ||
      (AsksSome && llvm::any_of(L.Blocks, [&](const Block *B) {
         return llvm::any_of(C.Blocks[B->Number].Guards,
                             [](const Guard &G) { return G.VariesInWarp; });
       }));
}

/// Finds what expressions know of the iterations in which loops were left,
/// perhaps loops of functions that were called.
void ProgramBuilder::findExitCounts() {
  auto Note = [&](Ref S) {
    if (!S->isSymbol(Symbol::KindTy::ExitCount))
      return;
    CallContext *Owner = ByValues.lookup(S->Sym->Context);
    if (!Owner)
      return;
    Region &Of = Owner->Regions[SymbolicValues::loopOf(*S->Sym)];
    Quantity &Known = Of.ExitCount;
    if (!llvm::is_contained(Known, S->Sym->Quantity))
      Known.push_back(S->Sym->Quantity);
    Of.ExitCountVaries |= !S->isUniform();
  };
  Out.forEachBlock([&](const PreparedBlock &P) {
    for (ArrayRef<Ref> Roots : {ArrayRef(P.Conditions), ArrayRef(P.Addresses)})
      for (Ref E : Roots)
        llvm::for_each(E->Symbols, Note);
  });
}

/// Iterations are taken together where the loop's own conditions are monotone
/// in its counter, nothing else within knows it but addresses, and those are
/// linear in it.
void ProgramBuilder::findLoopRuns(CallContext &C) {
  ArrayRef<Cycle> Cycles = C.cycles();
  // Which loops a condition or an address knows, found through its symbols.
  llvm::DenseMap<const Symbol *, int> LoopOf;
  for (Region &R : C.Regions) {
    R.CanRun = R.Cycle >= 0 && R.IsReducible;
    for (const Symbol *S : R.Counter)
      LoopOf[S] = R.Cycle;
  }
  for (const Block *B : C.V->graph().Blocks) {
    int In = C.cycleOf(B);
    if (In < 0)
      continue;
    const PreparedBlock &P = C.Blocks[B->Number];
    for (const Comparison &X : P.Comparisons)
      for (Ref S : X.E->Symbols) {
        auto It = LoopOf.find(S->Sym->Quantity);
        if (It == LoopOf.end())
          continue;
        Region &Loop = C.Regions[size_t(It->second)];
        bool IsOwn = It->second == In;
        // Pieces of one loop alone may lie in the body of an inner one.
        if (!IsOwn && X.IsOfPieces &&
            llvm::none_of(X.E->Symbols, [&](Ref Other) {
              auto Found = LoopOf.find(Other->Sym->Quantity);
              return Found != LoopOf.end() && Found->second != It->second;
            })) {
          Loop.Comparisons.push_back(X);
          IsOwn = true;
        }
        // What an inner loop leaves behind is not there yet when the
        // comparison is looked at ahead.
        bool HasExit = llvm::any_of(X.E->Symbols, [](Ref E) {
          return E->isSymbol(Symbol::KindTy::ExitCount);
        });
        Loop.CanRun &= IsOwn && !HasExit && !X.IsPredicate &&
                       isMonotone(*X.E, Loop.Counter);
      }
    for (const Access &M : P.Accesses)
      if (M.isDecided())
        for (Ref S : M.Address->Symbols)
          if (auto It = LoopOf.find(S->Sym->Quantity); It != LoopOf.end())
            C.Regions[size_t(It->second)].CanRun &=
                slopeOf(M, C.Regions[size_t(It->second)].Counter).IsLinear;
  }
  // A callee may know the counters around the call.
  for (const Region &R : C.Regions)
    if (R.HasCalls)
      for (int N = R.Cycle; N >= 0; N = Cycles[size_t(N)].ParentIndex)
        C.Regions[size_t(N)].CanRun = false;
}
