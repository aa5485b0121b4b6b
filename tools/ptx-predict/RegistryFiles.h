//===- RegistryFiles.h - Devices and links of files -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_REGISTRYFILES_H
#define PTXPREDICT_TOOLS_REGISTRYFILES_H

#include "CommandLine.h"
#include "ptxpredict/Support/InputFile.h"

namespace ptxpredict::tool {

/// Adds the files of a repeatable option to \p Registry, of devices or links.
/// True on error (reported, of all files).
template <typename RegistryT>
bool addFiles(const StringList &Paths, RegistryT &Registry) {
  bool Failed = false;
  for (StringRef Path : Paths) {
    if (Path.empty()) {
      Failed |= valueError(Paths.ArgStr, "a file", Path);
      continue;
    }
    DiagnosticEngine Diags;
    Failed |= readInputFile(Path, Diags) || Registry.addFile(Diags);
    printDiagnostics(&Diags);
  }
  return Failed;
}

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_REGISTRYFILES_H
