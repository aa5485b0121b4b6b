//===- CountReasons.cpp - What leaves counts open -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Conditions, loops and addresses know what leaves themselves open. What hangs
// on them has their reason: a block that of the branch or the loop that it
// depends on, what is in a block that of the block.
//===----------------------------------------------------------------------===//
#include "CountRecorder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

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

namespace {
class ReasonFinder {
public:
  ReasonFinder(const PreparedProgram &Program,
               ArrayRef<std::unique_ptr<FunctionCounts>> Functions)
      : Program(Program), IsSampled(Program.Thoroughness != Effort::All) {
    for (const auto &F : Functions)
      CountsOf[F->G] = F.get();
  }
  void run();

private:
  FunctionCounts &countsOf(const CallContext &C) {
    return *CountsOf.find(&C.V->graph())->second;
  }
  OpenReason reasonAt(const CallContext &C, const Block &B);
  void visitBlock(const CallContext &C, const Block &B, bool IsFirst);
  static void fill(AccessCounts &A, OpenReason Reason);

  const PreparedProgram &Program;
  const bool IsSampled;
  llvm::DenseMap<const InstructionGraph *, FunctionCounts *> CountsOf;
  /// What leaves open how often a function is called.
  llvm::DenseMap<const FunctionCounts *, OpenReason> EntryReasons;
};
} // namespace

/// Why it is open how often a block runs whose dominators and, but for jumps
/// back, predecessors have their reasons already.
OpenReason ReasonFinder::reasonAt(const CallContext &C, const Block &B) {
  const FunctionCounts &F = countsOf(C);
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
  if (IsSampled)
    return OpenReason::Sampled;
  // Lanes parted where some waited for others.
  return C.Waits ? OpenReason::Waiting : OpenReason::Branch;
}

void ReasonFinder::fill(AccessCounts &A, OpenReason Reason) {
  bool AreOpen = !areCostsKnown(A);
  if (AreOpen && !isOpen(A.Reason) && A.Space == AddressSpace::Generic)
    A.Reason = OpenReason::Generic;
  else if (AreOpen ? !isOpen(A.Reason) : !A.Requests.isKnown())
    A.Reason = Reason;
  else if (!AreOpen)
    A.Reason = OpenReason::None;
}

/// Fills in a block and what it has, if its function comes for the first time,
/// and finds why calls in it are open.
void ReasonFinder::visitBlock(const CallContext &C, const Block &B,
                              bool IsFirst) {
  FunctionCounts &F = countsOf(C);
  BlockCounts &Runs = F.Blocks[B.Number];
  if (IsFirst)
    Runs.Reason = reasonAt(C, B);
  const OpenReason Otherwise = isOpen(Runs.Reason) ? Runs.Reason
                               : IsSampled         ? OpenReason::Sampled
                                                   : OpenReason::Branch;
  for (const Event &E : C.Blocks[B.Number].Events) {
    auto It = F.Guards.find(E.I);
    GuardCounts *G = It == F.Guards.end() ? nullptr : &It->second;
    if (IsFirst && G && !isOpen(G->Reason) && !isKnown(*G))
      G->Reason = Otherwise;
    const OpenReason Reason = G && isOpen(G->Reason) ? G->Reason : Otherwise;
    for (const CallContext *To : E.Callees)
      if (OpenReason &Known = EntryReasons[&countsOf(*To)];
          !isOpen(Known) && (!isKnown(Runs) || (G && !isKnown(*G))))
        Known = Reason;
    if (IsFirst && E.NumAccesses != 0)
      for (AccessCounts &A : F.Accesses[E.I])
        fill(A, Reason);
  }
}

void ReasonFinder::run() {
  llvm::DenseSet<const FunctionCounts *> Done;
  // Callers come before what they call.
  for (const auto &C : Program.Contexts) {
    FunctionCounts &F = countsOf(*C);
    const ControlFlow &CF = C->V->controlFlow();
    bool IsFirst = Done.insert(&F).second;
    for (const Block *B : CF.reversePostOrder())
      visitBlock(*C, *B, IsFirst);
    if (IsFirst)
      for (auto [L, Counts] : llvm::zip(CF.cycles(), F.Loops))
        if (OpenReason Reason = F.Blocks[L.Header->Number].Reason;
            Counts.Reason == OpenReason::Entry && isOpen(Reason))
          Counts.Reason = Reason;
  }
}

void counting::fillReasons(
    const PreparedProgram &Program,
    ArrayRef<std::unique_ptr<FunctionCounts>> Functions) {
  ReasonFinder(Program, Functions).run();
}
