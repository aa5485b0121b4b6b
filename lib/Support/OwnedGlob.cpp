//===- OwnedGlob.cpp - A glob that keeps its text -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/OwnedGlob.h"

using namespace ptxpredict;

Expected<OwnedGlob> OwnedGlob::create(StringRef Given) {
  auto Text = std::make_shared<const std::string>(Given);
  Expected<llvm::GlobPattern> Pattern =
      llvm::GlobPattern::create(*Text, /*MaxSubPatterns=*/1024);
  if (!Pattern)
    return llvm::createStringError(
        "'" + Given + "' is no glob: " + llvm::toString(Pattern.takeError()));
  return OwnedGlob(std::move(Text), std::move(*Pattern));
}
