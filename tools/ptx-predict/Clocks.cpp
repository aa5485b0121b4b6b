//===- Clocks.cpp - ptx-predict clocks FILE... ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CounterOptions.h"
#include "MeasuredOptions.h"
#include "OutputFile.h"
#include "PowerModelOption.h"
#include "PredictionOptions.h"
#include "Subcommands.h"
#include "ptxpredict/Model/ThroughputModel.h"
#include "ptxpredict/Report/Clocks/ClocksReport.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <mutex>

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict clocks FILE...`; registered while it lives.
struct ClocksOptions : PredictionOptions {
  StringOpt By{"by", cl::init("energy"),
               cl::value_desc("time|energy|ed|ed2|e2d"), cl::cat(category()),
               cl::desc("What is to be least: time, energy, or energy to a "
                        "power times time to a power (default: energy)")};
  StringOpt PowerCap{"power-cap", cl::value_desc("watts"), cl::cat(category()),
                     cl::desc("No pair at which a kernel draws more")};
  StringOpt Slowdown{"slowdown", cl::value_desc("percent"), cl::cat(category()),
                     cl::desc("No pair that takes so much longer than the "
                              "fastest one")};
  StringList Weights{"weight", cl::value_desc("glob=number"),
                     cl::cat(category()),
                     cl::desc("How often a kernel runs, of all together "
                              "(default: 1; the last that fits counts; "
                              "repeatable)")};
  CounterOptions Counters;
  PowerModelOption PowerModel;
  MeasuredOptions Measured;
  StringOpt Scaling{"scaling", cl::init("model"),
                    cl::value_desc("model|maxbips"), cl::cat(category()),
                    cl::desc("What says how time and power change with the "
                             "core clock: the model, or MaxBIPS' rules from "
                             "the highest clock on (default: model)")};
  StringOpt StaticShare{"static-share", cl::value_desc("share"),
                        cl::cat(category()),
                        cl::desc("Of --scaling=maxbips: static power over all "
                                 "power at the highest clock (default: 0.3)")};
  cl::opt<bool> Placement{
      "placement", cl::cat(category()),
      cl::desc("Where fewer SMs do: which of them would be coolest")};
  cl::opt<bool> Gated{"gated", cl::cat(category()),
                      cl::desc("Where fewer SMs do: what they would save if "
                               "those without blocks were off")};
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json|csv"),
                   cl::cat(category()), cl::desc("Form of the answer")};

  ClocksOptions() : PredictionOptions("One line per kernel") {
    HasClockRanges = true;
    Devices.setDescription("The board; one, which must be given");
    CoreMHz.setDescription("Core clocks to choose from (default: from half of "
                           "the highest one on, by the device's core_step)");
    CoreMHz.setValueStr("from:to[:step]|list");
    MemMHz.setDescription("Memory clocks to choose from, as nvidia-smi prints "
                          "them (default: the device's memory_states, or its "
                          "memory clock)");
    MemMHz.setValueStr("from:to[:step]|list");
    for (cl::Option *O : {static_cast<cl::Option *>(&Clocks),
                          static_cast<cl::Option *>(&PowerLimit)})
      O->setHiddenFlag(cl::ReallyHidden); // the clocks are what is asked
    Verbose.setDescription("Also prints the pairs that no other is better than "
                           "in time and energy");
  }
};

enum ClocksFormat : unsigned { ClocksText, ClocksJSON, ClocksCSV };

/// A number for kernels of a name.
struct KernelWeight {
  OwnedGlob Names;
  double Weight;
};

} // namespace

static bool readWeights(const StringList &Texts,
                        std::vector<KernelWeight> &Result) {
  for (StringRef Text : Texts) {
    auto [Names, Number] = Text.rsplit('=');
    const std::optional<double> N = parseNumber(Number);
    if (Names.empty() || !N || *N < 0)
      return valueError("weight", "GLOB=N, N a number from 0", Text);
    Expected<OwnedGlob> Glob = OwnedGlob::create(Names);
    if (!Glob) {
      const std::string Why = llvm::toString(Glob.takeError());
      return usageError("--weight: " + Why) != Done;
    }
    Result.push_back({std::move(*Glob), *N});
  }
  return false;
}

static double weightOf(const KernelCharacteristics &K,
                       ArrayRef<KernelWeight> Weights) {
  double Result = 1;
  for (const KernelWeight &W : Weights)
    if (W.Names.match(K.Name) || W.Names.match(K.Demangled))
      Result = W.Weight;
  return Result;
}

/// "990 to 1980 MHz", "700 MHz".
static std::string rangeText(const SweepAxis &A) {
  auto Number = [](const SweepEntry &E) { return E.Number; };
  const auto [Low, High] =
      std::minmax_element(A.Values.begin(), A.Values.end(),
                          [&](const SweepEntry &X, const SweepEntry &Y) {
                            return Number(X) < Number(Y);
                          });
  const std::string To = shortNumber(High->Number) + " MHz";
  return A.Values.size() == 1 ? To : shortNumber(Low->Number) + " to " + To;
}

/// The clocks of \p O, or without any those of \p Default, as a sweep has them.
static bool readAxis(const StringOpt &O, const Twine &Default,
                     std::vector<SweepAxis> &Axes) {
  const std::string Text =
      O.getNumOccurrences() != 0 ? O.getValue() : Default.str();
  Expected<SweepAxis> Axis = parseSweep((O.ArgStr + "=" + Text).str());
  if (!Axis) {
    llvm::consumeError(Axis.takeError());
    return valueError(O.ArgStr,
                      "clocks in MHz above 0, as 600:1200:50 or 700,900",
                      O.getValue());
  }
  for (const SweepEntry &E : Axis->Values)
    if (!(E.Number > 0))
      return valueError(O.ArgStr, "clocks in MHz above 0", O.getValue());
  Axes.push_back(std::move(*Axis));
  return false;
}

/// Sets the sweep over the clocks of the one device that is asked for. True on
/// error (reported).
static bool setAxes(const ClocksOptions &O, DriverOptions &Options,
                    ClocksReport &R) {
  DriverOptions OfDevice = Options;
  OfDevice.CountersPath.clear(); // they are read once
  Driver Only(std::move(OfDevice));
  if (!Only.prepare()) {
    printDiagnostics(Only.diagnostics());
    return true;
  }
  auto Wrong = [](const Twine &Message) { return usageError(Message) != Done; };
  const std::vector<const Device *> Devices = Only.devices();
  if (Devices.size() != 1)
    return Wrong("clocks are chosen for one board: --device=NAME");
  const Device &D = *Devices.front();
  if (D.IsCPU)
    return Wrong(D.Name + " is a CPU: only GPUs have such clocks");
  // Without a step that of most boards since 2016, by nvidia-smi -q -d
  // SUPPORTED_CLOCKS.
  const double Step = D.CoreStepMHz.Value.value_or(15);
  const double Highest = D.MaxMHz.Value.value_or(*D.BoostMHz);
  const double Lowest =
      Highest - std::floor(Highest / 2 / Step) * Step; // so that To is reached
  std::string Memory;
  for (double MHz : D.MemoryStates.MHz)
    Memory += (Memory.empty() ? "" : ",") + shortestDecimal(MHz);
  if (readAxis(O.CoreMHz,
               shortestDecimal(Lowest) + ":" + shortestDecimal(Highest) + ":" +
                   shortestDecimal(Step),
               Options.Sweeps) ||
      readAxis(O.MemMHz,
               Memory.empty() ? shortestDecimal(*D.MemoryMHz) : Memory,
               Options.Sweeps))
    return true;
  R.Device = D.Name;
  R.AreCoreClocksAssumed = O.CoreMHz.getNumOccurrences() == 0 && !D.CoreStepMHz;
  R.CoreClocks = rangeText(Options.Sweeps[0]);
  R.MemoryClocks = rangeText(Options.Sweeps[1]);
  return false;
}

/// (93) of the throughput model at the highest of \p Pairs; 1 where it has
/// none.
static double coreReduction(const KernelCharacteristics &K, const Device &D,
                            ArrayRef<ClockPair> Pairs) {
  const ClockPair &High = Pairs[ClocksReport::highest(Pairs)];
  DevicePoint At = DevicePoint::of(D);
  At.CoreMHz = High.CoreMHz;
  At.MemMHz = High.MemMHz;
  At.fixClock();
  return throughputModel()
      .prepare(KernelOnDevice(K, D), ModelOptions())
      ->predict(At)
      .term("CoreReduction")
      .value_or(1);
}

/// Fewer SMs at the best pair of \p Of, whose predictions are \p K's.
static std::optional<ClocksSMs>
findSMs(const KernelReport &K, const KernelClocks &Of, const ClocksReport &R,
        const ModelOptions &Options, bool WithPlacement) {
  const std::optional<size_t> Best = bestClocks(Of.Pairs, R.Goal, R.Limits);
  const Model *By = findModel(R.Model);
  if (!Best || !By || R.Scaling) // whose energies are no model's
    return std::nullopt;
  const Prediction &P = K.Predictions[*Best];
  const std::unique_ptr<PreparedModel> Ready = By->prepare(
      KernelOnDevice(*K.Characteristics, *P.On, P.Registers, P.Occ), Options);
  ClocksSMs S;
  S.At = Of.Pairs[*Best];
  S.Enough = findFewerSMs(*Ready, P.Point, Options);
  for (const auto &[Name, SMs] :
       adviseCores(Ready->place(), P.Point, Options).byName())
    if (SMs >= 1 && SMs < P.Point.ActiveSMs)
      if (std::optional<FewerSMs> F =
              useOfSMs(*Ready, P.Point, Options, unsigned(SMs)))
        S.Advised.emplace_back(Name, *F);
  if (!S.Enough && S.Advised.empty())
    return std::nullopt;
  const unsigned Fewer = (S.Enough ? *S.Enough : S.Advised.front().second).SMs;
  if (S.Enough)
    S.Request = requestSMs(*P.On, Fewer);
  if (WithPlacement) {
    S.Preferred = preferredSMs(*P.On, Fewer);
    S.Placement = placementText(*P.On, Fewer);
  }
  return S;
}

/// --scaling and --static-share. True on error (reported).
static bool readScaling(const ClocksOptions &O, bool AsPrinted,
                        std::optional<MaxBIPSOptions> &Result) {
  unsigned Scaling = 0;
  std::optional<double> Share;
  if (readChoice("scaling", O.Scaling, {"model", "maxbips"}, Scaling) ||
      readShare(O.StaticShare, Share))
    return true;
  if (Scaling == 0)
    return Share &&
           usageError("--static-share is of --scaling=maxbips") != Done;
  Result.emplace();
  Result->StaticShare = Share.value_or(Result->StaticShare);
  Result->AsPrinted = AsPrinted;
  return false;
}

/// What a kernel takes at every pair, or why nobody knows.
static KernelClocks clocksOf(const KernelReport &K, StringRef Path,
                             ArrayRef<KernelWeight> Weights,
                             const std::optional<MaxBIPSOptions> &Scaling) {
  const KernelCharacteristics &C = *K.Characteristics;
  KernelClocks Result;
  Result.Path = Path.str();
  Result.Name = C.Name;
  Result.Demangled = C.Demangled;
  Result.LaunchLine = K.LaunchLine;
  Result.Weight = weightOf(C, Weights);
  for (const Prediction &P : K.Predictions) {
    if (!P.Applies.Ok || !P.TimeUs) {
      Result.Pairs.clear();
      Result.Why = P.Applies.Notes.empty() ? "the model has no answer"
                                           : P.Applies.Notes.front();
      return Result;
    }
    ClockPair Pair{P.CoreMHz, P.MemMHz, P.TimeUs->Value,
                   P.PowerW ? P.PowerW->Value : NAN,
                   P.EnergyJ ? P.EnergyJ->Value : NAN};
    if (P.Scaled) {
      Result.Measured = describeMeasured(*P.Scaled);
      Pair.EnergyJ *= P.Scaled->TimeUs / Pair.TimeUs;
      Pair.TimeUs = P.Scaled->TimeUs;
    }
    Result.Pairs.push_back(Pair);
  }
  if (Result.Pairs.empty()) {
    Result.Why = "nothing is predicted for it";
    return Result;
  }
  const Device &D = *K.Predictions.front().On;
  if (Scaling)
    scalePairs(Result.Pairs, D.TDPWatts.Value.value_or(NAN), *Scaling);
  Result.IsPowerTheLimit = Scaling && !K.Predictions.front().PowerW;
  Result.CoreReduction = coreReduction(C, D, Result.Pairs);
  return Result;
}

int tool::runClocks(ArrayRef<const char *> Arguments) {
  ClocksOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Finds the core and memory clock that kernels in PTX or "
                     "machine code should run at."))
    return *Code;

  DriverOptions Options;
  ClocksReport R;
  unsigned Format = ClocksText, By = 0;
  std::optional<double> Percent;
  std::vector<KernelWeight> Weights;
  if (O.read(Options) || O.Counters.read(Options) ||
      O.PowerModel.read(Options.Model) || O.Measured.read(Options.Measured) ||
      readWeights(O.Weights, Weights) ||
      readPositive(O.PowerCap, R.Limits.PowerW) ||
      readPositive(O.Slowdown, Percent) ||
      readChoice("by", O.By, {"time", "energy", "ed", "ed2", "e2d"}, By) ||
      readChoice("format", O.Format, {"text", "json", "csv"}, Format))
    return NotDone;
  R.Goal = ClockGoal(By);
  if (readScaling(O, Options.Model.Published, R.Scaling))
    return NotDone;
  if (Percent)
    R.Limits.Slowdown = *Percent / 100;
  if (Options.Models.size() > 1 || llvm::is_contained(Options.Models, "all"))
    return usageError("clocks are chosen by one model");
  R.Model = Options.Models.empty() ? "bottleneck" : Options.Models.front();
  if (setAxes(O, Options, R))
    return NotDone;
  R.WithGated = O.Gated;
  const ModelOptions ByModel = Options.Model;

  Driver D(std::move(Options));
  if (!D.prepare()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }
  (void)D.readAll(O.Inputs);
  std::mutex Mutex;
  std::vector<std::pair<size_t, KernelClocks>> Found;
  const Report Whole =
      D.run([&](const Report &Head, size_t Number, const KernelReport &K) {
        KernelClocks Of =
            clocksOf(K, Head.Inputs[K.Input].Path, Weights, R.Scaling);
        Of.SMs = findSMs(K, Of, R, ByModel, O.Placement);
        const std::lock_guard<std::mutex> Lock(Mutex);
        Found.emplace_back(Number, std::move(Of));
      });
  printDiagnostics(D.diagnostics());
  if (D.hasUsageErrors())
    return NotDone;
  llvm::sort(Found, llvm::less_first());
  for (auto &[Number, K] : Found) {
    R.IsPowerTheLimit |= K.IsPowerTheLimit;
    R.Kernels.push_back(std::move(K));
  }
  for (const KernelWeight &W : Weights)
    if (llvm::none_of(R.Kernels, [&](const KernelClocks &K) {
          return W.Names.match(K.Name) || W.Names.match(K.Demangled);
        }))
      return usageError("--weight: no kernel matches '" + W.Names.text() + "'");
  R.Premises = Whole.Premises;
  R.Diagnostics = Whole.Diagnostics;
  if (R.Kernels.empty() && Format == ClocksText)
    return D.hasErrors() ? NotDone : Done;

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const bool Colors = useColors(O.Output);
  OS.enable_colors(Colors);
  if (Format == ClocksJSON)
    printClocksJSON(R, OS);
  else if (Format == ClocksCSV)
    printClocksCSV(R, OS);
  else
    printClocksText(R, OS, O.verbosity(), Colors);
  return writeResult(O.Output, Text) || D.hasErrors() ? NotDone : Done;
}
