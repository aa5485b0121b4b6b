//===- CodeLines.h - Lines of sources that machine code is of ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_CODELINES_H
#define PTXPREDICT_FRONTEND_SASS_CODELINES_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace ptxpredict::sass {

/// A line of a source.
struct CodeLine {
  StringRef File; ///< as the compiler wrote it
  unsigned Line = 0;
  StringRef Function; ///< of inlined code, mangled; empty otherwise
  const CodeLine *InlinedAt = nullptr; ///< the line of the call
};

/// What the line table of a cubin says, section .debug_line: it is there where
/// the code was compiled with -lineinfo.
class CodeLines {
public:
  /// The line of the instruction at \p Address of \p Function (mangled); null
  /// if the table does not say. What is equal is the same object.
  const CodeLine *of(StringRef Function, uint64_t Address) const;

private:
  friend class LineTableReader;
  /// From an address on, up to the next one.
  struct Row {
    uint64_t Address;
    const CodeLine *Line; ///< null: none from here on
  };
  llvm::BumpPtrAllocator Memory;               ///< of lines and what they name
  llvm::StringMap<std::vector<Row>> Functions; ///< by address
};

/// Those of a cubin, with the calls that code was inlined at; empty if it has
/// none. An error, with the section, if they are damaged.
llvm::Expected<CodeLines> readCodeLines(StringRef Cubin);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_CODELINES_H
