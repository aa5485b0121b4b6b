//===- ProjectBoundary.h - What belongs to a project ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A repository is read for people who have not looked at it (SECURITY.md): its
// files may lead to others of the repository, not to those of the machine.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_PROJECTBOUNDARY_H
#define PTXPREDICT_SUPPORT_PROJECTBOUNDARY_H

#include "ptxpredict/Support/LLVM.h"
#include <string>

namespace ptxpredict {

/// The absolute path of what \p Path leads to, without links, "." and "..". Of
/// a path that leads nowhere the part that is there is followed.
std::string realPath(StringRef Path);

/// The folder of the project that \p Folder belongs to, without links: the
/// nearest one that holds ".git", else \p Folder itself.
std::string projectRoot(StringRef Folder);

/// Whether what \p Path leads to lies below \p Root, a result of
/// projectRoot(), and not in its folder ".git".
bool isInProject(StringRef Path, StringRef Root);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_PROJECTBOUNDARY_H
