//===- YAML.h - YAMLTraits input with our diagnostics -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_YAML_H
#define PTXPREDICT_SUPPORT_YAML_H

#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

namespace ptxpredict {

/// Sends what llvm::yaml::Input complains about to a DiagnosticEngine, with
/// line, column and caret, and names the nearest of \p KnownKeys beside an
/// unknown key.
struct YAMLDiagnostics {
  DiagnosticEngine &Diags;
  ArrayRef<StringRef> KnownKeys;
  bool Trusted = false; ///< a text of ours, which does not nest too deeply

  /// A DiagHandlerTy whose context is a YAMLDiagnostics.
  static void handle(const llvm::SMDiagnostic &D, void *Context);
};

/// Whether the text nests lists and mappings so deeply that LLVM's reader,
/// which recurses, must not see it. Reports it then.
bool nestsTooDeeply(DiagnosticEngine &Diags);

/// Reads the only document of \p Sink's buffer into \p Result. True on error
/// (reported). Traits reach \p Context through `IO::getContext`; one that holds
/// \p Sink can narrow its known keys to those of the mapping at hand.
template <typename T>
bool readYAML(YAMLDiagnostics &Sink, T &Result, void *Context = nullptr) {
  DiagnosticEngine &Diags = Sink.Diags;
  if (!Sink.Trusted && nestsTooDeeply(Diags))
    return true;
  llvm::yaml::Input In(Diags.text(), Context, YAMLDiagnostics::handle, &Sink);
  // Not `In >> Result`: of a file without any document that makes a null node,
  // which a failing validate() then dereferences.
  llvm::yaml::EmptyContext Empty;
  if (In.setCurrentDocument()) {
    llvm::yaml::yamlize(In, Result, /*Required=*/true, Empty);
    if (!In.error() && In.nextDocument() && In.setCurrentDocument()) {
      const llvm::yaml::Node *N = In.getCurrentNode();
      Diags.error(N ? N->getSourceRange().Start : SMLoc(),
                  "a second document in one file");
    }
  } else if (!Diags.hasErrors()) {
    Diags.error(SMLoc::getFromPointer(Diags.text().data()),
                "the file is empty");
  }
  if (In.error() && !Diags.hasErrors())
    Diags.error(SMLoc(), "not valid YAML");
  return Diags.hasErrors();
}

/// The same, with one set of known keys for all mappings.
template <typename T>
bool readYAML(DiagnosticEngine &Diags, ArrayRef<StringRef> KnownKeys, T &Result,
              void *Context = nullptr) {
  YAMLDiagnostics Sink{Diags, KnownKeys};
  return readYAML(Sink, Result, Context);
}

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_YAML_H
