//===- Calibrate.cpp - ptx-predict calibrate RESULTS.yaml -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CalibrateLambda.h"
#include "CalibrateLink.h"
#include "CalibratePower.h"
#include "CalibrateSong.h"
#include "CommandLine.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Model/Song.h"
#include "ptxpredict/Report/Device/CalibrationReport.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Validation/Fit/MWPCWPFit.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict calibrate FILE.yaml`; registered while it
/// lives.
struct CalibrateOptions {
  StringList Inputs{cl::Positional,
                    cl::desc("<results.yaml> | <dataset.yaml>..."),
                    cl::cat(category())};
  LambdaOptions Lambda;
  PowerOptions Power;
  RowOptions Rows;
  LinkFitOptions Link;
  StringOpt Device{"device", cl::value_desc("name"), cl::cat(category()),
                   cl::desc("Device that was measured (default: the one whose "
                            "description, name or alias the results have)")};
  StringList DeviceFiles{"device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Adds a device, for --device (repeatable)")};
  StringOpt Name{
      "name", cl::value_desc("name"), cl::cat(category()),
      cl::desc("Name of the device or link that is written (default: "
               "the measured one's)")};
  StringOpt Output{"o", cl::value_desc("file"), cl::cat(category()),
                   cl::desc("Where the file of the device or link goes, - for "
                            "standard output (default: none is written)")};
  cl::opt<bool> Verbose{
      "verbose", cl::cat(category()),
      cl::desc("Also names the results that decide nothing, and shows "
               "each kernel of a fit to rows")};
};

} // namespace

/// Adds the device files. True on error (reported).
static bool addDevices(const StringList &Paths, DeviceRegistry &Registry) {
  for (StringRef Path : Paths) {
    DiagnosticEngine Diags;
    if (readInputFile(Path, Diags) || Registry.addFile(Diags)) {
      printDiagnostics(&Diags);
      return true;
    }
  }
  return false;
}

/// The device that was measured; null if nothing says which one (reported).
static const Device *findMeasured(const StringOpt &Asked,
                                  const MicrobenchmarkResults &Results,
                                  DeviceRegistry &Registry) {
  if (Asked.getNumOccurrences() != 0) {
    Expected<const Device *> D = Registry.find(Asked);
    if (D) {
      noteTaken("--device=", Asked, **D);
      return *D;
    }
    usageError("--device: " + llvm::toString(D.takeError()));
    return nullptr;
  }
  for (const std::string &Name : Registry.names()) {
    Expected<const Device *> D = Registry.find(Name);
    if (!D) {
      usageError(llvm::toString(D.takeError()));
      return nullptr;
    }
    if ((*D)->Description == Results.Device)
      return *D;
  }
  if (Expected<const Device *> D = Registry.findWhole(Results.Device)) {
    noteTaken("the results are of ", Results.Device, **D);
    return *D;
  } else {
    llvm::consumeError(D.takeError());
  }
  usageError("no device is described as '" + Twine(Results.Device) +
             "'; --device=NAME says which one was measured");
  return nullptr;
}

int tool::runCalibrate(ArrayRef<const char *> Arguments) {
  CalibrateOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Writes a device file with the numbers that results of "
                     "the microbenchmarks decide, or that measured times do; "
                     "or a link's file, by times of transfers."))
    return *Code;
  const bool IsSong = !O.Lambda.Asked && O.Rows.Model == SongName;
  if (O.Lambda.Asked && O.Power.Asked)
    return usageError("--lambda and --power exclude each other");
  if (!O.Lambda.Asked && !O.Power.Asked && !IsSong && O.Rows.isAnyGiven())
    return usageError("--model, --data, --code and --only go with --lambda, "
                      "--power or --model=song");
  if (!O.Power.Asked && !IsSong && O.Rows.Inputs.getNumOccurrences() != 0)
    return usageError("--inputs goes with --power or --model=song");
  if (!O.Lambda.Asked && O.Lambda.Mean.getNumOccurrences() != 0)
    return usageError("--mean goes with --lambda");
  if (O.Power.Asked && O.Rows.Model.getNumOccurrences() != 0)
    return usageError("--power is of no model: --regression says by what it is "
                      "learned");
  if (!O.Power.Asked && O.Power.isAnyGiven())
    return usageError("--regression, --split, --folds, --seed and --trainer "
                      "go with --power");
  for (const StringOpt *Option : {&O.Device, &O.Name, &O.Output})
    if (Option->getNumOccurrences() != 0 && Option->empty())
      return usageError("--" + Option->ArgStr + " takes a name; not ''");
  if (O.Link.isAnyGiven()) {
    if (O.Lambda.Asked || O.Power.Asked || IsSong)
      return usageError(
          "--link, --link-file, --nccl, --ranks and --hops do not go with "
          "--lambda, --power or --model");
    if (O.Device.getNumOccurrences() != 0 || !O.DeviceFiles.empty())
      return usageError("--link calibrates a link: leave --device and "
                        "--device-file out");
    return calibrateLink({O.Link, O.Inputs, O.Name, O.Output});
  }
  DeviceRegistry Registry;
  if (O.Lambda.Asked || O.Power.Asked || IsSong) {
    if (addDevices(O.DeviceFiles, Registry))
      return NotDone;
    const RowRequest Request{O.Rows, O.Inputs, O.DeviceFiles, O.Device,
                             O.Name, O.Output, O.Verbose,     Registry};
    return O.Lambda.Asked  ? calibrateLambda(O.Lambda, Request)
           : O.Power.Asked ? calibratePower(O.Power, Request)
                           : calibrateSong(Request);
  }
  if (O.Inputs.size() != 1)
    return usageError(
        O.Inputs.empty()
            ? "no file of results; try --help"
            : "give one file of results, which describes one device, not " +
                  Twine(O.Inputs.size()));

  DiagnosticEngine Diags;
  MicrobenchmarkResults Results;
  if (readInputFile(O.Inputs.front(), Diags) ||
      parseMicrobenchmarks(Diags, Results)) {
    printDiagnostics(&Diags);
    return NotDone;
  }
  if (addDevices(O.DeviceFiles, Registry))
    return NotDone;
  const Device *Base = findMeasured(O.Device, Results, Registry);
  if (!Base) {
    printDiagnostics(&Diags);
    return NotDone;
  }
  Calibration C;
  const bool Failed = calibrate(Diags, Results, *Base, C);
  if (!Failed)
    addMWPCWP(Results, C);
  printDiagnostics(&Diags);
  if (Failed)
    return NotDone;

  if (writeCalibrated(C, O.Name, O.Output))
    return NotDone;
  if (O.Output == "-")
    return Done;
  std::string Table;
  llvm::raw_string_ostream TableOS(Table);
  printCalibrationText(C, TableOS, O.Verbose);
  return writeResult("-", Table) ? NotDone : Done;
}
