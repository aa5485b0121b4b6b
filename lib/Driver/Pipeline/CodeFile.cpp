//===- CodeFile.cpp - Code read once, asked launch by launch --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/CodeFile.h"
#include "LaunchLimits.h"
#include "UnknownLabels.h"
#include "ptxpredict/Characteristics/ArgumentTargets.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

Expected<const Device *> SharedDevices::find(StringRef Name) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Registry.find(Name);
}

CodeFile::CodeFile(StringRef Path, SharedDevices &Devices)
    : Diags(std::make_unique<DiagnosticEngine>()), Devices(Devices) {
  if (readInputFile(Path, *Diags)) {
    Failed = true;
  } else if (isCharacteristicsFile(Path, Diags->text())) {
    Failed = readCharacteristics(*Diags, Kernels);
  } else {
    const Frontend *F = findFrontend(*Diags);
    Parsed = F ? F->read(*Diags, {}) : nullptr;
    Failed = !Parsed;
  }
}

static Error problem(const Twine &Message) {
  return llvm::createStringError(Message);
}

/// The place of the only name that \p Glob matches.
static Expected<size_t> choose(StringRef Text, ArrayRef<StringRef> Mangled) {
  Expected<OwnedGlob> Glob = OwnedGlob::create(Text);
  if (!Glob)
    return Glob.takeError();
  std::vector<KernelNames> Kernels;
  std::vector<size_t> Found;
  for (auto [Number, Name] : llvm::enumerate(Mangled))
    if (Kernels.emplace_back(Name).matches(*Glob))
      Found.push_back(Number);
  if (Found.size() == 1)
    return Found.front();
  if (Found.empty())
    return problem(noKernelMatches(Text, Kernels));
  std::vector<StringRef> Names;
  Names.reserve(Kernels.size());
  for (const KernelNames &K : Kernels)
    Names.emplace_back(K.Short);
  return problem(Twine(Found.size()) + " kernels match '" + Text +
                 "'; there are " + listNames(Names));
}

/// That \p Launch asks for nothing that \p K is not of.
static Error checkLaunch(const KernelCharacteristics &K,
                         const LaunchSpec &Launch) {
  auto Check = [](const std::optional<Dim3> &Asked, const Dim3 &Has,
                  StringRef What) -> Error {
    if (!Asked || *Asked == Has)
      return Error::success();
    return problem("characteristics are of " + What + " " + toString(Has) +
                   ", not " + toString(*Asked));
  };
  if (Error E = Check(Launch.Grid, K.Launch.Grid, "grid"))
    return E;
  return Check(Launch.Block, K.Launch.Block, "block");
}

std::vector<StringRef>
CodeFile::names(std::vector<const InstructionGraph *> &Graphs) const {
  std::vector<StringRef> Names;
  Names.reserve(Kernels.size());
  for (const KernelCharacteristics &K : Kernels)
    Names.emplace_back(K.Name);
  if (Parsed)
    for (const auto &G : Parsed->module().Functions)
      if (G->IsKernel) {
        Graphs.push_back(G.get());
        Names.push_back(G->Name);
      }
  return Names;
}

std::vector<std::string> CodeFile::kernelNames() const {
  std::vector<const InstructionGraph *> Graphs;
  std::vector<std::string> Result;
  for (StringRef Name : names(Graphs))
    Result.push_back(Name.str());
  return Result;
}

Expected<std::string> CodeFile::kernelName(StringRef Glob) const {
  std::vector<const InstructionGraph *> Graphs;
  const std::vector<StringRef> Names = names(Graphs);
  Expected<size_t> Chosen = choose(Glob, Names);
  if (!Chosen)
    return Chosen.takeError();
  return Names[*Chosen].str();
}

Expected<std::shared_ptr<const KernelCharacteristics>>
CodeFile::analyze(StringRef Glob, const LaunchSpec &Launch,
                  const CompiledKernel &Compiled,
                  std::vector<LabelWarning> &Warnings, SMLoc *ErrorPlace) {
  AnalysisRequest Request;
  Request.Launch = Launch;
  Request.Compiled = Compiled;
  std::vector<const InstructionGraph *> Graphs;
  const std::vector<StringRef> Names = names(Graphs);
  Expected<size_t> Chosen = choose(Glob, Names);
  if (!Chosen)
    return Chosen.takeError();
  if (!Parsed) {
    const KernelCharacteristics &Read = Kernels[*Chosen];
    if (Error E = checkLaunch(Read, Launch))
      return E;
    Expected<const Device *> Target =
        Devices.find(representativeDevice(targetCapability(Read.Code.Target)));
    if (!Target)
      return Target.takeError();
    return KernelPipeline(Read, **Target).analyze(Request);
  }

  const Module &M = Parsed->module();
  const InstructionGraph &Kernel = *Graphs[*Chosen];
  auto NoParameter = [&Kernel](StringRef Name) {
    std::vector<StringRef> Parameters;
    addParameterNames(Kernel, Parameters);
    return problem("the kernel has no parameter '" + Name + "'" +
                   meantOrListed(Name, Parameters));
  };
  for (const ArgumentProblem &P :
       findArgumentProblems(Launch.Args, &Kernel, "the kernel has no")) {
    if (ErrorPlace)
      *ErrorPlace = P.Argument->Place;
    return problem(P.Message);
  }
  for (const PointedBuffer &B : Launch.Buffers) {
    std::optional<unsigned> Index = parameterIndex(Kernel, B.Parameter);
    if (!Index)
      return NoParameter(B.Parameter);
    const Parameter &P = Kernel.Parameters[*Index];
    if (B.Offset + Kernel.Parent->AddressBits / 8 > P.Bytes)
      return problem("the kernel's parameter '" + B.Parameter +
                     "' has no pointer at byte " + Twine(B.Offset) +
                     ": it has " + Twine(P.Bytes) + " bytes");
  }
  if (LaunchRefusal No = refuseLaunch(Launch, Kernel.Bounds);
      !No.Reason.empty())
    return problem("the kernel cannot run: " + No.Reason);
  Expected<const Device *> Target =
      Devices.find(representativeDevice(targetCapability(M.Target)));
  if (!Target)
    return Target.takeError();

  KernelPipeline Pipeline(Kernel, **Target);
  if (Pipeline.failed())
    return problem("the kernel's code cannot be read");
  std::shared_ptr<const KernelCharacteristics> K = Pipeline.analyze(Request);
  const KernelCharacteristics *Analyzed = K.get();
  for (ArrayRef<UnknownLabel> Unknown :
       {findUnknownLoops(keysOf(Launch.TripCounts), Analyzed),
        findUnknownBranches(keysOf(Launch.BranchProbabilities), Analyzed)})
    for (const UnknownLabel &L : Unknown)
      Warnings.push_back({L.Key.str(), "there is no " + L.Text});
  return K;
}
