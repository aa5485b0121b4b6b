//===- Lint.cpp - Runs the rules, and prices what they find ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/Lint.h"
#include "Rules.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

static constexpr Rule Rules[] = {
#define LINT_RULE(NAME, ID, REMARK, SEVERITY, FIRES_WHEN, SAVES, TO_TRY)       \
  {ID,     REMARK,     Severity::SEVERITY, FIRES_WHEN, RuleSaves::SAVES,       \
   TO_TRY, check##NAME},
#include "ptxpredict/Lint/Rules.def"
};

ArrayRef<Rule> ptxpredict::allRules() { return Rules; }

const Rule *ptxpredict::findRule(StringRef Id) {
  for (const Rule &R : Rules)
    if (R.Id == Id)
      return &R;
  return nullptr;
}

double KernelThere::blocksPerSM() const {
  double Blocks = double(Ready->place().Kernel.Launch.blocks());
  double SMs = std::max(1.0, std::min(double(On.Point.ActiveSMs), Blocks));
  return std::min(double(Now.Occ.BlocksPerSM), std::ceil(Blocks / SMs));
}

double KernelThere::warpsPerSM() const {
  return blocksPerSM() * double(Ready->place().Kernel.Launch.warpsPerBlock());
}

LintContext::LintContext(const LintRequest &R)
    : Request(R), Options(R.Options) {
  Options.WithBounds = false;
  for (const LintDevice &D : R.Devices) {
    KernelThere K{D, Options, R.TheModel.prepare(D.Place, Options), {}};
    K.Now = K.Ready->predict(D.Point, D.Refusal);
    if (K.Now.TimeUs && K.Now.TimeUs->Value > 0 &&
        std::isfinite(K.Now.TimeUs->Value))
      There.push_back(std::move(K));
  }
}

Finding LintContext::start(const Rule &R) const {
  Finding F;
  F.Id = R.Id;
  F.Remark = R.Remark;
  F.Level = R.Level;
  F.Kernel = kernel().Name;
  F.Where.Path = Request.Path.str();
  F.Where.Line = F.Where.InputLine = kernel().Line;
  F.Where.Column = F.Where.Line ? 1 : 0;
  return F;
}

Finding LintContext::start(const Rule &R, const SourcePlace &At) const {
  Finding F = start(R);
  F.Where.InputLine = At.Line;
  F.Where.Line = At.Line;
  F.Where.Column = At.Line ? 1 : 0;
  F.Where.InlinedAt = At.InlinedAt;
  if (PathPlace P = splitPlace(At.Source);
      !P.Path.empty() && P.Path != At.Source) {
    F.Where.Path = P.Path.str();
    F.Where.Line = P.Line;
    F.Where.Column =
        std::max(P.Column, 1u); // of its line, if not more is known
  }
  return F;
}

/// Whether a model that has the same time for both sees any difference.
static bool isPriced(const Prediction &A, const Prediction &B) {
  if (A.Terms.size() != B.Terms.size())
    return true;
  for (size_t I = 0; I != A.Terms.size(); ++I)
    if (A.Terms[I].Value != B.Terms[I].Value &&
        !(std::isnan(A.Terms[I].Value) && std::isnan(B.Terms[I].Value)))
      return true;
  return false;
}

std::optional<double> LintContext::gain(const KernelThere &K,
                                        const KernelOnDevice &Without) const {
  const auto Ready = model().prepare(Without, Options);
  // Of most variants the time is all that is asked for.
  const std::optional<PointPrediction> Then = Ready->at(K.On.Point);
  if (!Then || !std::isfinite(Then->TimeUs.Value) ||
      (Then->TimeUs.Value == K.timeUs() &&
       !isPriced(K.Now, Ready->predict(K.On.Point, K.On.Refusal))))
    return std::nullopt;
  return std::max(0.0, 1 - Then->TimeUs.Value / K.timeUs());
}

std::optional<double>
LintContext::gainOn(const KernelThere &K,
                    llvm::function_ref<void(KernelVariant &)> TakeOut) {
  if (!Variant)
    Variant.emplace(kernel());
  TakeOut(*Variant);
  const KernelOnDevice &Place = K.Ready->place();
  std::optional<double> Saved =
      gain(K, Place.variant(Variant->get(), Place.Occ));
  Variant->reset();
  return Saved;
}

std::optional<double> LintContext::gainWithBlocks(const KernelThere &K,
                                                  unsigned Blocks) {
  const KernelOnDevice &Place = K.Ready->place();
  Occupancy Occ = Place.Occ;
  Occ.BlocksPerSM = Blocks;
  Occ.WarpsPerSM = Blocks * unsigned(kernel().Launch.warpsPerBlock());
  Occ.Fraction = Occ.WarpsPerSM / *K.dev().MaxWarpsPerSM;
  return gain(K, Place.variant(kernel(), std::move(Occ)));
}

void LintContext::price(Finding &F,
                        llvm::function_ref<void(KernelVariant &)> TakeOut) {
  for (const KernelThere &K : There)
    if (std::optional<double> Gain = gainOn(K, TakeOut))
      F.Gains.push_back({K.name().str(), *Gain});
  settle(F);
}

bool LintContext::savesLittle(const Finding &F) const {
  return !There.empty() && F.Gains.size() == There.size() &&
         *F.bestGain() < LeastGain;
}

void LintContext::settle(Finding &F) const {
  if (F.Level == Severity::Warning && savesLittle(F))
    F.Level = Severity::Note;
}

void LintContext::priceAll(std::vector<PricedFinding> Findings) {
  llvm::stable_sort(Findings, [](const auto &A, const auto &B) {
    return A.Weight > B.Weight;
  });
  size_t Priced = std::min(Findings.size(), MostPriced);
  Findings.erase(std::remove_if(Findings.begin() + ptrdiff_t(Priced),
                                Findings.end(),
                                [](const PricedFinding &P) {
                                  return P.Found.Level == Severity::Note;
                                }),
                 Findings.end());
  SmallVector<PricedFinding *> Small;
  for (size_t I = 0; I != Findings.size(); ++I) {
    Finding &F = Findings[I].Found;
    const bool IsNote = F.Level == Severity::Note;
    if (I < Priced)
      price(F, Findings[I].TakeOut);
    else
      F.Level = Severity::Note;
    if (!IsNote && F.Level == Severity::Note)
      Small.push_back(&Findings[I]);
    // Where the rule's findings are more than notes, one that came as a note
    // has nobody who knows that anything is wrong.
    const Rule *Of = findRule(F.Id);
    Findings[I].IsIdle =
        IsNote && Of && Of->Level != Severity::Note && savesLittle(F);
  }
  joinSmall(Small);
  for (PricedFinding &P : Findings)
    if (!P.IsIdle)
      report(std::move(P.Found));
}

void LintContext::joinSmall(ArrayRef<PricedFinding *> Small) {
  if (Small.size() < 2)
    return;
  Finding All;
  All.Level = Severity::Warning;
  price(All, [&](KernelVariant &V) {
    for (PricedFinding *P : Small)
      P->TakeOut(V);
  });
  if (All.Level == Severity::Note)
    return;
  // One stands for all: they are often one layout that many lines read.
  Finding &F = Small.front()->Found;
  const size_t Others = Small.size() - 1;
  F.Level = Severity::Warning;
  F.Gains = std::move(All.Gains);
  F.Message += "; counted together with " + std::to_string(Others) +
               (Others == 1 ? " other place" : " other places") +
               " of the kernel, each of which costs little";
  F.add("places", double(Small.size()));
}

std::vector<Finding> ptxpredict::findDefects(const LintRequest &R) {
  StageTimer Timer(Stage::Lint);
  LintContext C(R);
  for (const Rule &TheRule : Rules)
    if (R.WithEnergy || TheRule.Saves == RuleSaves::Time)
      TheRule.Check(TheRule, C);
  std::vector<Finding> Found = C.takeFindings();
  sortFindings(Found);
  return Found;
}
