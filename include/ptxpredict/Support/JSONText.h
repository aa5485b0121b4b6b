//===- JSONText.h - Reading JSON with our diagnostics -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_JSONTEXT_H
#define PTXPREDICT_SUPPORT_JSONTEXT_H

#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace ptxpredict {

/// Objects and arrays that nest deeper than this are not read: LLVM's parser
/// takes stack for each level.
constexpr unsigned MaxJSONDepth = 64;

/// The value that is the text of \p Diags; nothing on error (reported, with its
/// place). A key that an object has twice is one.
std::optional<llvm::json::Value> parseJSON(DiagnosticEngine &Diags);

/// The value that is \p Text; nothing on error. Of a key that an object has
/// twice, the last value counts. For what this program has written.
std::optional<llvm::json::Value> parseJSON(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_JSONTEXT_H
