//===- Paths.h - Paths as results show them ---------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_PATHS_H
#define PTXPREDICT_SUPPORT_PATHS_H

#include "ptxpredict/Support/LLVM.h"
#include <string>

namespace ptxpredict {

/// Cuts \p Root off \p Path if it lies in there.
void makeRelative(std::string &Path, StringRef Root);

/// \p Path from the root of the file system, without `.` and `..`.
std::string absolutePath(StringRef Path);

/// A place, "k.cu:7:12", and its parts; Line is 0 if that is none.
struct PathPlace {
  StringRef Path;
  unsigned Line = 0, Column = 0;
};
PathPlace splitPlace(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_PATHS_H
