//===- ObjectList.h - What the GPU code of a file is ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_OBJECTLIST_H
#define PTXPREDICT_FRONTEND_SASS_OBJECTLIST_H

#include "ptxpredict/Frontend/SASS/CodeEntries.h"
#include "ptxpredict/Frontend/SASS/Cubin.h"

namespace ptxpredict::sass {

/// An entry and, of machine code that can be read, what is in it.
struct ListedEntry {
  CodeEntry Entry;
  std::optional<Cubin> Code;
};

struct ObjectList {
  std::vector<ListedEntry> Entries; ///< in the order of the file
  std::vector<std::string> Problems;
};

/// Lists \p File, to which the result refers. One entry at a time is unpacked.
ObjectList listObjects(StringRef File);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_OBJECTLIST_H
