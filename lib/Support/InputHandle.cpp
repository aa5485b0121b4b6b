//===- InputHandle.cpp - A file open for reading --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/InputHandle.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include <fcntl.h>
#include <sys/stat.h>

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
using llvm::MemoryBuffer;

/// Whether \p Path names an open descriptor of this process, by its spelling:
/// a link in a folder may lead to one, too, but nobody asked for that.
static bool namesDescriptor(StringRef Path) {
  if (Path == "/dev/stdin")
    return true;
  return (Path.consume_front("/dev/fd/") ||
          Path.consume_front("/proc/self/fd/")) &&
         !Path.empty() && llvm::all_of(Path, llvm::isDigit);
}

static bool isNullDevice(const struct stat &Status) {
  struct stat Null{};
  return S_ISCHR(Status.st_mode) && ::stat("/dev/null", &Null) == 0 &&
         S_ISCHR(Null.st_mode) && Status.st_rdev == Null.st_rdev;
}

static Error refuse(mode_t Mode) {
  if (S_ISDIR(Mode))
    return llvm::createStringError("is a folder, not a file");
  if (S_ISFIFO(Mode))
    return llvm::createStringError("is a pipe (FIFO), not a file; read it as "
                                   "standard input: - < PATH");
  if (S_ISSOCK(Mode))
    return llvm::createStringError("is a socket, not a file");
  return llvm::createStringError("is a device, not a file");
}

Expected<InputHandle> InputHandle::open(const Twine &Path, Streams Allowed) {
  llvm::SmallString<256> Storage;
  StringRef Name = Path.toNullTerminatedStringRef(Storage);
  const bool IsGiven = Allowed == Streams::Given && namesDescriptor(Name);
  // What is opened is what is looked at: in between, a path may come to name
  // something else. O_NONBLOCK waits for no writer, O_NOCTTY takes no terminal.
  const int FD = llvm::sys::RetryAfterSignal(
      -1, ::open, Name.data(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const int Why = errno;
  struct stat Status{};
  if (FD < 0) {
    // Sockets and some devices cannot be opened.
    if (Why == ENXIO && ::stat(Name.data(), &Status) == 0)
      return refuse(Status.st_mode);
    return llvm::errorCodeToError(
        std::error_code(Why, std::generic_category()));
  }
  InputHandle Result;
  Result.File = fs::convertFDToNativeFile(FD);
  if (::fstat(FD, &Status) != 0)
    return llvm::errorCodeToError(
        std::error_code(errno, std::generic_category()));
  Result.IsRegular = S_ISREG(Status.st_mode);
  Result.Size = Result.IsRegular ? uint64_t(Status.st_size) : 0;
  if (!Result.IsRegular && !isNullDevice(Status) &&
      (!IsGiven || S_ISDIR(Status.st_mode)))
    return refuse(Status.st_mode);
  // From here on, reading may wait: somebody writes already.
  const int Flags = ::fcntl(FD, F_GETFL);
  if (Flags < 0 || ::fcntl(FD, F_SETFL, Flags & ~O_NONBLOCK) != 0)
    return llvm::errorCodeToError(
        std::error_code(errno, std::generic_category()));
  return Result;
}

InputHandle::~InputHandle() {
  if (File != fs::kInvalidFile)
    (void)fs::closeFile(File); // nothing was written
}

std::unique_ptr<MemoryBuffer> ptxpredict::readFoundFile(const Twine &Path,
                                                        uint64_t MaxBytes) {
  Expected<InputHandle> File = InputHandle::open(Path, Streams::None);
  if (!File) {
    llvm::consumeError(File.takeError());
    return nullptr;
  }
  if (File->size() > MaxBytes)
    return nullptr;
  auto Buffer = MemoryBuffer::getOpenFile(File->get(), Path, File->size());
  return Buffer ? std::move(*Buffer) : nullptr;
}
