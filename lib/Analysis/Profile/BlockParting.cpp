//===- BlockParting.cpp - Conditions that part the threads of a block -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BlockParting.h"
#include "Analysis/Symbolic/AddressBases.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Whether what a thread loads is known to be no other thread's.
static bool isLoadedByThread(const Symbol &S, const SymbolicValues &V) {
  if (!S.From || S.From->Effects.empty())
    return false;
  const MemoryEffect &E = S.From->Effects[0];
  AddressSpace Space = E.Space;
  const bool IsHere = S.From->Parent->Parent == &V.graph();
  const Expression *At =
      IsHere ? V.of(*S.From, S.From->Operands[E.AddressOperand], 64) : nullptr;
  if (At && Space == AddressSpace::Generic)
    Space = resolveSpace(*At);
  return (Space == AddressSpace::Global || Space == AddressSpace::Shared) &&
         (!IsHere || !At || !At->isUniform());
}

bool BlockParting::differs(const Expression &X, const SymbolicValues &V) {
  const Symbol &S = *X.Sym;
  const uint8_t Within = X.Varies & (VariesInWarp | VariesInBlock);
  if (S.Kind == Symbol::KindTy::ExitCount && Within && S.Context == &V)
    return mayLeaveApart(unsigned(S.Number), V);
  if (S.Kind != Symbol::KindTy::Opaque)
    return Within != 0;
  switch (S.Reason) {
  case Symbol::ReasonTy::CrossLane:
    return Within != 0;
  case Symbol::ReasonTy::Load:
    return !X.isUniform() && isLoadedByThread(S, V);
  case Symbol::ReasonTy::Atomic:
  case Symbol::ReasonTy::Float:
  case Symbol::ReasonTy::Loop:
  case Symbol::ReasonTy::Merge:
  case Symbol::ReasonTy::TooLarge:
    // What all lanes share may come from memory, and be all warps'.
    return !X.isUniform();
  default: // nobody knows what it is
    return false;
  }
}

bool BlockParting::mayLeaveApart(unsigned Cycle, const SymbolicValues &V) {
  auto [It, IsNew] = LeaveApart.try_emplace({&V, Cycle}, false);
  if (!IsNew)
    return It->second;
  const ControlFlow &CF = V.controlFlow();
  const ptxpredict::Cycle &C = CF.cycles()[Cycle];
  // Every iteration asks the same conditions, of which none parts threads.
  auto KeepsTogether = [&](const Block *Exit) {
    const Instruction *T = Exit->terminator();
    return CF.innermostCycle(Exit) == int(Cycle) && T && T->HasGuard &&
           llvm::all_of(
               C.Latches,
               [&](const Block *Latch) { return CF.dominates(Exit, Latch); }) &&
           !mayPart(V.guard(*T), V);
  };
  const bool Apart = !C.Reducible || !V.leavesTogether(Cycle) ||
                     !llvm::all_of(C.ExitingBlocks, KeepsTogether);
  return LeaveApart[{&V, Cycle}] = Apart;
}

bool BlockParting::mayPart(const Expression *Predicate,
                           const SymbolicValues &V) {
  return Predicate &&
         llvm::any_of(Predicate->Symbols,
                      [&](const Expression *X) { return differs(*X, V); });
}
