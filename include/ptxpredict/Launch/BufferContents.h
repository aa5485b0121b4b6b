//===- BufferContents.h - What a buffer holds at the start ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_BUFFERCONTENTS_H
#define PTXPREDICT_LAUNCH_BUFFERCONTENTS_H

#include "ptxpredict/Launch/LaunchFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <memory>
#include <mutex>

namespace ptxpredict {

/// What a buffer of the launch file holds when the kernel starts, without being
/// filled: an element is computed when somebody asks, and a file stays where it
/// is. Any number of threads may ask.
class BufferContents {
public:
  /// Those of \p Spec. A file is relative to \p LaunchFileDir; the error of one
  /// that cannot be read or has another size names its path and the size that
  /// it must have.
  static Expected<std::shared_ptr<const BufferContents>>
  open(const BufferSpec &Spec, StringRef LaunchFileDir);

  uint64_t bytes() const { return Bytes; }
  unsigned elementBytes() const { return ElementBytes; }
  /// Whether so many bytes from \p Offset on are all in the buffer.
  bool holds(uint64_t Offset, uint64_t Size) const {
    return Size <= Bytes && Offset <= Bytes - Size;
  }
  /// The number in \p Size bytes, 1, 2, 4 or 8, from \p Offset on,
  /// zero-extended. Of bytes beyond the end, which no run reads, it is the
  /// first such number.
  uint64_t read(uint64_t Offset, unsigned Size) const;

  /// The least and the largest number.
  struct Range {
    uint64_t UMin = 0, UMax = ~uint64_t(0);
    int64_t SMin = INT64_MIN, SMax = INT64_MAX; ///< with its sign
  };
  /// Bounds of what loads of \p Size bytes read, be it a float's bits; exact
  /// for files. The first call reads a file as a whole.
  const Range &range(unsigned Size) const;

  /// Every element, an integer, is its index.
  bool isIota() const;
  /// The bits of an element, where all are the same by what the launch says.
  std::optional<uint64_t> everyElement() const;

private:
  using MakeFn = uint64_t (*)(const BufferFill &Fill, uint64_t I);
  BufferContents() = default;
  uint64_t element(uint64_t I) const;
  Range findRange(unsigned Size) const;
  Range boundElements() const;

  BufferFill Fill;
  uint64_t Bytes = 0, Align = 1;
  unsigned ElementBytes = 1;
  bool IsFloat = false, IsSigned = false;
  MakeFn Make = nullptr;
  std::unique_ptr<llvm::MemoryBuffer> File;       ///< null without one
  mutable std::array<std::once_flag, 4> AreFound; ///< by log2 of the size
  mutable std::array<Range, 4> Ranges;
};

/// The launch of \p Entry, whose arguments know of their buffers the size, the
/// alignment, and the contents that \p ContentsOf says or null.
LaunchSpec launchOf(const LaunchFileEntry &Entry,
                    llvm::function_ref<std::shared_ptr<const BufferContents>(
                        const BufferSpec &)>
                        ContentsOf);

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_BUFFERCONTENTS_H
