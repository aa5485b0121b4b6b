//===- GzipMutator.cpp - Compressed files and what is in them -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "ptxpredict/Support/InputFile.h"
#include <zlib.h>

using namespace ptxpredict;

std::string fuzz::compressed(StringRef Text) {
  z_stream Stream{};
  // 16: with a gzip header.
  if (deflateInit2(&Stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string Result(deflateBound(&Stream, Text.size()), '\0');
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Text.data()));
  Stream.avail_in = uInt(Text.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Result.data());
  Stream.avail_out = uInt(Result.size());
  deflate(&Stream, Z_FINISH);
  Result.resize(Stream.total_out);
  deflateEnd(&Stream);
  return Result;
}

std::string fuzz::mutateGzip(StringRef Text, Dice &D, ByteMutator Bytes) {
  if (D.oneIn(2))
    return Bytes(Text);
  Expected<std::unique_ptr<llvm::MemoryBuffer>> Content =
      expandInput(llvm::MemoryBuffer::getMemBufferCopy(Text));
  if (!Content) {
    llvm::consumeError(Content.takeError());
    return Bytes(Text);
  }
  constexpr size_t Few = 4096; // the time goes into the others
  if ((*Content)->getBufferSize() > Few)
    return Bytes(Text);
  std::string Result = compressed(Bytes((*Content)->getBuffer()));
  // Several files one behind the other are one.
  return D.oneIn(8) ? Result + Text.str() : Result;
}
