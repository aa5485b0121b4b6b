//===- FrontendKind.h - What an input is read as ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_FRONTENDKIND_H
#define PTXPREDICT_SUPPORT_FRONTENDKIND_H

#include "ptxpredict/Support/LLVM.h"
#include <optional>

namespace ptxpredict {

/// The language of an input. Source counts as the LLVM IR that clang makes of
/// it.
enum class FrontendKind : uint8_t {
  PTX,
  LLVMIR,
  SASS,           ///< machine code
  Characteristics ///< a file of what was found in code before
};

/// "ptx", "llvm-ir", "sass" or "characteristics": the word in JSON and YAML.
StringRef toString(FrontendKind K);
/// The other way; none for any other word.
std::optional<FrontendKind> parseFrontendKind(StringRef Word);
/// "PTX", "LLVM IR", "machine code" or "characteristics": the word in a
/// sentence.
StringRef languageName(FrontendKind K);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_FRONTENDKIND_H
