//===- ArgumentPlace.h - What a launch gives a value to ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_ARGUMENTPLACE_H
#define PTXPREDICT_LAUNCH_ARGUMENTPLACE_H

#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict {

/// What the key of an argument says without a kernel: "0", "n",
/// "params.shape.n", "0+8:u32", "params+8".
struct ArgumentPlace {
  /// An index or a name, perhaps with members behind it: names of LLVM IR have
  /// dots, too.
  StringRef Parameter;
  std::optional<uint64_t> Offset; ///< bytes
  StringRef Type;                 ///< of launch files; may be empty
};

/// Why \p Text is no key of \p Value; empty if it is one, and in \p Result.
std::string parseArgumentPlace(StringRef Text, const ArgumentValue &Value,
                               ArgumentPlace &Result);

/// The bytes of a number as a type of launch files, from the lowest; nothing if
/// the type has no such value. Floating-point types round.
std::optional<uint64_t> encodeNumber(StringRef Type, const ArgumentValue &V);

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_ARGUMENTPLACE_H
