//===- NameLists.h - Names as messages list them ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_NAMELISTS_H
#define PTXPREDICT_SUPPORT_NAMELISTS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace ptxpredict {

/// About the first 8 of \p Names as a message lists them, "a, b and 3 more";
/// "none" of none.
std::string listNames(ArrayRef<StringRef> Names);

/// The end of a message about a \p Name that none of \p Candidates is: "; did
/// you mean 'saxpy'? There are saxpy, scale"; each candidate is listed once,
/// and none if only the nearest is there. \p More is what lists all of them,
/// such as
/// "'ptx-predict devices'".
std::string meantOrListed(StringRef Name, ArrayRef<StringRef> Candidates,
                          StringRef More = "");
/// The same where messages call for two kinds of names: looks for what was
/// meant in \p Candidates, and lists \p Listed.
std::string meantOrListed(StringRef Name, ArrayRef<StringRef> Candidates,
                          ArrayRef<StringRef> Listed, StringRef More = "");

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_NAMELISTS_H
