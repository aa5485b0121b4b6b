//===- InputList.h - The inputs that paths stand for ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_INPUTS_INPUTLIST_H
#define PTXPREDICT_DRIVER_INPUTS_INPUTLIST_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// Whether a file of that name is code: `.ptx`, `.ptx.gz`, `.ll`, `.bc`, `.cu`,
/// `.cl`, `.cubin`, `.fatbin`.
bool isCodeName(StringRef Path);

/// Code in a folder.
struct CodeBelow {
  std::vector<std::string> Files;
  /// Links that lead out of the project, or to what is no code by its name.
  std::vector<std::string> LinksOut;
};

/// All files below \p Folder, at any depth, whose name says that they are code,
/// sorted; those in folders whose name begins with a dot are left out. The
/// error names the folder that cannot be read.
Expected<CodeBelow> codeBelow(StringRef Folder);

/// What to say of \p LinksOut; empty if there are none.
std::string describeLinksOut(ArrayRef<std::string> LinksOut);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_INPUTLIST_H
