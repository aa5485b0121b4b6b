//===- BufferFile.cpp - A raw file with a buffer's contents ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/BufferFile.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

BufferFile::BufferFile(const BufferSpec &Spec, uint64_t Bytes, StringRef File,
                       StringRef Dir)
    : Bytes(Bytes), Need(("the buffer takes " + Twine(Bytes) + " bytes (" +
                          Twine(Spec.Count) + " of type " + Spec.Type + ")")
                             .str()),
      Path(pathOf(File, Dir)) {}

llvm::SmallString<128> BufferFile::pathOf(StringRef File, StringRef Dir) {
  llvm::SmallString<128> Path;
  if (!llvm::sys::path::is_absolute(File))
    Path = Dir;
  llvm::sys::path::append(Path, File);
  return Path;
}

Error BufferFile::failed(Error E) {
  return llvm::createStringError("cannot read '" + Path +
                                 "': " + toString(std::move(E)) + "; " + Need);
}

Error BufferFile::open() {
  Expected<InputHandle> Opened = InputHandle::open(Path, Streams::Given);
  if (!Opened)
    return failed(Opened.takeError());
  File = std::move(*Opened);
  if (File.isRegular() && File.size() != Bytes)
    return llvm::createStringError("'" + Path + "' has " + Twine(File.size()) +
                                   " bytes, but " + Need);
  return Error::success();
}

Error BufferFile::read(MutableArrayRef<uint8_t> Out) {
  while (!Out.empty()) {
    Expected<size_t> N = llvm::sys::fs::readNativeFile(
        File.get(), {reinterpret_cast<char *>(Out.data()), Out.size()});
    if (!N)
      return failed(N.takeError());
    if (!*N)
      return llvm::createStringError("'" + Path + "' ends after " +
                                     Twine(Position) + " bytes, but " + Need);
    Position += *N;
    Out = Out.drop_front(*N);
  }
  return Error::success();
}

Error BufferFile::finish() {
  char More;
  Expected<size_t> N = llvm::sys::fs::readNativeFile(File.get(), {&More, 1});
  if (!N)
    return failed(N.takeError());
  if (*N)
    return llvm::createStringError("'" + Path + "' has more than " +
                                   Twine(Bytes) + " bytes, but " + Need);
  return Error::success();
}

Expected<std::unique_ptr<llvm::MemoryBuffer>> BufferFile::map() {
  if (Error E = open())
    return E;
  if (File.isRegular()) {
    auto Mapped = llvm::MemoryBuffer::getOpenFile(
        File.get(), Path, Bytes, /*RequiresNullTerminator=*/false);
    if (!Mapped)
      return failed(llvm::errorCodeToError(Mapped.getError()));
    return std::move(*Mapped);
  }
  auto Whole = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(Bytes, Path);
  if (!Whole)
    return failed(llvm::createStringError("it does not fit into memory"));
  if (Error E = read({reinterpret_cast<uint8_t *>(Whole->getBufferStart()),
                      size_t(Bytes)}))
    return E;
  if (Error E = finish())
    return E;
  return Whole;
}
