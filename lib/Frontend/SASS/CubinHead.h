//===- CubinHead.h - What an ELF header says of a cubin ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_CUBINHEAD_H
#define PTXPREDICT_LIB_FRONTEND_SASS_CUBINHEAD_H

#include "ptxpredict/Support/LLVM.h"
#include <optional>

namespace ptxpredict::sass {

struct CubinHead {
  unsigned Architecture = 0; ///< 90 for sm_90
  unsigned ABIVersion = 0;   ///< 7, or 8 with the later flags
};

/// Nothing unless \p Bytes begin as a 64-bit little-endian ELF file for
/// NVIDIA's GPUs does.
std::optional<CubinHead> readCubinHead(StringRef Bytes);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_CUBINHEAD_H
