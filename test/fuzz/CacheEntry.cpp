//===- CacheEntry.cpp - Entries of lint's cache as inputs of the fuzzer ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Review/RecordJSON.h"
#include "ptxpredict/Support/ContentCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

namespace {

/// A cache with one entry, whose folder goes with the process.
class OneEntry {
public:
  OneEntry() {
    fuzz::check(!fs::createUniqueDirectory("ptx-predict-fuzz", Folder),
                "no folder for a cache");
    Cache = ContentCache(std::string(Folder));
    Cache.store(Key, "");
    std::error_code EC;
    fs::directory_iterator First(Folder, EC);
    fuzz::check(!EC && First != fs::directory_iterator(), "nothing was stored");
    Path = First->path();
  }
  ~OneEntry() { (void)fs::remove_directories(Folder); }

  /// What the cache gives where \p File is the file of the entry.
  std::optional<std::string> find(StringRef File) const {
    // A file that is written anew, not emptied, is not waited for.
    std::error_code EC = fs::remove(Path);
    llvm::raw_fd_ostream OS(Path, EC);
    OS << File;
    OS.close();
    fuzz::check(!EC && !OS.has_error(), "an entry cannot be written");
    return Cache.find(Key);
  }

private:
  llvm::SmallString<128> Folder;
  ContentCache Cache;
  std::string Key = ContentCache::hash({"input"}), Path;
};

} // namespace

bool fuzz::runCacheEntry(StringRef Text) {
  static const OneEntry Entry;
  std::optional<std::string> Content = Entry.find(Text);
  if (!Content)
    return false;
  std::optional<InputRecord> First = readRecord(*Content, "input.ptx");
  if (!First)
    return false;
  std::string Once = writeRecord(*First);
  std::optional<InputRecord> Second = readRecord(Once, "input.ptx");
  check(Second.has_value(), "what was written is not read:\n" + Once);
  std::string Twice = writeRecord(*Second);
  check(Once == Twice,
        "write, read, write is not the identity:\n" + Once + "\n---\n" + Twice);
  return true;
}
