//===- CodeEntries.h - The GPU code that a file holds -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// GPU code comes as a cubin, in a fat binary, and in host objects, programs and
// libraries that hold fat binaries. Nothing of a file is trusted: each offset
// and size is checked before use (docs/formats/MachineCode.md).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_CODEENTRIES_H
#define PTXPREDICT_FRONTEND_SASS_CODEENTRIES_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace ptxpredict::sass {

enum class CodeKind : uint8_t {
  Machine, ///< a cubin
  PTX,     ///< text
  Other    ///< for the linker's optimizer, or unknown: not read
};

enum class Compression : uint8_t { None, LZ4, Zstd };

/// "stored", "lz4" or "zstd".
StringRef toString(Compression C);

/// Code for one architecture, where it lies.
struct CodeEntry {
  CodeKind Kind = CodeKind::Other;
  unsigned Architecture = 0; ///< 90 for sm_90; 0 where nobody says
  /// The member of an archive that it is in; empty outside of archives.
  std::string Member;
  /// Where its fat binary begins, or the cubin itself: entries with the same
  /// number are of one source for several architectures.
  uint64_t Container = 0;
  uint64_t Offset = 0; ///< of Stored, in the file
  StringRef Stored;    ///< as it lies there, padding aside
  Compression Packed = Compression::None;
  uint64_t Bytes = 0; ///< when it is unpacked
  /// What the PTX is to be compiled with: " --compile-only"; empty without.
  StringRef Options;
};

/// What is in a file. A part that is damaged is missing, and Problems says why,
/// with section and offset.
struct CodeEntries {
  std::vector<CodeEntry> Entries; ///< in the order of the file
  std::vector<std::string> Problems;
};

/// Whether a file that begins so may hold GPU code: ELF, a fat binary, an
/// archive or a program for Windows.
bool mayHoldCode(StringRef File);

/// All code in \p File, to which the result refers.
CodeEntries findCode(StringRef File);

/// The code of \p Entry: what lies in the file, or what it unpacks to, which is
/// of Entry.Bytes bytes; an error if it is of more or fewer. Messages call it
/// \p Name.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
unpack(const CodeEntry &Entry, StringRef Name = "");

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_CODEENTRIES_H
