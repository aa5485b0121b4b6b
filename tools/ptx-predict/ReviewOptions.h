//===- ReviewOptions.h - Options of lint and diff ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_REVIEWOPTIONS_H
#define PTXPREDICT_TOOLS_REVIEWOPTIONS_H

#include "CommandLine.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Review/LintConfig.h"
#include "ptxpredict/Support/ContentCache.h"

namespace ptxpredict::tool {

/// Where a project says what it asks for, and where answers are kept;
/// registered while it lives.
struct ReviewOptions {
  StringOpt Config{"config", cl::value_desc("file"), cl::cat(category()),
                   cl::desc("Configuration (default: the nearest "
                            ".ptx-predict.yaml, from each input upwards)")};
  cl::opt<bool> NoConfig{"no-config", cl::cat(category()),
                         cl::desc("Reads no configuration")};
  StringOpt CacheDir{"cache-dir", cl::value_desc("dir"), cl::cat(category()),
                     cl::desc("Folder that keeps answers (default: "
                              "$XDG_CACHE_HOME/ptx-predict/records, else in "
                              "~/.cache)")};
  cl::opt<bool> NoCache{"no-cache", cl::cat(category()),
                        cl::desc("Neither uses nor keeps answers")};

  /// Checks the values. True on error (reported).
  bool check() const;
  /// The cache that they choose; one that keeps nothing for --no-cache.
  ContentCache cache() const;
};

/// \p Options with what the configuration says of predictions; the command line
/// goes before it.
DriverOptions withConfig(DriverOptions Options, const LintConfig &C);

/// A note of --verbose: how many inputs were in the cache.
void noteCached(const ContentCache &Cache, size_t NumCached, size_t NumInputs);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_REVIEWOPTIONS_H
