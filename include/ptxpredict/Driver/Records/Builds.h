//===- Builds.h - Two builds, to be compared --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_RECORDS_BUILDS_H
#define PTXPREDICT_DRIVER_RECORDS_BUILDS_H

#include "ptxpredict/Driver/Records/Records.h"
#include "ptxpredict/Review/KernelPairs.h"

namespace ptxpredict {

/// The files of a build, before they are read.
struct BuildFiles {
  std::vector<DriverInput> Inputs;
  std::vector<std::string> Places;   ///< of each, as \ref Build::Places
  std::vector<std::string> LinksOut; ///< as \ref CodeBelow::LinksOut
};

/// A file itself, or all code below a folder. An error if there is none.
Expected<BuildFiles> findBuild(StringRef Path);

/// The files at \p Paths, in one git repository, and what they were at a
/// revision.
class GitRevision {
public:
  /// Folders stand for the code below them, and below them at the revision. A
  /// file that is not in the revision is in Head alone, one that is gone in
  /// Base alone. The texts are what a checkout would give
  /// that runs none of the filters that attributes name. Source is compiled
  /// together with the headers of its time: with any, the whole
  /// revision is laid out in a temporary folder, in which the compiler works
  /// from the same place as it would here.
  static Expected<GitRevision> read(StringRef Revision,
                                    ArrayRef<std::string> Paths,
                                    const ReadOptions &Options);
  GitRevision(GitRevision &&O) noexcept;
  GitRevision(const GitRevision &) = delete;
  GitRevision &operator=(const GitRevision &) = delete;
  GitRevision &operator=(GitRevision &&) = delete;
  ~GitRevision(); ///< removes the temporary folder

  BuildFiles Base, Head;

  /// The repository has no commit yet, and HEAD was asked for: there is nothing
  /// to compare with.
  bool IsBeforeFirstCommit = false;

  /// \p Path with "REV:" for the temporary folder.
  void rename(std::string &Path) const;

private:
  GitRevision() = default;

  std::string Revision; ///< as it was given
  std::string Folder;   ///< the temporary one; empty without one
};

/// Two builds and what was reported of them.
struct BuildsAnswer {
  Build Base, Head;
  std::vector<Diagnostic> Messages; ///< beside those of inputs
  bool Failed = false;              ///< nothing was answered
  /// An input could not be read. It is in its build, without kernels; what
  /// stands at its place in the other build is, too.
  bool SomeFailed = false;
  size_t NumCached = 0, NumInputs = 0; ///< inputs that both have count once
};

/// Records both at once: what --kernel, say, names may be in either.
BuildsAnswer recordBuilds(BuildFiles Base, BuildFiles Head, RecordRequest R);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_RECORDS_BUILDS_H
