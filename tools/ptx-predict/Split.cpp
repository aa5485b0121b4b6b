//===- Split.cpp - ptx-predict split FILE... ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CounterOptions.h"
#include "OutputFile.h"
#include "PredictionOptions.h"
#include "RegistryFiles.h"
#include "SplitSides.h"
#include "Subcommands.h"
#include "ptxpredict/Model/Throughput.h"
#include "ptxpredict/Report/Split/SplitReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict split FILE...`; registered while it lives.
struct SplitOptions : PredictionOptions {
  SplitSideOptions Sides;
  StringOpt By{"by", cl::init("time"), cl::value_desc("time|energy"),
               cl::cat(category()),
               cl::desc("What is to be least (default: time)")};
  StringOpt Points{"points", cl::value_desc("number"), cl::cat(category()),
                   cl::desc("Shares from 0 to 1 that are shown (default: 11)")};
  StringOpt Times{"times", cl::value_desc("number"), cl::cat(category()),
                  cl::desc("Launches that one transfer serves (default: 1)")};
  StringOpt BytesIn{"bytes-in", cl::value_desc("bytes"), cl::cat(category()),
                    cl::desc("That all of the work takes to devices, by share, "
                             "in place of the launch's")};
  StringOpt BytesOut{"bytes-out", cl::value_desc("bytes"), cl::cat(category()),
                     cl::desc("The same from devices")};
  StringOpt BytesWhole{"bytes-whole", cl::value_desc("bytes"),
                       cl::cat(category()),
                       cl::desc("That every device takes, whatever its share")};
  StringOpt JointPower{"joint-power", cl::value_desc("watts"),
                       cl::cat(category()),
                       cl::desc("Measured with all devices at work (default: "
                                "the sum, which is an upper bound)")};
  StringOpt Series{"series", cl::ValueOptional, cl::value_desc("factor"),
                   cl::cat(category()),
                   cl::desc("Of two devices: the 16 series of Hong's Table 16, "
                            "slow and of high power by this factor (default: "
                            "2)")};
  CounterOptions Counters;
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json|csv"),
                   cl::cat(category()), cl::desc("Form of the answer")};

  SplitOptions() : PredictionOptions("One line per kernel") {
    Devices.setDescription("A device that takes part; the first is what others "
                           "are compared with (repeatable)");
    Models.setDescription("Model of GPUs (default: bottleneck); that of CPUs "
                          "is throughput");
  }

  bool readQuestion(SplitQuestion &Q) const;
  bool readBytes(SplitQuestion &Q) const;
};

enum SplitFormat : unsigned { SplitText, SplitJSON, SplitCSV };

} // namespace

bool SplitOptions::readBytes(SplitQuestion &Q) const {
  std::optional<uint64_t> In, Out, Whole;
  if (tool::readBytes(BytesIn, In) || tool::readBytes(BytesOut, Out) ||
      tool::readBytes(BytesWhole, Whole))
    return true;
  if (!In && !Out && !Whole)
    return false;
  Q.Bytes.emplace();
  Q.Bytes->From = SplitBytes::FromTy::Given;
  Q.Bytes->In = double(In.value_or(0));
  Q.Bytes->Out = double(Out.value_or(0));
  Q.Bytes->WholeIn = double(Whole.value_or(0));
  return false;
}

bool SplitOptions::readQuestion(SplitQuestion &Q) const {
  constexpr unsigned MostPoints = 10001;
  unsigned Goal = 0;
  std::optional<unsigned> Number, Launches;
  std::optional<double> Factor;
  if (readChoice("by", By, {"time", "energy"}, Goal) ||
      readPositive(Points, Number) || readPositive(Times, Launches) ||
      readPositive(JointPower, Q.JointW) || readBytes(Q))
    return true;
  Q.Goal = SplitGoal(Goal);
  Q.Points = Number.value_or(Q.Points);
  if (Q.Points < 2 || Q.Points > MostPoints)
    return valueError("points", "a number from 2 to " + Twine(MostPoints),
                      Points);
  Q.Times = Launches.value_or(1);
  if (Series.getNumOccurrences() == 0)
    return false;
  if (!Series.empty() && readPositive(Series, Factor))
    return true;
  constexpr double MostFactor = 1e6;
  Q.SeriesFactor = Factor.value_or(2);
  return (*Q.SeriesFactor < 1 || *Q.SeriesFactor > MostFactor) &&
         valueError("series", "a factor from 1 to 1e6", Series);
}

/// The predictions of \p K by side; null without one.
static std::vector<const Prediction *>
bySide(const KernelReport &K, ArrayRef<SplitSide> Sides, StringRef GPUModel) {
  std::vector<const Prediction *> Result;
  Result.reserve(Sides.size());
  for (const SplitSide &S : Sides) {
    const Prediction *Found = nullptr;
    for (const Prediction &P : K.Predictions)
      if (S.On && P.Device == S.On->Name &&
          P.Model == (S.On->IsCPU ? ThroughputName : GPUModel))
        Found = &P;
    Result.push_back(Found);
  }
  return Result;
}

/// The devices and models that predictions are needed of. True on error
/// (reported).
static bool chooseWork(ArrayRef<SplitSide> Sides, DriverOptions &Options,
                       std::string &GPUModel) {
  if (Options.Models.size() > 1 || llvm::is_contained(Options.Models, "all"))
    return usageError("GPUs are compared by one model") != Done;
  GPUModel = Options.Models.empty() ? "bottleneck" : Options.Models.front();
  Options.Models = {GPUModel};
  Options.Devices.clear();
  for (const SplitSide &S : Sides) {
    if (!S.On || llvm::is_contained(Options.Devices, S.On->Name))
      continue;
    Options.Devices.push_back(S.On->Name);
    if (S.On->IsCPU && !llvm::is_contained(Options.Models, ThroughputName))
      Options.Models.emplace_back(ThroughputName);
  }
  return false;
}

static int write(const SplitReport &R, const SplitOptions &O, unsigned Format) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const bool Colors = useColors(O.Output);
  OS.enable_colors(Colors);
  if (Format == SplitJSON)
    printSplitJSON(R, OS);
  else if (Format == SplitCSV)
    printSplitCSV(R, OS);
  else
    printSplitText(R, OS, O.verbosity(), Colors);
  return writeResult(O.Output, Text) ? NotDone : Done;
}

int tool::runSplit(ArrayRef<const char *> Arguments) {
  SplitOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Finds how to divide the work of kernels between devices, "
                     "with transfers, by time or energy."))
    return *Code;

  DriverOptions Options;
  SplitReport R;
  SplitQuestion &Q = R.Question;
  unsigned Format = SplitText;
  DeviceRegistry Registry;
  if (O.readQuestion(Q) ||
      readChoice("format", O.Format, {"text", "json", "csv"}, Format) ||
      addFiles(O.DeviceFiles, Registry) ||
      O.Sides.read(O.Devices, Registry, Q.Sides, R.Assumed))
    return NotDone;
  R.HostMemory = toString(O.Sides.memory());
  if (Q.SeriesFactor && Q.Sides.size() != 2)
    return usageError("--series is of two devices");
  const bool IsMeasured = llvm::all_of(
      Q.Sides, [](const SplitSide &S) { return S.Measured.has_value(); });
  if (O.Inputs.empty() && IsMeasured) {
    if (O.Output.empty())
      return valueError("o", "a file, or - for standard output", O.Output),
             NotDone;
    const std::vector<const Prediction *> None(Q.Sides.size(), nullptr);
    R.Kernels.push_back({"", "", "", 0, splitKernel(Q, nullptr, None)});
    return write(R, O, Format);
  }

  std::string GPUModel;
  if (O.read(Options) || O.Counters.read(Options) ||
      chooseWork(Q.Sides, Options, GPUModel))
    return NotDone;
  for (const SplitSide &S : Q.Sides)
    if (!S.On && !S.Measured)
      return usageError("nothing is known of '" + S.Name + "'");

  Driver D(std::move(Options));
  if (!D.prepare()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }
  (void)D.readAll(O.Inputs);
  std::mutex Mutex;
  std::vector<std::pair<size_t, SplitKernel>> Found;
  const Report Whole = D.run([&](const Report &Head, size_t Number,
                                 const KernelReport &K) {
    const KernelCharacteristics &C = *K.Characteristics;
    SplitKernel Of{Head.Inputs[K.Input].Path, C.Name, C.Demangled, K.LaunchLine,
                   splitKernel(Q, &C, bySide(K, Q.Sides, GPUModel))};
    const std::lock_guard<std::mutex> Lock(Mutex);
    Found.emplace_back(Number, std::move(Of));
  });
  printDiagnostics(D.diagnostics());
  if (D.hasUsageErrors())
    return NotDone;
  if (Found.size() > 1 && !O.Sides.Measured.empty())
    return usageError("--measured: times are of one kernel, and " +
                      Twine(Found.size()) +
                      " are selected; --kernel=NAME chooses one");
  llvm::sort(Found, llvm::less_first());
  for (auto &[Number, K] : Found)
    R.Kernels.push_back(std::move(K));
  R.Premises = Whole.Premises;
  R.Diagnostics = Whole.Diagnostics;
  if (R.Kernels.empty() && Format == SplitText)
    return D.hasErrors() ? NotDone : Done;
  return write(R, O, Format) != Done || D.hasErrors() ? NotDone : Done;
}
