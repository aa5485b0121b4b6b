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
  auto [Front, Last] = Text.rsplit(':');
  PathPlace P{Front};
  if (Last.getAsInteger(10, P.Line))
    return {Text};
  auto [Path, Line] = Front.rsplit(':');
  if (unsigned Number; !Line.getAsInteger(10, Number))
    return {Path, Number, P.Line};
  return P;
}

std::error_code ptxpredict::forEachFileBelow(
    StringRef Folder,
    llvm::function_ref<bool(StringRef, llvm::sys::fs::file_type)> Do) {
  std::error_code EC;
  llvm::sys::fs::recursive_directory_iterator It(Folder, EC,
                                                 /*follow_symlinks=*/false);
  for (llvm::sys::fs::recursive_directory_iterator End; !EC && It != End;
       It.increment(EC)) {
    StringRef Path = It->path();
    if (It->type() == llvm::sys::fs::file_type::directory_file) {
      if (llvm::sys::path::filename(Path).starts_with("."))
        It.no_push();
    } else if (!Do(Path, It->type())) {
      break;
    }
  }
  return EC;
}
