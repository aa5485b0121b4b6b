//===- Judge.cpp - Which findings count -----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/Judge.h"
#include "ptxpredict/Lint/Suppression.h"
#include "ptxpredict/Review/Fingerprint.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <tuple>

using namespace ptxpredict;

/// \p Path as results show it: below \p Root if it lies there.
static std::string shownPath(StringRef Path, StringRef Root) {
  if (Root.empty() || Path.empty())
    return Path.str();
  std::string Full = Path.str();
  // What debug data name relatively may be relative to anything.
  if (llvm::sys::path::is_absolute(Path) || llvm::sys::fs::exists(Path))
    Full = absolutePath(Path);
  std::string Shown = Full;
  makeRelative(Shown, Root);
  return Shown == Full ? Path.str() : Shown;
}

std::optional<LintJudge::Lines> LintJudge::linesAt(StringRef Path,
                                                   unsigned Line,
                                                   StringRef Input,
                                                   StringRef Root) {
  if (Line == 0)
    return std::nullopt;
  StringRef Text = Read(Path, Input, Root);
  std::optional<StringRef> At;
  if (!Text.empty())
    At = Finder.find(Text, Line);
  if (!At)
    return std::nullopt;
  StringRef Before =
      Line > 1 ? Finder.find(Text, Line - 1).value_or(StringRef()) : "";
  return Lines{Path.str(), Line, *At, Before};
}

/// Takes the suppression that \p At has for the finding. One without a reason
/// does not count, and is reported once.
bool LintJudge::takeReason(LintFinding &F, const Lines &At) {
  std::optional<Suppression> S =
      Suppression::findOfLine(At.Line, At.Before, F.Found.Id);
  if (!S)
    return false;
  if (!S->Reason.empty()) {
    F.Reason = S->Reason.str();
    F.SuppressedInSource = true;
    return true;
  }
  if (NoReasons.insert(At.Path + ":" + std::to_string(At.Number)).second) {
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Path = At.Path;
    D.Line = At.Number;
    D.Column = 1;
    D.Message = "a suppression without a reason does not count; write "
                "'ptx-predict: ignore[" +
                F.Found.Id.str() + "] REASON'";
    showLine(At.Line, D);
    Result.Messages.push_back(std::move(D));
  }
  return false;
}

bool LintJudge::suppressInSource(LintFinding &F, const FindingRecord &Of,
                                 const LintPolicy &P) {
  StringRef Input = Result.Inputs[F.Input].Path;
  const FindingLocation &Where = Of.Found.Where;
  if (Where.Path != Input) {
    if (auto At = linesAt(Where.Path, Where.Line, Input, P.SourceRoot))
      if (takeReason(F, *At))
        return true;
    for (StringRef Frame : Where.InlinedAt) {
      PathPlace There = splitPlace(Frame);
      if (auto At = linesAt(There.Path, There.Line, Input, P.SourceRoot))
        if (takeReason(F, *At))
          return true;
    }
  }
  return takeReason(
      F, Lines{Input.str(), Where.InputLine, Of.Line, Of.LineBefore});
}

bool LintJudge::suppressByConfig(LintFinding &F, const KernelRecord &K,
                                 const LintPolicy &P) const {
  for (const ConfiguredSuppression &S : P.Config.Suppressions) {
    if (!S.Rule.match(F.Found.Id))
      continue;
    if (S.Kernel && llvm::none_of(KernelNames(K.Name).all(), [&](StringRef N) {
          return S.Kernel->match(N);
        }))
      continue;
    if (S.Path && !S.Path->match(F.Found.Where.Path) &&
        !S.Path->match(shownPath(Result.Inputs[F.Input].Path, P.SourceRoot)))
      continue;
    F.Reason = S.Reason;
    return true;
  }
  return false;
}

void LintJudge::judge(LintFinding &F, const FindingRecord &Of,
                      const KernelRecord &K, const LintPolicy &P) {
  StringRef Input = Result.Inputs[F.Input].Path;
  const FindingLocation &Where = Of.Found.Where;
  if (Where.Path != Input)
    if (auto At = linesAt(Where.Path, Where.Line, Input, P.SourceRoot))
      F.SourceLine = At->Line.str();
  if (Where.Path == Input && Where.Line == Where.InputLine && !Of.Line.empty())
    F.SourceLine = Of.Line;
  F.InputLine = Of.Line;

  std::string Key =
      placeKey(Of, Input, F.SourceLine ? StringRef(*F.SourceLine) : "");
  std::string Kernel = withoutFileHashes(K.Name);
  F.Fingerprint = fingerprint(Kernel, Key, Seen[Kernel + "\n" + Key]++);

  F.Found.Where.Path = shownPath(Where.Path, P.SourceRoot);
  for (std::string &Frame : F.Found.Where.InlinedAt)
    makeRelative(Frame, P.SourceRoot);

  bool IsKnown = P.Baseline && P.Baseline->contains(F.Fingerprint);
  if (IsKnown)
    Matched.insert(F.Fingerprint);
  if (suppressInSource(F, Of, P) || suppressByConfig(F, K, P))
    F.State = FindingState::Suppressed;
  else if (IsKnown)
    F.State = FindingState::Known;
  F.Counts =
      F.State == FindingState::New && P.FailOn && F.Found.Level <= *P.FailOn;
}

void LintJudge::add(InputRecord R, const LintPolicy &P) {
  size_t Input = Result.Inputs.size();
  Result.Inputs.push_back(std::move(R));
  if (P.Baseline) {
    Result.HasBaseline = true;
    Baselines.insert(P.Baseline);
  }
  for (size_t N = 0; N != Result.Inputs[Input].Kernels.size(); ++N) {
    std::vector<FindingRecord> Findings;
    std::swap(Findings, Result.Inputs[Input].Kernels[N].Findings);
    for (FindingRecord &Of : Findings) {
      if (!P.Config.Rules.wants(Of.Found.Id))
        continue;
      for (const ConfiguredSeverity &S : P.Config.Severities)
        if (S.Rule.match(Of.Found.Id))
          Of.Found.Level = S.Level;
      std::optional<double> Gain = Of.Found.bestGain();
      if (Of.Found.Level > P.Least ||
          (Gain && P.Config.LeastGain && *Gain < *P.Config.LeastGain))
        continue;
      LintFinding F;
      F.Input = Input;
      F.Kernel = N;
      F.Found = Of.Found;
      judge(F, Of, Result.Inputs[Input].Kernels[N], P);
      Result.Findings.push_back(std::move(F));
    }
  }
  // Last, as sources are looked for beside the input.
  InputRecord &In = Result.Inputs[Input];
  for (Diagnostic &D : In.Messages)
    D.Path = shownPath(D.Path, P.SourceRoot);
  In.Path = shownPath(In.Path, P.SourceRoot);
}

/// Findings of the same rule at the same place in a source are one problem.
void LintJudge::joinSame() {
  using Place = std::tuple<StringRef, StringRef, unsigned, unsigned, bool>;
  std::map<Place, std::vector<size_t>> All;
  for (size_t N = 0; N != Result.Findings.size(); ++N) {
    LintFinding &F = Result.Findings[N];
    F.SameAs = N;
    const FindingLocation &W = F.Found.Where;
    if (W.Line != 0)
      All[{F.Found.Id, W.Path, W.Line, W.Column, F.State == FindingState::New}]
          .push_back(N);
  }
  for (auto &[Where, Numbers] : All) {
    size_t Best = Numbers.front();
    for (size_t N : Numbers)
      if (Result.Findings[N].Found.bestGain().value_or(0) >
          Result.Findings[Best].Found.bestGain().value_or(0))
        Best = N;
    for (size_t N : Numbers)
      Result.Findings[N].SameAs = Best;
    Result.Findings[Best].NumSame = Numbers.size();
  }
}

LintResult LintJudge::finish() {
  for (const llvm::StringSet<> *B : Baselines)
    for (const auto &Entry : *B)
      Result.NumGone += !Matched.contains(Entry.getKey());
  joinSame();
  return std::move(Result);
}
