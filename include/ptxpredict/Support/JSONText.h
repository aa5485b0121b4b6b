//===- JSONText.h - Reading JSON with our diagnostics -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_JSONTEXT_H
#define PTXPREDICT_SUPPORT_JSONTEXT_H

#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace ptxpredict {

/// The value that is the text of \p Diags; nothing on error (reported, with its
/// place).
std::optional<llvm::json::Value> parseJSON(DiagnosticEngine &Diags);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_JSONTEXT_H
