//===- ProgressLine.h - How far a long run is -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_PROGRESSLINE_H
#define PTXPREDICT_TOOLS_PROGRESSLINE_H

#include "ptxpredict/Support/LLVM.h"
#include <chrono>
#include <optional>
#include <string>

namespace ptxpredict::tool {

/// One line on standard error for what takes more than a second, taken away at
/// the end; a CapturedRun's Progress.
class ProgressLine {
public:
  /// Unless \p IsQuiet or nobody watches.
  explicit ProgressLine(bool IsQuiet);
  ~ProgressLine() { clear(); }

  /// \p Done of \p All \p Units of \p What are done; time counts from the
  /// first call for it.
  void update(StringRef What, uint64_t Done, uint64_t All, StringRef Units);
  void clear();

private:
  bool Enabled, IsShown = false;
  std::string Current;
  std::optional<std::chrono::steady_clock::time_point> Started;
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_PROGRESSLINE_H
