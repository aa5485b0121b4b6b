//===- CalibrateLambda.cpp - calibrate --lambda DATASET.yaml --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CalibrateLambda.h"
#include "OutputFile.h"
#include "ptxpredict/Model/BSP.h"
#include "ptxpredict/Model/LittlesLaw.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Validation/Fit/LambdaFit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::tool;

using Align = TextTable::Align;

static constexpr StringRef ModelsWithLambda[] = {LittlesLawName, BSPName};

namespace {

/// A device's rows, and what is fitted to them.
struct DeviceRows {
  std::vector<LambdaRow> Rows;
  std::set<StringRef> Kernels;
  std::set<unsigned> Datasets;
  LambdaFit Fit;
};

} // namespace

/// The rows of each device, or of the one that is asked for, with a prediction.
/// Rows that are no longer than the device's launch say nothing of lambda.
static std::map<StringRef, DeviceRows> rowsOf(const ValidationReport &R,
                                              StringRef Model, StringRef Only) {
  std::map<StringRef, DeviceRows> ByDevice;
  for (const ValidatedPoint &P : R.Points) {
    if (P.Result != ValidatedPoint::Outcome::Predicted || P.Answers.empty() ||
        !P.Answers.front().TimeUs || (!Only.empty() && P.Device != Only))
      continue;
    const Quantity *Launch = P.On->modelParameter(Model, "launch");
    const double LaunchUs = Launch ? Launch->Value.value_or(0) : 0;
    const LambdaRow Row{P.Answers.front().TimeUs->Value - LaunchUs,
                        P.TimeUs - LaunchUs};
    if (Row.Predicted <= 0 || Row.Measured <= 0)
      continue;
    DeviceRows &Rows = ByDevice[P.Device];
    Rows.Rows.push_back(Row);
    Rows.Kernels.insert(P.Kernel->Name);
    Rows.Datasets.insert(P.Dataset);
  }
  return ByDevice;
}

static void printFits(const std::map<StringRef, DeviceRows> &ByDevice,
                      StringRef Model, LambdaMean Mean, raw_ostream &To) {
  PrintableStream OS(To);
  OS << Model << ", one lambda for a device: "
     << (Mean == LambdaMean::Geometric
             ? "the geometric mean of predicted over measured time"
             : "all predicted over all measured time")
     << '\n';
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"device", "rows", "kernels", "lambda", "spread", "least", "most",
            "error"});
  for (const auto &[Device, Rows] : ByDevice)
    T.addRow({Device.str(), std::to_string(Rows.Rows.size()),
              std::to_string(Rows.Kernels.size()), shortNumber(Rows.Fit.Lambda),
              shortNumber(Rows.Fit.Spread), shortNumber(Rows.Fit.Least),
              shortNumber(Rows.Fit.Most),
              shortNumber(Rows.Fit.MAPE * 100) + " %"});
  T.print(OS);
  OS << "spread: standard deviation of the rows' ratios around lambda, as a "
        "factor; least and\nmost: of these ratios over lambda; error: mean of "
        "what a row is off with lambda\n";
}

/// The one device whose file is to be written, and its lambda as a number with
/// a source.
static Calibration calibrationOf(StringRef Model, LambdaMean Mean,
                                 const ValidationReport &R,
                                 const DeviceRows &Rows, const Device &Base) {
  std::string Source;
  llvm::raw_string_ostream OS(Source);
  OS << (Mean == LambdaMean::Geometric ? "geometric mean" : "ratio of the sums")
     << " over " << plural(Rows.Rows.size(), "row") << " of "
     << plural(Rows.Kernels.size(), "kernel") << ", dataset";
  for (unsigned D : Rows.Datasets)
    OS << ' ' << R.Datasets[D].About.Name;
  OS << ", spread " << shortNumber(Rows.Fit.Spread);
  Calibration C;
  C.Base = &Base;
  const Quantity *Old = Base.modelParameter(Model, "lambda");
  C.Numbers.push_back({("models." + Model).str(), "lambda", "",
                       Old ? Old->Value : std::nullopt, false, Rows.Fit.Lambda,
                       Source});
  return C;
}

int tool::calibrateLambda(const LambdaOptions &O, const RowRequest &Q) {
  ValidateOptions Options;
  std::string Only;
  unsigned MeanChosen = 0;
  if (readRows(Q, Options, Only) ||
      readChoice("mean", O.Mean, {"geometric", "sum"}, MeanChosen))
    return NotDone;
  const StringRef Model = Q.Rows.Model;
  if (Model.empty())
    return usageError("--lambda needs a model: --model=littles-law or "
                      "--model=bsp");
  if (!llvm::is_contained(ModelsWithLambda, Model))
    return usageError("--model: '" + Model + "' has no lambda" +
                      meantOrListed(Model, ModelsWithLambda));
  const auto Mean = LambdaMean(MeanChosen);
  Options.Models = {Model.str()};
  Options.Model.Lambda = 1;
  Options.Model.WithBounds = false;

  Validator V(std::move(Options));
  if (!V.prepare()) {
    printDiagnostics(V.diagnostics());
    return NotDone;
  }
  const ValidationReport R = V.run();
  printDiagnostics(V.diagnostics());
  if (V.hasErrors())
    return NotDone;
  std::map<StringRef, DeviceRows> ByDevice = rowsOf(R, Model, Only);
  if (ByDevice.empty())
    return usageError("no row" + (Only.empty() ? "" : " of " + Only) +
                      " has a prediction by " + Model +
                      "; ptx-predict validate says why");
  for (auto &[Of, Rows] : ByDevice)
    Rows.Fit = *fitLambda(Rows.Rows, Mean);

  if (!Q.Output.empty()) {
    if (ByDevice.size() != 1)
      return usageError("-o writes the file of one device; --device=NAME says "
                        "of which: " +
                        llvm::join(llvm::make_first_range(ByDevice), ", "));
    const auto &[Of, Rows] = *ByDevice.begin();
    Expected<const ptxpredict::Device *> Base = Q.Registry.find(Of);
    if (!Base)
      return usageError(llvm::toString(Base.takeError()));
    if (writeCalibrated(calibrationOf(Model, Mean, R, Rows, **Base), Q.Name,
                        Q.Output))
      return NotDone;
    if (Q.Output == "-")
      return Done;
  }
  return writeResult("-",
                     [&](raw_ostream &OS) {
                       printFits(ByDevice, Model, Mean, OS);
                       return std::error_code();
                     })
             ? NotDone
             : Done;
}
