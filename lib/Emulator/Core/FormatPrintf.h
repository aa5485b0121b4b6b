//===- FormatPrintf.h - What device-side printf writes ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_FORMATPRINTF_H
#define PTXPREDICT_LIB_EMULATOR_CORE_FORMATPRINTF_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>

namespace ptxpredict::emulator {

/// The text that `vprintf(Format, ArgumentBuffer)` writes (CUDA C++ Programming
/// Guide, "Formatted Output": `%[flags][width][.precision][size]type`).
///
/// The buffer holds the arguments one after another, each aligned to its size:
/// 4 bytes for int and what is promoted to it, 8 for long, long long, pointers
/// and double. It may go on behind them. Sizes are hh, h, l and ll, and the j,
/// z and t of C, all three 8 bytes; types d i u o x X c s p f F e E g G a A.
/// \p ReadString gives the string at a device address, which is never 0.
///
/// Nothing else is a conversion: its text is written as it is, without an
/// argument. So is a conversion whose argument the buffer no longer has, and
/// one that asks for more than 65536 characters. \p NumArguments, if it is
/// there, gets the number of arguments that were used, what vprintf returns.
std::string
formatDevicePrintf(StringRef Format, ArrayRef<uint8_t> ArgumentBuffer,
                   llvm::function_ref<std::string(uint64_t)> ReadString,
                   unsigned *NumArguments = nullptr);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_FORMATPRINTF_H
