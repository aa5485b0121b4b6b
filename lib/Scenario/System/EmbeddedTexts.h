//===- EmbeddedTexts.h - Links and systems in the program -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_SYSTEM_EMBEDDEDTEXTS_H
#define PTXPREDICT_LIB_SCENARIO_SYSTEM_EMBEDDEDTEXTS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace ptxpredict {

/// Files of one folder: their names without suffix, sorted, and their texts in
/// that order.
struct EmbeddedTexts {
  ArrayRef<StringRef> Names, Texts;
  /// The text of that name.
  std::optional<StringRef> find(StringRef Name) const;
};

extern const EmbeddedTexts EmbeddedLinks, EmbeddedSystems;

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_SYSTEM_EMBEDDEDTEXTS_H
