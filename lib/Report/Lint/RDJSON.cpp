//===- RDJSON.cpp - Findings for reviewdog --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// "Reviewdog Diagnostic Format" (rdjson): one document with all diagnostics.
// Its columns count bytes of UTF-8 from 1, as ours do.
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingsJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

namespace {
/// What reviewdog shows at a place.
struct Remark {
  Severity Level;
  StringRef Path;
  unsigned Line, Column; ///< from 1; 0: unknown
  StringRef Id, Message;
};
} // namespace

static StringRef levelName(Severity Level) {
  switch (Level) {
  case Severity::Error:
    return "ERROR";
  case Severity::Warning:
    return "WARNING";
  case Severity::Note:
    break;
  }
  return "INFO";
}

static void write(JSONWriter &J, const Remark &R) {
  writeOnOneLine(J, [&](JSONWriter &Out) {
    Out.text("message", R.Message);
    Out.attributeObject("location", [&] {
      Out.text("path", R.Path);
      if (R.Line == 0)
        return;
      Out.attributeObject("range", [&] {
        Out.attributeObject("start", [&] {
          Out.attribute("line", R.Line);
          if (R.Column != 0)
            Out.attribute("column", R.Column);
        });
      });
    });
    Out.attribute("severity", levelName(R.Level));
    if (!R.Id.empty())
      Out.attributeObject("code", [&] { Out.text("value", R.Id); });
  });
}

static void writeMessages(JSONWriter &J, ArrayRef<Diagnostic> Messages) {
  for (const Diagnostic &D : Messages)
    if (D.Level != Severity::Note && !D.Path.empty())
      write(J, {D.Level, D.Path, D.Line, D.Column, "", D.Message});
}

void ptxpredict::printRDJSON(const LintResult &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.attributeObject("source", [&] { J.attribute("name", "ptx-predict"); });
    J.attributeArray("diagnostics", [&] {
      for (const InputRecord &In : R.Inputs)
        writeMessages(J, In.Messages);
      writeMessages(J, R.Messages);
      for (const ShownFinding &S : shownFindings(R)) {
        const Finding &F = S.F->Found;
        if (S.F->State == FindingState::New)
          write(J, {F.Level, F.Where.Path, F.Where.Line, F.Where.Column, F.Id,
                    messageWithDetails(F) + "\nin: " + kernelText(R, S)});
      }
    });
  });
  OS << '\n';
}
