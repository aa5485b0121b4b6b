//===- Fingerprint.h - Findings told apart without their lines --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_FINGERPRINT_H
#define PTXPREDICT_REVIEW_FINGERPRINT_H

#include "ptxpredict/Review/InputRecord.h"

namespace ptxpredict {

/// What a finding in \p Input is about, whatever its kernel, its line and its
/// folder: the rule, the name of the source, and the text that stands there.
/// \p SourceLine is the line of source, empty if it cannot be read; then, and
/// where there is no source, it is what the input has there.
std::string placeKey(const FindingRecord &F, StringRef Input,
                     StringRef SourceLine = {});

/// The \p Nth finding, from 0, of a kernel, named \ref withoutFileHashes, at
/// places of the same key: 32 hexadecimal digits.
std::string fingerprint(StringRef Kernel, StringRef PlaceKey, size_t Nth);

/// A line without white space around it, what there is inside as one space
/// each, and without a comment that begins with `//` or stands between spaces
/// after `#`.
std::string withoutLayout(StringRef Line);

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_FINGERPRINT_H
