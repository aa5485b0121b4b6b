//===- YAML.cpp - YAMLTraits input with our diagnostics -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/YAML.h"
#include "ptxpredict/Support/Text.h"

using namespace ptxpredict;

void YAMLDiagnostics::handle(const llvm::SMDiagnostic &D, void *Context) {
  auto &Sink = *static_cast<YAMLDiagnostics *>(Context);
  std::string Message = D.getMessage().str();
  StringRef Key = Message;
  if (Key.consume_front("unknown key '") && Key.consume_back("'"))
    Message += didYouMean(Key, Sink.KnownKeys);
  // LLVM's parser copies nothing: its locations point into our buffer, but at
  // the end of the input it may stand one behind.
  StringRef Text = Sink.Diags.text();
  const char *Where = D.getLoc().getPointer();
  bool Inside = Where && Where >= Text.begin() && Where <= Text.end();
  Sink.Diags.report(D.getKind() == llvm::SourceMgr::DK_Warning
                        ? Severity::Warning
                    : D.getKind() == llvm::SourceMgr::DK_Note ? Severity::Note
                                                              : Severity::Error,
                    Inside ? SMLoc::getFromPointer(Where) : SMLoc(), Message);
}

bool ptxpredict::nestsTooDeeply(DiagnosticEngine &Diags) {
  // A count of brackets and of markers such as "- - -" is enough: block nesting
  // by indentation takes a text of quadratic size. Brackets within quotes only
  // matter if there are that many unbalanced ones.
  constexpr unsigned MaxDepth = 64;
  StringRef Text = Diags.text();
  unsigned Brackets = 0, Markers = 0;
  bool LineStart = true;
  for (size_t I = 0, E = Text.size(); I != E; ++I) {
    char C = Text[I];
    if (C == '\n') {
      LineStart = true;
      Markers = 0;
    } else if (C == '[' || C == '{') {
      ++Brackets;
    } else if (C == ']' || C == '}') {
      Brackets -= Brackets != 0;
    } else if (LineStart && (C == '-' || C == '?') && I + 1 != E &&
               Text[I + 1] == ' ') {
      if (++Markers <= MaxDepth)
        continue;
      Brackets = Markers;
    }
    LineStart &= C == ' ' || C == '\n';
    if (Brackets > MaxDepth) {
      Diags.error(SMLoc::getFromPointer(&Text.data()[I]), "nested too deeply");
      return true;
    }
  }
  return false;
}
