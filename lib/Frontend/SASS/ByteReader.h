//===- ByteReader.h - Numbers in bytes that nobody trusts -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_BYTEREADER_H
#define PTXPREDICT_LIB_FRONTEND_SASS_BYTEREADER_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Endian.h"
#include <optional>

namespace ptxpredict::sass {

/// Reads little-endian numbers; nothing beyond the end.
class ByteReader {
public:
  explicit ByteReader(StringRef Bytes) : Bytes(Bytes) {}

  /// The \p T at \p Offset.
  template <typename T>
  std::optional<T> at(uint64_t Offset) const {
    if (Offset > Bytes.size() || Bytes.size() - Offset < sizeof(T))
      return std::nullopt;
    return llvm::support::endian::read<T>(Bytes.data() + Offset,
                                          llvm::endianness::little);
  }

private:
  StringRef Bytes;
};

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_BYTEREADER_H
