//===- FatbinText.h - What cuobjdump prints of PTX --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// `cuobjdump -ptx` prints each entry of fat binaries with a head:
//
//   Fatbin ptx code:
//   ================
//   arch = sm_90
//   code version = [8,0]
//   host = linux
//   compile_size = 64bit
//
// and then the entry's PTX. Of machine code ("Fatbin elf code:") there is only
// the head, and an archive's members begin with "member NAME:".
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_INPUTS_FATBINTEXT_H
#define PTXPREDICT_DRIVER_INPUTS_FATBINTEXT_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace ptxpredict {

/// Whether \p Text is what cuobjdump prints of fat binaries.
bool isFatbinText(StringRef Text);

/// The PTX modules in such a text, each behind so many empty lines that its
/// lines are counted as they are in \p Text, under \p Path. An error if there
/// is none, or if there are more than a program has.
Expected<std::vector<std::unique_ptr<llvm::MemoryBuffer>>>
splitFatbinText(StringRef Text, StringRef Path);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_FATBINTEXT_H
