//===- DriverImpl.h - The state of a run ------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_PIPELINE_DRIVERIMPL_H
#define PTXPREDICT_LIB_DRIVER_PIPELINE_DRIVERIMPL_H

#include "Driver/Toolchain/ViaPtxas.h"
#include "LaunchLimits.h"
#include "ptxpredict/Driver/Inputs/SourceTexts.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Driver/Pipeline/KernelPipeline.h"
#include "ptxpredict/Launch/BufferContents.h"
#include "ptxpredict/Launch/CounterFile.h"
#include "ptxpredict/Support/KernelNames.h"
#include "llvm/ADT/MapVector.h"
#include <mutex>

namespace ptxpredict {

struct Driver::Impl {
  /// What the assembler says of an input, once a kernel asks.
  struct Asked {
    std::once_flag Once;
    CompileAnswer Answer;
  };
  struct Glob {
    OwnedGlob Pattern;
    bool Matched = false;
  };
  /// Code, or characteristics of kernels.
  struct Input {
    DiagnosticEngine *Diags;
    std::unique_ptr<ParsedInput> Parsed; ///< null for characteristics
    std::vector<KernelCharacteristics> Kernels = {};  ///< as they were read
    PtxasInfo Compiled = {};                          ///< by --via
    std::map<std::string, std::string> Refusals = {}; ///< why, by architecture
    std::unique_ptr<Asked> NearSteps = std::make_unique<Asked>();
  };
  struct Job {
    unsigned Input;
    const InstructionGraph *Kernel;
    const KernelProfile *Profile = nullptr;   ///< its counts, if there are any
    const KernelCounters *Counters = nullptr; ///< likewise of a profiler
    /// What was read of it, without a Kernel.
    const KernelCharacteristics *Read = nullptr;
    unsigned Reported = 0;          ///< index into Report::Inputs
    const Device *Target = nullptr; ///< the representative of its .target
    /// What the launch file says of it; null without.
    const LaunchFileEntry *Entry = nullptr;
    unsigned LaunchLine = 0; ///< where it stands; 0 without
    /// What the assembler says of this kernel's input; null unless it was asked
    /// for this kernel.
    const CompileAnswer *Exact = nullptr;

    StringRef name() const { return Kernel ? Kernel->Name : Read->Name; }
  };

  explicit Impl(DriverOptions Options) : Options(std::move(Options)) {}

  DriverOptions Options;
  DiagnosticEngine General;                                ///< what has no file
  std::vector<std::unique_ptr<DiagnosticEngine>> Engines;  ///< one a file
  std::vector<std::unique_ptr<DiagnosticEngine>> Findings; ///< of emulate()
  std::vector<Input> Inputs;                               ///< that were read
  bool AnyInputFailed = false;
  /// Of an input's launches that no device takes, by the input's own engine.
  llvm::MapVector<const DiagnosticEngine *, DiagnosticEngine *> Refusals;

  std::vector<Glob> Globs;
  LaunchFile Launches;
  DiagnosticEngine *LaunchDiags = nullptr; ///< of --launch; null without
  /// What buffers hold, of the entries that addContents() has seen.
  llvm::DenseMap<const BufferSpec *, std::shared_ptr<const BufferContents>>
      Contents;
  bool IsDataMissing = false;                ///< some of them could not be read
  std::vector<KernelProfile> Profiles;       ///< of --profile
  DiagnosticEngine *ProfileDiags = nullptr;  ///< of --profile; null without
  std::vector<KernelCounters> Counters;      ///< of --counters
  DiagnosticEngine *CountersDiags = nullptr; ///< likewise; null without
  bool UsesCounters = false;                 ///< a job has some
  PtxasInfo Log;
  std::optional<Ptxas> Assembler; ///< of --via=ptxas
  /// Of --via=auto, looked for when a kernel first asks.
  mutable struct {
    std::once_flag Once;
    std::optional<Ptxas> Found;
    std::string WhyNot; ///< why there is none
  } Nearby;
  DeviceRegistry Registry{DeviceRegistry::Sources::Dropped};
  std::vector<const Device *> Devices; ///< asked for; empty: by .target
  std::vector<const Model *> Models;
  mutable SourceTexts Sources;
  /// Of inputs, in the order in which they were to be read.
  std::vector<const DiagnosticEngine *> InputEngines;

  /// A new engine with the file's content, which may be there already, or with
  /// the error that it cannot be read.
  DiagnosticEngine &open(StringRef Path,
                         std::unique_ptr<llvm::MemoryBuffer> Text = nullptr);

  /// The modules of code in an input that is none itself: what cuobjdump
  /// prints, and files that hold code. None on error (reported); nothing for
  /// others.
  static std::optional<std::vector<std::unique_ptr<llvm::MemoryBuffer>>>
  modulesOf(DiagnosticEngine &Diags, const ReadOptions &Options);

  /// Puts the machine code of an input, with an engine of its own, in the place
  /// of its PTX; machine code stays. False on error (reported).
  bool assemble(DiagnosticEngine *&Diags, std::unique_ptr<ParsedInput> &Parsed);

  /// How an input is read; source is compiled for the only device.
  ReadOptions readOptions(ReadOptions Given) const;

  bool prepareLaunches();
  /// Whether all data files that Launches name are the project's.
  bool isDataInProject();
  bool prepareKernels();
  bool prepareDevices();
  bool prepareModels();
  /// Whether the axes of the sweep agree with each other and the options.
  bool prepareSweeps();

  bool selects(const KernelNames &Names);

  /// What the launch file says of a kernel: its launches, of which but the
  /// first one counts without Options.EveryLaunch.
  std::vector<const LaunchFileEntry *>
  launchesOf(const KernelNames &Names) const;
  /// Opens what the buffers of \p Entry hold; reports what cannot be.
  void addContents(const LaunchFileEntry &Entry);
  /// The launch that options, \p Entry of the launch file if there is one, and
  /// \p Profile ask for.
  LaunchSpec specFor(const LaunchFileEntry *Entry,
                     const KernelProfile *Profile = nullptr) const;
  /// The same for a job, with what its counters are of.
  LaunchSpec specFor(const Job &J) const;
  /// The same for the first launch that the launch file has for the kernel.
  LaunchSpec specFor(const KernelNames &Names) const {
    return specFor(Launches.find(Names.all()));
  }
  /// Takes away the jobs whose launch no device takes (reported): the others
  /// are answered. Looks at no code.
  void dropRefused(std::vector<Job> &Jobs);
  void report(const Job &J, const LaunchSpec &Spec, const LaunchRefusal &No);
  /// Gives each job its profile. Reports a profile that does not fit.
  void assignProfiles(MutableArrayRef<Job> Jobs);
  /// The same for counters, and what they lack.
  void assignCounters(MutableArrayRef<Job> Jobs);
  /// The counters of a job's kernel at its launch; null where there are none,
  /// or they are of another launch or device (reported).
  const KernelCounters *countersOf(const Job &J);
  /// Says which counters would replace what stays an estimate.
  void noteMissingCounters(ArrayRef<KernelReport> Kernels) const;
  /// Whether the times of --measured-us are each of one kernel (reported).
  void checkMeasuredTimes(ArrayRef<Job> Jobs);
  /// Fills Prediction::Scaled of \p All: for each place and model, in this
  /// order, as many points.
  void scaleByMeasured(const Job &J, ArrayRef<KernelOnDevice> Places,
                       MutableArrayRef<Prediction> All) const;
  /// The device that a job's counters are of.
  const Device &countedDevice(const Job &J) const {
    return Devices.empty() ? *J.Target : *Devices.front();
  }
  /// The architectures that an input is compiled for: its own target,
  /// represented by \p Target, and those of the devices.
  std::vector<std::string> architecturesOf(const Input &In,
                                           const Device &Target) const;
  /// Runs --via's ptxas for these.
  void compile(Input &In, const Device &Target);
  /// The same for --via=auto, once for an input; null without a ptxas.
  const CompileAnswer *askNearStep(const Job &J) const;
  /// What a log or --via's ptxas says of a job's kernel.
  CompiledKernel exactResources(const Job &J, StringRef Name,
                                StringRef Target) const;
  /// What options and compilers say of a job's kernel, at the launch of a point
  /// of the sweep if there is one.
  AnalysisRequest requestFor(const Job &J, size_t Point = 0) const;
  /// \p K on the devices asked for, else on the job's own. Refers to \p K.
  std::vector<KernelOnDevice> placesOf(const Job &J,
                                       const KernelCharacteristics &K) const;
  /// Clocks and SMs that options ask for, else those of \p D.
  DevicePoint pointOn(const Device &D) const;
  /// Says in \p P where its device lacks the clock that was asked for.
  void noteClock(Prediction &P) const;
  /// By every place and model.
  std::vector<Prediction> predict(ArrayRef<KernelOnDevice> Places) const;
  /// The same for every point of the sweep, by place, model, then point.
  /// \p First: the kernel at the first point.
  std::vector<Prediction> sweep(const Job &J, const KernelPipeline &Pipeline,
                                ArrayRef<KernelOnDevice> First) const;
  /// Fills \p R's findings, priced by the first model, and suggestions.
  void addAdvice(const Job &J, ArrayRef<KernelOnDevice> Places,
                 KernelReport &R) const;
  /// One point of the sweep for each block and grid that it has; the first
  /// point without a sweep.
  std::vector<size_t> pointsOfShapes() const;
  /// Changes \p Spec to the launch of a point of the sweep, by its number. Says
  /// what follows from it that nobody asked for; empty if nothing does.
  std::string moveTo(size_t Point, LaunchSpec &Spec) const;
  /// Nothing if the kernel's body could not be lowered (reported). May run in
  /// several threads at once.
  std::optional<KernelReport> analyze(Job J) const;
  /// What it takes to show the code of a kernel.
  static void addLineCounts(const Job &J, KernelReport &R);
  void addCodeTexts(const Job &J, KernelReport &R) const;
  /// The same for all, in the order of \p Jobs, and their premises into \p R.
  /// What a \p Sink takes is not kept, but for what the checks need.
  std::vector<KernelReport> analyze(ArrayRef<Job> Jobs, Report &R,
                                    KernelSink Sink) const;

  /// The representative of a target; null on error (reported).
  const Device *representative(StringRef Target);
  /// Adds an input to \p R and a job for each selected kernel to \p Jobs.
  void addCode(unsigned Index, ArrayRef<const InstructionGraph *> Kernels,
               Report &R, std::vector<Job> &Jobs);
  void addCharacteristics(unsigned Index, Report &R, std::vector<Job> &Jobs);
  /// The name of an input that is characteristics; empty without one.
  StringRef characteristicsInput() const;
  /// Whether options ask something of characteristics that only code answers
  /// (reported).
  bool asksTooMuchOfCharacteristics();

  /// Reports globs of --kernel that no kernel of the inputs matched.
  void checkGlobs();
  void checkArguments(ArrayRef<const InstructionGraph *> Kernels);
  void checkTripCounts(ArrayRef<KernelReport> Kernels);
  /// Reports what the launch file says of parameters, loops and branches that
  /// the kernels do not have.
  void checkLaunchFile(ArrayRef<KernelReport> Reports);
};

/// The launch that \p Profile is of.
LaunchSpec launchOf(const KernelProfile &Profile);
/// The same of counters.
LaunchSpec launchOf(const KernelCounters &Counters);

/// SHA-256 of a text, in hexadecimal digits.
std::string hashText(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_PIPELINE_DRIVERIMPL_H
