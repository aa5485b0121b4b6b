//===- CodeQuality.cpp - Findings for GitLab's Code Quality ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// "Code Quality report format" of GitLab's documentation: an array of objects
// that a merge request compares, by fingerprint, with those of its target. A
// path must be relative to the repository, and not begin with "./".
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingText.h"
#include "Report/Prediction/FindingsJSON.h"
#include "ptxpredict/Support/ContentCache.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

namespace {

/// What GitLab shows at a line.
struct Violation {
  StringRef Check, Severity, Description, Fingerprint, Path;
  unsigned Line; ///< from 1; 0: unknown
};

class CodeQualityPrinter {
public:
  explicit CodeQualityPrinter(raw_ostream &OS) : J(OS) {}
  void print(const LintResult &R);

private:
  JSONWriter J;
  llvm::StringMap<size_t> NumMessages; ///< with the same text and path

  void write(const Violation &V);
  void writeMessages(ArrayRef<Diagnostic> Messages);
};

} // namespace

void CodeQualityPrinter::write(const Violation &V) {
  llvm::SmallString<128> Path(V.Path);
  llvm::sys::path::remove_dots(Path);
  writeOnOneLine(J, [&](JSONWriter &Out) {
    Out.text("description", V.Description);
    Out.text("check_name", V.Check);
    Out.text("fingerprint", V.Fingerprint);
    Out.attribute("severity", V.Severity);
    Out.attributeObject("location", [&] {
      Out.text("path", Path);
      // A line is required; a finding without one is about the file.
      Out.attributeObject(
          "lines", [&] { Out.attribute("begin", std::max(V.Line, 1U)); });
    });
  });
}

void CodeQualityPrinter::writeMessages(ArrayRef<Diagnostic> Messages) {
  for (const Diagnostic &D : Messages) {
    if (D.Level == Severity::Note || D.Path.empty())
      continue; // it belongs to what stands before it, or has no place
    const std::string Key = ContentCache::hash({D.Path, D.Message});
    const std::string Fingerprint =
        ContentCache::hash({Key, std::to_string(NumMessages[Key]++)})
            .substr(0, 32);
    write({"input", D.Level == Severity::Error ? "blocker" : "minor", D.Message,
           Fingerprint, D.Path, D.Line});
  }
}

void CodeQualityPrinter::print(const LintResult &R) {
  J.array([&] {
    for (const InputRecord &In : R.Inputs)
      writeMessages(In.Messages);
    writeMessages(R.Messages);
    for (const ShownFinding &S : shownFindings(R)) {
      if (S.F->State != FindingState::New)
        continue;
      const Finding &F = S.F->Found;
      const StringRef Level = F.Level == Severity::Error     ? "critical"
                              : F.Level == Severity::Warning ? "major"
                                                             : "info";
      std::string Text = F.Message;
      if (!F.Gains.empty())
        Text += "; would save " + gainText(F);
      Text += "; in " + kernelText(R, S);
      write({F.Id, Level, Text, S.F->Fingerprint, F.Where.Path, F.Where.Line});
    }
  });
}

void ptxpredict::printCodeQuality(const LintResult &R, raw_ostream &OS) {
  CodeQualityPrinter(OS).print(R);
  OS << '\n';
}
