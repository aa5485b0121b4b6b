//===- ProjectBoundary.cpp - What belongs to a project --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/ProjectBoundary.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::SmallString;

/// What holds a repository's own data.
static constexpr StringRef GitFolder = ".git";

std::string ptxpredict::realPath(StringRef Path) {
  SmallString<256> Full(Path), Real;
  (void)fs::make_absolute(Full);
  if (!fs::real_path(Full, Real))
    return std::string(Real);
  StringRef There = Full;
  while (path::has_relative_path(There)) {
    There = path::parent_path(There);
    Real.clear();
    if (fs::real_path(There, Real))
      continue;
    path::append(Real, StringRef(Full).drop_front(There.size()).ltrim('/'));
    break;
  }
  return absolutePath(Real.empty() ? Full : Real);
}

std::string ptxpredict::projectRoot(StringRef Folder) {
  std::string Start = realPath(Folder);
  for (StringRef At = Start; !At.empty(); At = path::parent_path(At)) {
    SmallString<256> Git(At);
    path::append(Git, GitFolder);
    if (fs::exists(Git))
      return At.str();
  }
  return Start;
}

bool ptxpredict::isInProject(StringRef Path, StringRef Root) {
  std::string Real = realPath(Path);
  StringRef Rest = Real;
  if (!Rest.consume_front(Root) ||
      !(Rest.empty() || Root.ends_with("/") || Rest.starts_with("/")))
    return false;
  return llvm::none_of(llvm::make_range(path::begin(Rest), path::end(Rest)),
                       [](StringRef Part) { return Part == GitFolder; });
}
