//===- SystemFile.cpp - A system by its name or its file ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SystemFile.h"
#include "CommandLine.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/Support/FileSystem.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

std::unique_ptr<System> tool::readSystem(StringRef Name,
                                         const SystemParts &Parts) {
  DiagnosticEngine Diags;
  if (std::optional<StringRef> Text = embeddedSystem(Name)) {
    Diags.setBuffer(llvm::MemoryBuffer::getMemBuffer(
        *Text, (Name + ".yaml").str(), /*RequiresNullTerminator=*/false));
  } else if (Name != "-" && !llvm::sys::fs::exists(Name)) {
    usageError(
        "there is no system '" + Name + "', and no such file" +
        meantOrListed(Name, embeddedSystemNames(), "'ptx-predict systems'"));
    return nullptr;
  } else if (readInputFile(Name, Diags)) {
    printDiagnostics(&Diags);
    return nullptr;
  }
  std::unique_ptr<System> S = parseSystem(Diags, Parts);
  printDiagnostics(&Diags);
  return S;
}
