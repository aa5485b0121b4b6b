//===- CalibrateSong.cpp - calibrate --model=song DATASET.yaml ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CalibrateSong.h"
#include "OutputFile.h"
#include "ptxpredict/Model/PowerRegression.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Validation/Fit/SongFit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::tool;

using Align = TextTable::Align;

namespace {

/// A device's rows, and what is fitted to them.
struct SongRows {
  std::vector<SongRow> Rows;
  std::vector<StringRef> Kernels; ///< by SongRow::Kernel
  std::set<unsigned> Datasets;
  size_t WithCounters = 0;
  double MedianMAPE = 0; ///< of the device's median time, a baseline
  SongFit Fit;
};

} // namespace

/// The equations' inputs, which are among the terms of a prediction.
static std::optional<SongInputs> inputsOf(ArrayRef<Term> Terms) {
  SongInputs In;
  if (Terms.empty())
    return std::nullopt;
  for (const Term &T : Terms) {
#define SONG_INPUT(MEMBER, NAME, UNIT, MEANING)                                \
  if (T.Name == NAME)                                                          \
    In.MEMBER = T.Value;
#include "ptxpredict/Model/SongTerms.def"
  }
  return In;
}

static std::map<StringRef, SongRows> songRows(const ValidationReport &R,
                                              StringRef Only) {
  std::map<StringRef, SongRows> ByDevice;
  for (const ValidatedPoint &P : R.Points) {
    if (P.Result != ValidatedPoint::Outcome::Predicted || P.Answers.empty() ||
        !P.Answers.front().TimeUs || (!Only.empty() && P.Device != Only))
      continue;
    std::optional<SongInputs> In = inputsOf(P.Answers.front().Terms);
    if (!In)
      continue;
    SongRows &Of = ByDevice[P.Device];
    const StringRef Name = P.Kernel->Name;
    const size_t Kernel = llvm::find(Of.Kernels, Name) - Of.Kernels.begin();
    if (Kernel == Of.Kernels.size())
      Of.Kernels.push_back(Name);
    Of.Rows.push_back({*In, P.TimeUs * P.Point.CoreMHz, unsigned(Kernel)});
    Of.Datasets.insert(P.Dataset);
    Of.WithCounters += P.HasCounters;
    if (const std::optional<Estimate> &Median = P.Answers[R.Median].TimeUs)
      Of.MedianMAPE += std::fabs(Median->Value / P.TimeUs - 1);
  }
  for (auto &[Device, Of] : ByDevice)
    Of.MedianMAPE /= double(Of.Rows.size());
  return ByDevice;
}

static void printSongFits(const std::map<StringRef, SongRows> &ByDevice,
                          raw_ostream &To) {
  PrintableStream OS(To);
  OS << "song, latencies and delays in cycles, fitted for each device\n";
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  T.addRow({"device", "rows", "kernels", "counted", "cyc_g_load", "cyc_g_store",
            "in_warp_delay", "out_warp_delay", "error", "left out", "median"});
  auto Percent = [](double Share) {
    return std::isnan(Share) ? std::string("-")
                             : shortNumber(Share * 100) + " %";
  };
  for (const auto &[Device, Of] : ByDevice) {
    const SongParameters &P = Of.Fit.Parameters;
    T.addRow({Device.str(), std::to_string(Of.Rows.size()),
              std::to_string(Of.Kernels.size()),
              std::to_string(Of.WithCounters), shortNumber(P.LoadCycles),
              shortNumber(P.StoreCycles), shortNumber(P.InWarpDelay),
              shortNumber(P.OutWarpDelay), Percent(Of.Fit.MAPE),
              Percent(Of.Fit.LeftOutMAPE), Percent(Of.MedianMAPE)});
  }
  T.print(OS);
  OS << "counted: rows with counters; error: mean of what the rows are off; "
        "left out: the same,\neach kernel by a fit to the others; median: the "
        "same of the device's median time\n";
}

static Calibration songCalibration(const ValidationReport &R,
                                   const SongRows &Of, const Device &Base) {
  std::string Source;
  llvm::raw_string_ostream OS(Source);
  OS << "fitted to " << plural(Of.Rows.size(), "row") << " of "
     << plural(Of.Kernels.size(), "kernel") << ", dataset";
  for (unsigned D : Of.Datasets)
    OS << ' ' << R.Datasets[D].About.Name;
  Calibration C;
  C.Base = &Base;
  const SongParameters &P = Of.Fit.Parameters;
  for (const auto &[Key, Value] :
       {std::pair(StringRef("cyc_g_load"), P.LoadCycles),
        {"cyc_g_store", P.StoreCycles},
        {"in_warp_delay", P.InWarpDelay},
        {"out_warp_delay", P.OutWarpDelay}}) {
    const Quantity *Old = Base.modelParameter(SongName, Key);
    C.Numbers.push_back({("models." + SongName).str(), Key, "cycles",
                         Old ? Old->Value : std::nullopt, false, Value,
                         Source});
  }
  return C;
}

int tool::calibrateSong(const RowRequest &Q) {
  ValidateOptions Options;
  std::string Only;
  unsigned Inputs = 0;
  if (readRows(Q, Options, Only) ||
      readChoice("inputs", Q.Rows.Inputs, regressionCountsNames(), Inputs))
    return NotDone;
  Options.Models = {SongName.str()};
  Options.Model.WithBounds = false;
  Options.KeepTerms = true;
  Options.WithOwnCounters =
      RegressionCounts(Inputs) == RegressionCounts::Counted;

  Validator V(std::move(Options));
  if (!V.prepare()) {
    printDiagnostics(V.diagnostics());
    return NotDone;
  }
  const ValidationReport R = V.run();
  printDiagnostics(V.diagnostics());
  if (V.hasErrors())
    return NotDone;
  std::map<StringRef, SongRows> ByDevice = songRows(R, Only);
  if (ByDevice.empty())
    return usageError("no row" + (Only.empty() ? "" : " of " + Only) +
                      " has a prediction by song; ptx-predict validate says "
                      "why");
  for (auto &[Device, Of] : ByDevice)
    Of.Fit = fitSong(Of.Rows);

  if (!Q.Output.empty()) {
    if (ByDevice.size() != 1)
      return usageError("-o writes the file of one device; --device=NAME says "
                        "of which: " +
                        llvm::join(llvm::make_first_range(ByDevice), ", "));
    const auto &[Device, Of] = *ByDevice.begin();
    Expected<const ptxpredict::Device *> Base = Q.Registry.find(Device);
    if (!Base)
      return usageError(llvm::toString(Base.takeError()));
    if (writeCalibrated(songCalibration(R, Of, **Base), Q.Name, Q.Output))
      return NotDone;
    if (Q.Output == "-")
      return Done;
  }
  return writeResult("-",
                     [&](raw_ostream &OS) {
                       printSongFits(ByDevice, OS);
                       return std::error_code();
                     })
             ? NotDone
             : Done;
}
