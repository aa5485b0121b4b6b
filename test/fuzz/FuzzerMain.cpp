//===- FuzzerMain.cpp - A target as libFuzzer calls it --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // PTXPREDICT_FUZZ_RUN is one of the functions of Targets.h.
  ptxpredict::fuzz::PTXPREDICT_FUZZ_RUN(
      llvm::StringRef(reinterpret_cast<const char *>(Data), Size));
  return 0;
}
