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
    if (StringRef Near = nearestName(Key, Sink.KnownKeys); !Near.empty())
      Message += ("; did you mean '" + Near + "'?").str();
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
