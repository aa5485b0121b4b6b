//===- SlowArithmetic.cpp - Work that a device is slow at -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace ptxpredict;

/// Of the issue time, for work on a narrow pipe; and of the instructions, for
/// what is one in the input and a sequence in the machine.
static constexpr double LeastIssueShare = 0.1, LeastSequenceShare = 0.02;
/// A pipe with so many times fewer lanes than that of floats is narrow.
static constexpr double Narrow = 4;

static bool isSequence(SchedClass Kind) {
  return Kind == SchedClass::IntDivide || Kind == SchedClass::IntRemainder ||
         Kind == SchedClass::FP32Divide || Kind == SchedClass::FP64Divide;
}

namespace {

/// The instructions of one place.
struct PlaceOfWork {
  SourcePlace Place;
  WorkByKind Work{};
  bool IsInLoop = false;
};

struct KernelWork {
  std::vector<PlaceOfWork> Places; ///< with work that may be slow
  WorkByKind All{};
  double Instructions = 0;
};

} // namespace

/// Which blocks lie in a loop; all of a function without any, which the grid
/// itself repeats.
static std::vector<bool> hotBlocks(const FunctionDependence &F) {
  std::vector<bool> Hot(F.Blocks.size(), F.Loops.empty());
  for (const IssuedLoop &L : F.Loops)
    for (uint32_t B = L.First; B != L.End; ++B)
      Hot[B] = true;
  return Hot;
}

static KernelWork sumWork(const KernelCharacteristics &K) {
  const DependenceSummary &S = K.Dependence.Summary;
  KernelWork W;
  // What double-promotion reports.
  const InstructionKeys Keys(S);
  llvm::DenseSet<InstructionKeys::Key> Reported;
  for (const PromotionCharacteristics &P : K.Promotions)
    for (const InstructionPlace &I : P.Instructions)
      Reported.insert(Keys.of(I.Place));
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, size_t> ByPlace;
  auto PlaceFor = [&](const IssuedInstruction &I) -> PlaceOfWork & {
    auto Key = I.Source ? std::pair(I.Source, 0U) : std::pair(0U, I.Line);
    auto [It, IsNew] = ByPlace.try_emplace(Key, W.Places.size());
    if (IsNew)
      W.Places.push_back(
          {{I.Line, I.Source ? S.Sources[I.Source - 1] : "", {}}, {}, false});
    return W.Places[It->second];
  };
  for (const FunctionDependence &F : S.Functions) {
    std::vector<bool> Hot = hotBlocks(F);
    for (size_t B = 0; B != F.Blocks.size(); ++B) {
      double Runs = F.Blocks[B].Runs * F.Entries;
      for (uint32_t N = F.Blocks[B].FirstInstruction;
           N != F.Blocks[B].EndInstruction; ++N) {
        const IssuedInstruction &I = F.Instructions[N];
        W.All[unsigned(I.Result)] += Runs;
        W.Instructions += Runs;
        if (Hot[B] && Runs > 0 && cheaperKind(I.Result) &&
            !(isOfDoubles(I.Result) && Reported.count(Keys.of(I)))) {
          PlaceOfWork &Place = PlaceFor(I);
          Place.Work[unsigned(I.Result)] += Runs;
          Place.IsInLoop |= !F.Loops.empty();
        }
      }
    }
  }
  return W;
}

namespace {

/// How slow a place's work is on one device.
struct Slowness {
  const KernelThere *There;            ///< on which device
  SchedClass Kind = SchedClass::Other; ///< that takes the most time
  double IssueShare = 0;               ///< of all slow work of the place
  double Sequences = 0;                ///< per warp
  bool matters(double Instructions) const {
    return IssueShare >= LeastIssueShare ||
           Sequences >= LeastSequenceShare * Instructions;
  }
};

} // namespace

static Slowness judge(const WorkByKind &Work, const WorkByKind &All,
                      const KernelThere &There) {
  const Device &D = There.dev();
  double Total = 0;
  for (unsigned K = 0; K != NumSchedClasses; ++K)
    Total += All[K] * issueCyclesOf(SchedClass(K), D);
  Slowness S{&There};
  double Most = 0;
  for (unsigned K = 0; K != NumSchedClasses; ++K) {
    SchedClass Kind = SchedClass(K);
    bool IsNarrow = laneCount(Kind, D) * Narrow <= *D.FP32Lanes;
    if (Work[K] <= 0 || !(IsNarrow || isSequence(Kind)))
      continue;
    double Cycles = Work[K] * issueCyclesOf(Kind, D);
    if (IsNarrow)
      S.IssueShare += Cycles / Total;
    if (isSequence(Kind))
      S.Sequences += Work[K];
    if (Cycles > Most) {
      Most = Cycles;
      S.Kind = Kind;
    }
  }
  return S;
}

static StringRef helpFor(SchedClass Kind) {
  if (isOfDoubles(Kind))
    return "compute in float where its precision does: write constants as "
           "1.0f, call sinf and not sin, and look for a double that a float "
           "meets";
  if (Kind == SchedClass::IntDivide || Kind == SchedClass::IntRemainder)
    return "take the division out of the loop, divide by a constant or a "
           "power of two, or count quotient and remainder along";
  if (Kind == SchedClass::FP32Divide)
    return "take the division out of the loop and multiply by the reciprocal, "
           "or allow __fdividef or -prec-div=false";
  return "compute fewer of these functions: take them out of the loop, or use "
         "a polynomial or a table";
}

static Finding describe(const Rule &R, LintContext &C, const PlaceOfWork &Place,
                        const Slowness &S, double Instructions) {
  const KernelThere &There = *S.There;
  Finding F = C.start(R, Place.Place);
  // All devices have fewer lanes for special functions, and few programs a way
  // around them or around a division that a thread makes once: at best all is
  // well.
  if (S.Kind == SchedClass::SFU || (isSequence(S.Kind) && !Place.IsInLoop &&
                                    Place.Work[unsigned(S.Kind)] <= 1))
    F.Level = Severity::Note;
  std::string Kind = toString(S.Kind).str();
  double Num = Place.Work[unsigned(S.Kind)];
  F.Message = shortNumber(Num) + " instructions a warp are " + Kind;
  if (isSequence(S.Kind))
    F.Message += ", each of which is a sequence of many in the machine";
  else
    F.Message += ", for which " + There.name().str() + " has " +
                 shortNumber(laneCount(S.Kind, There.dev())) +
                 " lanes where it has " + shortNumber(*There.dev().FP32Lanes) +
                 " for fp32: they take " + percent(S.IssueShare) +
                 " of the issue time";
  F.add("kind", Kind);
  F.add("instructions", Num);
  F.add("share_of_instructions", Num / Instructions);
  F.add("share_of_issue_time", S.IssueShare, There.name());
  F.Help = helpFor(S.Kind).str();
  return F;
}

void ptxpredict::checkSlowArithmetic(const Rule &R, LintContext &C) {
  KernelWork W = sumWork(C.kernel());
  std::vector<PricedFinding> Found;
  for (const PlaceOfWork &Place : W.Places) {
    std::optional<Slowness> Worst;
    for (const KernelThere &There : C.devices()) {
      Slowness S = judge(Place.Work, W.All, There);
      if (S.matters(W.Instructions) &&
          (!Worst || S.IssueShare > Worst->IssueShare))
        Worst = S;
    }
    if (!Worst)
      continue;
    PricedFinding P;
    P.Found = describe(R, C, Place, *Worst, W.Instructions);
    P.Weight = Worst->IssueShare + Worst->Sequences / W.Instructions;
    P.TakeOut = [Work = Place.Work](KernelVariant &V) { makeCheaper(V, Work); };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));
}
