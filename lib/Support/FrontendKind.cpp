//===- FrontendKind.cpp - What an input is read as ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/FrontendKind.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static constexpr StringRef Words[] = {"ptx", "llvm-ir", "sass",
                                      "characteristics"};

StringRef ptxpredict::toString(FrontendKind K) { return Words[unsigned(K)]; }

std::optional<FrontendKind> ptxpredict::parseFrontendKind(StringRef Word) {
  const StringRef *Found = llvm::find(Words, Word);
  if (Found == std::end(Words))
    return std::nullopt;
  return FrontendKind(Found - std::begin(Words));
}

StringRef ptxpredict::languageName(FrontendKind K) {
  static constexpr StringRef Names[] = {"PTX", "LLVM IR", "machine code",
                                        "characteristics"};
  return Names[unsigned(K)];
}
