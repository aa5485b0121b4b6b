//===- ContentCache.cpp - Answers kept by what they depend on -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/ContentCache.h"
#include "ptxpredict/Support/InputHandle.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::SmallString;

/// What llvm::pruneCache takes for an entry begins so.
static constexpr StringRef Prefix = "llvmcache-";

std::string ContentCache::userFolder(StringRef Name) {
  SmallString<128> Result;
  std::optional<std::string> XDG = llvm::sys::Process::GetEnv("XDG_CACHE_HOME");
  if (XDG && path::is_absolute(*XDG)) // others are to be ignored
    Result = *XDG;
  else if (std::optional<std::string> Home = llvm::sys::Process::GetEnv("HOME");
           Home && path::is_absolute(*Home))
    path::append(Result, *Home, ".cache");
  else
    return {};
  path::append(Result, "ptx-predict", Name);
  return std::string(Result);
}

std::string ContentCache::hash(ArrayRef<StringRef> Parts) {
  llvm::BLAKE3 Hash;
  for (StringRef Part : Parts) {
    // With its length, so that no two lists of parts are the same text.
    Hash.update(std::to_string(Part.size()) + ":");
    Hash.update(Part);
  }
  return llvm::toHex(Hash.final(), /*LowerCase=*/true);
}

std::string ContentCache::pathOf(StringRef Key) const {
  SmallString<128> Path(Folder);
  path::append(Path, Prefix + Key);
  return std::string(Path);
}

std::optional<std::string> ContentCache::find(StringRef Key) const {
  if (!isOn())
    return std::nullopt;
  const std::unique_ptr<llvm::MemoryBuffer> Buffer =
      readFoundFile(pathOf(Key), std::numeric_limits<uint64_t>::max());
  if (!Buffer)
    return std::nullopt;
  auto [Sum, Content] = Buffer->getBuffer().split('\n');
  if (Sum != hash(Content))
    return std::nullopt;
  return Content.str();
}

void ContentCache::store(StringRef Key, StringRef Content) const {
  if (!isOn() || fs::create_directories(Folder))
    return;
  SmallString<128> Aside;
  int Descriptor = -1;
  if (fs::createUniqueFile(pathOf("%%%%%%%%%%%%.tmp"), Descriptor, Aside))
    return;
  llvm::raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  OS << hash(Content) << '\n' << Content;
  OS.close();
  bool Failed = OS.has_error();
  OS.clear_error();
  if (Failed || fs::rename(Aside, pathOf(Key)))
    (void)fs::remove(Aside);
}

void ContentCache::prune(uint64_t MaxBytes, bool Now) const {
  if (!isOn() || !fs::is_directory(Folder))
    return;
  llvm::CachePruningPolicy Policy;
  if (Now)
    Policy.Interval = std::chrono::seconds(0);
  Policy.Expiration = std::chrono::hours(24 * 90);
  Policy.MaxSizeBytes = MaxBytes;
  (void)llvm::pruneCache(Folder, Policy);
}
