//===- Emulate.cpp - Runs of the selected kernels on the CPU --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Emulate.h"
#include "DriverImpl.h"
#include "EmulationMessages.h"
#include "LaunchLimits.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Launch/BufferFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace ptxpredict;

namespace {

/// The runs of one call of Driver::emulate.
class Emulator {
public:
  Emulator(Driver::Impl &S, const EmulateOptions &Options)
      : S(S), Options(Options) {}

  EmulationReport run();

private:
  using Job = Driver::Impl::Job;
  using Input = Driver::Impl::Input;

  std::vector<Job> chooseKernels();
  bool checkOptions(ArrayRef<Job> Jobs);
  void checkBufferNames(ArrayRef<Job> Jobs);
  std::optional<EmulatedKernel> emulate(const Job &J);
  bool addBuffers(const LaunchFileEntry &Entry, Emulation &E,
                  EmulatedKernel &Out);
  bool checkBuffers(const LaunchFileEntry &Entry, Emulation &E,
                    EmulatedKernel &Out);
  const LaunchFileEntry *entryOf(const Job &J) const {
    return S.Launches.find(KernelNames(J.Kernel->Name).all());
  }
  DiagnosticEngine &messages(const Job &J) { return *S.Inputs[J.Input].Diags; }

  Driver::Impl &S;
  const EmulateOptions &Options;
};

} // namespace

/// Those that --kernel chooses; without it those that the launch file starts;
/// without that all.
std::vector<Driver::Impl::Job> Emulator::chooseKernels() {
  std::vector<Job> Jobs;
  std::vector<StringRef> Kernels, Entries;
  for (unsigned I = 0; I != S.Inputs.size(); ++I)
    for (const auto &G : S.Inputs[I].Parsed->module().Functions) {
      if (!G->IsKernel)
        continue;
      KernelNames Names(G->Name);
      Kernels.push_back(G->Name);
      if (S.Globs.empty() && S.LaunchDiags
              ? S.Launches.find(Names.all()) != nullptr
              : S.selects(Names))
        Jobs.push_back({I, G.get()});
    }
  if (S.AnyInputFailed)
    return Jobs; // what is missing may be there
  S.checkGlobs();
  if (!Jobs.empty() || !S.Globs.empty())
    return Jobs;
  if (Kernels.empty()) {
    S.General.error(SMLoc(), "there is no kernel in the input");
    return Jobs;
  }
  for (const LaunchFileEntry &E : S.Launches.Launches)
    Entries.emplace_back(E.Kernel);
  S.LaunchDiags->error(S.Launches.Launches.front().Place,
                       "no launch of this file is for a kernel of the input: "
                       "the file starts " +
                           listNames(Entries) + "; there are " +
                           listNames(Kernels));
  return Jobs;
}

/// What options and launch file say is compared with what a static analysis
/// finds, as for a prediction. False on error (reported).
bool Emulator::checkOptions(ArrayRef<Job> Jobs) {
  std::vector<KernelReport> Reports;
  std::vector<const InstructionGraph *> Kernels;
  for (const Job &J : Jobs) {
    const Device *Target = S.representative(J.Kernel->Parent->Target);
    if (!Target)
      continue;
    KernelPipeline Pipeline(*J.Kernel, *Target);
    if (Pipeline.failed())
      continue;
    AnalysisRequest Request;
    Request.Launch = S.specFor(KernelNames(J.Kernel->Name));
    Reports.emplace_back();
    Reports.back().Input = J.Input;
    Reports.back().Characteristics = Pipeline.analyze(Request);
    Kernels.push_back(J.Kernel);
  }
  if (!S.AnyInputFailed && !Kernels.empty() && S.Refusals.empty()) {
    S.checkArguments(Kernels);
    if (S.LaunchDiags)
      S.checkLaunchFile(Reports);
  }
  checkBufferNames(Jobs);
  return !S.General.hasErrors() &&
         !(S.LaunchDiags && S.LaunchDiags->hasErrors());
}

/// A buffer that is asked for must be that of one run.
void Emulator::checkBufferNames(ArrayRef<Job> Jobs) {
  for (const std::string &Name : Options.Buffers) {
    std::vector<StringRef> Known, Of;
    for (const Job &J : Jobs)
      if (const LaunchFileEntry *E = entryOf(J)) {
        llvm::append_range(Known, llvm::make_first_range(E->Buffers));
        if (E->Buffers.count(Name))
          Of.push_back(J.Kernel->Name);
      }
    if (Of.empty())
      S.General.error(SMLoc(), "--dump-buffer: there is no buffer '" + Name +
                                   "'" + meantOrListed(Name, Known));
    else if (Of.size() > 1)
      S.General.error(SMLoc(), "--dump-buffer: the runs of " +
                                   llvm::join(Of, ", ") +
                                   " each have a buffer '" + Name +
                                   "'; choose one with --kernel");
  }
}

bool Emulator::addBuffers(const LaunchFileEntry &Entry, Emulation &E,
                          EmulatedKernel &Out) {
  StringRef Folder = llvm::sys::path::parent_path(S.LaunchDiags->path());
  bool AllThere = true;
  auto Fail = [&](SMLoc Place, const Twine &Message) {
    S.LaunchDiags->error(Place, Message);
    AllThere = false;
  };
  for (const auto &[Name, Spec] : Entry.Buffers) {
    // Not only after the run that it is for.
    if (Spec.Expect && !Spec.Expect->File.empty()) {
      const uint64_t Bytes =
          Spec.Count * bufferElementBytes(Spec.Type).value_or(1);
      if (Error Err = BufferFile(Spec, Bytes, Spec.Expect->File, Folder).open())
        Fail(Spec.Expect->FilePlace,
             "buffer '" + Name + "': " + toString(std::move(Err)));
    }
    if (Error Err = E.addBuffer(Name, Spec, Folder)) {
      Fail(Spec.placeOfFill(), toString(std::move(Err)));
      continue;
    }
    BufferReport &B = Out.Buffers.emplace_back();
    B.Name = Name;
    B.Type = Spec.Type;
    B.Count = Spec.Count;
    B.IsChecked = Spec.Expect.has_value();
  }
  return AllThere;
}

bool Emulator::checkBuffers(const LaunchFileEntry &Entry, Emulation &E,
                            EmulatedKernel &Out) {
  Expected<std::vector<BufferFailure>> Failures = E.checkBuffers();
  if (!Failures) {
    S.LaunchDiags->error(Entry.Place, toString(Failures.takeError()));
    return false;
  }
  auto Wrong =
      std::make_unique<DiagnosticEngine>(llvm::MemoryBuffer::getMemBuffer(
          "", S.LaunchDiags->path())); // so that its messages name the file
  for (const BufferFailure &F : *Failures) {
    auto It = llvm::find_if(
        Out.Buffers, [&](const BufferReport &B) { return B.Name == F.Buffer; });
    It->NumMismatches = F.Count;
    It->Index = F.Index;
    It->Got = F.Got;
    It->Want = F.Want;
    const BufferSpec &Spec = Entry.Buffers.find(F.Buffer)->second;
    Wrong->add(S.LaunchDiags->make(
        Severity::Error, Spec.ExpectPlace,
        "buffer '" + F.Buffer + "': element " + Twine(F.Index) + " is " +
            F.Got + ", expected " + F.Want + "; " + Twine(F.Count) + " of " +
            Twine(Spec.Count) + " elements " + (F.Count == 1 ? "is" : "are") +
            " wrong [expect]"));
  }
  S.Findings.push_back(std::move(Wrong));
  return true;
}

std::optional<EmulatedKernel> Emulator::emulate(const Job &J) {
  const InstructionGraph &Kernel = *J.Kernel;
  Input &In = S.Inputs[J.Input];
  auto Fail = [&](const Twine &Message) {
    In.Diags->error(placeOf(Kernel, *In.Diags),
                    "kernel '" + Kernel.Name + "' cannot run: " + Message);
    return std::nullopt;
  };
  Expected<const Device *> Target = S.Registry.find(
      representativeDevice(In.Parsed->module().targetCapability()));
  if (!Target)
    return Fail(toString(Target.takeError()));
  KernelPipeline Pipeline(Kernel, **Target);
  if (Pipeline.failed())
    return std::nullopt;
  KernelNames Names(Kernel.Name);
  AnalysisRequest Request;
  Request.Launch = S.specFor(Names);
  std::vector<Assumption> Assumptions;
  LaunchConfig Launch = resolveLaunch(Kernel, Request.Launch, Assumptions);
  if (std::string Why = whyNoLaunch(Launch, Kernel.Bounds, **Target);
      !Why.empty())
    return Fail(Why);

  EmulatedKernel Out;
  Out.Input = J.Input;
  EmulationOptions Run = Options.Run;
  Run.Jobs = S.Options.Jobs;
  if (Options.OnProgress)
    Run.OnProgress = [&](uint64_t Done, uint64_t All) {
      Options.OnProgress(Names.Short, Done, All);
    };
  Emulation E(Kernel, Launch, std::move(Run));
  const LaunchFileEntry *Entry = S.Launches.find(Names.all());
  if (Entry && !addBuffers(*Entry, E, Out))
    return std::nullopt;
  auto Start = std::chrono::steady_clock::now();
  Expected<EmulationResult> Result = E.run();
  if (!Result)
    return Fail(toString(Result.takeError()));
  Out.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();

  Out.Printed = std::move(Result->Printed);
  Out.Interrupted = Result->Interrupted;
  Out.Profile = std::move(Result->Profile);
  for (const auto &[Index, A] : Launch.Args)
    if (A.Kind == ArgumentValue::KindTy::Integer ||
        A.Kind == ArgumentValue::KindTy::Float)
      Out.Profile.Args[Index] = A;
  for (const auto &[Place, P] : Launch.Parts)
    if (P.isNumber())
      Out.Profile.Parts[std::to_string(Place.first) + "+" +
                        std::to_string(Place.second) + ":" + P.Type] = P.Value;
  if (Out.Profile.Warps != 0)
    Request.Profile = &Out.Profile;
  Out.Characteristics = Pipeline.analyze(Request);

  if (Result->UncheckedWarps)
    In.Diags->warning(
        placeOf(Kernel, *In.Diags),
        "kernel '" + Kernel.Name +
            "': --check looks for no race, missing wait or missing fence in a "
            "cluster of " +
            Twine(Result->UncheckedWarps) + " warps; it follows at most " +
            Twine(EmulationResult::MostCheckedWarps) +
            ", as a smaller --cluster or --block makes them");
  Out.IsChecked = Options.Run.Check;
  Out.RacesAreChecked = Result->UncheckedWarps == 0;
  EmulationMessages Messages(*In.Diags, S.Sources);
  for (const EmulationProblem &P : Result->Problems)
    Out.Problems.push_back(Messages.describe(P, Kernel));
  if (Result->Fault)
    Out.Fault = Messages.describe(*Result->Fault, Kernel);
  S.Findings.push_back(Messages.take());

  bool Ended = !Out.Fault && !Out.Interrupted && !Out.Profile.isPartial();
  if (Entry && Ended && !checkBuffers(*Entry, E, Out))
    return std::nullopt;
  if (!Ended)
    for (BufferReport &B : Out.Buffers)
      B.IsChecked = false;
  for (const std::string &Name : Options.Buffers)
    if (Entry && Entry->Buffers.count(Name) && Options.OnBuffer)
      Options.OnBuffer(Name, E.buffer(Name));
  return Out;
}

EmulationReport Emulator::run() {
  EmulationReport R;
  if (StringRef Path = S.characteristicsInput(); !Path.empty()) {
    S.General.error(
        SMLoc(),
        Path +
            " holds characteristics, not code; run the PTX that they describe");
    return R;
  }
  for (const Input &In : S.Inputs) {
    const Module &M = In.Parsed->module();
    R.Inputs.push_back({In.Diags->path().str(), M.Frontend, M.ISAVersion.str(),
                        M.Target.str(), hashText(In.Diags->text())});
  }
  std::vector<Job> Jobs = chooseKernels();
  for (Job &J : Jobs)
    J.Entry = entryOf(J);
  S.dropRefused(Jobs);
  if (checkOptions(Jobs))
    for (const Job &J : Jobs) {
      if (Options.Run.Interrupt && Options.Run.Interrupt->load())
        break;
      if (std::optional<EmulatedKernel> K = emulate(J)) {
        K->Profile.InputHash = R.Inputs[J.Input].Hash;
        R.Kernels.push_back(std::move(*K));
      }
    }
  for (const auto &Engines : {&S.Engines, &S.Findings})
    for (const auto &E : *Engines)
      llvm::append_range(R.Diagnostics, E->diagnostics());
  return R;
}

EmulationReport Driver::emulate(const EmulateOptions &Options) {
  return Emulator(*State, Options).run();
}
