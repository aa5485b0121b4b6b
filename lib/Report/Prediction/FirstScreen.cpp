//===- FirstScreen.cpp - The answer for a kernel on one screen ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FirstScreen.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Model/Confidence.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Model/SpeedOfLight.h"
#include "ptxpredict/Report/Prediction/LineCosts.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

namespace {

/// What there is room for.
constexpr size_t MaxBars = 4, MaxTries = 3, MaxLines = 3, MaxAssumed = 2,
                 MaxShownNotes = 2;
/// Columns in front of the parts below the answer: their names.
constexpr unsigned NameColumns = 11;

/// The terms that tell most of a model's story, in the order of reading.
constexpr StringRef MainTerms[] = {"Case",
                                   "N",
                                   "MWP",
                                   "CWP",
                                   "MWP_peak_BW",
                                   "Mem_L",
                                   "Departure_delay",
                                   "Comp_cycles",
                                   "Mem_cycles",
                                   "Rep",
                                   "Exec_cycles_with_synch",
                                   "CPI",
                                   "Runtime_power",
                                   "Max_temp",
                                   "Optimal_cores",
                                   "Category",
                                   "MWP_App",
                                   "MWP_BW",
                                   "IdleMemCycles",
                                   "Perf",
                                   "Perf_L1",
                                   "Perf_all_DRAM",
                                   "Advice_cores"};

/// A line, and how early it gives way to others where not all fit.
struct ScreenLine {
  std::string Text;
  unsigned GivesWay = 0; ///< 0: never
  raw_ostream::Colors Color = raw_ostream::RESET;
};

class FirstScreen {
public:
  FirstScreen(const Report &R, const KernelReport &Kernel)
      : R(R), Kernel(Kernel), K(*Kernel.Characteristics) {}

  void print(raw_ostream &OS, bool Colors);

private:
  const Report &R;
  const KernelReport &Kernel;
  const KernelCharacteristics &K;
  std::vector<ScreenLine> Lines;

  const Prediction &first() const { return Kernel.Predictions.front(); }
  void add(const Twine &Text, unsigned GivesWay = 0,
           raw_ostream::Colors Color = raw_ostream::RESET) {
    Lines.push_back({fit(Text.str(), ScreenColumns), GivesWay, Color});
  }
  void wrap(const Twine &Text, unsigned Indent, unsigned MaxRows,
            unsigned GivesWay);
  void blank() { Lines.push_back({"", 9}); }
  /// The first line of a part has its name.
  void addPart(StringRef Name, ArrayRef<std::string> Rows, unsigned GivesWay);

  void addHead();
  void addAnswer(const Prediction &P);
  void addRegisterSteps(const Prediction &P);
  void addSpeedOfLight(const Prediction &P);
  void addNotes(const Prediction &P);
  void addBars(const Prediction &P);
  void addTerms(const Prediction &P);
  void addTries();
  void addHottest(const Prediction &P);
  void addAssumed();
  void addMore();
  bool isAssumed(std::initializer_list<AssumptionKind> Kinds) const;
};

} // namespace

/// \p V without the digits that a range from \p Low to \p High does not carry:
/// the last one that is left is no smaller than a tenth of the range.
static double carried(double V, double Low, double High) {
  if (!(V > 0) || !std::isfinite(V))
    return V;
  double Half = std::isfinite(High) ? (High - Low) / 2 : V - Low;
  // Two digits at least, four at most.
  const double Exponent = std::floor(std::log10(V));
  double Digit = Half > 0 ? std::floor(std::log10(Half)) : Exponent - 3;
  Digit = std::clamp(Digit, Exponent - 3, Exponent - 1);
  const double Place = std::pow(10, std::abs(Digit));
  return Digit < 0 ? std::round(V * Place) / Place
                   : std::round(V / Place) * Place;
}

static std::string carriedTime(double Us, const Estimate &Range) {
  return shortTime(carried(Us, Range.Low, Range.High));
}

/// "59 to 83 us", in one unit where both have the same.
static std::string rangeText(const Estimate &E) {
  std::string Low = carriedTime(E.Low, E), High = carriedTime(E.High, E);
  StringRef Unit = StringRef(High).split(' ').second;
  if (StringRef Number = Low; Number.consume_back(" " + Unit.str()))
    Low = Number.str();
  return Low + " to " + High;
}

static std::string rateText(double Giga, StringRef Unit) {
  const double Shown = Giga >= 1000 ? Giga / 1000 : Giga;
  return shortNumber(carried(Shown, Shown * 0.95, Shown * 1.05)) +
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

void FirstScreen::wrap(const Twine &Text, unsigned Indent, unsigned MaxRows,
                       unsigned GivesWay) {
  std::string Wrapped;
  llvm::raw_string_ostream OS(Wrapped);
  printWrapped(OS, Text.str(), 2, Indent, ScreenColumns);
  SmallVector<StringRef, 4> Rows;
  StringRef(Wrapped).rtrim('\n').split(Rows, '\n');
  const bool IsCut = Rows.size() > MaxRows;
  for (size_t I = 0; I != std::min<size_t>(Rows.size(), MaxRows); ++I) {
    std::string Row = (I == 0 ? "  " : "") + Rows[I].str();
    if (IsCut && I + 1 == MaxRows) {
      Row.resize(std::min<size_t>(Row.size(), ScreenColumns - 4));
      Row += " ...";
    }
    Lines.push_back({std::move(Row), I == 0 ? 0 : GivesWay});
  }
}

void FirstScreen::addPart(StringRef Name, ArrayRef<std::string> Rows,
                          unsigned GivesWay) {
  for (size_t I = 0; I != Rows.size(); ++I) {
    std::string Text = "  " + (I == 0 ? Name.str() : "");
    Text.resize(NameColumns, ' ');
    add(Text + Rows[I], I == 0 ? 0 : GivesWay);
  }
}

void FirstScreen::addHead() {
  const InputReport &In = R.Inputs[Kernel.Input];
  const bool IsCode = In.Frontend != FrontendKind::Characteristics;
  add(K.Demangled, 0, raw_ostream::SAVEDCOLOR);
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
  const size_t Rest = 2 + Place.size() + Code.size();
  add("  " +
      fit(printable(In.Path),
          unsigned(std::max<size_t>(20, ScreenColumns -
                                            std::min<size_t>(Rest, 60)))) +
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
  add(Launch);
  blank();
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
    add("  no answer by model " + P.Model, 0, raw_ostream::RED);
    for (StringRef Note : P.Applies.Notes)
      wrap(Note, 4, 3, 0);
    return;
  }
  const Estimate &T = *P.TimeUs;
  const std::string Time = carriedTime(T.Value, T) + statusMark(T.Status).str();
  const size_t At = Lines.size();
  if (!std::isfinite(T.High))
    wrap(Time + ", at least " + shortTime(carried(T.Low, T.Low, T.Low * 1.2)) +
             "; no upper bound" +
             (P.NoUpperBound.empty() ? "" : ": " + P.NoUpperBound),
         4, 2, 0);
  else
    add("  " + Time + (T.High > T.Low ? " (" + rangeText(T) + ")" : "") +
        startText(P));
  Lines[At].Color = raw_ostream::GREEN;
  addRegisterSteps(P);
  if (const StringRef By = limitedBy(P, K); !By.empty()) {
    std::string Text = ("  limited by " + By).str();
    // What is as near: half of the largest share and more.
    const auto Rows = resourcesByShare(P);
    if (Rows.size() > 1 && Rows[1]->Share >= Rows[0]->Share / 2)
      Text += (", then by " + plainNameOf(*Rows[1], P, K)).str();
    add(Text, 0, raw_ostream::YELLOW);
  }
}

/// Where the registers are an estimate near a step of the occupancy: the other
/// answers.
void FirstScreen::addRegisterSteps(const Prediction &P) {
  constexpr double Matters = 0.05;
  for (const OccupancyEnd &End : P.OccEnds)
    if (End.TimeUs && std::abs(*End.TimeUs / P.TimeUs->Value - 1) >= Matters)
      add("  " + carriedTime(*End.TimeUs, *P.TimeUs) + " with " +
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
    wrap(Text, 4, 2, 4);
  if (P.PowerW) {
    std::string Power =
        "  " +
        shortNumber(carried(P.PowerW->Value, P.PowerW->Low, P.PowerW->High)) +
        statusMark(P.PowerW->Status).str() + " W";
    if (P.EnergyJ)
      Power += ", " + shortEnergy(carried(P.EnergyJ->Value, P.EnergyJ->Low,
                                          P.EnergyJ->High));
    Power += ", at " + shortNumber(P.CoreMHz) + " MHz";
    if (P.Clock && P.Clock->isLimited(P.CoreMHz))
      Power +=
          ": the power limit keeps it below " + shortNumber(P.Clock->BoostMHz);
    add(Power, 2);
  }
}

void FirstScreen::addNotes(const Prediction &P) {
  if (!P.TimeUs)
    return;
  if (const auto C = confidenceOf(K, P))
    wrap("confidence " + toString(C->level()) + ": " + C->reasons(), 4, 2, 5);
  const ArrayRef<std::string> Notes =
      ArrayRef(P.Applies.Notes).drop_front(P.Applies.NumUsual);
  for (size_t I = 0; I != std::min(Notes.size(), MaxShownNotes); ++I)
    wrap("note: " + Notes[I], 4, 2, 3);
}

/// " 67 %"
static std::string shareColumn(double Share) {
  constexpr size_t Width = 5;
  std::string Text = percent(Share);
  Text.insert(0, Width - std::min(Width, Text.size()), ' ');
  return Text;
}

void FirstScreen::addBars(const Prediction &P) {
  const auto All = resourcesByShare(P);
  std::vector<std::string> Rows;
  size_t Width = 0;
  const auto Shown = ArrayRef(All).take_front(std::min(All.size(), MaxBars));
  for (const ResourceUse *U : Shown)
    Width = std::max(Width, plainNameOf(*U, P, K).size());
  for (const ResourceUse *U : Shown) {
    if (!Rows.empty() && U->Share < 0.005)
      break;
    std::string Row = plainNameOf(*U, P, K).str();
    Row.resize(Width + 2, ' ');
    Row += shareColumn(U->Share) + "  ";
    Row += shareBar(U->Share);
    Rows.push_back(std::move(Row));
  }
  addPart("time", Rows, 5);
}

/// The main terms of a model that does not say where the time goes; of one that
/// the list does not know, the first.
void FirstScreen::addTerms(const Prediction &P) {
  if (!P.Resources.empty() || P.Terms.empty())
    return;
  std::vector<Term> Shown;
  for (StringRef Name : MainTerms)
    if (const auto Value = P.term(Name))
      Shown.push_back({Name, *Value});
  if (Shown.empty())
    Shown = P.Terms;
  std::vector<std::string> Rows(1);
  constexpr size_t MaxRows = 4;
  for (const Term &T : Shown) {
    const std::string Text = (T.Name + " " + shortNumber(T.Value)).str();
    if (NameColumns + Rows.back().size() + 2 + Text.size() > ScreenColumns) {
      if (Rows.size() == MaxRows)
        break;
      Rows.emplace_back();
    }
    Rows.back() += (Rows.back().empty() ? "" : "  ") + Text;
  }
  addPart(P.Model.size() < NameColumns - 2 ? StringRef(P.Model) : "model", Rows,
          1);
}

/// The line of a finding, short: the file's name is enough to find it.
static std::string placeOf(const FindingLocation &At) {
  return fit(printable(llvm::sys::path::filename(At.Path)), 30) +
         (At.Line == 0 ? "" : ":" + std::to_string(At.Line));
}

void FirstScreen::addTries() {
  struct Try {
    std::string Gain, Where;
    StringRef What;
  };
  std::vector<Try> Tries;
  constexpr double LeastShown = 0.01;
  for (const Finding &F : Kernel.Findings) {
    const Rule *Of = findRule(F.Id);
    const std::optional<double> Gain = F.bestGain();
    const bool IsError = F.Level == Severity::Error;
    if (!Of || Of->ToTry.empty() || (!IsError && (!Gain || *Gain < LeastShown)))
      continue;
    if (Tries.size() == MaxTries)
      break;
    Tries.push_back({IsError ? "error" : "saves " + percent(*Gain),
                     placeOf(F.Where), Of->ToTry});
  }
  size_t GainWidth = 0, WhereWidth = 0;
  for (const Try &T : Tries) {
    GainWidth = std::max(GainWidth, T.Gain.size());
    WhereWidth = std::max(WhereWidth, T.Where.size());
  }
  std::vector<std::string> Rows;
  for (Try &T : Tries) {
    T.Gain.resize(GainWidth, ' ');
    T.Where.resize(WhereWidth, ' ');
    Rows.push_back((T.Gain + "  " + T.Where + "  " + T.What).str());
  }
  addPart("try", Rows, 6);
}

void FirstScreen::addHottest(const Prediction &P) {
  std::vector<std::string> Rows;
  constexpr double LeastShown = 0.05;
  const std::string InputName =
      llvm::sys::path::filename(R.Inputs[Kernel.Input].Path).str();
  for (const LineCost &C : hottestLines(Kernel, P, MaxLines)) {
    if (C.Share < LeastShown)
      break;
    const std::string Line = std::to_string(C.InputLine);
    std::string Row = shareColumn(C.Share) + "  ";
    // Of source that is the input itself the line stands there already.
    if (C.Source.empty())
      Row += "line " + Line;
    else if (C.Source == (InputName + Twine(":") + Line).str())
      Row += printable(C.Source);
    else
      Row += (printable(C.Source) + Twine(", line ") + Line).str();
    constexpr size_t LeastColumns = 8;
    const size_t Used = NameColumns + Row.size() + 2;
    if (!C.What.empty() && Used + LeastColumns <= ScreenColumns) {
      Row += "  ";
      Row += fit(C.What, unsigned(ScreenColumns - Used));
    }
    Rows.push_back(std::move(Row));
  }
  addPart("hottest", Rows, 1);
}

/// How much an assumption may be worth: those of large numbers first.
static unsigned rankOf(AssumptionKind K) {
  switch (K) {
  case AssumptionKind::TripCount:
  case AssumptionKind::TripCountOfLine:
  case AssumptionKind::WorkShare:
    return 0;
  case AssumptionKind::CopySize:
  case AssumptionKind::MatrixShape:
  case AssumptionKind::DynamicShared:
    return 1;
  case AssumptionKind::LaneStride:
  case AssumptionKind::LaneScale:
  case AssumptionKind::CopyPlace:
    return 2;
  case AssumptionKind::Branch:
  case AssumptionKind::GuardedCall:
    return 3;
  default:
    return 4;
  }
}

void FirstScreen::addAssumed() {
  std::vector<Assumption> All = Kernel.assumptions();
  // Those of the launch and the device stand above already.
  std::string Names, Options;
  std::vector<const Assumption *> Others;
  for (const Assumption &A : All) {
    StringRef Name;
    switch (A.Kind) {
    case AssumptionKind::Grid:
      Name = "grid";
      break;
    case AssumptionKind::Block:
    case AssumptionKind::BlockOfBound:
      Name = "block";
      break;
    case AssumptionKind::Device:
      Name = "device";
      break;
    default:
      Others.push_back(&A);
      continue;
    }
    Names += (Names.empty() ? "" : ", ") + Name.str();
    Options += (Options.empty() ? "" : " ") + A.Option;
  }
  llvm::stable_sort(Others, [](const Assumption *A, const Assumption *B) {
    return rankOf(A->Kind) < rankOf(B->Kind);
  });
  struct Row {
    std::string What, Option;
  };
  std::vector<Row> Shown;
  if (!Names.empty())
    Shown.push_back({Names, Options});
  const size_t Number = std::min(Others.size(), MaxAssumed);
  for (const Assumption *A : ArrayRef(Others).take_front(Number))
    Shown.push_back({A->whatAndWhere() + ": " + fit(A->Value, 20), A->Option});
  // An option is there to be copied: what was assumed gives way to it.
  constexpr size_t Columns = ScreenColumns - NameColumns;
  std::vector<std::string> Rows;
  for (const Row &Each : Shown) {
    const size_t Width = std::min(Each.Option.size(), Columns - 20);
    Rows.push_back(fit(Each.What, unsigned(Columns - 2 - Width)) + "  " +
                   fit(Each.Option, unsigned(Width)));
  }
  if (Others.size() > Number)
    Rows.push_back("and " + std::to_string(Others.size() - Number) +
                   " more, with their options: --verbose");
  addPart("assumed", Rows, 8);
}

void FirstScreen::addMore() {
  std::string Text = "  ";
  if (Kernel.Predictions.size() == 1 && first().TimeUs) {
    if (first().TimeUs->Status == Status::Assumed)
      Text += "? assumed; ";
    else if (first().TimeUs->Status == Status::Estimated)
      Text += "~ estimated; ";
    else if (first().TimeUs->Status == Status::Unknown)
      Text += "! only bounds are known; ";
  }
  Text += "all of it: --verbose; what to change: ptx-predict advise";
  add(Text);
}

void FirstScreen::print(raw_ostream &OS, bool Colors) {
  addHead();
  const Prediction &P = first();
  addAnswer(P);
  addSpeedOfLight(P);
  addNotes(P);
  blank();
  if (P.TimeUs) {
    addBars(P);
    addTerms(P);
    addTries();
    addHottest(P);
  }
  addAssumed();
  addMore();
  // What gives way first goes first, the last of its kind before others.
  while (Lines.size() > ScreenLines) {
    size_t Least = Lines.size();
    for (size_t I = Lines.size(); I-- != 0;)
      if (Lines[I].GivesWay != 0 &&
          (Least == Lines.size() || Lines[I].GivesWay < Lines[Least].GivesWay))
        Least = I;
    if (Least == Lines.size())
      break;
    Lines.erase(Lines.begin() + ptrdiff_t(Least));
  }
  for (const ScreenLine &L : Lines) {
    const bool Painted = Colors && L.Color != raw_ostream::RESET;
    if (Painted)
      OS.changeColor(L.Color, /*Bold=*/true);
    OS << StringRef(L.Text).rtrim();
    if (Painted)
      OS.resetColor();
    OS << '\n';
  }
}

void ptxpredict::printFirstScreen(const Report &R, const KernelReport &K,
                                  raw_ostream &OS, bool Colors) {
  FirstScreen(R, K).print(OS, Colors);
}
