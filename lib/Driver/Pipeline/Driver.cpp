//===- Driver.cpp - From input files to predictions -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "DriverImpl.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "ptxpredict/Driver/Inputs/EmbeddedCode.h"
#include "ptxpredict/Driver/Inputs/FatbinText.h"
#include "ptxpredict/Launch/BufferFile.h"
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// The model that answers unless --model says otherwise.
static constexpr StringRef DefaultModel = "bottleneck";

Driver::Driver(DriverOptions Options)
    : State(std::make_unique<Impl>(std::move(Options))) {}
Driver::~Driver() = default;

DiagnosticEngine &Driver::Impl::open(StringRef Path,
                                     std::unique_ptr<llvm::MemoryBuffer> Text) {
  Engines.push_back(std::make_unique<DiagnosticEngine>());
  DiagnosticEngine &Diags = *Engines.back();
  if (Text)
    Diags.setBuffer(std::move(Text));
  else
    (void)readInputFile(Path, Diags); // callers ask the engine
  if (llvm::is_contained(Options.ProjectFiles, Path))
    Diags.hideLines();
  return Diags;
}

bool Driver::Impl::prepareKernels() {
  for (const std::string &Text : Options.KernelGlobs) {
    Expected<OwnedGlob> Glob = OwnedGlob::create(Text);
    if (!Glob) {
      General.error(SMLoc(), "--kernel: " + llvm::toString(Glob.takeError()));
      return false;
    }
    Globs.push_back({std::move(*Glob)});
  }
  return true;
}

bool Driver::Impl::prepareDevices() {
  for (const std::string &Path : Options.DeviceFiles) {
    DiagnosticEngine &Diags = open(Path);
    if (Diags.hasErrors() || Registry.addFile(Diags))
      return false;
  }
  for (const std::string &Asked : Options.Devices)
    for (const std::string &Name :
         Asked == "all" ? Registry.names() : std::vector{Asked}) {
      Expected<const Device *> D = Registry.find(Name);
      if (!D) {
        General.error(SMLoc(), "--device: " + llvm::toString(D.takeError()));
        return false;
      }
      if (std::string Taken = takenInPlace(Name, **D); !Taken.empty())
        General.note(SMLoc(), "--device=" + Twine(Name) + ": " + Taken);
      if (!llvm::is_contained(Devices, *D))
        Devices.push_back(*D);
    }
  return true;
}

bool ptxpredict::findModels(ArrayRef<std::string> Names,
                            DiagnosticEngine &Diags,
                            std::vector<const Model *> &Models) {
  for (StringRef Asked : Names)
    for (StringRef Name : Asked == "all" ? modelNames() : ArrayRef(Asked)) {
      const Model *M = findModel(Name);
      if (!M) {
        std::vector<StringRef> Known{"all"};
        llvm::append_range(Known, modelNames());
        Diags.error(SMLoc(), "--model: there is no model '" + Name + "'" +
                                 meantOrListed(Name, Known));
        return false;
      }
      if (!llvm::is_contained(Models, M))
        Models.push_back(M);
    }
  return true;
}

bool Driver::Impl::prepareModels() {
  std::vector<std::string> Names = Options.Models;
  if (Names.empty())
    Names.push_back(DefaultModel.str());
  return findModels(Names, General, Models);
}

bool Driver::Impl::isDataInProject() {
  for (const LaunchFileEntry &Entry : Launches.Launches)
    for (const auto &[Name, Buffer] : Entry.Buffers) {
      const BufferFill &Fill = Buffer.Fill;
      if (!Fill.File.empty() &&
          !isInProject(
              BufferFile::pathOf(Fill.File, llvm::sys::path::parent_path(
                                                Options.LaunchFilePath)),
              Options.ProjectRoot))
        LaunchDiags->error(
            Fill.FilePlace,
            "the file is outside of the project '" + Options.ProjectRoot +
                "', which brings this launch file; name that with --launch to "
                "trust it");
    }
  return !LaunchDiags->hasErrors();
}

bool Driver::Impl::prepareLaunches() {
  if (Options.LaunchFilePath.empty())
    return true;
  LaunchDiags = &open(Options.LaunchFilePath);
  if (LaunchDiags->hasErrors() || parseLaunchFile(*LaunchDiags, Launches))
    return false;
  return !llvm::is_contained(Options.ProjectFiles, Options.LaunchFilePath) ||
         isDataInProject();
}

bool Driver::prepare() {
  Impl &S = *State;
  if (!S.prepareLaunches())
    return false;
  if (!S.Options.ProfilePath.empty()) {
    DiagnosticEngine &Diags = S.open(S.Options.ProfilePath);
    S.ProfileDiags = &Diags;
    if (Diags.hasErrors() || readProfile(Diags, S.Profiles))
      return false;
  }
  if (!S.Options.CountersPath.empty()) {
    DiagnosticEngine &Diags = S.open(S.Options.CountersPath);
    S.CountersDiags = &Diags;
    if (Diags.hasErrors() ||
        readCounters(Diags, S.Options.LaunchIndex, S.Counters))
      return false;
  }
  if (!S.Options.PtxasInfoPath.empty()) {
    DiagnosticEngine &Diags = S.open(S.Options.PtxasInfoPath);
    if (Diags.hasErrors() || parsePtxasInfo(Diags, S.Log))
      return false;
  }
  if (S.Options.Via && !S.Options.Via->OnlyNearSteps) {
    Expected<Ptxas> Found = Ptxas::find(S.Options.Via->Path);
    if (!Found) {
      S.General.error(SMLoc(), llvm::toString(Found.takeError()));
      return false;
    }
    S.Assembler = std::move(*Found);
  }
  return S.prepareKernels() && S.prepareDevices() && S.prepareModels() &&
         S.prepareSweeps();
}

ArrayRef<const Device *> Driver::devices() const { return State->Devices; }

ArrayRef<const Model *> Driver::models() const { return State->Models; }

Expected<const Device *> Driver::findDevice(StringRef Name) {
  return State->Registry.find(Name);
}

ReadOptions Driver::Impl::readOptions(ReadOptions Result) const {
  if (Result.ComputeCapability == 0 && Devices.size() == 1 &&
      !Devices.front()->IsCPU)
    Result.ComputeCapability = Devices.front()->ComputeCapability;
  return Result;
}

using Modules = std::vector<std::unique_ptr<llvm::MemoryBuffer>>;

std::optional<Modules> Driver::Impl::modulesOf(DiagnosticEngine &Diags,
                                               const ReadOptions &Options) {
  if (isFatbinText(Diags.text())) {
    Expected<Modules> Found = splitFatbinText(Diags.text(), Diags.path());
    if (Found)
      return std::move(*Found);
    Diags.error(SMLoc(), llvm::toString(Found.takeError()));
    return Modules();
  }
  if (!isMachineCode(Diags.text()))
    return std::nullopt;
  EmbeddedCode Found =
      findEmbeddedCode(Diags.text(), Diags.path(),
                       {Options.ComputeCapability, Options.LowerToSASS});
  for (const std::string &Why : Found.Problems)
    Diags.error(SMLoc(), Why);
  if (!Found.Note.empty())
    Diags.note(SMLoc(), Found.Note);
  else if (Found.Modules.empty() && Found.Problems.empty() &&
           findFrontend(Diags)) // which says why not, unless it is a cubin
    return std::nullopt;
  return std::move(Found.Modules);
}

bool Driver::Impl::assemble(DiagnosticEngine *&Diags,
                            std::unique_ptr<ParsedInput> &Parsed) {
  const Module &M = Parsed->module();
  const std::optional<StringRef> Text = Parsed->ptx(*Diags);
  if (!Text)
    return !Diags->hasErrors(); // machine code already
  if (!Assembler) {
    Diags->error(SMLoc(), "--lower=sass needs machine code, or --via=ptxas, "
                          "which makes it of PTX");
    return false;
  }
  const unsigned Capability = M.targetCapability();
  const std::string Architecture = architectureFor(
      M.Target, Capability,
      Devices.size() == 1 ? Devices.front()->ComputeCapability : Capability);
  std::optional<std::string> Cubin =
      assembleVia(*Assembler, *Text, Architecture, *Diags, General);
  if (!Cubin)
    return false;
  Diags = &open(Diags->path(),
                llvm::MemoryBuffer::getMemBufferCopy(*Cubin, Diags->path()));
  const Frontend *Reader = findFrontend(*Diags);
  Parsed = Reader ? Reader->read(*Diags, Options.Read) : nullptr;
  return Parsed != nullptr;
}

std::vector<const ParsedInput *> Driver::readAll(ArrayRef<std::string> Paths) {
  std::vector<DriverInput> Inputs;
  for (const std::string &Path : Paths)
    Inputs.push_back({Path});
  return readAll(std::move(Inputs));
}

/// Lines of machine code are those of its listing.
static void listMachineCode(DiagnosticEngine &Diags) {
  Diags.setListing([&Diags] {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    auto ShowsAll = [](StringRef) { return true; };
    ListingRequest All;
    All.Shows = ShowsAll;
    (void)printCodeListing({Diags.path(), Diags.text()}, All, OS);
    return Text;
  });
}

std::vector<const ParsedInput *>
Driver::readAll(std::vector<DriverInput> Given) {
  Impl &S = *State;
  struct Job {
    DiagnosticEngine *Diags;
    ReadOptions Options;
    const Frontend *Reader = nullptr; ///< null unless it can be read
    std::unique_ptr<ParsedInput> Parsed = nullptr;
    std::vector<KernelCharacteristics> Kernels = {};
    bool IsCode = true, Failed = false;
  };
  auto Read = [&](Job &J) { J.Parsed = J.Reader->read(*J.Diags, J.Options); };
  for (const DriverInput &In : Given)
    sendElsewhereByName(In.Path);
  std::vector<Job> Jobs;
  std::vector<size_t> Compiled;
  Jobs.reserve(Given.size());
  for (DriverInput &In : Given) {
    StringRef Path = In.Path;
    Job &J = Jobs.emplace_back(
        Job{&S.open(Path, std::move(In.Text)),
            S.readOptions(In.Read ? *In.Read : S.Options.Read)});
    S.InputEngines.push_back(J.Diags);
    if (J.Diags->hasErrors())
      continue;
    if (std::optional<Modules> Several = S.modulesOf(*J.Diags, J.Options)) {
      const ReadOptions Options = J.Options;
      if (Several->empty())
        continue;      // reported
      Jobs.pop_back(); // J's engine stands for the file as a whole
      for (std::unique_ptr<llvm::MemoryBuffer> &Module : *Several) {
        Job &Of = Jobs.emplace_back(
            Job{&S.open(In.Path, std::move(Module)), Options});
        Of.Reader = findFrontend(*Of.Diags);
        if (Of.Reader)
          Read(Of);
      }
      continue;
    }
    if (isCharacteristicsFile(Path, J.Diags->text())) {
      J.IsCode = false;
      J.Failed = readCharacteristics(*J.Diags, J.Kernels);
      continue;
    }
    J.Reader = findFrontend(*J.Diags);
    if (J.Reader && looksLikeSource(Path))
      Compiled.push_back(Jobs.size() - 1);
    else if (J.Reader)
      Read(J);
  }
  forEachInParallel(Compiled.size(), numThreads(S.Options.Jobs),
                    [&](size_t N) { Read(Jobs[Compiled[N]]); });
  for (Job &J : Jobs)
    if (J.Parsed && J.Options.LowerToSASS && !S.assemble(J.Diags, J.Parsed))
      J.Parsed.reset();

  std::vector<const ParsedInput *> Inputs;
  for (Job &J : Jobs) {
    if (J.Failed || (J.IsCode && !J.Parsed)) {
      S.AnyInputFailed = true;
      continue;
    }
    if (J.Parsed && J.Parsed->module().Frontend == FrontendKind::SASS)
      listMachineCode(*J.Diags);
    S.Inputs.push_back({J.Diags, std::move(J.Parsed), std::move(J.Kernels)});
    if (J.IsCode)
      Inputs.push_back(S.Inputs.back().Parsed.get());
  }
  return Inputs;
}

const ParsedInput *Driver::read(StringRef Path) {
  std::vector<const ParsedInput *> Inputs = readAll(Path.str());
  return Inputs.empty() ? nullptr : Inputs.front();
}

void Driver::add(std::unique_ptr<ParsedInput> Parsed, StringRef Path) {
  State->Engines.push_back(std::make_unique<DiagnosticEngine>(
      llvm::MemoryBuffer::getMemBuffer("", Path)));
  State->Inputs.push_back({State->Engines.back().get(), std::move(Parsed)});
}

std::vector<const InstructionGraph *> Driver::selectKernels(const Module &M) {
  std::vector<const InstructionGraph *> Kernels;
  for (const auto &G : M.Functions)
    if (G->IsKernel && State->selects(KernelNames(G->Name)))
      Kernels.push_back(G.get());
  return Kernels;
}

bool Driver::Impl::selects(const KernelNames &Names) {
  bool Any = Globs.empty();
  for (Glob &G : Globs)
    if (Names.matches(G.Pattern))
      Any = G.Matched = true;
  return Any;
}

std::vector<const DiagnosticEngine *> Driver::diagnostics() const {
  std::vector<const DiagnosticEngine *> All{&State->General};
  for (const auto &E : State->Engines)
    All.push_back(E.get());
  return All;
}

ArrayRef<const DiagnosticEngine *> Driver::inputDiagnostics() const {
  return State->InputEngines;
}

std::vector<const DiagnosticEngine *> Driver::refusals() const {
  std::vector<const DiagnosticEngine *> All;
  for (const auto &[Input, E] : State->Refusals)
    All.push_back(E);
  return All;
}

const DiagnosticEngine *
Driver::refusalsOf(const DiagnosticEngine &Input) const {
  return State->Refusals.lookup(&Input);
}

std::vector<const DiagnosticEngine *> Driver::findings() const {
  std::vector<const DiagnosticEngine *> All;
  for (const auto &E : State->Findings)
    All.push_back(E.get());
  return All;
}

std::string ptxpredict::hashText(StringRef Text) {
  llvm::SHA256 Hash;
  Hash.update(Text);
  return llvm::toHex(Hash.final(), /*LowerCase=*/true);
}

bool Driver::hasUsageErrors() const {
  return State->General.hasErrors() ||
         (State->LaunchDiags && State->LaunchDiags->hasErrors()) ||
         (State->ProfileDiags && State->ProfileDiags->hasErrors()) ||
         (State->CountersDiags && State->CountersDiags->hasErrors());
}

bool Driver::usesCounters() const { return State->UsesCounters; }

bool Driver::hasErrors() const {
  return llvm::any_of(diagnostics(),
                      [](const DiagnosticEngine *E) { return E->hasErrors(); });
}
