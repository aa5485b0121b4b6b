//===- MarkdownText.h - Texts in Markdown -----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// GitHub's and GitLab's Markdown, also in a cell of a table.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_WRITERS_MARKDOWNTEXT_H
#define PTXPREDICT_LIB_REPORT_WRITERS_MARKDOWNTEXT_H

#include "ptxpredict/Support/LLVM.h"
#include <string>

namespace ptxpredict {

/// GitHub refuses comments of more than 65536 characters. What follows tables
/// takes little.
constexpr size_t MaxCommentBytes = 60000;

/// \p Text with no mark in it, and without line breaks.
std::string markdownText(StringRef Text);

/// \p Text as code.
std::string markdownCode(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_WRITERS_MARKDOWNTEXT_H
