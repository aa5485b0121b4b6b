//===- HTMLStyle.h - How pages look -----------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_HTMLSTYLE_H
#define PTXPREDICT_REPORT_WRITERS_HTMLSTYLE_H

#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict::html {

/// The style sheet of every page: light and dark, narrow and wide, on paper.
StringRef styleSheet();

} // namespace ptxpredict::html

#endif // PTXPREDICT_REPORT_WRITERS_HTMLSTYLE_H
