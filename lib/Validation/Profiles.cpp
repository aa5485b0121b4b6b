//===- Profiles.cpp - What profilers wrote, as datasets -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A profile names its kernels and says how they were launched. Their code is
// found by name; what the launch does not say, such as arguments, is in a
// launch file. From there on its rows are rows of a dataset.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Validation/Validate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

/// A glob that matches \p Name alone.
static std::string globOf(StringRef Name) {
  std::string Glob;
  for (char C : Name) {
    if (StringRef("*?[]{}\\^!").contains(C))
      Glob += '\\';
    Glob += C;
  }
  return Glob;
}

static std::string capabilityText(const Device &D) {
  return std::to_string(D.ComputeCapability / 10) + "." +
         std::to_string(D.ComputeCapability % 10);
}

bool Validator::readProfiledCode() {
  if (Options.Code.empty()) {
    General.error(SMLoc(), "a profile needs the code of its kernels: name its "
                           "files behind it, such as kernel.ptx");
    return false;
  }
  for (const std::string &Path : Options.Code) {
    const CodeFile File(Path, Devices);
    for (std::string &Name : File.kernelNames())
      ProfiledCode.push_back({std::move(Name), Path});
    if (!File.messages().hasErrors())
      continue;
    DiagnosticEngine &Own =
        *Engines.emplace_back(std::make_unique<DiagnosticEngine>());
    Own.setBuffer(llvm::MemoryBuffer::getMemBufferCopy("", Path));
    for (const Diagnostic &D : File.messages().diagnostics())
      Own.add(D);
  }
  if (!Options.Device.empty())
    if (Expected<const Device *> Asked = Devices.find(Options.Device); !Asked)
      General.error(SMLoc(), "--device: " + llvm::toString(Asked.takeError()));
  if (!Options.LaunchFile.empty())
    (void)readLaunches(Options.LaunchFile, General, SMLoc());
  return !hasErrors();
}

const Device *Validator::deviceOf(const ProfiledKernel &K,
                                  DiagnosticEngine &Diags) {
  const SMLoc Place = K.DevicePlace.isValid() ? K.DevicePlace : K.Place;
  const StringRef Written = profiledDeviceName(K.Device);
  const Device *Measured = nullptr;
  if (Expected<const Device *> Known = Registry.findWhole(Written))
    Measured = *Known;
  else
    llvm::consumeError(Known.takeError());
  if (Options.Device.empty()) {
    if (Measured)
      return Measured;
    std::string Text = "the profile does not name the device";
    if (!K.Capability.empty()) {
      const std::vector<std::string> All = Registry.names();
      std::vector<StringRef> Likely;
      for (const std::string &Name : All)
        if (capabilityText(*llvm::cantFail(Devices.find(Name))) == K.Capability)
          Likely.emplace_back(Name);
      Text = "of compute capability " + K.Capability + " there are " +
             listNames(Likely);
    } else if (!Written.empty()) {
      Text = "no device named '" + Written.str() + "' is known";
    }
    Diags.error(Place, Text + "; choose the device with --device");
    return nullptr;
  }
  const Device *Asked = llvm::cantFail(Devices.find(Options.Device));
  std::string Other;
  if (Measured && Measured->Name != Asked->Name)
    Other = Measured->Name;
  else if (!K.Capability.empty() && K.Capability != capabilityText(*Asked))
    Other = "compute capability " + K.Capability;
  if (Other.empty())
    return Asked;
  Diags.error(Place, "this was measured on " + Other + ", --device says " +
                         Asked->Name);
  return nullptr;
}

/// Of a kernel's entries that of this launch; the first one if none is.
static size_t entryOf(ArrayRef<const LaunchFileEntry *> Entries,
                      const ProfiledKernel &K) {
  auto Fits = [](const std::optional<Dim3> &A, const std::optional<Dim3> &B) {
    return !A || !B || *A == *B;
  };
  const auto *It = llvm::find_if(Entries, [&](const LaunchFileEntry *E) {
    return Fits(E->Spec.Grid, K.Grid) && Fits(E->Spec.Block, K.Block);
  });
  return It == Entries.end() ? 0 : size_t(It - Entries.begin());
}

void Validator::setLaunch(const ProfiledKernel &K, const TraceCode &Of,
                          ValidatedPoint &P) {
  P.Launch.Grid = K.Grid;
  P.Launch.Block = K.Block;
  P.Launch.DynamicSharedBytes = K.DynamicSharedBytes;
  P.Compiled.Registers = K.Registers;
  if (Options.LaunchFile.empty())
    return;
  const KernelNames Names(Of.Kernel);
  const auto Entries =
      LaunchFiles.find(Options.LaunchFile)->second.File.findAll(Names.all());
  if (Entries.empty())
    return;
  P.LaunchFile = Options.LaunchFile;
  const size_t Entry = entryOf(Entries, K);
  P.LaunchEntry = Entry + 1;
  // What neither says is not assumed.
  P.Launch.Grid = K.Grid ? K.Grid : Entries[Entry]->Spec.Grid;
  P.Launch.Block = K.Block ? K.Block : Entries[Entry]->Spec.Block;
}

/// The entries of the kernels whose code is there, by their names in the
/// profile; what only nearly is, is a warning.
static std::map<StringRef, const TraceCode *>
findCode(const Profile &Read, ArrayRef<TraceCode> Code, Dataset &About,
         DiagnosticEngine &Diags) {
  const TraceCodeFinder Finder(Code);
  std::map<StringRef, const TraceCode *> Found;
  for (const ProfiledKernel &K : Read.Kernels) {
    auto [It, IsNew] = Found.try_emplace(K.Name, nullptr);
    if (!IsNew)
      continue;
    bool Near = false;
    It->second = Finder.find(K.Name, Near);
    if (!It->second) {
      if (Near)
        Diags.warning(K.Place, "the code has a kernel of this name with other "
                               "arguments, or several");
      continue;
    }
    DatasetKernel &Entry = About.Kernels.emplace_back();
    Entry.Place = K.Place;
    Entry.Name = KernelNames(It->second->Kernel).Short;
    Entry.Kind = datasetKinds().back().str();
    Entry.Glob = {globOf(It->second->Kernel), K.Place};
  }
  return Found;
}

void Validator::addProfiled(const ProfiledKernel &K, const TraceCode &Of,
                            ValidatedDataset &D, DiagnosticEngine &Diags) {
  const std::string Glob = globOf(Of.Kernel);
  const DatasetKernel &Entry =
      *llvm::find_if(D.About.Kernels, [&](const DatasetKernel &E) {
        return E.Glob.Text == Glob;
      });
  if (!Options.Only.empty() && !llvm::is_contained(Options.Only, Entry.Name)) {
    ++D.Rows.NotAsked;
    return;
  }
  const auto [On, IsNew] =
      ProfiledDevices.try_emplace({K.Device, K.Capability}, nullptr);
  if (IsNew)
    On->second = deviceOf(K, Diags);
  if (!On->second)
    return; // reported
  ValidatedPoint P;
  setLaunch(K, Of, P);
  if (!P.Launch.Grid || !P.Launch.Block) {
    Diags.error(K.Place,
                "the profile does not say the grid and the block of '" +
                    K.Name + "'; a launch file may: --launch");
    return;
  }
  P.Row = Report.Points.size();
  P.Kernel = &Entry;
  P.Device = On->second->Name;
  P.TimeUs = K.TimeUs;
  P.CoreMHz = K.CoreMHz;
  P.Counters = K.Counters;
  P.MoreCounters = K.MoreCounters;
  P.Code = Of.File;
  P.Launches = K.Launches;
  finish(P, K.Place, Diags);
  Report.Points.push_back(std::move(P));
  ++D.NumPoints;
}

bool Validator::prepareProfile(StringRef Path) {
  DiagnosticEngine &Diags = open(Path);
  DatasetEngines.push_back(&Diags);
  TableEngines.push_back(&Diags);
  ValidatedDataset &D = Report.Datasets.emplace_back();
  Profile Read;
  if (Diags.hasErrors() || readProfile(Diags, Read))
    return false;
  D.Path = Path.str();
  D.IsProfile = true;
  D.About.Name = llvm::sys::path::stem(Path).str();
  D.About.Title = "kernels of a profile";
  D.About.Source = ("measured by " + Read.Program).str();
  D.About.CSV.Text = llvm::sys::path::filename(Path).str();
  for (const ValidatedDataset &Other : Report.Datasets)
    if (&Other != &D && Other.About.Name == D.About.Name)
      Diags.error(SMLoc(), "'" + Other.Path + "' has the name '" +
                               D.About.Name + "', too");

  const auto Code = findCode(Read, ProfiledCode, D.About, Diags);
  if (D.About.Kernels.empty()) {
    std::vector<StringRef> Measured, There;
    for (const auto &Entry : Code)
      Measured.push_back(Entry.first);
    for (const TraceCode &C : ProfiledCode)
      There.emplace_back(C.Kernel);
    Diags.error(Read.Kernels.front().Place,
                "no kernel of this profile is in the code: it has " +
                    listNames(Measured) + ", the code has " + listNames(There));
    return false;
  }
  if (!Read.ClocksAreKnown)
    Diags.note(
        Read.Kernels.front().Place,
        "the profile has no core clock, so that of the device is taken, but "
        "ncu holds the clock at its base; it counts cycles with " +
            howToCollect(Counter::Cycles));

  for (const ProfiledKernel &K : Read.Kernels)
    if (const TraceCode *Of = Code.find(K.Name)->second)
      addProfiled(K, *Of, D, Diags);
    else
      ++D.Rows.NoKernel;
  return !Diags.hasErrors();
}
