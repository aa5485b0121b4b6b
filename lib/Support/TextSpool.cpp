//===- TextSpool.cpp - Many texts that wait to be printed -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/TextSpool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <unistd.h>

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

TextSpool::~TextSpool() {
  if (File >= 0)
    (void)::close(File);
}

void TextSpool::openFile() {
  SmallVector<char, 128> Path;
  if (fs::createTemporaryFile("ptx-predict", "tmp", File, Path)) {
    File = -1;
    NoFile = true;
    return;
  }
  (void)fs::remove(StringRef(Path.data(), Path.size()));
}

/// Moves what is in memory to the file. What cannot be written stays.
void TextSpool::writeToFile() {
  if (File < 0 && !NoFile)
    openFile();
  if (NoFile)
    return;
  StringRef Rest = InMemory;
  while (!Rest.empty()) {
    ssize_t Written = ::pwrite(File, Rest.data(), Rest.size(),
                               off_t(InFile + (InMemory.size() - Rest.size())));
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0) { // such as no room
      NoFile = true;
      return;
    }
    Rest = Rest.drop_front(size_t(Written));
  }
  InFile += InMemory.size();
  InMemory.clear();
}

void TextSpool::add(size_t Number, StringRef Text) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!InMemory.empty() && InMemory.size() + Text.size() > MemoryBytes)
    writeToFile();
  Sorted = Sorted && (Places.empty() || Places.back().Number < Number);
  Places.push_back({Number, InFile + InMemory.size(), Text.size()});
  InMemory += Text;
}

std::error_code TextSpool::print(size_t N, raw_ostream &OS) {
  if (!Sorted)
    llvm::sort(Places, [](const Place &A, const Place &B) {
      return A.Number < B.Number;
    });
  Sorted = true;
  auto [Number, Begin, Bytes] = Places[N];
  if (Begin >= InFile) { // a text is never in both
    OS << StringRef(InMemory).substr(size_t(Begin - InFile), Bytes);
    return {};
  }
  SmallVector<char, 0> Buffer;
  Buffer.resize_for_overwrite(std::min(Bytes, size_t(1) << 16));
  while (Bytes != 0) {
    ssize_t Read = ::pread(File, Buffer.data(), std::min(Bytes, Buffer.size()),
                           off_t(Begin));
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read < 0)
      return std::error_code(errno, std::generic_category());
    if (Read == 0)
      return std::make_error_code(std::errc::io_error);
    OS.write(Buffer.data(), size_t(Read));
    Begin += uint64_t(Read);
    Bytes -= size_t(Read);
  }
  return {};
}
