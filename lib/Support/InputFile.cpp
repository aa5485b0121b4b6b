//===- InputFile.cpp - Reading an input, gzip or not ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/RunContext.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/ErrorHandling.h"
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
    size_t Chunk = std::clamp<size_t>(Done, size_t(1) << 16, size_t(1) << 24);
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
    return makeError("the gzip data expands to more than 256 MiB");
  if (Result != Z_STREAM_END)
    return makeError("the gzip data is damaged or cut off");
  return MemoryBuffer::getMemBufferCopy(StringRef(Out.data(), Out.size()),
                                        In.getBufferIdentifier());
}

/// The name in messages.
static StringRef nameOf(StringRef Path) {
  return Path == "-" ? "<stdin>" : Path;
}

/// Reads what has no size beforehand (standard input, a pipe, a device) to its
/// end or to the limit.
static Expected<std::unique_ptr<MemoryBuffer>>
readStream(llvm::sys::fs::file_t File, StringRef Name) {
  SmallVector<char, 0> Data;
  constexpr size_t Chunk = size_t(1) << 20;
  while (Data.size() <= MaxInputBytes) {
    size_t Done = Data.size();
    Data.resize_for_overwrite(Done + Chunk);
    Expected<size_t> Read = llvm::sys::fs::readNativeFile(
        File, MutableArrayRef<char>(Data).drop_front(Done));
    if (!Read)
      return makeError("cannot read the file: " +
                       llvm::toString(Read.takeError()));
    Data.truncate(Done + *Read);
    if (*Read == 0)
      return MemoryBuffer::getMemBufferCopy(StringRef(Data.data(), Data.size()),
                                            Name);
  }
  return makeError("the input has more than 256 MiB");
}

static Error cannotRead(Error E) {
  // What is no file says so by itself.
  return E.isA<llvm::ECError>()
             ? makeError("cannot read the file: " + toString(std::move(E)))
             : std::move(E);
}

/// True for objects, programs and libraries, of which tables are read and a few
/// pieces: they are mapped.
static bool isObjectFile(StringRef Bytes) {
  using llvm::file_magic;
  switch (llvm::identify_magic(Bytes)) {
  case file_magic::elf:
  case file_magic::elf_relocatable:
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
  case file_magic::archive:
  case file_magic::pecoff_executable:
    return true;
  default:
    return false;
  }
}

static Expected<std::unique_ptr<MemoryBuffer>> readRaw(StringRef Path,
                                                       Streams Allowed) {
  if (RunContext *Run = RunContext::current())
    if (auto Given = Run->Texts.find(Path); Given != Run->Texts.end())
      return MemoryBuffer::getMemBuffer(Given->second, Path);
  if (Path == "-" && Allowed == Streams::Given)
    return readStream(llvm::sys::fs::getStdinHandle(), nameOf(Path));
  Expected<InputHandle> File = InputHandle::open(Path, Allowed);
  if (!File)
    return cannotRead(File.takeError());
  if (!File->isRegular())
    return readStream(File->get(), Path);
  const bool IsLarge = File->size() > MaxInputBytes;
  auto Buffer = MemoryBuffer::getOpenFile(File->get(), Path, File->size(),
                                          /*RequiresNullTerminator=*/!IsLarge);
  if (IsLarge && Buffer && !isObjectFile((*Buffer)->getBuffer()))
    return makeError("the file has more than 256 MiB");
  if (Buffer.getError() == std::errc::not_enough_memory)
    llvm::report_bad_alloc_error("no memory for an input");
  if (!Buffer)
    return cannotRead(llvm::errorCodeToError(Buffer.getError()));
  return std::move(*Buffer);
}

Expected<std::unique_ptr<MemoryBuffer>>
ptxpredict::expandInput(std::unique_ptr<MemoryBuffer> Raw) {
  if (Raw->getBuffer().starts_with("\x1f\x8b"))
    return expandGzip(*Raw);
  return Raw;
}

Expected<std::unique_ptr<MemoryBuffer>>
ptxpredict::readInputFile(StringRef Path, Streams Allowed) {
  auto Buffer = readRaw(Path, Allowed);
  return Buffer ? expandInput(std::move(*Buffer)) : std::move(Buffer);
}

bool ptxpredict::readInputFile(StringRef Path, DiagnosticEngine &Diags) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInputFile(Path);
  if (Buffer) {
    Diags.setBuffer(std::move(*Buffer));
    return false;
  }
  Diags.setBuffer(MemoryBuffer::getMemBuffer("", nameOf(Path)));
  Diags.error(SMLoc(), llvm::toString(Buffer.takeError()));
  return true;
}
