//===- HarmlessArguments.h - What a compile command may say -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_TOOLCHAIN_HARMLESSARGUMENTS_H
#define PTXPREDICT_DRIVER_TOOLCHAIN_HARMLESSARGUMENTS_H

#include "ptxpredict/Support/LLVM.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// Arguments of a compile command that a repository brings.
struct HarmlessArguments {
  std::vector<std::string> Kept;    ///< for the compiler that is run
  std::vector<std::string> LeftOut; ///< not known to be harmless
};

/// Sorts \p All, the arguments of a command of nvcc (\p FromNVCC) or clang, for
/// a run of nvcc (\p ForNVCC) or clang. Kept is what HarmlessArguments.def
/// knows; what only the other compiler understands is in neither list. Nothing
/// that names a file of arguments (`@FILE`) is kept, and nothing that nvcc's
/// shell would act upon.
HarmlessArguments keepHarmless(ArrayRef<std::string> All, bool FromNVCC,
                               bool ForNVCC);

/// Whether nvcc can be given \p Text: it puts arguments and names of files in
/// double quotes on a shell's command line, where `$`, "`" and `\` act.
bool isSafeForNVCC(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_TOOLCHAIN_HARMLESSARGUMENTS_H
