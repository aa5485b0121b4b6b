//===- UniformityPrint.cpp - What differs between lanes, as text ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"
#include "ptxpredict/Analysis/Symbolic/DivergenceSources.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Arguments of a function are what other code makes them.
static bool isMadeElsewhere(const Instruction &I) {
  if (I.Parent->Parent->IsKernel)
    return false;
  return llvm::any_of(I.Uses, [](const Value *V) { return V->IsArgument; }) ||
         llvm::any_of(I.Effects, [](const MemoryEffect &E) {
           return E.Space == AddressSpace::Param;
         });
}

static StringRef name(bool IsDivergent) {
  return IsDivergent ? "divergent" : "uniform";
}

/// By the expressions of all calls.
static bool
differs(const CountedFunction &F,
        llvm::function_ref<const Expression *(const SymbolicValues &)> Of) {
  return llvm::any_of(F.Calls, [&](const SymbolicValues *V) {
    const Expression *X = Of(*V);
    return !X || !X->isUniform();
  });
}

static void printBranch(const CountedFunction &F, const Block &B,
                        const Uniformity &U, raw_ostream &OS) {
  const Instruction *T = B.terminator();
  if (!T || (!T->HasGuard && B.Successors.size() < 2))
    return;
  const GuardCounts *G = F.Counts->guard(*T);
  DumpRecord R(OS, "branch");
  R.field("line", T->Line).field("opcode", T->Mnemonic);
  R.field("algorithm", name(U.hasDivergentTerminator(&B)));
  if (!G) { // a jump table
    R.field("expression", "divergent").field("status", "unknown");
    R.field("why", "table");
    return;
  }
  auto Of = [&](const SymbolicValues &V) { return V.guard(*T); };
  const BlockCounts &Runs = F.Counts->Blocks[B.Number];
  Estimate Jumps = shareOf(G->Any, Runs.Runs),
           Splits = shareOf(G->Split, Runs.Runs);
  R.field("expression", name(differs(F, Of)));
  R.field("status", toString(Jumps.Status)).field("why", toString(G->Reason));
  R.field("decided", G->IsDecided ? "yes" : "no");
  R.field("jumps", Jumps).field("splits", Splits);
  R.field("if", Of(F.first()));
}

void ptxpredict::printUniformity(const SymbolicValues &V,
                                 const StaticProfile &Counts,
                                 const LaunchConfig &Launch, raw_ostream &OS) {
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &F) {
    Uniformity U(F.graph(), F.first().controlFlow(), [&](const Instruction &I) {
      return isDivergenceSource(I, Launch) || isMadeElsewhere(I);
    });
    for (const Block *B : F.graph().Blocks) {
      for (const Instruction *I : B->Instructions)
        for (const Value *D : I->Defs) {
          if (!U.isDivergent(D))
            continue;
          auto Of = [&](const SymbolicValues &Call) { return Call.of(D); };
          DumpRecord R(OS, "value");
          if (!I->isPseudo())
            R.field("line", I->Line);
          R.field("name", D->Name.str() + "." + std::to_string(D->Version));
          R.field("algorithm", "divergent");
          R.field("expression", name(differs(F, Of)));
        }
      printBranch(F, *B, U, OS);
    }
  });
}
