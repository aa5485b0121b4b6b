//===- DoublePromotion.cpp - Floats that become doubles and back ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace ptxpredict;

namespace {

/// The promotions that begin at one place of the source.
struct PlaceOfPromotions {
  SourcePlace Place;
  bool AreRounded = false; ///< one of them is
  // Executions per warp.
  WorkByKind Work{}; ///< of doubles
  double Comparisons = 0;

  double conversions() const { return Work[unsigned(Latency::FP64Convert)]; }
  double instructions() const {
    double Sum = Comparisons - conversions();
    for (double W : Work)
      Sum += W;
    return Sum;
  }
};

} // namespace

static std::vector<PlaceOfPromotions>
sumPromotions(const KernelCharacteristics &K) {
  std::vector<PlaceOfPromotions> Places;
  llvm::StringMap<size_t> ByPlace;
  llvm::DenseMap<uint32_t, size_t> ByLine; ///< of the input
  for (const PromotionCharacteristics &P : K.Promotions) {
    const SourcePlace &First = P.Instructions.front().Place;
    auto [It, IsNew] = ByPlace.try_emplace(keyOf(First), Places.size());
    if (IsNew)
      Places.emplace_back().Place = First;
    Places[It->second].AreRounded |= P.IsRounded;
    for (const InstructionPlace &I : P.Instructions)
      ByLine.try_emplace(I.Place.Line, It->second);
  }
  for (const FunctionDependence &F : K.Dependence.Summary.Functions)
    for (const IssuedBlock &B : F.Blocks)
      for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N) {
        const IssuedInstruction &I = F.Instructions[N];
        auto At = ByLine.find(I.Line);
        if (At == ByLine.end())
          continue;
        PlaceOfPromotions &Place = Places[At->second];
        if (isOfDoubles(I.Result))
          Place.Work[unsigned(I.Result)] += B.Runs * F.Entries;
        else if (I.Result == Latency::Compare)
          Place.Comparisons += B.Runs * F.Entries;
      }
  return Places;
}

static Finding describe(const Rule &R, LintContext &C,
                        const PlaceOfPromotions &Place) {
  Finding F = C.start(R, Place.Place);
  F.Message =
      std::string("a float is widened to double, worked on and ") +
      (Place.AreRounded ? "rounded back" : "compared or made an integer") +
      ": " + shortNumber(Place.instructions()) +
      " instructions on doubles and " + shortNumber(Place.conversions()) +
      " conversions a warp";
  F.add("fp64_instructions", Place.instructions());
  F.add("conversions", Place.conversions());
  F.Help = "write constants as 1.0f, call the function for floats (sqrtf, "
           "expf), and let no double meet a float; where the precision is "
           "meant, keep it";
  return F;
}

void ptxpredict::checkDoublePromotion(const Rule &R, LintContext &C) {
  std::vector<PricedFinding> Found;
  for (const PlaceOfPromotions &Place : sumPromotions(C.kernel())) {
    PricedFinding P;
    P.Weight = Place.instructions() + Place.conversions();
    if (P.Weight <= 0)
      continue;
    P.Found = describe(R, C, Place);
    P.TakeOut = [Work = Place.Work](KernelVariant &V) { makeCheaper(V, Work); };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));
}
