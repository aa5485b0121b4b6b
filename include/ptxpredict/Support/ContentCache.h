//===- ContentCache.h - Answers kept by what they depend on -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An entry is one file, named after the hash of all that the answer depends on,
// and holds the hash of the rest of itself, so that one that was cut off or
// damaged is found and made anew. It is written aside and renamed, so that any
// number of processes may share the folder. What was not used for longest goes
// when the folder becomes too large.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_CONTENTCACHE_H
#define PTXPREDICT_SUPPORT_CONTENTCACHE_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ptxpredict {

/// A folder of answers. Without a cache everything works, only slower: nothing
/// here is an error. Any number of threads may ask.
class ContentCache {
public:
  /// One that keeps nothing.
  ContentCache() = default;
  /// Made when it is first written to; empty for none.
  explicit ContentCache(std::string Folder) : Folder(std::move(Folder)) {}

  /// The folder \p Name in $XDG_CACHE_HOME/ptx-predict, else in
  /// ~/.cache/ptx-predict; empty without either.
  static std::string userFolder(StringRef Name);

  /// Of texts, each by itself: 64 hexadecimal digits.
  static std::string hash(ArrayRef<StringRef> Parts);

  bool isOn() const { return !Folder.empty(); }
  StringRef folder() const { return Folder; }

  /// What was stored for \p Key, a hash; nothing if it is not there any more,
  /// or damaged.
  std::optional<std::string> find(StringRef Key) const;
  void store(StringRef Key, StringRef Content) const;

  /// Removes entries until there are at most so many bytes. Looks only if the
  /// last look is some minutes ago, unless it is to be \p Now.
  void prune(uint64_t MaxBytes = DefaultBytes, bool Now = false) const;
  static constexpr uint64_t DefaultBytes = uint64_t(256) << 20;

private:
  std::string Folder;

  std::string pathOf(StringRef Key) const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_CONTENTCACHE_H
