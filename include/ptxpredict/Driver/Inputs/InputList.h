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

/// Whether a file of that name is code: `.ptx`, `.ptx.gz`, `.ll`, `.bc`, `.cu`.
bool isCodeName(StringRef Path);

/// All files below \p Folder, at any depth, whose name says that they are code,
/// sorted; those in folders whose name begins with a dot are left out. The
/// error names the folder that cannot be read.
Expected<std::vector<std::string>> codeBelow(StringRef Folder);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_INPUTLIST_H
