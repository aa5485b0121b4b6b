//===- SummarizePromotions.cpp - Floats that become doubles and back ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SummarizePromotions.h"
#include "ptxpredict/Analysis/Dependence/DoublePromotions.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"

using namespace ptxpredict;

std::vector<PromotionCharacteristics>
ptxpredict::summarizePromotions(ArrayRef<const InstructionGraph *> Functions) {
  std::vector<PromotionCharacteristics> Out;
  /// Calls of a function, and those of them that belong to promotions.
  struct Calls {
    unsigned All = 0, Promoted = 0;
    size_t First = 0; ///< the first such promotion
  };
  llvm::DenseMap<const InstructionGraph *, Calls> CallsOf;
  llvm::DenseMap<const Instruction *, size_t> NumberOf; ///< of the promotion
  for (const InstructionGraph *G : Functions) {
    G->forEachInstruction([&](const Instruction &I) {
      if (I.IsCall && I.callee())
        ++CallsOf[I.callee()].All;
    });
    for (const DoublePromotion &P :
         findDoublePromotions(*G, G->analysis<ControlFlow>())) {
      for (const Instruction *I : P.Calls) {
        Calls &C = CallsOf[I->callee()];
        if (C.Promoted++ == 0)
          C.First = Out.size();
      }
      for (const Instruction *I : P.Instructions)
        NumberOf[I] = Out.size();
      Out.emplace_back().IsRounded = P.Rounding != nullptr;
    }
  }
  for (const InstructionGraph *G : Functions) {
    auto Calls = CallsOf.find(G);
    const bool IsPart =
        Calls != CallsOf.end() && Calls->second.Promoted == Calls->second.All;
    SourcePlaces Places;
    G->forEachInstruction([&](const Instruction &I) {
      const SourceLocation *Shown = Places.locate(I);
      auto Number = NumberOf.find(&I);
      if (Number == NumberOf.end() && !(IsPart && isDoubleWork(I)))
        return;
      Out[Number == NumberOf.end() ? Calls->second.First : Number->second]
          .Instructions.push_back(
              {SourcePlaces::write(I, Shown), I.Mnemonic.str()});
    });
  }
  return Out;
}
