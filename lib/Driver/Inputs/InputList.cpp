//===- InputList.cpp - The inputs that paths stand for --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/InputList.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

bool ptxpredict::isCodeName(StringRef Path) {
  return llvm::any_of(
      std::initializer_list<StringRef>{".ptx", ".ptx.gz", ".ll", ".bc", ".cu",
                                       ".cl", ".cubin", ".fatbin"},
      [&](StringRef Suffix) { return Path.ends_with_insensitive(Suffix); });
}

/// Whether the link at \p Path leads to code of the project.
static bool staysInside(StringRef Path, StringRef Root) {
  return isInProject(Path, Root) && isCodeName(realPath(Path));
}

Expected<CodeBelow> ptxpredict::codeBelow(StringRef Folder) {
  CodeBelow Found;
  const std::string Root = projectRoot(Folder);
  const std::error_code EC =
      forEachFileBelow(Folder, [&](StringRef Path, fs::file_type Type) {
        if (!isCodeName(Path) || !fs::is_regular_file(Path))
          return true;
        const bool IsLink = Type == fs::file_type::symlink_file;
        (IsLink && !staysInside(Path, Root) ? Found.LinksOut : Found.Files)
            .push_back(Path.str());
        return true;
      });
  if (EC)
    return llvm::createStringError(EC, "cannot read the folder '" + Folder +
                                           "': " + EC.message());
  llvm::sort(Found.Files);
  llvm::sort(Found.LinksOut);
  return Found;
}

std::string ptxpredict::describeLinksOut(ArrayRef<std::string> LinksOut) {
  if (LinksOut.empty())
    return {};
  std::string Others =
      LinksOut.size() == 1
          ? std::string()
          : " and " + std::to_string(LinksOut.size() - 1) + " more";
  return "'" + LinksOut.front() + "'" + Others +
         " not followed: links that lead out of the project, or to what is no "
         "code; name what is to be read";
}
