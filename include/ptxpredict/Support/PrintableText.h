//===- PrintableText.h - Names of inputs as they are shown ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Names that inputs bring may hold what a terminal acts upon. Text is shown
// without it.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_PRINTABLETEXT_H
#define PTXPREDICT_SUPPORT_PRINTABLETEXT_H

#include "ptxpredict/Support/LLVM.h"
#include <string>

namespace ptxpredict {

/// Whether \p Text has no control characters: those below the blank, 0x7f, and
/// U+0080 to U+009F in UTF-8.
bool isPrintable(StringRef Text);

/// \p Text with each control character as "\n", "\t", "\x1b", "\u009b". Other
/// bytes stay as they are.
std::string printable(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_PRINTABLETEXT_H
