//===- EmbeddedPages.h - Pages of docs in the program -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_EXPLAIN_EMBEDDEDPAGES_H
#define PTXPREDICT_LIB_REPORT_EXPLAIN_EMBEDDEDPAGES_H

#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict {

/// A page of docs: its name without ".md", and its Markdown.
struct EmbeddedPage {
  StringRef Name, Text;
};

/// Findings, Reports and those of docs/models.
ArrayRef<EmbeddedPage> embeddedPages();

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_EXPLAIN_EMBEDDEDPAGES_H
