//===- KernelCases.cpp - Kernels with their launches ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelCases.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/KernelNames.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::measure;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string join(StringRef Folder, const llvm::Twine &Name) {
  llvm::SmallString<256> Path(Folder);
  path::append(Path, Name);
  return Path.str().str();
}

/// Files of a folder with that extension, by name.
static std::vector<std::string> filesIn(StringRef Folder, StringRef Extension) {
  std::vector<std::string> Files;
  std::error_code EC;
  for (fs::directory_iterator It(Folder, EC), End; !EC && It != End;
       It.increment(EC))
    if (path::extension(It->path()) == Extension)
      Files.push_back(It->path());
  std::sort(Files.begin(), Files.end());
  return Files;
}

/// NAME.ptx, or the newest NAME.sm_90.ptx that the device runs; empty without.
static std::string findCode(StringRef Folder, StringRef Stem,
                            unsigned Capability) {
  std::string Best;
  for (const std::string &File : filesIn(Folder, ".ptx")) {
    auto [Name, Target] = path::stem(File).split(".sm_");
    if (Name != Stem)
      continue;
    if (Target.empty() ? Best.empty()
                       : runsOn(("sm_" + Target).str(), Capability))
      Best = File;
  }
  return Best;
}

/// True on error (printed).
static bool read(KernelFiles &Files, const std::string &LaunchPath) {
  auto Failed = [](const DiagnosticEngine &Diags) {
    Diags.print(llvm::errs(), /*Colors=*/false);
    return true;
  };
  if (readInputFile(LaunchPath, Files.LaunchMessages) ||
      parseLaunchFile(Files.LaunchMessages, Files.File))
    return Failed(Files.LaunchMessages);
  if (readInputFile(Files.Code, Files.CodeMessages))
    return Failed(Files.CodeMessages);
  const Frontend *F = findFrontend(Files.CodeMessages);
  if (F)
    Files.Input = F->read(Files.CodeMessages, {});
  return !Files.Input && Failed(Files.CodeMessages);
}

/// Adds the kernels of one launch file. True on error (printed).
static bool addCases(const std::shared_ptr<KernelFiles> &Files,
                     std::vector<KernelCase> &Cases) {
  std::set<const LaunchFileEntry *> Used;
  DiagnosticEngine &Messages = Files->LaunchMessages;
  for (const auto &G : Files->Input->module().Functions) {
    if (!G->IsKernel)
      continue;
    const KernelNames Names(G->Name);
    const auto Entries = Files->File.findAll(Names.all());
    if (Entries.empty())
      continue;
    const HeldBodies Bodies(*G);
    if (Bodies.failed()) {
      Files->CodeMessages.print(llvm::errs(), /*Colors=*/false);
      return true;
    }
    unsigned Number = 0;
    for (const LaunchFileEntry *Entry : Entries) {
      if (Used.insert(Entry).second &&
          (!Entry->Spec.Grid || !Entry->Spec.Block))
        Messages.error(Entry->Place,
                       "a launch on a GPU needs 'grid' and 'block'");
      std::vector<Assumption> Assumed;
      Cases.push_back({Files, G.get(), Entry, ++Number,
                       resolveLaunch(*G, Entry->Spec, Assumed)});
    }
  }
  for (const LaunchFileEntry &Entry : Files->File.Launches)
    if (!Used.count(&Entry))
      Messages.error(Entry.Place,
                     "no kernel of " + Files->Code + " is named so");
  Messages.print(llvm::errs(), /*Colors=*/false);
  return Messages.hasErrors();
}

bool measure::findKernels(StringRef Folder, StringRef Others,
                          unsigned Capability, std::vector<KernelCase> &Cases) {
  auto Fail = [](const llvm::Twine &Message) {
    llvm::errs() << "measure: error: " << Message << '\n';
    return true;
  };
  if (!fs::is_directory(Folder))
    return Fail(Folder + " is no folder");
  std::string Launches = join(Folder, "launch"), Codes = join(Folder, "ptx");
  if (!fs::is_directory(Launches))
    Launches = Folder.str();
  if (!fs::is_directory(Codes))
    Codes = Folder.str();
  const std::vector<std::string> Found = filesIn(Launches, ".yaml");
  if (Found.empty())
    return Fail("there is no launch file, NAME.yaml, in " + Launches);
  for (const std::string &LaunchPath : Found) {
    auto Files = std::make_shared<KernelFiles>();
    Files->Stem = path::stem(LaunchPath).str();
    Files->Launches = Launches;
    Files->Code = findCode(Codes, Files->Stem, Capability);
    if (Files->Code.empty())
      Files->Code = findCode(Others, Files->Stem, Capability);
    if (Files->Code.empty())
      return Fail("there is no " + join(Codes, Files->Stem + ".ptx") + " for " +
                  LaunchPath);
    if (read(*Files, LaunchPath) || addCases(Files, Cases))
      return true;
  }
  return false;
}
