//===- StaticProfileReasons.cpp - What leaves counts open -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Conditions, loops and addresses know what leaves themselves open. What hangs
// on them has their reason: a block that of the branch or the loop that it
// depends on, what is in a block that of the block.
//===----------------------------------------------------------------------===//
#include "StaticProfileImpl.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/SetVector.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Basis = Condition::BasisTy;

/// It stands for what other values make of it in no simple way.
static bool isDerived(const Symbol &S) {
  switch (S.Reason) {
  case Symbol::ReasonTy::CrossLane:
  case Symbol::ReasonTy::Loop:
  case Symbol::ReasonTy::Merge:
  case Symbol::ReasonTy::TooLarge:
  case Symbol::ReasonTy::Other:
    return true;
  default:
    return false;
  }
}

/// What was loaded, or the like, that \p S is made from; null if there is no
/// such thing, or far away.
const Symbol *StaticProfiler::dataBehind(const Symbol &S) {
  if (auto It = DataBehind.find(&S); It != DataBehind.end())
    return It->second;
  constexpr unsigned Enough = 256; // for cost linear in the code
  llvm::SmallSetVector<const Symbol *, 16> Seen;
  Seen.insert(&S);
  const Symbol *Found = nullptr;
  bool IsWhole = true;
  for (unsigned N = 0; N != Seen.size() && !Found; ++N) {
    const Symbol &Here = *Seen[N];
    auto Look = [&](const Expression *X) {
      if (!X)
        return;
      for (const Expression *E : X->Symbols) {
        const Symbol &Other = *E->Sym;
        if (Other.Kind != Symbol::KindTy::Opaque ||
            Other.Reason == Symbol::ReasonTy::Undefined || Found)
          continue;
        if (!isDerived(Other))
          Found = &Other;
        else if (auto It = DataBehind.find(&Other); It != DataBehind.end())
          Found = It->second;
        else if (Seen.size() < Enough)
          Seen.insert(&Other);
        else
          IsWhole = false;
      }
    };
    if (!Here.From)
      continue;
    // What is too large is of no context, but comes from some instruction.
    const InstructionGraph *G = Here.From->Parent->Parent;
    const CallContext *Owner = ByValues.lookup(Here.Context);
    if (!Owner || &Owner->V->graph() != G)
      Owner = ByGraph.lookup(G);
    if (!Owner)
      continue;
    ArrayRef<const Value *> From = Here.Reason == Symbol::ReasonTy::TooLarge
                                       ? ArrayRef<Value *>(Here.From->Defs)
                                       : ArrayRef<Value *>(Here.From->Uses);
    for (const Value *V : From)
      if (V->Id < G->Values.size())
        Look(Owner->V->of(V));
      else // of a local variable, which nobody kept
        IsWhole = false;
  }
  if (!Found && IsWhole)
    for (const Symbol *Other : Seen)
      DataBehind[Other] = nullptr;
  return DataBehind[&S] = Found;
}

/// What leaves a symbol open.
OpenReason StaticProfiler::reasonOf(const Symbol &S) {
  switch (S.Kind) {
  case Symbol::KindTy::Parameter:
    return OpenReason::Parameter;
  case Symbol::KindTy::Address:
    return OpenReason::Address;
  case Symbol::KindTy::ExitCount: { // of a loop that was looked at before
    const CallContext *Owner = ByValues.lookup(S.Context);
    const Symbol *Open =
        Owner ? Owner->Regions[SymbolicValues::loopOf(S)].Open : nullptr;
    return !Open || Open->Kind == Symbol::KindTy::ExitCount ? OpenReason::Loop
                                                            : reasonOf(*Open);
  }
  default:
    if (const Symbol *Data = isDerived(S) ? dataBehind(S) : nullptr)
      return ptxpredict::reasonOf(Data->Reason);
    return ptxpredict::reasonOf(S.Reason);
  }
}

static bool isOpen(OpenReason R) { return R != OpenReason::None; }

static bool isKnown(const BlockCounts &B) {
  return B.Runs.isKnown() && B.Lanes.isKnown();
}
static bool isKnown(const GuardCounts &G) {
  return G.Any.isKnown() && G.Lanes.isKnown() && G.Split.isKnown();
}
static bool areCostsKnown(const AccessCounts &A) {
  return A.ActiveLanes.isKnown() && (!A.Sectors || A.Sectors->isKnown()) &&
         (!A.Lines || A.Lines->isKnown()) &&
         (!A.Wavefronts || A.Wavefronts->isKnown()) &&
         (!A.CC10 || A.CC10->isKnown()) && (!A.CC12 || A.CC12->isKnown()) &&
         (!A.CC20 || A.CC20->isKnown());
}

/// Why it is open how often a block runs whose dominators and, but for jumps
/// back, predecessors have their reasons already.
OpenReason StaticProfiler::reasonAt(const CallContext &C,
                                    const Block &B) const {
  const FunctionCounts &F = *C.Out;
  if (isKnown(F.Blocks[B.Number]))
    return OpenReason::None;
  const ControlFlow &CF = C.V->controlFlow();
  ArrayRef<Cycle> Cycles = CF.cycles();
  const Block *Above = CF.immediateDominator(&B);
  for (int N = CF.innermostCycle(&B); N >= 0; N = Cycles[size_t(N)].ParentIndex)
    if (Above && Cycles[size_t(N)].contains(Above))
      break;
    else if (OpenReason Reason = F.Loops[size_t(N)].Reason;
             isOpen(Reason) && Reason != OpenReason::Entry)
      return Reason;
  auto OfGuard = [&](const Block &From) {
    const Instruction *T = From.terminator();
    const GuardCounts *G = T ? F.guard(*T) : nullptr;
    if (T && !G && From.Successors.size() > 1)
      return OpenReason::Table;
    return G ? G->Reason : OpenReason::None;
  };
  if (!Above) {
    OpenReason Reason = EntryReasons.lookup(&F);
    return isOpen(Reason) ? Reason : OpenReason::Call; // it calls itself
  }
  if (!CF.postDominates(&B, Above))
    if (OpenReason Reason = OfGuard(*Above); isOpen(Reason))
      return Reason;
  if (OpenReason Reason = F.Blocks[Above->Number].Reason; isOpen(Reason))
    return Reason;
  for (const Block *P : B.Predecessors)
    for (OpenReason Reason : {OfGuard(*P), F.Blocks[P->Number].Reason})
      if (isOpen(Reason))
        return Reason;
  if (Result.IsSampled)
    return OpenReason::Sampled;
  // Lanes parted where some waited for others.
  return C.Waits ? OpenReason::Waiting : OpenReason::Branch;
}

void StaticProfiler::fillReasons() {
  llvm::DenseSet<const FunctionCounts *> Done;
  // Callers come before what they call.
  for (const auto &C : Contexts) {
    FunctionCounts &F = *C->Out;
    const ControlFlow &CF = C->V->controlFlow();
    bool IsFirst = Done.insert(&F).second;
    for (const Block *B : CF.reversePostOrder()) {
      BlockCounts &Runs = F.Blocks[B->Number];
      if (IsFirst)
        Runs.Reason = reasonAt(*C, *B);
      OpenReason Otherwise = isOpen(Runs.Reason) ? Runs.Reason
                             : Result.IsSampled  ? OpenReason::Sampled
                                                 : OpenReason::Branch;
      for (const Event &E : C->Blocks[B->Number].Events) {
        const GuardCounts *G = F.guard(*E.I);
        if (IsFirst && G && !isOpen(G->Reason) && !isKnown(*G))
          F.guardOf(*E.I).Reason = Otherwise;
        OpenReason Reason = G && isOpen(G->Reason) ? G->Reason : Otherwise;
        for (const CallContext *To : E.Callees)
          if (OpenReason &Known = EntryReasons[To->Out];
              !isOpen(Known) && (!isKnown(Runs) || (G && !isKnown(*G))))
            Known = Reason;
        if (!IsFirst || E.NumAccesses == 0)
          continue;
        for (AccessCounts &A : F.Accesses[E.I]) {
          bool IsOpen = !areCostsKnown(A);
          if (IsOpen && !isOpen(A.Reason) && A.Space == AddressSpace::Generic)
            A.Reason = OpenReason::Generic;
          else if (IsOpen ? !isOpen(A.Reason) : !A.Requests.isKnown())
            A.Reason = Reason;
          else if (!IsOpen)
            A.Reason = OpenReason::None;
        }
      }
    }
    if (IsFirst)
      for (auto [L, Counts] : llvm::zip(CF.cycles(), F.Loops))
        if (OpenReason Reason = F.Blocks[L.Header->Number].Reason;
            Counts.Reason == OpenReason::Entry && isOpen(Reason))
          Counts.Reason = Reason;
  }
}

//===----------------------------------------------------------------------===//
// What is assumed
//===----------------------------------------------------------------------===//

void StaticProfiler::assume(Assumption A) {
  if (Assumed.insert(A.Option).second)
    Result.Assumptions.push_back(std::move(A));
}

void StaticProfiler::noteBranch(Guard &G) {
  if (std::exchange(G.IsNoted, true) || G.Given || G.Basis <= Basis::Launch)
    return;
  const Instruction &I = *G.I;
  if (!I.IsTerminator && !I.IsCall)
    return;
  std::string Line = std::to_string(I.Line);
  Assumption A;
  A.Line = I.Line;
  A.Kind = I.IsCall ? AssumptionKind::GuardedCall : AssumptionKind::Branch;
  double Taken = G.Probability;
  if (G.Basis == Basis::Index) {
    Taken = G.Likely != Guard::False;
    if (!I.IsCall)
      A.Detail = Taken ? ", index within bounds" : ", index out of bounds";
  } else if (G.EntersLoop) {
    A.Detail = Taken != 0 ? " into the loop" : " past the loop";
  } else if (G.Basis == Basis::Divergent) {
    Taken = 1;
  }
  A.Value = shortestDecimal(Taken);
  A.Option = "--branch-probability=" + Line + "=P";
  assume(std::move(A));
}

/// How an option names a block: its label without leading '$', or its line.
static std::string optionName(const Block &B) {
  StringRef Label = B.Label;
  Label.consume_front("$");
  return Label.empty() ? std::to_string(B.Line) : Label.str();
}

void StaticProfiler::noteLoop(const CallContext &C, Region &R) {
  if (std::exchange(R.IsNoted, true) || R.IsGiven)
    return;
  const Block &Header = *C.V->controlFlow().cycles()[size_t(R.Cycle)].Header;
  Assumption A;
  std::string Name = optionName(Header);
  A.Kind = Header.Label.empty() ? AssumptionKind::TripCountOfLine
                                : AssumptionKind::TripCount;
  A.Detail = Header.Label.empty() ? Name : Header.Label.str();
  A.Value = std::to_string(int(DefaultTripCount));
  A.Line = Header.Line;
  A.Option = "--trip-count=" + Name + "=N";
  assume(std::move(A));
}

/// A lane stride that contains a parameter, once for each.
void StaticProfiler::noteStride(const Instruction &I, const Symbol &Parameter) {
  Assumption A;
  A.Kind = AssumptionKind::LaneStride;
  A.Detail = Parameter.Name;
  A.Value = "a sector each";
  A.IsNumber = false;
  A.Line = I.Line;
  A.Option = "--arg=" + Parameter.Name + "=VALUE";
  assume(std::move(A));
}
