//===- Paths.cpp - Paths as results show them -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

void ptxpredict::makeRelative(std::string &Path, StringRef Root) {
  StringRef Rest = Path;
  if (Root.empty() || !Rest.consume_front(Root))
    return;
  if (Rest.consume_front("/") || Root.ends_with("/"))
    Path = Rest.str();
}

std::string ptxpredict::absolutePath(StringRef Path) {
  llvm::SmallString<128> Full(Path);
  (void)llvm::sys::fs::make_absolute(Full);
  llvm::sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return std::string(Full);
}

PathPlace ptxpredict::splitPlace(StringRef Text) {
  auto [Front, Column] = Text.rsplit(':');
  auto [Path, Line] = Front.rsplit(':');
  PathPlace P{Path};
  if (Line.getAsInteger(10, P.Line) || Column.getAsInteger(10, P.Column))
    return {Text};
  return P;
}
