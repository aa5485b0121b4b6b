//===- FirstScreenParts.cpp - What stands below the answer --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FirstScreen.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Report/Prediction/LineCosts.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

/// What there is room for.
static constexpr size_t MaxScreenBars = 4, MaxTries = 3, MaxHottest = 3,
                        MaxAssumed = 2;

/// The terms that tell most of a model's story, in the order of reading.
static constexpr StringRef MainTerms[] = {"Case",
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

/// " 67 %"
static std::string shareColumn(double Share) {
  constexpr size_t Width = 5;
  std::string Text = percent(Share);
  Text.insert(0, Width - std::min(Width, Text.size()), ' ');
  return Text;
}

/// The same of a model that shares the time out without resources.
static std::vector<std::string> componentRows(const Prediction &P) {
  std::vector<ComponentShare> Parts = componentShares(P);
  Parts.resize(std::min(Parts.size(), MaxScreenBars));
  size_t Width = 0;
  for (const ComponentShare &C : Parts)
    Width = std::max(Width, C.Name.size());
  std::vector<std::string> Rows;
  for (const ComponentShare &C : Parts) {
    if (!Rows.empty() && C.Share < 0.005)
      break;
    std::string Row = C.Name;
    Row.resize(Width + 2, ' ');
    Rows.push_back(Row + shareColumn(C.Share) + "  " + shareBar(C.Share));
  }
  return Rows;
}

void FirstScreen::addBars(const Prediction &P) {
  const auto All = resourcesByShare(P);
  std::vector<std::string> Rows;
  if (All.empty())
    Rows = componentRows(P);
  size_t Width = 0;
  const auto Shown =
      ArrayRef(All).take_front(std::min(All.size(), MaxScreenBars));
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
  Screen.addPart("time", Rows, 5);
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
  Screen.addPart(
      P.Model.size() < NameColumns - 2 ? StringRef(P.Model) : "model", Rows, 1);
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
  Screen.addPart("try", Rows, 6);
}

void FirstScreen::addHottest(const Prediction &P) {
  std::vector<std::string> Rows;
  constexpr double LeastShown = 0.05;
  const std::string InputName =
      llvm::sys::path::filename(R.Inputs[Kernel.Input].Path).str();
  for (const LineCost &C : hottestLines(Kernel, P, MaxHottest)) {
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
  Screen.addPart("hottest", Rows, 1);
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
  Screen.addPart("assumed", Rows, 8);
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
  Screen.add(Text);
}
