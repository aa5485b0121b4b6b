//===- SourceLines.h - Lines of texts by number -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_SOURCELINES_H
#define PTXPREDICT_SUPPORT_SOURCELINES_H

#include "ptxpredict/Support/LLVM.h"
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace ptxpredict {

/// Finds lines of large texts, of which few are asked for. Any number of
/// threads may ask.
class SourceLines {
public:
  /// Line \p Line, from 1, of \p Text without its end; nothing if there is no
  /// such line. The text must stay where it is.
  std::optional<StringRef> find(StringRef Text, unsigned Line);

private:
  std::mutex Mutex; // of Starts
  /// Of the lines, by where the text begins.
  std::map<const char *, std::vector<size_t>> Starts;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_SOURCELINES_H
