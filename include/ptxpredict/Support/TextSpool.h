//===- TextSpool.h - Many texts that wait to be printed ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_TEXTSPOOL_H
#define PTXPREDICT_SUPPORT_TEXTSPOOL_H

#include "ptxpredict/Support/LLVM.h"
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

namespace ptxpredict {

/// Texts that are made in any order, by any number of threads, and read in that
/// of their numbers. Beyond some memory they go to a file in the folder for
/// temporary files, which has no name and so never stays behind; where none can
/// be written they all stay in memory.
class TextSpool {
public:
  static constexpr size_t DefaultMemoryBytes = size_t(1) << 22;

  explicit TextSpool(size_t MemoryBytes = DefaultMemoryBytes)
      : MemoryBytes(MemoryBytes) {}
  ~TextSpool();
  TextSpool(const TextSpool &) = delete;
  TextSpool &operator=(const TextSpool &) = delete;

  /// Takes the text of \p Number, of which there is none yet.
  void add(size_t Number, StringRef Text);

  // When all are there, in one thread:

  size_t size() const { return Places.size(); }
  /// Prints the text that has the \p N-th lowest number. An error is one of
  /// reading the file.
  std::error_code print(size_t N, raw_ostream &OS);
  /// Bytes that are in the file.
  uint64_t fileBytes() const { return InFile; }

private:
  struct Place {
    size_t Number;
    uint64_t Begin; ///< of all bytes, those in the file going before
    size_t Bytes;
  };

  size_t MemoryBytes;
  std::mutex Mutex;
  std::vector<Place> Places;
  bool Sorted = true;
  uint64_t InFile = 0;
  std::string InMemory;
  int File = -1; ///< its descriptor
  bool NoFile = false;

  void openFile();
  void writeToFile();
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_TEXTSPOOL_H
