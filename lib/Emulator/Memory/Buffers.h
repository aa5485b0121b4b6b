//===- Buffers.h - Filling and checking a launch's buffers ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What `fill` and `expect` of the launch file mean
// (docs/formats/LaunchFile.md).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MEMORY_BUFFERS_H
#define PTXPREDICT_LIB_EMULATOR_MEMORY_BUFFERS_H

#include "ptxpredict/Launch/BufferElements.h"
#include <optional>
#include <string>

namespace ptxpredict::emulator {

/// Where a buffer does not hold what its launch file expects.
struct BufferMismatch {
  uint64_t Index;        ///< of the first wrong element
  std::string Got, Want; ///< as decimal numbers; NaNs with their bits
  uint64_t NumMismatches;
};

/// Fills \p Out, which has the buffer's size and holds zeros: zeros are not
/// written again, so that what the host has not provided yet stays away. Files
/// are relative to \p LaunchFileDir. The error of a file that cannot be read or
/// has another size names its path and the size that it must have.
Error fillBuffer(const BufferSpec &Spec, MutableArrayRef<uint8_t> Out,
                 StringRef LaunchFileDir);

/// Compares \p Got, which has the buffer's size, with what is expected: nothing
/// if it is right, or if nothing is expected. Errors as \ref fillBuffer.
Expected<std::optional<BufferMismatch>> checkBuffer(const BufferSpec &Spec,
                                                    ArrayRef<uint8_t> Got,
                                                    StringRef LaunchFileDir);

/// Writes the raw \p Bytes to the file at \p Path. The error names the path.
Error writeBuffer(StringRef Path, ArrayRef<uint8_t> Bytes);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MEMORY_BUFFERS_H
