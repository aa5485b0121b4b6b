//===- ReviewOptions.cpp - Options of lint and diff -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ReviewOptions.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

bool ReviewOptions::check() const {
  for (const StringOpt *Path : {&Config, &CacheDir})
    if (std::string Ignored; readPath(*Path, Ignored))
      return true;
  auto Exclude = [](const StringOpt &A, const cl::opt<bool> &B) {
    if (A.getNumOccurrences() == 0 || !B)
      return false;
    usageError("--" + A.ArgStr + " and --" + B.ArgStr + " exclude each other");
    return true;
  };
  return Exclude(Config, NoConfig) || Exclude(CacheDir, NoCache);
}

ContentCache ReviewOptions::cache() const {
  if (NoCache)
    return {};
  return ContentCache(CacheDir.empty() ? ContentCache::userFolder("records")
                                       : absolutePath(CacheDir));
}

DriverOptions tool::withConfig(DriverOptions Options, const LintConfig &C) {
  if (Options.Devices.empty())
    Options.Devices = C.Devices;
  if (Options.Models.empty())
    Options.Models = C.Models;
  Options.ProjectRoot = C.ProjectRoot;
  if (!C.ProjectRoot.empty())
    Options.ProjectFiles = C.DeviceFiles;
  if (Options.LaunchFilePath.empty()) {
    Options.LaunchFilePath = C.LaunchFile;
    if (!C.ProjectRoot.empty())
      Options.ProjectFiles.push_back(C.LaunchFile);
  }
  Options.DeviceFiles.insert(Options.DeviceFiles.begin(), C.DeviceFiles.begin(),
                             C.DeviceFiles.end());
  if (C.AsksNearSteps && !Options.Via && !Options.Registers &&
      Options.PtxasInfoPath.empty())
    Options.Via = AssemblerChoice{"", /*OnlyNearSteps=*/true};
  return Options;
}

void tool::noteCached(const ContentCache &Cache, size_t NumCached,
                      size_t NumInputs) {
  errors() << "ptx-predict: note: " << NumCached << " of " << NumInputs
           << " inputs were in the cache"
           << (Cache.isOn() ? " " + Cache.folder() : ", which is off") << '\n';
}
