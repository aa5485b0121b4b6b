//===- Cubin.h - What is read of a cubin ------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_TOOLCHAIN_CUBIN_H
#define PTXPREDICT_LIB_DRIVER_TOOLCHAIN_CUBIN_H

#include "ptxpredict/Support/LLVM.h"
#include <map>
#include <string>

namespace ptxpredict {

/// Bytes of machine code of each function of a cubin, the size of its section
/// `.text.NAME`. Empty for what is no 64-bit little-endian ELF file or is cut
/// off.
std::map<std::string, uint64_t> readCodeSizes(StringRef Cubin);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_TOOLCHAIN_CUBIN_H
