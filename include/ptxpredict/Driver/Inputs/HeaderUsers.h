//===- HeaderUsers.h - Which files include a header -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_INPUTS_HEADERUSERS_H
#define PTXPREDICT_DRIVER_INPUTS_HEADERUSERS_H

#include "ptxpredict/Support/LLVM.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// The sources and headers of the repository of \p Header, or below its folder
/// where there is none, that have an `#include` of it: of a path from their own
/// folder, or of an end of the header's path. Paths are relative to the
/// repository and sorted. Nothing is preprocessed; a repository of very many
/// files is not looked at to its end.
std::vector<std::string> filesIncluding(StringRef Header);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_HEADERUSERS_H
