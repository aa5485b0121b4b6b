//===- FatBinary.h - The entries of fat binaries ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_FATBINARY_H
#define PTXPREDICT_LIB_FRONTEND_SASS_FATBINARY_H

#include "ptxpredict/Frontend/SASS/CodeEntries.h"

namespace ptxpredict::sass {

/// Where bytes come from, for messages and offsets.
struct Source {
  std::string Member;  ///< of an archive; empty outside of one
  std::string Section; ///< empty where there are no sections
  uint64_t Offset = 0; ///< of the bytes in the file
};

/// "member 'a.o', section '.nv_fatbin', offset 0x40: " and \p What.
std::string located(const Source &From, uint64_t Offset,
                    const llvm::Twine &What);

/// Whether a fat binary begins at \p Offset of \p Bytes.
bool isFatBinary(StringRef Bytes, uint64_t Offset = 0);

/// Adds the entries of the fat binary at \p Offset of \p Bytes. Returns where
/// it ends: behind \p Offset at least, at most at the end of \p Bytes.
uint64_t readFatBinary(StringRef Bytes, uint64_t Offset, const Source &From,
                       CodeEntries &Result);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_FATBINARY_H
