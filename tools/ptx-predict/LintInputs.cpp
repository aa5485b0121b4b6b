//===- LintInputs.cpp - What lint looks at, and how it is asked -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LintInputs.h"
#include "ptxpredict/Driver/Inputs/HeaderUsers.h"
#include "ptxpredict/Driver/Inputs/InputList.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

void LintInputs::fail(const Twine &Message) {
  General.error(SMLoc(), Message);
  Failed = true;
}

const LintConfig *LintInputs::configAt(const std::string &Path,
                                       ConfigOrigin Origin) {
  std::unique_ptr<File<LintConfig>> &F = Configs[Path];
  if (!F) {
    F = std::make_unique<File<LintConfig>>();
    BadConfig |= readInputFile(Path, F->Diags) ||
                 readLintConfig(F->Diags, F->Content, Origin);
  }
  return &F->Content;
}

const LintConfig *LintInputs::configAbove(StringRef Folder) {
  if (WithoutConfig)
    return &Empty;
  if (!ConfigPath.empty())
    return configAt(absolutePath(ConfigPath), ConfigOrigin::Named);
  auto [It, IsNew] = ByFolder.try_emplace(Folder, nullptr);
  if (!IsNew)
    return It->second;
  std::string Path = findLintConfig(Folder);
  // What is built elsewhere is under the configuration of where one works.
  if (Path.empty())
    Path = findLintConfig(absolutePath("."));
  const LintConfig *Found =
      Path.empty() ? &Empty : configAt(Path, ConfigOrigin::Found);
  return ByFolder[Folder] = Found;
}

const CompileCommands *LintInputs::databaseAt(const std::string &Path,
                                              bool IsNamed) {
  std::unique_ptr<File<CompileCommands>> &F = Databases[Path];
  if (!F) {
    F = std::make_unique<File<CompileCommands>>();
    if (!IsNamed)
      F->Diags.hideLines();
    if (readInputFile(Path, F->Diags) || F->Content.read(F->Diags))
      Failed = true;
  }
  return &F->Content;
}

const CompileCommands *LintInputs::databaseFor(StringRef Folder,
                                               const LintConfig &C) {
  std::string Path = !Commands.empty()            ? absolutePath(Commands)
                     : !C.CompileCommands.empty() ? C.CompileCommands
                                                  : findCompileCommands(Folder);
  const bool IsNamed = !Commands.empty() ||
                       (C.ProjectRoot.empty() && !C.CompileCommands.empty());
  return Path.empty() ? nullptr : databaseAt(Path, IsNamed);
}

/// Whether the configuration leaves the file at \p Full out.
static bool isExcluded(const LintConfig &C, StringRef Full) {
  std::string Path = Full.str();
  makeRelative(Path, path::parent_path(C.Path));
  return llvm::any_of(C.Exclude,
                      [&](const OwnedGlob &G) { return G.match(Path); });
}

void LintInputs::addFile(StringRef Path, const LintConfig *Config,
                         const CompileCommand *How) {
  std::string Full = Path == "-" ? "-" : absolutePath(Path);
  if (isExcluded(*Config, Full) || !Taken.insert(Full).second)
    return;
  LintInput &In = Inputs.emplace_back();
  In.Input.Path = Path.str();
  In.Config = Config;
  if (How)
    In.Input.Read = How->readOptions(Read);
}

void LintInputs::addHeader(StringRef Path, StringRef Full) {
  const LintConfig *Config = configAbove(path::parent_path(Full));
  const CompileCommands *Database =
      databaseFor(path::parent_path(Full), *Config);
  if (!fs::exists(Path))
    return fail("'" + Path + "' does not exist");
  if (!Database) {
    const std::vector<std::string> Users = filesIncluding(Full);
    const std::vector<StringRef> Names(Users.begin(), Users.end());
    const std::string Which = Users.empty() ? "no file here includes it"
                              : Users.size() == 1
                                  ? listNames(Names) + " includes it"
                                  : listNames(Names) + " include it";
    return General.note(
        SMLoc(), "'" + Path +
                     "' is a header, which is looked at in sources: " + Which +
                     "; no compile_commands.json says how they are compiled "
                     "(--compile-commands=FILE)");
  }
  std::vector<const CompileCommand *> Users = Database->including(Full);
  if (Users.empty())
    General.warning(SMLoc(), "'" + Path +
                                 "' is a header that no source of the "
                                 "compilation database includes");
  for (const CompileCommand *C : Users) {
    std::string Source = C->File;
    makeRelative(Source, absolutePath("."));
    addFile(Source, configAbove(path::parent_path(C->File)), C);
  }
}

void LintInputs::add(StringRef Path) {
  std::string Full = absolutePath(Path);
  StringRef Folder = path::parent_path(Full);
  if (Path == "-")
    return addFile(Path, configAbove(absolutePath(".")), nullptr);
  if (fs::is_directory(Path)) {
    Expected<CodeBelow> Found = codeBelow(Path);
    if (!Found)
      return fail(llvm::toString(Found.takeError()));
    std::string LinksOut = describeLinksOut(Found->LinksOut);
    if (!LinksOut.empty())
      General.warning(SMLoc(), LinksOut);
    else if (Found->Files.empty())
      General.warning(SMLoc(), "there is no code below '" + Path + "'");
    for (const std::string &File : Found->Files)
      add(File);
    return;
  }
  if (path::extension(Path) == ".json") {
    const CompileCommands *Database = databaseAt(Full, /*IsNamed=*/true);
    if (Database->commands().empty() && !Failed)
      General.warning(SMLoc(), "no command in '" + Path +
                                   "' compiles CUDA or OpenCL source");
    for (const CompileCommand &C : Database->commands()) {
      std::string Source = C.File;
      makeRelative(Source, absolutePath("."));
      addFile(Source, configAbove(path::parent_path(C.File)), &C);
    }
    return;
  }
  if (looksLikeHeader(Path))
    return addHeader(Path, Full);
  const LintConfig *Config = configAbove(Folder);
  const CompileCommand *How = nullptr;
  if (looksLikeSource(Path))
    if (const CompileCommands *Database = databaseFor(Folder, *Config))
      How = Database->find(Full);
  addFile(Path, Config, How);
}

std::vector<const DiagnosticEngine *> LintInputs::diagnostics() const {
  std::vector<const DiagnosticEngine *> All{&General};
  for (const auto &[Path, F] : Configs)
    All.push_back(&F->Diags);
  for (const auto &[Path, F] : Databases)
    All.push_back(&F->Diags);
  return All;
}
