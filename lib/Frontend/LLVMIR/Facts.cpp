//===- Facts.cpp - What LLVM's analyses prove of loops and values ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Facts go into the graph, where the analyses take them for what they cannot
// decide themselves: they know the launch, and come first.
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

/// How often a loop's header runs if its back edge is taken that often.
static std::optional<uint64_t> headerRuns(const llvm::SCEV *BackEdges) {
  auto *C = dyn_cast<llvm::SCEVConstant>(BackEdges);
  if (!C || C->getAPInt().getActiveBits() > 62)
    return std::nullopt;
  return C->getAPInt().getZExtValue() + 1;
}

/// Whether nobody sees into what \p I gives but through what LLVM says of it.
static bool isOpaque(const llvm::Instruction &I) {
  return I.getType()->isIntegerTy() && !I.getType()->isIntegerTy(1) &&
         I.getType()->getIntegerBitWidth() <= 64 &&
         (isa<llvm::LoadInst>(I) ||
          (isa<llvm::CallInst>(I) && !isa<llvm::IntrinsicInst>(I)));
}

void FunctionLowering::findFacts() {
  auto &Fn = const_cast<llvm::Function &>(F); // the analyses do not change it
  llvm::DominatorTree DT(Fn);
  llvm::LoopInfo LI(DT);
  if (LI.empty())
    return;
  llvm::AssumptionCache AC(Fn);
  llvm::TargetLibraryInfoImpl Library(F.getParent()->getTargetTriple());
  llvm::TargetLibraryInfo TLI(Library);
  llvm::ScalarEvolution SE(Fn, TLI, AC, DT, LI);
  for (const llvm::Loop *L : LI.getLoopsInPreorder()) {
    Block *Header = Control.block(*L->getHeader());
    Header->HeaderRuns = headerRuns(SE.getBackedgeTakenCount(L));
    Header->MostHeaderRuns = headerRuns(SE.getConstantMaxBackedgeTakenCount(L));
  }
  for (llvm::Instruction &I : llvm::instructions(Fn))
    if (isOpaque(I)) {
      llvm::APInt Max = SE.getUnsignedRangeMax(SE.getSCEV(&I));
      if (!Max.isMaxValue())
        Most[&I] = Max.getZExtValue();
    }
}
