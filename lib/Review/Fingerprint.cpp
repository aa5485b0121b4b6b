//===- Fingerprint.cpp - Findings told apart without their lines ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/Fingerprint.h"
#include "ptxpredict/Support/ContentCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

std::string ptxpredict::withoutLayout(StringRef Line) {
  Line = Line.split("//").first.split(" # ").first;
  SmallVector<StringRef, 16> Words;
  llvm::SplitString(Line, Words);
  return llvm::join(Words, " ");
}

std::string ptxpredict::placeKey(const FindingRecord &F, StringRef Input,
                                 StringRef SourceLine) {
  const bool IsInSource = F.Found.Where.Path != Input;
  std::string Text = IsInSource ? withoutLayout(SourceLine) : "";
  return (F.Found.Id + "\n" +
          (IsInSource ? llvm::sys::path::filename(F.Found.Where.Path) : "") +
          "\n" + (Text.empty() ? F.Code : Text))
      .str();
}

std::string ptxpredict::fingerprint(StringRef Kernel, StringRef PlaceKey,
                                    size_t Nth) {
  return ContentCache::hash({Kernel, PlaceKey, std::to_string(Nth)})
      .substr(0, 32);
}
