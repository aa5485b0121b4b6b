//===- OwnedGlob.cpp - A glob that keeps its text -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/OwnedGlob.h"

using namespace ptxpredict;

/// What the braces of a glob may stand for: more are a slip of the pen, and
/// would take all memory.
static constexpr size_t MaxAlternatives = 1024;

Expected<OwnedGlob> OwnedGlob::create(StringRef Given) {
  auto Text = std::make_shared<const std::string>(Given);
  Expected<llvm::GlobPattern> Pattern =
      llvm::GlobPattern::create(*Text, MaxAlternatives);
  if (!Pattern)
    return llvm::createStringError(
        "'" + Given + "' is no glob: " + llvm::toString(Pattern.takeError()));
  return OwnedGlob(std::move(Text), std::move(*Pattern));
}
