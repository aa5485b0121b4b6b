//===- YAML.cpp - YAMLTraits input with our diagnostics -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/YAML.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/YAMLParser.h"

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

/// Walks \p N; true if it is nested more than \p Depth levels, with the place.
static bool isDeeper(llvm::yaml::Node &N, unsigned Depth, SMLoc &Where) {
  using namespace llvm::yaml;
  if (N.failed())
    return false;
  if (Depth == 0) {
    Where = N.getSourceRange().Start;
    return true;
  }
  if (auto *List = llvm::dyn_cast<SequenceNode>(&N)) {
    for (Node &Element : *List)
      if (isDeeper(Element, Depth - 1, Where))
        return true;
  } else if (auto *Map = llvm::dyn_cast<MappingNode>(&N)) {
    for (KeyValueNode &Entry : *Map) {
      if (Node *Key = Entry.getKey(); Key && isDeeper(*Key, Depth - 1, Where))
        return true;
      Node *Value = N.failed() ? nullptr : Entry.getValue();
      if (Value && isDeeper(*Value, Depth - 1, Where))
        return true;
    }
  }
  return false;
}

bool ptxpredict::nestsTooDeeply(DiagnosticEngine &Diags) {
  constexpr unsigned MaxDepth = 64;
  // LLVM's parser makes nodes as they are asked for; it recurses only over
  // those that were not. What is wrong otherwise is said by the second reading.
  llvm::SourceMgr SM;
  SM.setDiagHandler([](const llvm::SMDiagnostic &, void *) {});
  llvm::yaml::Stream Input(Diags.text(), SM, /*ShowColors=*/false);
  for (llvm::yaml::Document &D : Input) {
    llvm::yaml::Node *Root = D.getRoot();
    if (!Root || Input.failed())
      return false;
    SMLoc Where;
    if (isDeeper(*Root, MaxDepth, Where)) {
      Diags.error(Where, "nested too deeply");
      return true;
    }
    if (Input.failed())
      return false;
  }
  return false;
}
