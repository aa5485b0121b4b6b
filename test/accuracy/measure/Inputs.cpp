//===- Inputs.cpp - Copies of what the dataset names ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Results.h"
#include "ptxpredict/Launch/BufferFile.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::measure;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Copies launch files, whose paths then are those of the copies.
class LaunchCopier {
public:
  explicit LaunchCopier(StringRef Folder) : Folder(Folder) {}

  /// True on error (printed).
  bool copy(const KernelFiles &Files);

private:
  /// The name in the folder under which \p Path is or will be copied.
  std::string nameFor(const std::string &Path);

  StringRef Folder;
  std::map<std::string, std::string> Names; ///< by path
  std::set<std::string> Taken;
};

} // namespace

static std::string joined(StringRef Folder, StringRef Name) {
  llvm::SmallString<256> Path(Folder);
  path::append(Path, Name);
  return Path.str().str();
}

/// True on error (printed).
static bool failed(StringRef Path, std::error_code EC) {
  if (EC)
    llvm::errs() << "measure: error: " << Path << ": " << EC.message() << '\n';
  return bool(EC);
}

std::string LaunchCopier::nameFor(const std::string &Path) {
  std::string &Name = Names[Path];
  const std::string Wanted = path::filename(Path).str();
  for (unsigned N = 1; Name.empty(); ++N) {
    const std::string Free = N == 1 ? Wanted : std::to_string(N) + "." + Wanted;
    if (Taken.insert(Free).second)
      Name = Free;
  }
  return Name;
}

bool LaunchCopier::copy(const KernelFiles &Files) {
  const StringRef Text = Files.LaunchMessages.text();
  std::map<const char *, const std::string *> Places;
  for (const LaunchFileEntry &Entry : Files.File.Launches)
    for (const auto &[Name, Spec] : Entry.Buffers)
      if (Spec.Fill.Kind == BufferFill::KindTy::File)
        Places[Spec.Fill.FilePlace.getPointer()] = &Spec.Fill.File;
  std::string Copy;
  size_t Done = 0; // of the text
  for (const auto &[Place, File] : Places) {
    const std::string Path =
        BufferFile::pathOf(*File, Files.Launches).str().str();
    const std::string Name = nameFor(Path);
    const std::string To = joined(Folder, Name);
    if (failed(Path, fs::copy_file(Path, To)))
      return true;
    // As it stands there: quoted, or bare and without what needs quotes.
    const auto Begin = size_t(Place - Text.begin());
    size_t Length = File->size();
    if (StringRef("\"'").contains(Text[Begin]))
      Length = Text.find(Text[Begin], Begin + 1) + 1 - Begin;
    Copy += Text.slice(Done, Begin).str() + quoteYAML(Name);
    Done = Begin + Length;
  }
  Copy += Text.drop_front(Done);
  return writeFile(Folder, Files.Stem + ".yaml", Copy);
}

bool measure::copyInputs(const Results &R, llvm::ArrayRef<Step> Steps,
                         StringRef Folder) {
  std::set<std::string> Asked;
  for (const Step &S : Steps)
    Asked.insert(S.Name);
  const std::string Codes = joined(Folder, "code");
  const std::string Launches = joined(Folder, "launch");
  LaunchCopier Copier(Launches);
  std::set<const KernelFiles *> Seen;
  for (const KernelCase &Case : R.Cases) {
    const KernelFiles &Files = *Case.Files;
    if (!Asked.count(Case.step()) || !Seen.insert(&Files).second)
      continue;
    if (failed(Codes, fs::create_directories(Codes)) ||
        failed(Launches, fs::create_directories(Launches)) ||
        writeFile(Codes, Files.Stem + ".ptx", Files.CodeMessages.text()) ||
        Copier.copy(Files))
      return true;
  }
  return false;
}
