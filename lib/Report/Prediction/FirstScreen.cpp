//===- FirstScreen.cpp - The answer for a kernel on one screen ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FirstScreen.h"
#include "ptxpredict/Model/Confidence.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Model/SpeedOfLight.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ptxpredict;

static constexpr size_t MaxScreenNotes = 2;

static std::string rateText(double Giga, StringRef Unit) {
  const double Shown = Giga >= 1000 ? Giga / 1000 : Giga;
  return shortNumber(carriedDigits(Shown, Shown * 0.95, Shown * 1.05)) +
         (Giga >= 1000 ? " T" : " G") + Unit.str();
}

static std::string shareOfPeak(double Share) {
  return Share < 0.005 ? "under 1 %" : percent(Share);
}

bool FirstScreen::isAssumed(std::initializer_list<AssumptionKind> Kinds) const {
  return llvm::any_of(K.Assumptions, [&](const Assumption &A) {
    return llvm::is_contained(Kinds, A.Kind);
  });
}

void FirstScreen::addHead() {
  const InputReport &In = R.Inputs[Kernel.Input];
  const bool IsCode = In.Frontend != FrontendKind::Characteristics;
  Screen.add(K.Demangled, 0, raw_ostream::SAVEDCOLOR);
  const std::string Place =
      (IsCode ? ":" : ", characteristics of line ") + std::to_string(K.Line);
  std::string Code;
  if (IsCode && In.Frontend == FrontendKind::LLVMIR)
    Code = (", " + languageName(In.Frontend)).str();
  else if (IsCode && !In.ISAVersion.empty())
    Code = (", " + languageName(In.Frontend) + " " + In.ISAVersion).str();
  if (!In.Target.empty())
    Code += " for " + In.Target;
  if (!K.MeasuredOn.empty())
    Code += ", counts of a run on " + K.MeasuredOn;
  if (K.Counted)
    Code += ", " + K.Counted->description();
  const size_t Rest = 2 + Place.size() + Code.size();
  Screen.add("  " +
             fit(printable(In.Path),
                 unsigned(std::max<size_t>(
                     20, ScreenColumns - std::min<size_t>(Rest, 60)))) +
             Place + Code);
  const LaunchConfig &L = K.Launch;
  std::string Launch =
      "  grid " + toString(L.Grid) +
      (isAssumed({AssumptionKind::Grid}) ? "?" : "") + ", block " +
      toString(L.Block) +
      (isAssumed({AssumptionKind::Block, AssumptionKind::BlockOfBound}) ? "?"
                                                                        : "");
  if (L.Cluster.count() != 1)
    Launch += ", clusters of " + toString(L.Cluster);
  Launch += ": " + plural(L.blocks(), "block") + " of " +
            plural(L.warpsPerBlock(), "warp");
  if (Kernel.Predictions.size() == 1)
    Launch += ", on " + first().Device +
              (isAssumed({AssumptionKind::Device}) ? "?" : "");
  Screen.add(Launch);
  Screen.blank();
}

/// What the kernel's start and end take, where that is much of the time.
static std::string startText(const Prediction &P) {
  const double StartUs = P.term("Start_us").value_or(0);
  return StartUs < P.TimeUs->Value / 4 ? ""
                                       : ", of which its start and end take " +
                                             carriedTime(StartUs, *P.TimeUs);
}

void FirstScreen::addAnswer(const Prediction &P) {
  if (!P.TimeUs) {
    Screen.add("  no answer by model " + P.Model, 0, raw_ostream::RED);
    for (StringRef Note : P.Applies.Notes)
      Screen.wrap(Note, 4, 3, 0);
    return;
  }
  const Estimate &T = *P.TimeUs;
  const std::string Time = carriedTime(T.Value, T) + statusMark(T.Status).str();
  const size_t At = Screen.size();
  if (!std::isfinite(T.High))
    Screen.wrap(Time + ", at least " +
                    shortTime(carriedDigits(T.Low, T.Low, T.Low * 1.2)) +
                    "; no upper bound" +
                    (P.NoUpperBound.empty() ? "" : ": " + P.NoUpperBound),
                4, 2, 0);
  else
    Screen.add("  " + Time + (T.High > T.Low ? " (" + rangeText(T) + ")" : "") +
               startText(P));
  Screen.paint(At, raw_ostream::GREEN);
  if (P.Scaled)
    Screen.add("  " + shortTime(P.Scaled->TimeUs) + " from " +
               describeMeasured(*P.Scaled));
  addRegisterSteps(P);
  if (const StringRef By = limitedBy(P, K); !By.empty()) {
    std::string Text = ("  limited by " + By).str();
    // What is as near: half of the largest share and more.
    const auto Rows = resourcesByShare(P);
    if (Rows.size() > 1 && Rows[1]->Share >= Rows[0]->Share / 2)
      Text += (", then by " + plainNameOf(*Rows[1], P, K)).str();
    Screen.add(Text, 0, raw_ostream::YELLOW);
  }
}

/// Where the registers are an estimate near a step of the occupancy: the other
/// answers.
void FirstScreen::addRegisterSteps(const Prediction &P) {
  constexpr double Matters = 0.05;
  for (const OccupancyEnd &End : P.OccEnds)
    if (End.TimeUs && std::abs(*End.TimeUs / P.TimeUs->Value - 1) >= Matters)
      Screen.add("  " + carriedTime(*End.TimeUs, *P.TimeUs) + " with " +
                 Twine(End.Registers) + " registers in place of " +
                 shortEstimate(P.Registers) + " (occupancy " +
                 percent(End.Occ.Fraction) + "): --via=ptxas decides");
}

/// What is reached of the peaks: arithmetic, device memory, and what on the
/// chip is busier than both.
void FirstScreen::addSpeedOfLight(const Prediction &P) {
  const auto S = speedOfLight(K, P);
  if (!S)
    return;
  std::string Text;
  llvm::ListSeparator Semicolon("; ");
  double Most = 0;
  auto Add = [&](const Twine &What, double Share) {
    Text += (StringRef(Semicolon) + What).str();
    Most = std::max(Most, Share);
  };
  if (!S->Pipes.empty()) {
    const PipeRate &Pipe = S->Pipes.front();
    Add(rateText(Pipe.Giga, "FLOP/s") + " of " + Pipe.Name + ", " +
            shareOfPeak(Pipe.share()) + " of the peak",
        Pipe.share());
  }
  if (S->DRAMBytes > 0)
    Add(rateText(S->DRAMGBs, "B/s") + " of device memory, " +
            shareOfPeak(S->dramShare()),
        S->dramShare());
  const ResourceUse *Busiest = nullptr;
  for (const ResourceUse &U : P.Resources)
    if (U.Resource != BottleneckResource::Latency &&
        U.Resource != BottleneckResource::DRAM &&
        U.Resource != BottleneckResource::Dispatch &&
        (!Busiest || U.Cycles > Busiest->Cycles))
      Busiest = &U;
  if (Busiest && P.Cycles && P.Cycles->Value > 0)
    if (const double Busy = Busiest->Cycles / P.Cycles->Value;
        Busy > Most && Busy <= 1)
      Add(plainNameOf(Busiest->Resource) + " busy " + percent(Busy) +
              " of the time",
          Busy);
  if (!Text.empty())
    Screen.wrap(Text, 4, 2, 4);
  if (P.PowerW) {
    std::string Power = "  " +
                        shortNumber(carriedDigits(
                            P.PowerW->Value, P.PowerW->Low, P.PowerW->High)) +
                        statusMark(P.PowerW->Status).str() + " W";
    if (P.Learned)
      Power += " by regression " + P.Learned->Regression.str();
    if (P.EnergyJ)
      Power += ", " + shortEnergy(carriedDigits(
                          P.EnergyJ->Value, P.EnergyJ->Low, P.EnergyJ->High));
    Power += ", at " + shortNumber(P.CoreMHz) + " MHz";
    if (P.Clock && P.Clock->isLimited(P.CoreMHz))
      Power +=
          ": the power limit keeps it below " + shortNumber(P.Clock->BoostMHz);
    Screen.add(Power, 2);
  }
}

void FirstScreen::addNotes(const Prediction &P) {
  if (!P.TimeUs)
    return;
  if (const auto C = confidenceOf(K, P))
    Screen.wrap("confidence " + toString(C->level()) + ": " + C->reasons(), 4,
                2, 5);
  const ArrayRef<std::string> Notes =
      ArrayRef(P.Applies.Notes).drop_front(P.Applies.NumUsual);
  for (size_t I = 0; I != std::min(Notes.size(), MaxScreenNotes); ++I)
    Screen.wrap("note: " + Notes[I], 4, 2, 3);
}

void FirstScreen::print(raw_ostream &OS, bool Colors) {
  addHead();
  const Prediction &P = first();
  addAnswer(P);
  addSpeedOfLight(P);
  addNotes(P);
  Screen.blank();
  if (P.TimeUs) {
    addBars(P);
    addTerms(P);
    addTries();
    addHottest(P);
  }
  addAssumed();
  addMore();
  Screen.print(OS, Colors);
}

void ptxpredict::printFirstScreen(const Report &R, const KernelReport &K,
                                  raw_ostream &OS, bool Colors) {
  FirstScreen(R, K).print(OS, Colors);
}
