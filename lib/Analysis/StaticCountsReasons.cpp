//===- StaticCountsReasons.cpp - What leaves counts open ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Conditions, loops and addresses know what leaves themselves open. What hangs
// on them has their reason: a block that of the branch or the loop that it
// depends on, what is in a block that of the block.
//===----------------------------------------------------------------------===//
#include "StaticCountsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Where nothing more can be said.
static constexpr StringRef SomeBranch = "branch", Entry = "entry";

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
std::string StaticCounter::reasonAt(const Context &C, const Block &B) const {
  const FunctionCounts &F = *C.Out;
  if (isKnown(F.Blocks[B.Number]))
    return {};
  const ControlFlow &CF = C.V->controlFlow();
  ArrayRef<Cycle> Cycles = CF.cycles();
  const Block *Above = CF.immediateDominator(&B);
  for (int N = CF.innermostCycle(&B); N >= 0; N = Cycles[size_t(N)].ParentIndex)
    if (Above && Cycles[size_t(N)].contains(Above))
      break;
    else if (const std::string &Why = F.Loops[size_t(N)].Why;
             !Why.empty() && Why != Entry)
      return Why;
  auto OfGuard = [&](const Block &From) -> std::string {
    const Instruction *T = From.terminator();
    const GuardCounts *G = T ? F.guard(*T) : nullptr;
    return G ? G->Why : std::string();
  };
  if (!Above) {
    std::string Why = EntryReasons.lookup(&F);
    return Why.empty() ? "call" : Why; // how often it calls itself
  }
  if (!CF.postDominates(&B, Above))
    if (std::string Why = OfGuard(*Above); !Why.empty())
      return Why;
  if (const std::string &Why = F.Blocks[Above->Number].Why; !Why.empty())
    return Why;
  for (const Block *P : B.Predecessors)
    for (const std::string &Why : {OfGuard(*P), F.Blocks[P->Number].Why})
      if (!Why.empty())
        return Why;
  return Result.Sampled.empty() ? SomeBranch.str() : "sampled";
}

void StaticCounter::fillReasons() {
  llvm::DenseSet<const FunctionCounts *> Done;
  // Callers come before what they call.
  for (const auto &C : Contexts) {
    FunctionCounts &F = *C->Out;
    const ControlFlow &CF = C->V->controlFlow();
    bool IsFirst = Done.insert(&F).second;
    for (const Block *B : CF.reversePostOrder()) {
      BlockCounts &Runs = F.Blocks[B->Number];
      if (IsFirst)
        Runs.Why = reasonAt(*C, *B);
      std::string Otherwise = !Runs.Why.empty()         ? Runs.Why
                              : !Result.Sampled.empty() ? "sampled"
                                                        : SomeBranch.str();
      for (const Event &E : C->Places[B->Number].Events) {
        const GuardCounts *G = F.guard(*E.I);
        if (IsFirst && G && G->Why.empty() && !isKnown(*G))
          F.guardOf(*E.I).Why = Otherwise;
        const std::string &Why = G && !G->Why.empty() ? G->Why : Otherwise;
        for (const Context *To : E.Callees)
          if (std::string &Known = EntryReasons[To->Out];
              Known.empty() && (!isKnown(Runs) || (G && !isKnown(*G))))
            Known = Why;
        if (!IsFirst || E.NumAccesses == 0)
          continue;
        for (AccessCounts &A : F.Accesses[E.I]) {
          bool IsOpen = !areCostsKnown(A);
          if (IsOpen && A.Why.empty() && A.Space == AddressSpace::Generic)
            A.Why = "generic";
          else if (IsOpen ? A.Why.empty() : !A.Requests.isKnown())
            A.Why = Why;
          else if (!IsOpen)
            A.Why.clear();
        }
      }
    }
    if (IsFirst)
      for (auto [L, Counts] : llvm::zip(CF.cycles(), F.Loops))
        if (const std::string &Why = F.Blocks[L.Header->Number].Why;
            Counts.Why == Entry && !Why.empty())
          Counts.Why = Why;
  }
}
