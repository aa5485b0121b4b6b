//===- DoublePromotion.cpp - Floats that become doubles and back ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace ptxpredict;

namespace {

/// The promotions that begin at one place of the source.
struct PlaceOfPromotions {
  SourcePlace Place;
  bool AreRounded = false; ///< one of them is
  // Executions per warp.
  WorkByKind Work{}; ///< of doubles
  double Comparisons = 0;

  double conversions() const { return Work[unsigned(SchedClass::FP64Convert)]; }
  double instructions() const {
    double Sum = Comparisons - conversions();
    for (double W : Work)
      Sum += W;
    return Sum;
  }
};

} // namespace

/// Calls \p Visit for each instruction that a warp issues, and how often.
static void
forIssued(const KernelCharacteristics &K,
          llvm::function_ref<void(const IssuedInstruction &, double)> Visit) {
  for (const FunctionDependence &F : K.Dependence.Summary.Functions)
    for (const IssuedBlock &B : F.Blocks)
      for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N)
        Visit(F.Instructions[N], B.Runs * F.Entries);
}

/// Of a promotion's instructions the first of those that run most often: what
/// comes before a loop is there for what is in it.
static const SourcePlace &
hottestPlace(const PromotionCharacteristics &P, const InstructionKeys &Keys,
             const llvm::DenseMap<InstructionKeys::Key, double> &Runs) {
  auto RunsOf = [&](const InstructionPlace &I) {
    return Runs.lookup(Keys.of(I.Place));
  };
  return std::max_element(P.Instructions.begin(), P.Instructions.end(),
                          [&](const auto &A, const auto &B) {
                            return RunsOf(A) < RunsOf(B);
                          })
      ->Place;
}

static std::vector<PlaceOfPromotions>
sumPromotions(const KernelCharacteristics &K) {
  const InstructionKeys Keys(K.Dependence.Summary);
  llvm::DenseMap<InstructionKeys::Key, double> MostRuns;
  for (const PromotionCharacteristics &P : K.Promotions)
    for (const InstructionPlace &I : P.Instructions)
      MostRuns.try_emplace(Keys.of(I.Place), 0);
  forIssued(K, [&](const IssuedInstruction &I, double Runs) {
    if (auto At = MostRuns.find(Keys.of(I)); At != MostRuns.end())
      At->second = std::max(At->second, Runs);
  });
  std::vector<PlaceOfPromotions> Places;
  llvm::StringMap<size_t> ByPlace;
  llvm::DenseMap<InstructionKeys::Key, size_t> ByKey;
  for (const PromotionCharacteristics &P : K.Promotions) {
    const SourcePlace &At = hottestPlace(P, Keys, MostRuns);
    auto [It, IsNew] = ByPlace.try_emplace(keyOf(At), Places.size());
    if (IsNew)
      Places.emplace_back().Place = At;
    Places[It->second].AreRounded |= P.IsRounded;
    for (const InstructionPlace &I : P.Instructions)
      ByKey.try_emplace(Keys.of(I.Place), It->second);
  }
  forIssued(K, [&](const IssuedInstruction &I, double Runs) {
    auto At = ByKey.find(Keys.of(I));
    if (At == ByKey.end())
      return;
    PlaceOfPromotions &Place = Places[At->second];
    if (isOfDoubles(I.Result))
      Place.Work[unsigned(I.Result)] += Runs;
    else if (I.Result == SchedClass::Compare)
      Place.Comparisons += Runs;
  });
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
