//===- Run.cpp - Analyses and predictions of the selected kernels ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "UnknownLabels.h"
#include "ptxpredict/Characteristics/ArgumentTargets.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Report/Prediction/LineCosts.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <mutex>
#include <set>

using namespace ptxpredict;

std::vector<const LaunchFileEntry *>
Driver::Impl::launchesOf(const KernelNames &Names) const {
  if (Options.EveryLaunch)
    return Launches.findAll(Names.all());
  if (const LaunchFileEntry *First = Launches.find(Names.all()))
    return {First};
  return {};
}

void Driver::Impl::addContents(const LaunchFileEntry &Entry) {
  StringRef Folder = llvm::sys::path::parent_path(LaunchDiags->path());
  for (const auto &[Name, Spec] : Entry.Buffers) {
    // Where the file says nothing the buffer is there for its size.
    if (!Spec.IsFillGiven)
      continue;
    auto [It, IsNew] = Contents.try_emplace(&Spec);
    if (!IsNew)
      continue;
    if (auto Opened = BufferContents::open(Spec, Folder)) {
      It->second = std::move(*Opened);
    } else {
      IsDataMissing = true;
      LaunchDiags->error(Spec.placeOfFill(),
                         "buffer '" + Name +
                             "': " + llvm::toString(Opened.takeError()));
    }
  }
}

LaunchSpec Driver::Impl::specFor(const LaunchFileEntry *Entry,
                                 const KernelProfile *Profile) const {
  LaunchSpec Spec = Options.Launch;
  if (Entry) {
    const auto ContentsOf = [this](const BufferSpec &B) {
      return Contents.lookup(&B);
    };
    Spec = merge(Spec, launchOf(*Entry, ContentsOf));
  }
  return Profile ? merge(Spec, launchOf(*Profile)) : Spec;
}

LaunchSpec Driver::Impl::specFor(const Job &J) const {
  LaunchSpec Spec = specFor(J.Entry, J.Profile);
  return J.Counters ? merge(Spec, launchOf(*J.Counters)) : Spec;
}

AnalysisRequest Driver::Impl::requestFor(const Job &J, size_t Point) const {
  AnalysisRequest Request;
  StringRef Name, Target;
  if (J.Kernel) {
    Request.Launch = specFor(J);
    (void)moveTo(Point, Request.Launch);
    Request.Profile = J.Profile;
    Name = J.Kernel->Name;
    Target = J.Kernel->Parent->Target;
  } else {
    Name = J.Read->Name;
    Target = J.Read->Code.Target;
  }
  Request.Compiled = exactResources(J, Name, Target);
  Request.Compiled.Registers = Options.Registers;
  if (J.Counters) {
    Request.Counters = J.Counters;
    Request.CountedOn = &countedDevice(J);
    if (const CounterValue *V = (*J.Counters)[Counter::RegistersPerThread];
        V && V->Value >= 1 && V->Value <= 255 && !Options.Registers)
      Request.Compiled.Registers = unsigned(V->Value);
  }
  Request.WorkLimit = Options.WorkLimit;
  Request.DeviceIsAssumed = Devices.empty();
  return Request;
}

std::vector<KernelOnDevice>
Driver::Impl::placesOf(const Job &J, const KernelCharacteristics &K) const {
  std::vector<KernelOnDevice> Places;
  Places.reserve(std::max<size_t>(Devices.size(), 1));
  for (const Device *D : Devices)
    Places.emplace_back(K, *D);
  if (Devices.empty())
    Places.emplace_back(K, *J.Target);
  return Places;
}

DevicePoint Driver::Impl::pointOn(const Device &D) const {
  DevicePoint At = DevicePoint::of(D);
  if (Options.Clocks == ClockChoice::Base)
    At.CoreMHz = D.BaseMHz.Value.value_or(At.CoreMHz);
  if (Options.Clocks == ClockChoice::Sustained && !Options.CoreMHz)
    At.leaveClock(D, Options.PowerLimitW);
  At.CoreMHz = Options.CoreMHz.value_or(At.CoreMHz);
  At.MemMHz = Options.MemMHz.value_or(At.MemMHz);
  At.ActiveSMs = Options.ActiveSMs.value_or(At.ActiveSMs);
  return At;
}

void Driver::Impl::noteClock(Prediction &P) const {
  if (Options.Clocks == ClockChoice::Base && !Options.CoreMHz &&
      !P.On->BaseMHz && P.Applies.Ok)
    P.Applies.Notes.push_back("no base clock of " + P.Device +
                              " is known: this is at the boost clock; "
                              "--core-mhz gives another one");
}

std::vector<Prediction>
Driver::Impl::predict(ArrayRef<KernelOnDevice> Places) const {
  std::vector<Prediction> Predictions;
  Predictions.reserve(Places.size() * Models.size());
  for (const KernelOnDevice &Place : Places) {
    ReadyKernel Ready(Place, Models, Options.Model);
    const DevicePoint At = pointOn(Place.Dev);
    for (size_t N = 0; N != Models.size(); ++N) {
      Prediction &P = Predictions.emplace_back(Ready.predict(N, At));
      if (!Place.Dev.IsCPU)
        P.Warp = findWarpLatency(Place);
      P.Caches = findCacheHits(Place);
      noteClock(P);
    }
  }
  return Predictions;
}

std::optional<KernelReport> Driver::Impl::analyze(Job J) const {
  std::optional<KernelPipeline> Pipeline;
  if (J.Read)
    Pipeline.emplace(*J.Read, *J.Target);
  else
    Pipeline.emplace(*J.Kernel, *J.Target);
  if (Pipeline->failed())
    return std::nullopt;
  KernelReport R;
  R.Input = J.Reported;
  R.LaunchLine = J.LaunchLine;
  R.Characteristics = Pipeline->analyze(requestFor(J));
  // Predictions, findings and suggestions share what is found on a device.
  std::vector<KernelOnDevice> Places = placesOf(J, *R.Characteristics);
  if (Options.Via && Options.Via->OnlyNearSteps && J.Kernel &&
      llvm::any_of(Places, [](auto &P) { return !P.OccEnds.empty(); })) {
    J.Exact = askNearStep(J);
    if (J.Exact) {
      Places.clear(); // refers to the characteristics
      R.Characteristics = Pipeline->analyze(requestFor(J));
      for (KernelOnDevice &P : placesOf(J, *R.Characteristics))
        Places.push_back(std::move(P));
    }
  }
  if (!Options.OnlyFindings)
    R.Predictions =
        Options.Sweeps.empty() ? predict(Places) : sweep(J, *Pipeline, Places);
  scaleByMeasured(J, Places, R.Predictions);
  if (Options.FindDefects || Options.SuggestSettings)
    addAdvice(J, Places, R);
  if (Options.ShowCode && J.Kernel)
    addCodeTexts(J, R);
  else if (Options.CountLines && J.Kernel && R.Predictions.size() == 1 &&
           needsLineCounts(R.Predictions.front()))
    addLineCounts(J, R);
  return R;
}

void Driver::Impl::checkArguments(ArrayRef<const InstructionGraph *> Kernels) {
  auto Check = [&](StringRef Option, ArrayRef<LaunchArgument> Args) {
    for (const ArgumentProblem &P :
         findArgumentProblems(Args, Kernels, "no selected kernel has a"))
      General.error(SMLoc(), Option + ": " + P.Message);
  };
  Check("--arg", Options.Launch.Args);
  for (const SweepAxis &A : Options.Sweeps) {
    if (A.What != SweepOf::Argument)
      continue;
    // What is wrong with one of its values is reported once.
    for (const SweepEntry &E : A.Values) {
      const LaunchArgument Argument = {A.Parameter, E.Value, SMLoc()};
      const size_t Before = General.diagnostics().size();
      Check("--sweep", Argument);
      if (General.diagnostics().size() != Before)
        break;
    }
  }
}

void Driver::Impl::checkTripCounts(ArrayRef<KernelReport> Reports) {
  std::vector<const KernelCharacteristics *> Kernels;
  for (const KernelReport &R : Reports)
    Kernels.push_back(R.Characteristics.get());
  auto Report = [&](StringRef Option, ArrayRef<UnknownLabel> Unknown) {
    for (const UnknownLabel &L : Unknown)
      General.error(SMLoc(), Option + ": no selected kernel has a " + L.Text);
  };
  const LaunchSpec &Launch = Options.Launch;
  Report("--trip-count", findUnknownLoops(keysOf(Launch.TripCounts), Kernels));
  Report("--branch-probability",
         findUnknownBranches(keysOf(Launch.BranchProbabilities), Kernels));
}

/// What checks of loops, branches and parameters need of a kernel.
static KernelReport thinned(const KernelReport &R) {
  KernelReport Thin;
  Thin.Input = R.Input;
  auto Checked = std::make_shared<KernelCharacteristics>();
  Checked->Name = R.Characteristics->Name;
  Checked->Counted = R.Characteristics->Counted;
  Checked->Loops = R.Characteristics->Loops;
  Checked->Branches = R.Characteristics->Branches;
  Thin.Characteristics = std::move(Checked);
  return Thin;
}

std::vector<KernelReport> Driver::Impl::analyze(ArrayRef<Job> Jobs, Report &R,
                                                KernelSink Sink) const {
  const bool Checks = LaunchDiags || CountersDiags ||
                      !Options.Launch.TripCounts.empty() ||
                      !Options.Launch.BranchProbabilities.empty();
  std::vector<std::unique_ptr<KernelReport>> Found(Jobs.size());
  // The premises of each kernel; few are of one kernel alone.
  std::vector<SmallVector<const std::string *, 0>> Premises(Jobs.size());
  std::set<std::string> AllPremises;
  std::mutex Mutex; // of AllPremises
  auto Keep = [&](size_t N, KernelReport K) {
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      for (const std::string &P : K.Characteristics->Premises)
        Premises[N].push_back(&*AllPremises.insert(P).first);
    }
    if (!Sink) {
      Found[N] = std::make_unique<KernelReport>(std::move(K));
      return;
    }
    Sink(R, N, K);
    if (Checks)
      Found[N] = std::make_unique<KernelReport>(thinned(K));
  };
  // A thread must have enough to do to be worth its start.
  constexpr size_t BytesPerThread = 1 << 17;
  size_t Bytes = 0;
  for (const Input &In : Inputs)
    Bytes += In.Diags->text().size();
  const size_t Wanted =
      std::min(numThreads(Options.Jobs), 1 + Bytes / BytesPerThread);
  forEachInParallel(Jobs.size(), Wanted, [&](size_t N) {
    if (std::optional<KernelReport> K = analyze(Jobs[N]))
      Keep(N, std::move(*K));
  });

  llvm::SmallPtrSet<const std::string *, 16> Seen;
  for (const auto &OfKernel : Premises)
    for (const std::string *P : OfKernel)
      if (Seen.insert(P).second)
        R.Premises.push_back(*P);
  std::vector<KernelReport> Reports;
  for (std::unique_ptr<KernelReport> &K : Found)
    if (K)
      Reports.push_back(std::move(*K));
  return Reports;
}

void Driver::Impl::checkGlobs() {
  std::vector<KernelNames> Kernels; // demangled only where something is wrong
  for (const Glob &G : Globs) {
    if (G.Matched)
      continue;
    if (Kernels.empty())
      for (const Input &In : Inputs) {
        for (const KernelCharacteristics &K : In.Kernels)
          Kernels.emplace_back(K.Name);
        if (In.Parsed)
          for (const auto &F : In.Parsed->module().Functions)
            if (F->IsKernel)
              Kernels.emplace_back(F->Name);
      }
    General.error(SMLoc(),
                  "--kernel: " + noKernelMatches(G.Pattern.text(), Kernels));
  }
}

const Device *Driver::Impl::representative(StringRef Target) {
  Expected<const Device *> D =
      Registry.find(representativeDevice(targetCapability(Target)));
  if (D)
    return *D;
  General.error(SMLoc(), llvm::toString(D.takeError()));
  return nullptr;
}

void Driver::Impl::addCode(unsigned Index,
                           ArrayRef<const InstructionGraph *> Kernels,
                           Report &R, std::vector<Job> &Jobs) {
  Input &In = Inputs[Index];
  const Module &M = In.Parsed->module();
  R.Inputs.push_back({In.Diags->path().str(),
                      M.Frontend,
                      M.ISAVersion.str(),
                      M.Target.str(),
                      {},
                      In.Diags});
  if (Kernels.empty() && Globs.empty())
    In.Diags->warning(SMLoc(), "there is no kernel in this input");
  const Device *Target = representative(M.Target);
  if (!Target)
    return;
  if (Assembler && !Kernels.empty())
    compile(In, *Target);
  for (const InstructionGraph *G : Kernels) {
    Job J{Index, G};
    J.Reported = unsigned(R.Inputs.size() - 1);
    J.Target = Target;
    std::vector<const LaunchFileEntry *> Entries =
        launchesOf(KernelNames(G->Name));
    if (Entries.empty())
      Entries.push_back(nullptr);
    for (const LaunchFileEntry *Entry : Entries) {
      J.Entry = Entry;
      if (Entry)
        addContents(*Entry);
      J.LaunchLine = Entry ? LaunchDiags->lineAndColumn(Entry->Place).first : 0;
      Jobs.push_back(J);
    }
  }
}

Report Driver::run(KernelSink Sink) {
  Impl &S = *State;
  Report R;
  std::vector<const InstructionGraph *> Selected;
  std::vector<Impl::Job> Jobs;
  if (!S.asksTooMuchOfCharacteristics()) {
    for (unsigned I = 0; I != S.Inputs.size(); ++I) {
      if (!S.Inputs[I].Parsed) {
        S.addCharacteristics(I, R, Jobs);
        continue;
      }
      std::vector<const InstructionGraph *> Kernels =
          selectKernels(S.Inputs[I].Parsed->module());
      S.addCode(I, Kernels, R, Jobs);
      llvm::append_range(Selected, Kernels);
    }
    S.assignProfiles(Jobs);
    S.assignCounters(Jobs);
    S.checkMeasuredTimes(Jobs);
    S.dropRefused(Jobs);
    // Without its data a launch is another one, of which nothing is reported
    // but what is wrong, too.
    R.Kernels = S.analyze(Jobs, R, S.IsDataMissing ? nullptr : Sink);
    S.noteMissingCounters(R.Kernels);
    if (!S.Nearby.WhyNot.empty())
      S.General.note(SMLoc(), S.Nearby.WhyNot +
                                  "; registers near a step of the occupancy "
                                  "stay estimates");

    // What is missing may be in an input that could not be read.
    if (!S.AnyInputFailed) {
      S.checkGlobs();
      if (!Selected.empty()) {
        S.checkArguments(Selected);
        // What is missing may be in a kernel that cannot be started.
        if (S.Refusals.empty()) {
          S.checkTripCounts(R.Kernels);
          if (S.LaunchDiags)
            S.checkLaunchFile(R.Kernels);
        }
      }
    }
  }

  if (Sink || S.IsDataMissing)
    R.Kernels.clear();
  for (const DiagnosticEngine *E : diagnostics())
    llvm::append_range(R.Diagnostics, E->diagnostics());
  return R;
}
