//===- LintJSON.cpp - What lint found, as JSON ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingsJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void writeInput(JSONWriter &J, const InputRecord &In) {
  J.object([&] {
    J.text("path", In.Path);
    if (!In.Frontend.empty())
      J.text("frontend", In.Frontend);
    if (!In.Target.empty())
      J.text("target", In.Target);
    J.attribute("failed", In.Failed);
    J.attributeArray("kernels", [&] {
      for (const KernelRecord &K : In.Kernels)
        writeOnOneLine(J, [&](JSONWriter &Line) {
          Line.text("name", K.Name);
          Line.text("demangled", K.Demangled);
          Line.attribute("line", K.Line);
        });
    });
  });
}

static void writeFinding(JSONWriter &J, const LintFinding &F) {
  J.attribute("input", F.Input);
  writeKeys(J, F.Found);
  J.text("fingerprint", F.Fingerprint);
  J.attribute("state", toString(F.State));
  if (F.State == FindingState::Suppressed)
    J.attributeObject("suppression", [&] {
      J.attribute("in_source", F.SuppressedInSource);
      J.text("reason", F.Reason);
    });
  J.attribute("fails", F.Counts);
  J.attribute("same_as", F.SameAs);
  if (F.SourceLine)
    J.text("source_text", *F.SourceLine);
  if (!F.InputLine.empty())
    J.text("input_text", F.InputLine);
}

/// Of all findings, also where several say the same of one place.
static void writeSummary(JSONWriter &J, const LintResult &R) {
  auto Count = [&](auto Is) { return llvm::count_if(R.Findings, Is); };
  auto InState = [](FindingState S) {
    return [S](const LintFinding &F) { return F.State == S; };
  };
  J.attributeObject("summary", [&] {
    for (auto [Key, Level] : {std::pair("errors", Severity::Error),
                              std::pair("warnings", Severity::Warning),
                              std::pair("notes", Severity::Note)})
      J.attribute(Key, Count([Level = Level](const LintFinding &F) {
                    return F.State == FindingState::New &&
                           F.Found.Level == Level;
                  }));
    J.attribute("known", Count(InState(FindingState::Known)));
    J.attribute("suppressed", Count(InState(FindingState::Suppressed)));
    J.attribute("gone", R.NumGone);
    J.attribute("failing",
                Count([](const LintFinding &F) { return F.Counts; }));
  });
}

void ptxpredict::printLintJSON(const LintResult &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(LintSchemaName, LintSchemaVersion);
    J.attribute("baseline", R.HasBaseline);
    writeSummary(J, R);
    J.attributeArray("inputs", [&] {
      for (const InputRecord &In : R.Inputs)
        writeInput(J, In);
    });
    J.attributeArray("findings", [&] {
      for (const LintFinding &F : R.Findings)
        writeOnOneLine(J, [&](JSONWriter &Line) { writeFinding(Line, F); });
    });
    J.attributeArray("diagnostics", [&] {
      for (const InputRecord &In : R.Inputs)
        for (const Diagnostic &D : In.Messages)
          J.diagnostic(D);
      for (const Diagnostic &D : R.Messages)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
