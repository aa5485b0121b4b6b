//===- InputHandle.h - A file open for reading ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// All files are opened here. A path may name a FIFO, to which nobody writes, or
// a device that never ends: opening one must not wait, nor act upon a device.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_INPUTHANDLE_H
#define PTXPREDICT_SUPPORT_INPUTHANDLE_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxpredict {

/// What a path may name beside a regular file and the null device, which is an
/// empty one.
enum class Streams {
  /// Whatever lies behind a descriptor that the process was given:
  /// `/dev/stdin`,
  /// `/dev/fd/N`, `/proc/self/fd/N`. For paths that a user writes, as
  /// `<(COMMAND)` does.
  Given,
  None, ///< for paths that inputs name, or that were found in a folder
};

/// A file open for reading, closed with the object.
class InputHandle {
public:
  /// Never waits. The error is llvm::ECError if the system says why; otherwise
  /// its text says what \p Path is instead of a file ("is a folder, not a
  /// file"). It does not name the path.
  static Expected<InputHandle> open(const Twine &Path, Streams Allowed);

  InputHandle() = default;
  InputHandle(InputHandle &&Other) noexcept { swap(Other); }
  InputHandle &operator=(InputHandle &&Other) noexcept {
    swap(Other);
    return *this;
  }
  ~InputHandle();

  llvm::sys::fs::file_t get() const { return File; }
  /// Whether it is a regular file, of \ref size bytes.
  bool isRegular() const { return IsRegular; }
  uint64_t size() const { return Size; }

private:
  void swap(InputHandle &Other) noexcept {
    std::swap(File, Other.File);
    std::swap(Size, Other.Size);
    std::swap(IsRegular, Other.IsRegular);
  }

  llvm::sys::fs::file_t File = llvm::sys::fs::kInvalidFile;
  uint64_t Size = 0;
  bool IsRegular = false;
};

/// The regular file at \p Path, for what nobody asks for by name: null if it
/// cannot be read, is none or has more than \p MaxBytes bytes.
std::unique_ptr<llvm::MemoryBuffer> readFoundFile(const Twine &Path,
                                                  uint64_t MaxBytes);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_INPUTHANDLE_H
