//===- RecordJSON.h - Records of inputs as text -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_RECORDJSON_H
#define PTXPREDICT_REVIEW_RECORDJSON_H

#include "ptxpredict/Review/InputRecord.h"

namespace ptxpredict {

/// A record for a cache, without its path: places in the input itself have
/// none.
std::string writeRecord(const InputRecord &R);

/// The record that \ref writeRecord wrote, for an input at \p Path; nothing for
/// any other text.
std::optional<InputRecord> readRecord(StringRef Text, StringRef Path);

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_RECORDJSON_H
