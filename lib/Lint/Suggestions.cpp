//===- Suggestions.cpp - What the throughput model advises ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/Suggestions.h"
#include "ptxpredict/Model/FewerSMs.h"
#include "ptxpredict/Model/IPP.h"
#include "ptxpredict/Model/ThroughputCategories.h"
#include "ptxpredict/Model/ThroughputModel.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// The terms that advice is made of.
static constexpr StringRef AdviceTerms[] = {
    "Category",     "Category_mostly_DRAM", "Category_all_DRAM",
    "Advice_alpha", "Advice_bytes",         "Advice_cores",
    "Advice_N",     "CoreReduction"};

/// Factors that are closer to one are no advice.
static constexpr double LeastChange = 0.01;

/// What the terms amount to, each a way by itself.
static std::vector<std::string> textsOf(const Prediction &P) {
  auto Of = [&](StringRef Name) { return P.term(Name).value_or(1); };
  std::vector<std::string> Texts;
  if (double Alpha = Of("Advice_alpha"); Alpha > 1 + LeastChange)
    Texts.push_back(shortNumber(Alpha) +
                    " times the bandwidth would meet the demand, and so would "
                    "requests of " +
                    shortNumber(Of("Advice_bytes")) + " times the bytes");
  if (double Cores = Of("Advice_cores"); Cores < Of("ActiveSM"))
    Texts.push_back(shortNumber(Cores) + " of " + shortNumber(Of("ActiveSM")) +
                    " SMs use up the bandwidth; more of them gain nothing: " +
                    requestText(requestSMs(*P.On, unsigned(Cores))));
  if (double N = Of("Advice_N"); N < Of("N"))
    Texts.push_back(shortNumber(N) + " of " + shortNumber(Of("N")) +
                    " warps of an SM use up the bandwidth");
  if (double Times = Of("CoreReduction"); Times > 1 + LeastChange)
    Texts.push_back("the core clock may drop by a factor of " +
                    shortNumber(Times) +
                    " until latency is no longer what is waited for");
  return Texts;
}

/// What (62) and (63) say of SMs, by the times of MWP-CWP.
static void addCoresOfIPP(const LintDevice &D, const ModelOptions &Options,
                          std::vector<std::string> &Texts) {
  const Prediction P =
      ippModel().prepare(D.Place, Options)->predict(D.Point, D.Refusal);
  const double All = D.Point.ActiveSMs;
  const std::string OfAll = " of " + shortNumber(All) + " SMs ";
  if (const double SMs = P.term("Optimal_cores").value_or(All); SMs < All) {
    const double Saved = P.term("Energy_saving_runtime_idle").value_or(0);
    Texts.push_back("model ipp: " + shortNumber(SMs) + OfAll +
                    "use up the bandwidth (Optimal_cores) and take " +
                    percent(std::abs(Saved)) +
                    (Saved < 0 ? " more energy" : " less energy"));
  }
  if (const double SMs = P.term("Best_cores").value_or(All); SMs < All)
    Texts.push_back("model ipp: " + shortNumber(SMs) + OfAll +
                    "do the most work a watt (Best_cores)");
}

std::vector<DeviceSuggestions>
ptxpredict::suggestSettings(ArrayRef<LintDevice> Devices,
                            const ModelOptions &Options) {
  std::vector<DeviceSuggestions> All;
  for (const LintDevice &D : Devices) {
    Prediction P = throughputModel()
                       .prepare(D.Place, Options)
                       ->predict(D.Point, D.Refusal);
    if (P.On->IsCPU) // categories are of warps that take turns
      continue;
    std::optional<double> Category = P.term("Category");
    if (!Category || !(*Category >= 1) ||
        *Category > double(throughputCategories().size()))
      continue;
    const ThroughputCategory &C = throughputCategories()[size_t(*Category) - 1];
    DeviceSuggestions S;
    S.Device = D.Place.Dev.Name;
    S.Category = C.Number;
    S.Rank = C.Rank;
    S.Verdict = C.Verdict;
    S.Advice = C.Advice;
    for (const Term &T : P.Terms)
      if (llvm::is_contained(AdviceTerms, T.Name))
        S.Terms.push_back(T);
    S.Suggestions = textsOf(P);
    addCoresOfIPP(D, Options, S.Suggestions);
    All.push_back(std::move(S));
  }
  return All;
}
