//===- HTMLStyle.h - How pages look -----------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_HTMLSTYLE_H
#define PTXPREDICT_REPORT_WRITERS_HTMLSTYLE_H

#include "ptxpredict/Support/LLVM.h"
#include <string>

namespace ptxpredict::html {

/// The style sheet of every page: light and dark, narrow and wide, on paper.
StringRef styleSheet();

/// What a page says of itself; all is HTML.
struct PageHead {
  std::string Title;   ///< in the window's title, before the program's name
  std::string Heading; ///< above the page
  std::string Hint;    ///< below the heading
  /// Of the one script that may run, "sha256-...": empty for none.
  std::string ScriptHash = {};
};

/// Prints the page up to the end of its header. Its policy allows nothing from
/// elsewhere.
void printHead(const PageHead &Head, raw_ostream &OS);

} // namespace ptxpredict::html

#endif // PTXPREDICT_REPORT_WRITERS_HTMLSTYLE_H
