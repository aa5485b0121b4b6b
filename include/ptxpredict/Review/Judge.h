//===- Judge.h - Which findings count ---------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_JUDGE_H
#define PTXPREDICT_REVIEW_JUDGE_H

#include "ptxpredict/Review/LintConfig.h"
#include "ptxpredict/Review/LintResult.h"
#include "ptxpredict/Support/SourceLines.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <functional>
#include <set>

namespace ptxpredict {

/// What is asked of the findings of some inputs. Refers to everything in it.
struct LintPolicy {
  const LintConfig &Config;
  Severity Least = Severity::Warning; ///< less severe ones are left out
  std::optional<Severity> FailOn = Severity::Warning;
  std::string SourceRoot = {}; ///< absolute; empty: paths stay as they are
  /// Fingerprints that are known; null without a baseline.
  const llvm::StringSet<> *Baseline = nullptr;
};

/// The text of a source that an input names, empty if it is not to be had. It
/// must stay where it is.
using SourceReader =
    std::function<StringRef(StringRef Path, StringRef Input, StringRef Root)>;

/// Takes records of inputs one by one and says which of their findings count.
class LintJudge {
public:
  explicit LintJudge(SourceReader Read) : Read(std::move(Read)) {}

  void add(InputRecord R, const LintPolicy &P);
  /// All that was added.
  LintResult finish();

private:
  /// A line of source and the one before it.
  struct Lines {
    std::string Path;
    unsigned Number;
    StringRef Line, Before;
  };

  SourceReader Read;
  SourceLines Finder;
  LintResult Result;
  /// How many findings of a kernel have a key of a place.
  llvm::StringMap<size_t> Seen;
  std::set<const llvm::StringSet<> *> Baselines;
  llvm::StringSet<> Matched;       ///< of all baselines
  std::set<std::string> NoReasons; ///< places of suppressions without one

  std::optional<Lines> linesAt(StringRef Path, unsigned Line, StringRef Input,
                               StringRef Root);
  void judge(LintFinding &F, const FindingRecord &Of, const KernelRecord &K,
             const LintPolicy &P);
  bool suppressInSource(LintFinding &F, const FindingRecord &Of,
                        const LintPolicy &P);
  bool suppressByConfig(LintFinding &F, const KernelRecord &K,
                        const LintPolicy &P) const;
  bool takeReason(LintFinding &F, const Lines &At);
  void joinSame();
};

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_JUDGE_H
