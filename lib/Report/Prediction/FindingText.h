//===- FindingText.h - A finding as text ------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_PREDICTION_FINDINGTEXT_H
#define PTXPREDICT_LIB_REPORT_PREDICTION_FINDINGTEXT_H

#include "ptxpredict/Support/Finding.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict {

/// `FILE:LINE:COLUMN: warning: TEXT [id]`
void printMessage(const Finding &F, raw_ostream &OS, bool Colors);

/// The message, its line with a caret, and where it was inlined. Without the
/// source, the line of \p Input that it was compiled to. \p Lines gives the
/// text of a line, or nothing if it cannot be read.
void printWithLines(
    const Finding &F, StringRef Input, raw_ostream &OS, bool Colors,
    llvm::function_ref<std::optional<StringRef>(StringRef Path, unsigned Line)>
        Lines);

/// What would be saved and what to do, an item each, if that is known.
void printGainAndHelp(const Finding &F, raw_ostream &OS);

/// An indented line or more: `  NAME  TEXT`.
void printItem(raw_ostream &OS, StringRef Name, StringRef Text);

/// "28 % of the time on a100, 11 % of the time on h100"; empty without a gain.
std::string gainText(const Finding &F, StringRef Of = " of the time");

/// Whether there is something to say of a frame of InlinedAt: a header's code
/// may stand at its own place.
bool isElsewhere(const FindingLocation &Where, StringRef Frame);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_PREDICTION_FINDINGTEXT_H
