//===- OwnedGlob.h - A glob that keeps its text -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_OWNEDGLOB_H
#define PTXPREDICT_SUPPORT_OWNEDGLOB_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/GlobPattern.h"
#include <memory>
#include <string>

namespace ptxpredict {

/// A glob that keeps its text, to which llvm::GlobPattern only refers.
class OwnedGlob {
public:
  /// An error if \p Text is no glob.
  static Expected<OwnedGlob> create(StringRef Text);
  bool match(StringRef S) const { return Pattern.match(S); }
  StringRef text() const { return *Text; }

private:
  OwnedGlob(std::shared_ptr<const std::string> Text, llvm::GlobPattern Pattern)
      : Text(std::move(Text)), Pattern(std::move(Pattern)) {}
  std::shared_ptr<const std::string> Text; ///< which the pattern refers to
  llvm::GlobPattern Pattern;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_OWNEDGLOB_H
