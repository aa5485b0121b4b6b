//===- Unpack.cpp - Compressed entries of fat binaries --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/CodeEntries.h"
#include "ptxpredict/Support/InputFile.h"
#include <lz4.h>
#include <zstd.h>

using namespace ptxpredict;
using namespace ptxpredict::sass;

StringRef sass::toString(Compression C) {
  switch (C) {
  case Compression::None:
    return "stored";
  case Compression::LZ4:
    return "lz4";
  case Compression::Zstd:
    return "zstd";
  }
  llvm_unreachable("covered switch");
}

static llvm::Error unpackError(const CodeEntry &Entry, const Twine &What) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "an entry of " + Twine(Entry.Stored.size()) +
                                     " bytes (" + toString(Entry.Packed) +
                                     ") " + What);
}

/// Bytes that the compressed ones become in \p Into, at most its size; nothing
/// if they are damaged or become more.
static std::optional<size_t> unpackInto(const CodeEntry &Entry,
                                        llvm::MutableArrayRef<char> Into) {
  const StringRef From = Entry.Stored;
  if (Entry.Packed == Compression::LZ4) {
    const int Size = LZ4_decompress_safe(From.data(), Into.data(),
                                         int(From.size()), int(Into.size()));
    return Size < 0 ? std::nullopt : std::optional<size_t>(Size);
  }
  const size_t Size =
      ZSTD_decompress(Into.data(), Into.size(), From.data(), From.size());
  return ZSTD_isError(Size) ? std::nullopt : std::optional<size_t>(Size);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
sass::unpack(const CodeEntry &Entry, StringRef Name) {
  if (Entry.Packed == Compression::None)
    return llvm::MemoryBuffer::getMemBuffer(Entry.Stored, Name,
                                            /*RequiresNullTerminator=*/false);
  if (Entry.Bytes > MaxInputBytes || Entry.Stored.size() > MaxInputBytes)
    return unpackError(Entry, "that unpacks to " + Twine(Entry.Bytes) +
                                  " bytes is too large");
  // A byte of LZ4 stands for 255 at most.
  if (Entry.Packed == Compression::LZ4 &&
      Entry.Bytes / 255 > Entry.Stored.size())
    return unpackError(Entry, "cannot unpack to " + Twine(Entry.Bytes));
  auto Buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(Entry.Bytes, Name);
  if (!Buffer)
    return unpackError(Entry, "does not fit into memory");
  const std::optional<size_t> Size = unpackInto(Entry, Buffer->getBuffer());
  if (!Size)
    return unpackError(Entry, "is damaged: it does not unpack to " +
                                  Twine(Entry.Bytes));
  if (*Size != Entry.Bytes)
    return unpackError(Entry, "is damaged: it unpacks to " + Twine(*Size) +
                                  " bytes, not to " + Twine(Entry.Bytes));
  // A text ends where its first zero byte is.
  if (Entry.Kind == CodeKind::PTX) {
    const StringRef Text =
        StringRef(Buffer->getBufferStart(), *Size).split('\0').first;
    return llvm::MemoryBuffer::getMemBufferCopy(Text, Name);
  }
  return Buffer;
}
