//===- Paths.h - Paths as results show them ---------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_PATHS_H
#define PTXPREDICT_SUPPORT_PATHS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <system_error>

namespace ptxpredict {

/// Cuts \p Root off \p Path if it lies in there.
void makeRelative(std::string &Path, StringRef Root);

/// \p Path from the root of the file system, without `.` and `..`.
std::string absolutePath(StringRef Path);

/// Calls \p Do with each file, link and the like below \p Folder until it says
/// false, in any order. Folders whose names begin with a dot are left out, and
/// links to folders are not followed: they may lead back.
std::error_code forEachFileBelow(
    StringRef Folder,
    llvm::function_ref<bool(StringRef, llvm::sys::fs::file_type)> Do);

/// A place, "k.cu:7:12", and its parts; Line is 0 if that is none, and Column
/// if it has none.
struct PathPlace {
  StringRef Path;
  unsigned Line = 0, Column = 0;
};
PathPlace splitPlace(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_PATHS_H
