//===- Driver.h - From input files to predictions ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_DRIVER_H
#define PTXPREDICT_DRIVER_PIPELINE_DRIVER_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Driver/Pipeline/MeasuredTimes.h"
#include "ptxpredict/Driver/Pipeline/Sweep.h"
#include "ptxpredict/Launch/LaunchFile.h"
#include "ptxpredict/Model/SustainedClock.h"
#include "ptxpredict/Report/Prediction/Report.h"
#include <memory>

namespace ptxpredict {

struct EmulateOptions;
struct EmulationReport;

/// Adds the models of these names to \p Models, each once; "all" is all of
/// them. False if there is no such model (reported).
bool findModels(ArrayRef<std::string> Names, DiagnosticEngine &Diags,
                std::vector<const Model *> &Models);

/// What a run is asked to do. The defaults are those of the command.
/// The assembler that is asked for exact resources.
struct AssemblerChoice {
  std::string Path; ///< empty: that on PATH, else in $CUDA_HOME/bin
  /// It is asked only for kernels whose estimated registers leave open how many
  /// blocks reside. What it cannot answer stays an estimate.
  bool OnlyNearSteps = false;
};

struct DriverOptions {
  std::vector<std::string> KernelGlobs; ///< empty: every kernel
  LaunchSpec Launch;                    ///< from options; goes before files
  std::string LaunchFilePath;           ///< empty without one
  /// The launch file is of more inputs than these: it is no mistake that it
  /// launches none of their kernels.
  bool LaunchFileIsShared = false;
  /// The paths above and below that a project brings, whose lines messages do
  /// not show, and the project's folder: what such a launch file names must lie
  /// in there.
  std::vector<std::string> ProjectFiles;
  std::string ProjectRoot;
  ReadOptions Read;
  /// A kernel is predicted at every launch that the launch file has for it, not
  /// at the first alone; not with a sweep or a profile.
  bool EveryLaunch = false;
  std::vector<std::string> Devices; ///< "all", or names; empty: by .target
  std::vector<std::string> DeviceFiles;
  std::vector<std::string> Models; ///< "all", or names; empty: the default
  ClockChoice Clocks = ClockChoice::Sustained; ///< where CoreMHz says nothing
  std::optional<double> CoreMHz, MemMHz;
  std::optional<double> PowerLimitW; ///< in place of the boards' own
  std::optional<unsigned> ActiveSMs;
  ModelOptions Model;
  std::optional<unsigned> Registers; ///< exact, for every kernel
  bool FindDefects = false;          ///< fills KernelReport::Findings
  /// Fills KernelReport::Lines where hottestLines() needs them.
  bool CountLines = false;
  bool WithEnergy = true; ///< findings that save energy alone, too
  bool WithPlacement = false, WithGated = false; ///< as LintRequest has them
  bool OnlyFindings = false;    ///< leaves KernelReport::Predictions empty
  bool SuggestSettings = false; ///< fills KernelReport::Suggestions
  /// Paths of sources in findings are relative to it, if they lie in it; empty
  /// without one.
  std::string SourceRoot;
  unsigned Jobs = 0; ///< threads that analyse; 0: one a core
  /// Steps of an analysis, beyond which it looks at samples; nothing for those
  /// of StaticProfileBudget.
  std::optional<uint64_t> WorkLimit;
  std::string ProfilePath;  ///< of an emulation; empty without one
  std::string CountersPath; ///< of a profiler; empty without one
  /// CountersPath is of more inputs than these: it is no mistake that it has
  /// counters of none of their kernels.
  bool CountersAreShared = false;
  /// Of CountersPath that launch of each kernel, from 0, in place of the mean.
  std::optional<uint64_t> LaunchIndex;
  MeasuredTimes Measured;    ///< of --measured-us
  std::string PtxasInfoPath; ///< a `ptxas -v` log; empty without one
  std::optional<AssemblerChoice> Via;
  /// Every combination of their values is predicted, the last axis fastest.
  std::vector<SweepAxis> Sweeps;
  /// The report gets what it takes to show code: the texts of inputs and of the
  /// sources that debug data name, and what each line executes.
  bool ShowCode = false;
};

/// A file to be read.
struct DriverInput {
  std::string Path; ///< "-" is standard input
  /// What is in it, if somebody read it already; source is compiled from
  /// its file all the same.
  std::unique_ptr<llvm::MemoryBuffer> Text = nullptr;
  /// How it is read, unless as DriverOptions::Read says.
  std::optional<ReadOptions> Read = std::nullopt;
};

/// Takes a kernel's report as soon as it is there: with the inputs, and a
/// number, which rises in the order of the report's kernels. Called by several
/// threads at once.
using KernelSink = llvm::function_ref<void(const Report &Head, size_t Number,
                                           const KernelReport &K)>;

/// Runs inputs through the stages. Errors in one input leave the others
/// answered. Not thread-safe.
class Driver {
public:
  explicit Driver(DriverOptions Options);
  ~Driver();

  /// Reads launch, device and ptxas files and checks names. False if the run
  /// cannot go on (reported).
  bool prepare();

  /// The devices that --device chose; empty if none was asked for.
  ArrayRef<const Device *> devices() const;
  /// The models that answer.
  ArrayRef<const Model *> models() const;
  /// A device of the program, or of a device file that was read.
  Expected<const Device *> findDevice(StringRef Name);

  /// Reads one input ("-" is standard input): code to its graph. Null on error
  /// (reported), and for a file of characteristics, which has no code. What it
  /// returns lives as long as the driver.
  const ParsedInput *read(StringRef Path);
  /// Adds an input that somebody else read, by the name that messages call it.
  void add(std::unique_ptr<ParsedInput> Parsed, StringRef Path);
  /// The same for all of \p Paths, of which those that are compiled first are
  /// compiled at once; without those that are no code or could not be read.
  std::vector<const ParsedInput *> readAll(ArrayRef<std::string> Paths);
  std::vector<const ParsedInput *> readAll(std::vector<DriverInput> Inputs);
  /// What was reported of each input that was to be read, in that order.
  ArrayRef<const DiagnosticEngine *> inputDiagnostics() const;
  /// The name of an input that is a file of characteristics; empty without one.
  StringRef characteristicsInput() const;

  /// The kernels of \p M that --kernel chooses, in program order.
  std::vector<const InstructionGraph *> selectKernels(const Module &M);

  /// The text of an input that was read, or of a source that \p Input names;
  /// empty if it is not to be had. Any number of threads may ask.
  StringRef textOf(StringRef Path, StringRef Input) const;

  /// Analyses and predicts every selected kernel of all inputs read. Reports
  /// --kernel, --arg, --trip-count and entries of the launch file that name
  /// nothing there. With \p Sink the report has no kernels: their data are
  /// gone when the sink has seen them, which saves most of the memory.
  Report run(KernelSink Sink = nullptr);

  /// Runs kernels of all inputs read on the CPU, each by itself: those that
  /// --kernel chooses, without it those that the launch file starts, without
  /// that all. Nothing is run if the options or the launch file do not fit.
  EmulationReport emulate(const EmulateOptions &Options);
  /// What emulate() found wrong in kernels and in what they computed.
  std::vector<const DiagnosticEngine *> findings() const;

  /// What was reported so far: unlocated messages first, then by file in the
  /// order in which they were read.
  std::vector<const DiagnosticEngine *> diagnostics() const;
  bool hasErrors() const;
  /// Those of diagnostics() that say of which kernels no device takes the
  /// launch.
  std::vector<const DiagnosticEngine *> refusals() const;
  /// The same of one input, by its engine among inputDiagnostics(); null
  /// without any.
  const DiagnosticEngine *refusalsOf(const DiagnosticEngine &Input) const;
  /// The options or the launch file do not fit the inputs: a parameter, loop or
  /// kernel that none of them has. What run() found then is not what was asked
  /// for.
  bool hasUsageErrors() const;
  /// CountersPath has counters of a kernel that run() took.
  bool usesCounters() const;

  struct Impl;

private:
  std::unique_ptr<Impl> State;
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_DRIVER_H
