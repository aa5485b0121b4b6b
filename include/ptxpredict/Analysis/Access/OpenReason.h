//===- OpenReason.h - What leaves a count open ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_ACCESS_OPENREASON_H
#define PTXPREDICT_ANALYSIS_ACCESS_OPENREASON_H

#include "ptxpredict/Analysis/Symbolic/Expression.h"

namespace ptxpredict {

/// Why code, launch and arguments do not decide a count; None if they do.
enum class OpenReason : uint8_t {
#define OPEN_REASON(Enumerator, Text, Meaning) Enumerator,
#include "ptxpredict/Analysis/Access/OpenReasons.def"
};
StringRef toString(OpenReason R); ///< "load", …; empty for None

/// A count is open because a symbol that it needs is opaque for this reason.
OpenReason reasonOf(Symbol::ReasonTy R);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_ACCESS_OPENREASON_H
