//===- IntrinsicPatterns.h - Names of intrinsics to mnemonics ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICPATTERNS_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICPATTERNS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace ptxpredict::llvmir {

/// One row of NVVMIntrinsics.def, which explains the three languages.
struct IntrinsicPattern {
  StringRef Name, Mnemonic, Operands;
};

/// A row that fits a name, and what its groups stand for.
struct IntrinsicMatch {
  const IntrinsicPattern *Pattern = nullptr;
  SmallVector<StringRef, 8> Captures;

  explicit operator bool() const { return Pattern; }
  /// What `$1` is for 1; empty for a group that the pattern lacks.
  StringRef capture(unsigned Number) const {
    return Number - 1 < Captures.size() ? Captures[Number - 1] : StringRef();
  }
};

/// The first row that fits \p Name, which begins behind `llvm.nvvm.`.
IntrinsicMatch matchIntrinsic(StringRef Name);

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICPATTERNS_H
