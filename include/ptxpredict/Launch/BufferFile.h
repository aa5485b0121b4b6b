//===- BufferFile.h - A raw file with a buffer's contents -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_BUFFERFILE_H
#define PTXPREDICT_LAUNCH_BUFFERFILE_H

#include "ptxpredict/Launch/LaunchFile.h"
#include "ptxpredict/Support/InputHandle.h"
#include "llvm/ADT/SmallString.h"

namespace ptxpredict {

/// A raw file that must have a buffer's size. Errors name its path and the size
/// that it must have.
class BufferFile {
public:
  /// \p File, for the buffer \p Spec of \p Bytes bytes, is relative to \p Dir.
  BufferFile(const BufferSpec &Spec, uint64_t Bytes, StringRef File,
             StringRef Dir);

  /// Where \p File lies.
  static llvm::SmallString<128> pathOf(StringRef File, StringRef Dir);

  Error open();
  /// The next bytes of it.
  Error read(MutableArrayRef<uint8_t> Out);
  /// That nothing follows.
  Error finish();
  /// All of it, which is not in memory before somebody reads it.
  Expected<std::unique_ptr<llvm::MemoryBuffer>> map();

private:
  Error failed(Error E);

  uint64_t Bytes, Position = 0;
  std::string Need;
  llvm::SmallString<128> Path;
  InputHandle File;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_BUFFERFILE_H
