//===- HTMLCharts.cpp - The charts of a kernel ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HTMLLimits.h"
#include "HTMLParts.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::html;
using Look = svg::Series::Style;

/// What keeps a page small.
static constexpr size_t MaxBars = 10, MaxSweepPoints = 64;
/// Columns that a legend has room for.
static constexpr unsigned MaxLegend = 45;

/// One unit for all times of a chart.
static std::pair<double, StringRef> timeUnit(double MostUs) {
  if (MostUs >= 2e6)
    return {1e-6, "s"};
  return MostUs >= 2e3 ? std::pair(1e-3, StringRef("ms"))
                       : std::pair(1.0, StringRef("µs"));
}

namespace {

class Charts {
public:
  Charts(const KernelReport &Kernel, const ModelOptions &Options,
         raw_ostream &OS)
      : Kernel(Kernel), K(*Kernel.Characteristics), Options(Options), OS(OS),
        Shown(shownPredictions(Kernel)) {}

  void print() {
    if (!Shown.empty())
      printBottlenecks(*Shown.front());
    for (const Prediction *P : Shown)
      if (printCopyTimeline(*P, OS))
        break; // those of other devices look alike
    printGivenSweep();
    printRoofline();
    printMix();
    printSweeps();
    printPowers();
    printOccupancy();
  }

private:
  const KernelReport &Kernel;
  const KernelCharacteristics &K;
  const ModelOptions &Options;
  raw_ostream &OS;
  std::vector<const Prediction *> Shown;

  void printBottlenecks(const Prediction &P);
  void printShares(const Prediction &P);
  void printRoofline();
  void printMix();
  void printSweeps();
  void printGivenSweep();
  void printParallelism(const Prediction &P);
  /// \p Set puts a value into a point; \p Most is the device's largest.
  void printTimeOver(StringRef What, StringRef Axis,
                     void (*Set)(DevicePoint &, unsigned),
                     Quantity Device::*Most, std::optional<double> Mark = {});
  void printPowers();
  void printPower(const Prediction &P);
  void printOccupancy();
  std::string of(const Prediction &P) const {
    return predictionName(Kernel, P);
  }
};

} // namespace

/// Where the time goes, of a model that says so.
void Charts::printShares(const Prediction &P) {
  svg::BarChart C;
  C.Title = "Where the time on " + P.Device + " goes";
  for (const ResourceUse *U : resourcesByShare(P)) {
    if (C.Bars.size() == MaxBars || (!C.Bars.empty() && U->Share < 0.005))
      break;
    C.Bars.push_back(
        {plainNameOf(*U, P, K).str(), U->Share,
         percent(U->Share) + ", " + timeText(U->Cycles / P.CoreMHz) + " alone",
         C.Bars.empty() ? 1U : 0U});
  }
  printFigure("Where the time on " + P.Device + " goes",
              "share of the time, and what each alone would take", C, OS);
}

void Charts::printBottlenecks(const Prediction &P) {
  if (!resourcesByShare(P).empty())
    return printShares(P);
  if (const auto All = componentShares(P); !All.empty()) {
    svg::BarChart C;
    C.Title = "Where the time on " + P.Device + " goes";
    for (const ComponentShare &S : All)
      C.Bars.push_back(
          {S.Name, S.Share, percent(S.Share), C.Bars.empty() ? 1U : 0U});
    return printFigure(C.Title, "share of the time, by model " + P.Model, C,
                       OS);
  }
  std::vector<PartTime> Parts = partTimes(K, P);
  if (Parts.empty())
    return;
  llvm::stable_sort(
      Parts, [](const PartTime &A, const PartTime &B) { return A.Us > B.Us; });
  svg::BarChart C;
  C.Title = "Time that each part of " + P.Device + " alone would take";
  for (const PartTime &T : Parts)
    C.Bars.push_back({T.Name, T.Us, timeText(T.Us), C.Bars.empty() ? 1U : 0U});
  if (P.TimeUs)
    C.Reference = {P.TimeUs->Value, "predicted " + timeText(P.TimeUs->Value)};
  printFigure("Bottlenecks on " + P.Device,
              "time that each part alone would take, everything else free", C,
              OS);
}

/// "1.25 TFLOP/s"
static std::string rateText(const PipeRate &R, double Giga) {
  const std::string Unit = R.Name == "integer" ? "OP/s" : "FLOP/s";
  return Giga >= 1000 ? shortNumber(Giga / 1000) + " T" + Unit
                      : shortNumber(Giga) + " G" + Unit;
}

namespace {

/// A kernel under the roofs of a device (S. Williams, A. Waterman, D.
/// Patterson, "Roofline: an insightful visual performance model for multicore
/// architectures", CACM 52(4), 2009).
struct Roofline {
  const Prediction *P;
  SpeedOfLight S;
  double ridge() const { return S.pipe().Peak / S.DRAMPeak; }
  /// Operations a byte of a level; 0 without traffic there.
  double intensity(double Bytes) const {
    return Bytes > 0 ? S.pipe().Ops / Bytes : 0;
  }
};

} // namespace

void Charts::printRoofline() {
  svg::Plot Chart;
  double Low = HUGE_VAL, High = 0;
  std::vector<Roofline> All;
  for (const Prediction *P : Shown) {
    const auto S = speedOfLight(K, *P);
    if (!S || !(S->pipe().Ops > 0) || !(S->pipe().Peak > 0))
      continue;
    const Roofline R{P, *S};
    for (double At : {R.ridge(), R.intensity(S->DRAMBytes),
                      S->L2Peak > 0 ? R.intensity(S->L2Bytes) : 0})
      if (At > 0) {
        Low = std::min(Low, At);
        High = std::max(High, At);
      }
    All.push_back(R);
  }
  if (All.empty())
    return;
  Low = std::pow(10, std::floor(std::log10(Low / 4)));
  High = std::pow(10, std::ceil(std::log10(High * 4)));
  bool OutsideOfMemory = false;
  std::string Explanation = "points: what the kernel reaches on each device";
  if (All.size() == 1) {
    const Roofline &R = All.front();
    const PipeRate &Pipe = R.S.pipe();
    const double At = R.intensity(R.S.DRAMBytes);
    const double Roof =
        std::min(Pipe.Peak, At > 0 ? At * R.S.DRAMPeak : HUGE_VAL);
    Explanation = "the kernel reaches " + rateText(Pipe, Pipe.Giga) + ", " +
                  percent(Pipe.Giga / Roof) + " of the roof above it";
  }
  auto AddRoof = [&](std::string Name, const Roofline &R, double GBs,
                     unsigned Color, unsigned Dash) {
    svg::Series Roof;
    Roof.Name = std::move(Name);
    Roof.Color = Color;
    Roof.Dash = Dash;
    const double Peak = R.S.pipe().Peak;
    for (double X : {Low, std::clamp(Peak / GBs, Low, High), High})
      Roof.Points.emplace_back(X, std::min(Peak, X * GBs) * 1e9);
    Chart.Data.push_back(Roof);
  };
  auto AddDot = [&](const Roofline &R, double At, StringRef Of, unsigned Color,
                    double Radius) {
    svg::Series Dot;
    Dot.Look = Look::Points;
    Dot.Color = Color;
    Dot.Radius = Radius;
    if (of(*R.P) != R.P->Device && Of.empty())
      Dot.Name = of(*R.P);
    Dot.Points = {{At > 0 ? At : High, R.S.pipe().Giga * 1e9}};
    Dot.Tip = (of(*R.P) + ": " + rateText(R.S.pipe(), R.S.pipe().Giga) +
               " at " + shortNumber(At) + " a byte" + Of)
                  .str();
    Chart.Data.push_back(Dot);
  };
  for (auto [I, R] : llvm::enumerate(All)) {
    // Models of one device follow each other.
    const unsigned Color = unsigned(I);
    if (I == 0 || All[I - 1].P->Device != R.P->Device) {
      AddRoof(R.P->Device + ", " + R.S.pipe().Name.str(), R, R.S.DRAMPeak,
              Color, Color);
      // Cache roofs of several devices would hide each other.
      if (All.size() == 1 && R.S.L2Peak > 0)
        AddRoof("its L2 cache", R, R.S.L2Peak, 2, 2);
    }
    const double At = R.intensity(R.S.DRAMBytes);
    OutsideOfMemory |= !(At > 0);
    AddDot(R, At, "", Color, 5);
    if (All.size() == 1 && R.S.L2Peak > 0 && R.S.L2Bytes > 0)
      AddDot(R, R.intensity(R.S.L2Bytes), " of L2", 2, 4);
  }
  // Points lie above the lines.
  std::stable_partition(
      Chart.Data.begin(), Chart.Data.end(),
      [](const svg::Series &S) { return S.Look == Look::Line; });
  const bool IsInteger = All.front().S.Pipes.empty();
  Chart.Title = "Roofline diagram";
  Chart.X = {IsInteger ? "operations per byte of memory"
                       : "FLOP per byte of memory",
             /*IsLog=*/true, Low, High};
  Chart.Y = {IsInteger ? "operations/s" : "FLOP/s", /*IsLog=*/true};
  printFigure("Roofline",
              OutsideOfMemory
                  ? Explanation + "; without device memory: at the right"
                  : Explanation,
              Chart, OS);
}

void Charts::printMix() {
  std::vector<OpClass> Classes;
  for (unsigned C = 0; C != NumOpClasses; ++C)
    if (K.byClass(OpClass(C)).Value > 0)
      Classes.push_back(OpClass(C));
  if (Classes.empty())
    return;
  llvm::stable_sort(Classes, [&](OpClass A, OpClass B) {
    return K.byClass(A).Value > K.byClass(B).Value;
  });
  Classes.resize(std::min(Classes.size(), MaxBars));
  svg::BarChart C;
  C.Title = "Instructions per warp by class";
  for (OpClass Class : Classes) {
    double N = K.byClass(Class).Value;
    C.Bars.push_back({toString(Class).str(), N,
                      shortNumber(N) + ", " + percent(N / K.Instructions.Value),
                      2});
  }
  printFigure("Instructions",
              shortEstimate(K.Instructions) + " per warp, by class", C, OS);
}

/// Whole numbers from 1 to \p Most, not many.
static std::vector<unsigned> sweepPoints(unsigned Most) {
  std::vector<unsigned> Points;
  size_t Number = std::min<size_t>(Most, MaxSweepPoints);
  for (size_t I = 1; I <= Number; ++I)
    Points.push_back(unsigned(std::lround(double(I) * Most / double(Number))));
  return Points;
}

/// That reside on an SM.
static double warpsOf(const Prediction &P) {
  return P.Point.WarpsPerSM > 0 ? P.Point.WarpsPerSM : P.Occ.WarpsPerSM;
}

/// MWP and CWP by the warps that reside on an SM, of models that have them.
void Charts::printParallelism(const Prediction &P) {
  const Model *M = findModel(P.Model);
  if (!M || !P.term("MWP") || !P.term("CWP"))
    return;
  std::unique_ptr<PreparedModel> Ready = M->prepare({K, *P.On}, Options);
  svg::Series MWP, CWP;
  MWP.Name = "MWP: warps with memory requests in flight";
  CWP.Name = "CWP: warps that compute during one's wait";
  CWP.Color = 1;
  CWP.Dash = 1;
  for (unsigned Warps : sweepPoints(unsigned(*P.On->MaxWarpsPerSM))) {
    DevicePoint At = P.Point;
    At.WarpsPerSM = Warps;
    Prediction Answer = Ready->predict(At);
    if (std::optional<double> V = Answer.term("MWP"))
      MWP.Points.emplace_back(Warps, *V);
    if (std::optional<double> V = Answer.term("CWP"))
      CWP.Points.emplace_back(Warps, *V);
  }
  svg::Plot Chart;
  Chart.Title = "MWP and CWP over the warps of an SM of " + P.Device;
  Chart.X = {"warps that reside on an SM"};
  Chart.Y = {"warps"};
  Chart.Data = {std::move(MWP), std::move(CWP)};
  Chart.Markers = {{warpsOf(P), "kernel: " + shortNumber(warpsOf(P))}};
  printFigure("MWP and CWP on " + of(P),
              "where CWP is above MWP, memory is what warps wait for", Chart,
              OS);
}

void Charts::printTimeOver(StringRef What, StringRef Axis,
                           void (*Set)(DevicePoint &, unsigned),
                           Quantity Device::*Most, std::optional<double> Mark) {
  svg::Plot Chart;
  double MostUs = 0;
  for (auto [I, P] : llvm::enumerate(Shown)) {
    const Model *M = findModel(P->Model);
    if (!M || !P->TimeUs)
      continue;
    std::unique_ptr<PreparedModel> Ready = M->prepare({K, *P->On}, Options);
    svg::Series Line;
    Line.Name = of(*P);
    Line.Color = Line.Dash = unsigned(I);
    for (unsigned N : sweepPoints(unsigned(*(P->On->*Most)))) {
      DevicePoint At = P->Point;
      Set(At, N);
      if (std::optional<PointPrediction> Answer = Ready->at(At)) {
        Line.Points.emplace_back(N, Answer->TimeUs.Value);
        MostUs = std::max(MostUs, Answer->TimeUs.Value);
      }
    }
    if (Line.Points.size() < 2)
      continue;
    Chart.Data.push_back(std::move(Line));
  }
  if (Chart.Data.empty())
    return;
  auto [Factor, Unit] = timeUnit(MostUs);
  for (svg::Series &Line : Chart.Data)
    for (auto &[X, Y] : Line.Points)
      Y *= Factor;
  if (Mark && Shown.size() == 1)
    Chart.Markers.push_back({*Mark, "kernel: " + shortNumber(*Mark)});
  Chart.Title = ("Predicted time over " + What).str();
  Chart.X = {Axis.str()};
  Chart.Y = {("time, " + Unit).str(), /*IsLog=*/true};
  printFigure(("Time over " + What).str(), "all else as predicted", Chart, OS);
}

/// A swept value as a place on an axis: "256", or "16x16", whose product is
/// meant; nothing for other text.
static std::optional<double> sweepPlace(StringRef Text) {
  double Product = 1;
  do {
    StringRef Part;
    std::tie(Part, Text) = Text.split('x');
    std::optional<double> V = parseNumber(Part);
    if (!V)
      return std::nullopt;
    Product *= *V;
  } while (!Text.empty());
  return Product;
}

/// The time over the axis of a sweep that has most values, a line for each
/// device, model and point of the other axes.
void Charts::printGivenSweep() {
  if (Shown.empty() || Shown.front()->Sweep.empty())
    return;
  const size_t NumAxes = Shown.front()->Sweep.size();
  std::vector<std::set<StringRef>> Values(NumAxes);
  for (const Prediction &P : Kernel.Predictions)
    for (auto [Of, V] : llvm::zip(Values, P.Sweep))
      Of.insert(V.Value);
  size_t Along = NumAxes - 1; // the last one of several
  for (size_t I = NumAxes; I-- != 0;)
    if (Values[I].size() > Values[Along].size())
      Along = I;

  svg::Plot Chart;
  std::map<std::string, size_t> Lines;
  double MostUs = 0;
  for (const Prediction &P : Kernel.Predictions) {
    std::string Name = of(P);
    for (auto [I, V] : llvm::enumerate(P.Sweep))
      if (I != Along)
        Name += ", " + V.Name + " " + V.Value;
    std::optional<double> At = sweepPlace(P.Sweep[Along].Value);
    if (!At || !P.TimeUs)
      continue;
    auto It = Lines.find(Name);
    if (It == Lines.end()) {
      if (Lines.size() == svg::NumColors)
        continue;
      It = Lines.try_emplace(Name, Lines.size()).first;
      svg::Series &Line = Chart.Data.emplace_back();
      Line.Name = fit(Name, MaxLegend);
      Line.Color = Line.Dash = unsigned(It->second);
    }
    Chart.Data[It->second].Points.emplace_back(*At, P.TimeUs->Value);
    MostUs = std::max(MostUs, P.TimeUs->Value);
  }
  if (Chart.Data.empty() || Chart.Data.front().Points.size() < 2)
    return;
  auto [Factor, Unit] = timeUnit(MostUs);
  for (svg::Series &Line : Chart.Data) {
    llvm::stable_sort(Line.Points);
    for (auto &[X, Y] : Line.Points)
      Y *= Factor;
  }
  std::string Axis = fit(Shown.front()->Sweep[Along].Name, MaxLegend);
  Chart.Title = "Predicted time over " + Axis;
  Chart.X = {Axis};
  Chart.Y = {("time, " + Unit).str()};
  printFigure("Sweep: time over " + Axis,
              "as asked for" +
                  std::string(NumAxes > 1 ? ", eight lines at most" : ""),
              Chart, OS);
}

void Charts::printSweeps() {
  for (size_t I = 0; I != Shown.size(); ++I)
    if (I == 0 || Shown[I - 1]->Device != Shown[I]->Device)
      printParallelism(*Shown[I]);
  printTimeOver(
      "warps", "warps that reside on an SM",
      [](DevicePoint &At, unsigned Warps) { At.WarpsPerSM = Warps; },
      &Device::MaxWarpsPerSM, Shown.empty() ? 0 : warpsOf(*Shown.front()));
  printTimeOver(
      "active SMs", "SMs that get blocks",
      [](DevicePoint &At, unsigned SMs) { At.ActiveSMs = SMs; },
      &Device::NumSMs);
}

/// Of the first prediction of each device that has it, whatever the model.
void Charts::printPowers() {
  std::vector<const Prediction *> Printed;
  for (const Prediction &P : Kernel.Predictions) {
    if (P.PowerUnits.empty() || Printed.size() == Shown.size() ||
        llvm::any_of(Printed,
                     [&](auto *Other) { return Other->Device == P.Device; }))
      continue;
    Printed.push_back(&P);
    printPower(P);
  }
}

void Charts::printPower(const Prediction &P) {
  svg::BarChart C;
  C.Title = "Power of the parts of " + P.Device;
  std::vector<UnitPower> Units = P.PowerUnits;
  llvm::stable_sort(Units, [](const UnitPower &A, const UnitPower &B) {
    return A.Watts > B.Watts;
  });
  for (const UnitPower &U : Units)
    if (U.Watts > 0)
      C.Bars.push_back({U.Name.str(), U.Watts, shortNumber(U.Watts) + " W", 3});
  std::string Explanation = "while the kernel runs";
  if (P.PowerW)
    Explanation += "; the board takes " + shortEstimate(*P.PowerW) + " W";
  printFigure("Power on " + of(P), Explanation, C, OS);
}

void Charts::printOccupancy() {
  using Points = std::vector<OccupancyPoint>;
  struct Curve {
    StringRef Heading, Axis;
    Points OccupancyCurves::*Member;
    double X;
    std::string Mark;
    double Factor;
  };
  std::vector<std::pair<const Prediction *, OccupancyCurves>> Devices;
  for (const Prediction *P : Shown)
    if (!P->On->IsCPU &&
        llvm::none_of(Devices, [&](auto &D) { return D.first->On == P->On; }))
      Devices.emplace_back(
          P, occupancyCurves(*P->On, blockResources(K, P->Registers)));
  if (Devices.empty())
    return;
  BlockResources R = blockResources(K, Devices.front().first->Registers);
  const Curve Curves[] = {
      {"block size", "threads of a block", &OccupancyCurves::Block,
       double(R.Threads), std::to_string(R.Threads), 1},
      {"registers", "registers of a thread", &OccupancyCurves::Registers,
       double(R.RegistersPerThread), std::to_string(R.RegistersPerThread), 1},
      {"shared memory", "KiB of shared memory of a block",
       &OccupancyCurves::Shared, double(R.SharedBytes) / 1024,
       R.SharedBytes % 1024 ? std::to_string(R.SharedBytes) + " B"
                            : std::to_string(R.SharedBytes / 1024) + " KiB",
       1.0 / 1024}};
  for (const Curve &C : Curves) {
    svg::Plot Chart;
    Chart.Title = ("Occupancy over " + C.Heading).str();
    Chart.X = {C.Axis.str()};
    Chart.Y = {"occupancy, %", /*IsLog=*/false, 0, 104};
    for (auto [I, D] : llvm::enumerate(Devices)) {
      svg::Series Line;
      Line.Name = D.first->Device;
      Line.Look = Look::Steps;
      Line.Color = Line.Dash = unsigned(I);
      for (const OccupancyPoint &P : D.second.*C.Member)
        Line.Points.emplace_back(double(P.Value) * C.Factor,
                                 P.Occ.Fraction * 100);
      Chart.Data.push_back(std::move(Line));
    }
    Chart.Markers = {{C.X, "kernel: " + C.Mark}};
    printFigure(("Occupancy over " + C.Heading).str(),
                "warps that an SM holds, of those that it could", Chart, OS);
  }
}

void html::printCharts(const KernelReport &K, const ModelOptions &Options,
                       raw_ostream &OS) {
  OS << "<div class=\"charts\">\n";
  Charts(K, Options, OS).print();
  OS << "</div>\n";
}
