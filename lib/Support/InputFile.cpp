//===- InputFile.cpp - Reading an input, gzip or not ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <zlib.h>

using namespace ptxpredict;
using llvm::MemoryBuffer;

static Error makeError(const Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

static Expected<std::unique_ptr<MemoryBuffer>> expandGzip(MemoryBuffer &In) {
  z_stream Stream{};
  if (inflateInit2(&Stream, 15 + 16) != Z_OK) // 16: a gzip header is expected
    return makeError("zlib could not be started");
  StringRef Source = In.getBuffer();
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Source.data()));
  Stream.avail_in = uInt(Source.size());
  SmallVector<char, 0> Out;
  int Result = Z_OK;
  while (Result == Z_OK) {
    size_t Done = Out.size();
    size_t Chunk = std::clamp<size_t>(Done, size_t(1) << 16, size_t(1) << 26);
    Out.resize_for_overwrite(Done + Chunk);
    Stream.next_out = reinterpret_cast<Bytef *>(Out.data() + Done);
    Stream.avail_out = uInt(Chunk);
    Result = inflate(&Stream, Z_NO_FLUSH);
    Out.truncate(Done + Chunk - Stream.avail_out);
    if (Out.size() > MaxInputBytes)
      break;
    // A gzip file may be several members one after the other.
    if (Result == Z_STREAM_END && Stream.avail_in != 0)
      Result = inflateReset(&Stream);
  }
  inflateEnd(&Stream);
  if (Out.size() > MaxInputBytes)
    return makeError("the gzip data expands to more than 1 GiB");
  if (Result != Z_STREAM_END)
    return makeError("the gzip data is damaged or cut off");
  return MemoryBuffer::getMemBufferCopy(StringRef(Out.data(), Out.size()),
                                        In.getBufferIdentifier());
}

Expected<std::unique_ptr<MemoryBuffer>>
ptxpredict::readInputFile(StringRef Path) {
  llvm::sys::fs::file_status FileStatus;
  if (Path != "-") {
    if (std::error_code EC = llvm::sys::fs::status(Path, FileStatus))
      return makeError("cannot read the file: " + Twine(EC.message()));
    if (llvm::sys::fs::is_directory(FileStatus))
      return makeError("is a folder, not a file");
    if (FileStatus.getSize() > MaxInputBytes)
      return makeError("the file has more than 1 GiB");
  }
  auto Buffer = MemoryBuffer::getFileOrSTDIN(Path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/true);
  if (!Buffer)
    return makeError("cannot read the file: " +
                     Twine(Buffer.getError().message()));
  if ((*Buffer)->getBuffer().starts_with("\x1f\x8b"))
    return expandGzip(**Buffer);
  return std::move(*Buffer);
}
