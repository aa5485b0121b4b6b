//===- HTMLSection.cpp - What a page says of one kernel -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HTMLParts.h"
#include "ptxpredict/Model/Confidence.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::html;

/// What keeps a page small: predictions of a kernel, of them those at length,
/// and notes.
static constexpr size_t MaxPredictions = 100, MaxShown = 4,
                        MaxSectionNotes = 12;
/// More notes are folded, and more predictions: of a sweep, and of others.
static constexpr size_t MaxUnfoldedNotes = 3, MaxUnfoldedPoints = 8,
                        MaxUnfoldedPredictions = 40;
/// Findings that are not folded.
static constexpr size_t MaxUnfoldedFindings = 4;

std::string html::timeText(double Us) {
  return Us < 1000 ? shortNumber(Us) + " µs" : shortTime(Us);
}

std::string html::bytesText(double Bytes) {
  if (Bytes < 1000)
    return shortNumber(std::round(Bytes)) + " B";
  return svg::tickText(Bytes).insert(svg::tickText(Bytes).size() - 1, " ") +
         "B";
}

std::string html::energyText(const Estimate &Joules) {
  auto [Size, Name] = Joules.Value >= 1      ? std::pair(1., " J")
                      : Joules.Value >= 1e-3 ? std::pair(1e-3, " mJ")
                                             : std::pair(1e-6, " µJ");
  return shortNumber(Joules.Value / Size) + statusHTML(Joules.Status) + Name;
}

std::string html::nameText(StringRef Name) {
  return escapeHTML(fit(Name, 300));
}

std::string html::estimateText(const Estimate &E) {
  return shortNumber(E.Value) + statusHTML(E.Status);
}

std::string html::statusHTML(Status S) {
  if (S == Status::Known)
    return "";
  return ("<abbr title=\"" + toString(S) + "\">" + statusMark(S) + "</abbr>")
      .str();
}

static bool hasSeveralModels(const KernelReport &K) {
  return llvm::any_of(K.Predictions, [&](const Prediction &P) {
    return P.Model != K.Predictions.front().Model;
  });
}

std::string html::predictionName(const KernelReport &K, const Prediction &P) {
  return hasSeveralModels(K) ? P.Device + ", " + P.Model : P.Device;
}

std::vector<const Prediction *> html::shownPredictions(const KernelReport &K) {
  std::vector<const Prediction *> Shown;
  bool SeveralDevices = llvm::any_of(K.Predictions, [&](const Prediction &P) {
    return P.Device != K.Predictions.front().Device;
  });
  for (const Prediction &P : K.Predictions) {
    // Those of one device and model follow each other.
    bool IsNew = Shown.empty() || Shown.back()->Device != P.Device ||
                 (!SeveralDevices && Shown.back()->Model != P.Model);
    if (P.On && IsNew)
      Shown.push_back(&P);
  }
  if (Shown.size() > MaxShown) {
    llvm::stable_sort(Shown, [](const Prediction *A, const Prediction *B) {
      return A->TimeUs && (!B->TimeUs || A->TimeUs->Value < B->TimeUs->Value);
    });
    Shown.resize(MaxShown);
    llvm::sort(Shown); // into their order again
  }
  return Shown;
}

static bool isSweep(const KernelReport &K) {
  return !K.Predictions.empty() && !K.Predictions.front().Sweep.empty();
}

/// "block 16x16, core-mhz 1000"
static std::string sweepText(ArrayRef<SweepValue> Sweep) {
  std::string Text;
  for (const SweepValue &V : Sweep)
    Text += (Text.empty() ? "" : ", ") + V.Name + " " + V.Value;
  return Text;
}

std::string html::percentStyle(double Part, double Whole) {
  double Share = Whole > 0 && Part > 0 ? Part / Whole * 100 : 0;
  return shortestDecimal(std::round(std::min(Share, 100.0) * 10) / 10) + "%";
}

/// "2-17-0": the kernel's input, its line and that of its launch.
static std::string anchorOf(const KernelReport &K) {
  return std::to_string(K.Input) + "-" +
         std::to_string(K.Characteristics->Line) + "-" +
         std::to_string(K.LaunchLine);
}

std::string html::findingAnchor(const KernelReport &K, size_t Number) {
  return "f" + anchorOf(K) + "-" + std::to_string(Number);
}

std::vector<const Finding *> html::listedFindings(const KernelReport &K) {
  std::vector<const Finding *> Listed;
  for (const Finding &F : K.Findings)
    if (F.Id != "kernel-summary")
      Listed.push_back(&F);
  return Listed;
}

std::optional<size_t> html::listedSource(const KernelReport &K,
                                         const Finding &F) {
  if (F.Where.Line != 0)
    for (auto [N, S] : llvm::enumerate(ArrayRef(K.Sources).take_front(
             std::min(K.Sources.size(), MaxListedFiles))))
      if (S.Path == F.Where.Path)
        return N;
  return std::nullopt;
}

std::string html::lineAnchor(const Report &Head, const KernelReport &K,
                             const Finding &F) {
  if (!Head.Inputs[K.Input].Code || K.Lines.empty())
    return "";
  if (const auto N = listedSource(K, F))
    return "s" + anchorOf(K) + "-" + std::to_string(*N) + "-" +
           std::to_string(F.Where.Line);
  return F.Where.InputLine == 0
             ? ""
             : "s" + anchorOf(K) + "--" + std::to_string(F.Where.InputLine);
}

namespace {

class Section {
public:
  Section(const Report &Head, const KernelReport &Kernel,
          const ModelOptions &Options, LineCache &Lines, raw_ostream &OS)
      : Head(Head), Kernel(Kernel), K(*Kernel.Characteristics),
        Options(Options), Lines(Lines), OS(OS) {}

  void print() {
    printPlace();
    if (Kernel.Predictions.size() == 1)
      printAnswer(Kernel.Predictions.front());
    else
      printAnswers();
    printNotes();
    printFindings();
    printCharts(Kernel, Options, OS);
    printCode(Head, Kernel, Lines, OS);
    OS << "<h3>Numbers</h3>\n";
    printTables(Kernel, OS);
  }

private:
  const Report &Head;
  const KernelReport &Kernel;
  const KernelCharacteristics &K;
  const ModelOptions &Options;
  LineCache &Lines;
  raw_ostream &OS;

  void printPlace();
  void printAnswer(const Prediction &P);
  void printAnswers();
  void printComparison();
  void printNotes();
  void printFindings();
  void printFinding(const Finding &F, size_t Number);
  void tile(const Twine &Value, const Twine &Meaning, StringRef Class = "") {
    OS << "<li" << (Class.empty() ? "" : " class=\"main\"") << "><b>" << Value
       << "</b><span>" << Meaning << "</span></li>\n";
  }
};

} // namespace

void Section::printPlace() {
  const InputReport &In = Head.Inputs[Kernel.Input];
  bool IsCode = In.Frontend != FrontendKind::Characteristics;
  OS << "<p class=\"where\">" << escapeHTML(In.Path);
  if (IsCode)
    OS << ':' << K.Line;
  else
    OS << ", characteristics of line " << K.Line;
  if (In.Frontend == FrontendKind::LLVMIR)
    OS << " · " << languageName(In.Frontend);
  else if (!In.ISAVersion.empty())
    OS << " · PTX " << escapeHTML(In.ISAVersion);
  if (!In.Target.empty())
    OS << " for " << escapeHTML(In.Target);
  OS << " · grid " << toString(K.Launch.Grid) << ", block "
     << toString(K.Launch.Block);
  if (K.Launch.Cluster.count() != 1)
    OS << ", clusters of " << toString(K.Launch.Cluster);
  OS << ": " << K.Launch.blocks() << " blocks of " << K.Launch.warpsPerBlock()
     << (K.Launch.warpsPerBlock() == 1 ? " warp" : " warps");
  if (!K.MeasuredOn.empty())
    OS << " · counts: profile of " << escapeHTML(K.MeasuredOn);
  if (K.Counted)
    OS << " · counts: " << K.Counted->description();
  OS << "</p>\n";
}

void Section::printAnswer(const Prediction &P) {
  OS << "<ul class=\"tiles\">\n";
  if (P.TimeUs)
    tile(timeText(P.TimeUs->Value) + statusHTML(P.TimeUs->Status),
         "on " + escapeHTML(P.Device), "main");
  else
    tile("no answer", "on " + escapeHTML(P.Device), "main");
  if (P.Limiter != TimeLimiter::None)
    tile(escapeHTML(limitedBy(P, K)), "is what limits it");
  if (P.Cycles)
    tile(estimateText(*P.Cycles), "cycles at " + shortNumber(P.CoreMHz) +
                                      " MHz, memory at " +
                                      shortNumber(P.MemMHz) + " MHz");
  tile(percent(P.Occ.Fraction), "occupancy: " + Twine(P.Occ.WarpsPerSM) +
                                    " warps per SM, limited by " +
                                    toString(P.Occ.Limiter));
  if (P.PowerW) {
    std::string What = "power";
    if (P.Clock && P.Clock->isLimited(P.CoreMHz))
      What = "the limit of power, which keeps the core below " +
             shortNumber(P.Clock->BoostMHz) + " MHz";
    if (P.EnergyJ)
      What += "; " + energyText(*P.EnergyJ) + " for the kernel";
    tile(estimateText(*P.PowerW) + " W", What);
  }
  tile(escapeHTML(P.Model), "model");
  OS << "</ul>\n";
  if (const auto C = confidenceOf(K, P))
    OS << "<p class=\"hint\">Confidence: " << escapeHTML(C->text()) << "</p>\n";
}

/// The extremes of many, which are then folded, and all in one table.
void Section::printAnswers() {
  bool IsSweep = isSweep(Kernel);
  bool IsFolded = Kernel.Predictions.size() >
                  (IsSweep ? MaxUnfoldedPoints : MaxUnfoldedPredictions);
  const Prediction *Fastest = nullptr, *Slowest = nullptr;
  for (const Prediction &P : Kernel.Predictions) {
    if (!P.TimeUs)
      continue;
    if (!Fastest || P.TimeUs->Value < Fastest->TimeUs->Value)
      Fastest = &P;
    if (!Slowest || P.TimeUs->Value > Slowest->TimeUs->Value)
      Slowest = &P;
  }
  auto Extreme = [&](const Prediction &P, StringRef What, StringRef Class) {
    std::string Where = predictionName(Kernel, P);
    if (IsSweep)
      Where += ", " + sweepText(P.Sweep);
    tile(timeText(P.TimeUs->Value) + statusHTML(P.TimeUs->Status),
         What + ": " + escapeHTML(Where), Class);
  };
  if (IsFolded && Fastest) {
    OS << "<ul class=\"tiles\">\n";
    Extreme(*Fastest, "fastest", "main");
    Extreme(*Slowest, "slowest", "");
    OS << "</ul>\n";
  }
  if (IsSweep)
    printSliders(Kernel, OS);
  OS << "<details" << (IsFolded ? "" : " open")
     << "><summary>Predictions</summary>\n";
  printComparison();
  OS << "</details>\n";
}

void Section::printComparison() {
  double Most = 0;
  for (const Prediction &P : Kernel.Predictions)
    if (P.TimeUs)
      Most = std::max(Most, P.TimeUs->Value);
  bool SeveralModels = hasSeveralModels(Kernel);
  bool IsSweep = isSweep(Kernel);
  bool HasPower = llvm::any_of(Kernel.Predictions, [](const Prediction &P) {
    return P.PowerW.has_value();
  });
  OS << "<div class=\"scroll\"><table><thead><tr><th>device</th>"
     << (SeveralModels ? "<th>model</th>" : "")
     << (IsSweep ? "<th>at</th>" : "")
     << "<th class=\"num\">time</th><th></th><th>limited by</th>"
        "<th class=\"num\">cycles</th><th class=\"num\">occupancy</th>"
     << (HasPower ? "<th class=\"num\">power</th><th class=\"num\">energy</th>"
                  : "")
     << "</tr></thead><tbody>\n";
  size_t Number = std::min(Kernel.Predictions.size(), MaxPredictions);
  for (const Prediction &P : ArrayRef(Kernel.Predictions).take_front(Number)) {
    OS << "<tr><td>" << escapeHTML(P.Device) << "</td>";
    if (SeveralModels)
      OS << "<td>" << escapeHTML(P.Model) << "</td>";
    if (IsSweep)
      OS << "<td>" << escapeHTML(sweepText(P.Sweep)) << "</td>";
    if (P.TimeUs)
      OS << "<td class=\"num\">" << timeText(P.TimeUs->Value)
         << statusHTML(P.TimeUs->Status)
         << "</td><td class=\"bars\"><span class=\"bar\" style=\"width:"
         << percentStyle(P.TimeUs->Value, Most) << "\"></span></td>";
    else
      OS << "<td class=\"num\">no answer</td><td></td>";
    OS << "<td>" << escapeHTML(limitedBy(P, K)) << "</td><td class=\"num\">"
       << (P.Cycles ? estimateText(*P.Cycles) : "") << "</td><td class=\"num\">"
       << percent(P.Occ.Fraction) << "</td>";
    if (HasPower)
      OS << "<td class=\"num\">"
         << (P.PowerW ? estimateText(*P.PowerW) + " W" : "")
         << "</td><td class=\"num\">"
         << (P.EnergyJ ? energyText(*P.EnergyJ) : "") << "</td>";
    OS << "</tr>\n";
  }
  OS << "</tbody></table></div>\n";
  if (Number != Kernel.Predictions.size())
    OS << "<p class=\"hint\">and " << Kernel.Predictions.size() - Number
       << " more</p>\n";
}

void Section::printNotes() {
  // A note that holds of several predictions is printed once.
  std::vector<std::pair<StringRef, std::vector<std::string>>> Notes;
  // Of a device and model; all points of a sweep follow each other.
  size_t NumNames = 0;
  std::string Name;
  for (const Prediction &P : Kernel.Predictions) {
    if (std::string Next = predictionName(Kernel, P); Next != Name) {
      Name = std::move(Next);
      ++NumNames;
    }
    for (StringRef Note : P.Applies.Notes) {
      auto It = llvm::find_if(Notes, [&](auto &N) { return N.first == Note; });
      if (It == Notes.end())
        It = Notes.insert(Notes.end(), {Note, {}});
      if (It->second.empty() || It->second.back() != Name)
        It->second.push_back(Name);
    }
  }
  size_t Number = 0;
  for (const auto &[Note, Names] :
       ArrayRef(Notes).take_front(std::min(Notes.size(), MaxSectionNotes))) {
    if (Number++ == MaxUnfoldedNotes)
      OS << "<details><summary>" << Notes.size() - MaxUnfoldedNotes
         << " more notes</summary>\n";
    OS << "<p class=\"note\">";
    if (Names.size() != NumNames)
      OS << escapeHTML(Names.front())
         << (Names.size() > 1
                 ? " and " + std::to_string(Names.size() - 1) + " more"
                 : "")
         << ": ";
    OS << escapeHTML(Note) << "</p>\n";
  }
  if (Notes.size() > MaxSectionNotes)
    OS << "<p class=\"hint\">and " << Notes.size() - MaxSectionNotes
       << " more</p>\n";
  if (Number > MaxUnfoldedNotes)
    OS << "</details>\n";
}

/// What rules found, best first.
void Section::printFindings() {
  const std::vector<const Finding *> All = listedFindings(Kernel);
  if (All.empty())
    return;
  OS << "<h3>What could be better</h3>\n<ol class=\"findings\">\n";
  size_t Number = 0;
  for (const Finding *F :
       ArrayRef(All).take_front(std::min(All.size(), MaxSectionFindings))) {
    if (Number++ == MaxUnfoldedFindings)
      OS << "</ol>\n<details><summary>" << All.size() - MaxUnfoldedFindings
         << " more</summary>\n<ol class=\"findings\" start=\"" << Number
         << "\">\n";
    printFinding(*F, Number);
  }
  OS << "</ol>\n";
  if (All.size() > MaxSectionFindings)
    OS << "<p class=\"hint\">and " << All.size() - MaxSectionFindings
       << " more</p>\n";
  if (Number > MaxUnfoldedFindings)
    OS << "</details>\n";
}

void Section::printFinding(const Finding &F, size_t Number) {
  OS << "<li id=\"" << findingAnchor(Kernel, Number) << "\"><b>"
     << escapeHTML(F.Message) << "</b> <code>" << F.Id << "</code>";
  // All of a chip but the greatest gain would be too much.
  const FindingGain *Best = nullptr;
  for (const FindingGain &G : F.Gains)
    if (!Best || G.Share > Best->Share)
      Best = &G;
  if (Best)
    OS << " <span class=\"chip\">saves " << percent(Best->Share)
       << " of the time on " << escapeHTML(Best->Device) << "</span>";
  const std::string Anchor = lineAnchor(Head, Kernel, F);
  OS << "<p class=\"where\">";
  if (!Anchor.empty())
    OS << "<a href=\"#" << Anchor << "\">";
  OS << nameText(F.Where.Path);
  if (F.Where.Line != 0)
    OS << ':' << F.Where.Line;
  if (F.Where.Column != 0)
    OS << ':' << F.Where.Column;
  if (!Anchor.empty())
    OS << "</a>";
  if (F.Where.InputLine != 0 && F.Where.Path != Head.Inputs[Kernel.Input].Path)
    OS << ", line " << F.Where.InputLine << " of the input";
  OS << "</p>\n";
  if (!F.Help.empty())
    OS << "<p>" << escapeHTML(F.Help) << "</p>\n";
  OS << "</li>\n";
}

void html::printSection(const Report &Head, const KernelReport &K,
                        const ModelOptions &Options, LineCache &Lines,
                        raw_ostream &OS) {
  Section(Head, K, Options, Lines, OS).print();
}
