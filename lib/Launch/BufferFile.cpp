//===- BufferFile.cpp - A raw file with a buffer's contents ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/BufferFile.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

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

BufferFile::~BufferFile() {
  if (Handle != fs::kInvalidFile)
    (void)fs::closeFile(Handle);
}

Error BufferFile::failed(Error E) {
  return llvm::createStringError("cannot read '" + Path +
                                 "': " + toString(std::move(E)) + "; " + Need);
}

Error BufferFile::open() {
  Expected<fs::file_t> Opened = fs::openNativeFileForRead(Path);
  if (!Opened)
    return failed(Opened.takeError());
  Handle = *Opened;
  fs::file_status Status;
  if (std::error_code EC = fs::status(Handle, Status))
    return failed(llvm::errorCodeToError(EC));
  if (Status.type() == fs::file_type::regular_file && Status.getSize() != Bytes)
    return llvm::createStringError("'" + Path + "' has " +
                                   Twine(Status.getSize()) + " bytes, but " +
                                   Need);
  return Error::success();
}

Error BufferFile::check() {
  fs::file_status Status;
  if (std::error_code EC = fs::status(Path, Status))
    return failed(llvm::errorCodeToError(EC));
  if (Status.type() == fs::file_type::directory_file)
    return failed(llvm::errorCodeToError(
        std::make_error_code(std::errc::is_a_directory)));
  return Status.type() == fs::file_type::regular_file ? open()
                                                      : Error::success();
}

Error BufferFile::read(MutableArrayRef<uint8_t> Out) {
  while (!Out.empty()) {
    Expected<size_t> N = fs::readNativeFile(
        Handle, {reinterpret_cast<char *>(Out.data()), Out.size()});
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
  Expected<size_t> N = fs::readNativeFile(Handle, {&More, 1});
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
  fs::file_status Status;
  if (!fs::status(Handle, Status) &&
      Status.type() == fs::file_type::regular_file) {
    auto Mapped = llvm::MemoryBuffer::getOpenFile(
        Handle, Path, Bytes, /*RequiresNullTerminator=*/false);
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
