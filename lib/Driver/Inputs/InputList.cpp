//===- InputList.cpp - The inputs that paths stand for --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/InputList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool ptxpredict::isCodeName(StringRef Path) {
  return llvm::any_of(
      std::initializer_list<StringRef>{".ptx", ".ptx.gz", ".ll", ".bc", ".cu"},
      [&](StringRef Suffix) { return Path.ends_with_insensitive(Suffix); });
}

Expected<std::vector<std::string>> ptxpredict::codeBelow(StringRef Folder) {
  std::vector<std::string> Found;
  std::error_code EC;
  // Links to folders are not followed: they may lead back.
  fs::recursive_directory_iterator It(Folder, EC, /*follow_symlinks=*/false);
  for (fs::recursive_directory_iterator End; !EC && It != End;
       It.increment(EC)) {
    StringRef Path = It->path();
    if (It->type() == fs::file_type::directory_file) {
      if (path::filename(Path).starts_with("."))
        It.no_push();
      continue;
    }
    if (isCodeName(Path) && fs::is_regular_file(Path))
      Found.push_back(Path.str());
  }
  if (EC)
    return llvm::createStringError(EC, "cannot read the folder '" + Folder +
                                           "': " + EC.message());
  llvm::sort(Found);
  return Found;
}
