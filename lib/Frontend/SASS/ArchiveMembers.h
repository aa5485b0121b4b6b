//===- ArchiveMembers.h - The members of a static library -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// LLVM's reader of archives brings its readers of all object files and of LLVM
// IR, and their options with them: more than this program, for three fields of
// a header of 60 bytes.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_ARCHIVEMEMBERS_H
#define PTXPREDICT_LIB_FRONTEND_SASS_ARCHIVEMEMBERS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace ptxpredict::sass {

constexpr llvm::StringLiteral ArchiveMagic = "!<arch>\n",
                              ThinArchiveMagic = "!<thin>\n";

/// Calls \p Do with the name, the offset and the content of each member of an
/// archive as System V, GNU and BSD write them; tables of symbols and names are
/// none. Returns why the archive cannot be read any further; empty at its end.
std::string forEachMember(
    StringRef Archive,
    llvm::function_ref<void(StringRef Name, uint64_t Offset, StringRef Content)>
        Do);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_ARCHIVEMEMBERS_H
