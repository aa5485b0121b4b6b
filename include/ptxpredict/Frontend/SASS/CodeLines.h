//===- CodeLines.h - Lines of sources that machine code is of ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_CODELINES_H
#define PTXPREDICT_FRONTEND_SASS_CODELINES_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ptxpredict::sass {

/// A line of a source.
struct CodeLine {
  StringRef File; ///< as the compiler wrote it
  unsigned Line = 0;
};

/// What the line table of a cubin says, section .debug_line: it is there where
/// the code was compiled with -lineinfo.
class CodeLines {
public:
  /// The line of the instruction at \p Address of \p Function (mangled);
  /// nothing if the table does not say.
  std::optional<CodeLine> of(StringRef Function, uint64_t Address) const;

private:
  friend llvm::Expected<CodeLines> readCodeLines(StringRef Cubin);
  /// From an address on, up to the next one.
  struct Row {
    uint64_t Address;
    unsigned File; ///< number in Files
    unsigned Line; ///< 0: none from here on
  };
  std::vector<std::string> Files;
  llvm::StringMap<std::vector<Row>> Functions; ///< by address
};

/// Those of a cubin; empty if it has none. An error, with the section, if they
/// are damaged.
llvm::Expected<CodeLines> readCodeLines(StringRef Cubin);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_CODELINES_H
