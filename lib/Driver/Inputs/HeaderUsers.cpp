//===- HeaderUsers.cpp - Which files include a header ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/HeaderUsers.h"
#include "ptxpredict/Support/InputHandle.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// A note is not worth more.
static constexpr size_t MostFiles = 20000;
static constexpr uint64_t MostBytesOfFile = uint64_t(4) << 20;
static constexpr uint64_t MostBytes = uint64_t(256) << 20;

static bool mayInclude(StringRef Path) {
  return llvm::is_contained({".cu", ".cuh", ".cl", ".h", ".hh", ".hpp", ".hxx",
                             ".inl", ".c", ".cc", ".cpp", ".cxx"},
                            path::extension(Path));
}

/// "k.cuh" of `#include "k.cuh"`; empty for another line.
static StringRef includedBy(StringRef Line) {
  Line = Line.ltrim(" \t");
  if (!Line.consume_front("#"))
    return {};
  Line = Line.ltrim(" \t");
  if (!Line.consume_front("include"))
    return {};
  Line = Line.ltrim(" \t");
  const bool IsQuoted = Line.consume_front("\"");
  if (!IsQuoted && !Line.consume_front("<"))
    return {};
  return Line.take_until([=](char C) { return C == (IsQuoted ? '"' : '>'); });
}

/// Whether a file of \p Folder that includes \p Name means \p Header, a real
/// path.
static bool isHeader(StringRef Name, StringRef Folder, StringRef Header) {
  if (path::filename(Name) != path::filename(Header))
    return false;
  llvm::SmallString<256> Beside(Folder);
  path::append(Beside, Name);
  path::remove_dots(Beside, /*remove_dot_dot=*/true);
  if (Beside == Header)
    return true;
  while (Name.consume_front("../") || Name.consume_front("./"))
    ;
  return Header.ends_with(("/" + Name).str());
}

std::vector<std::string> ptxpredict::filesIncluding(StringRef Header) {
  const std::string Real = realPath(Header);
  const std::string Root = projectRoot(path::parent_path(Real));
  std::vector<std::string> Users;
  size_t NumFiles = 0;
  uint64_t NumBytes = 0;
  auto Look = [&](StringRef Path) {
    const std::unique_ptr<llvm::MemoryBuffer> File =
        readFoundFile(Path, MostBytesOfFile);
    if (!File)
      return;
    NumBytes += File->getBufferSize();
    for (StringRef Line : llvm::split(File->getBuffer(), '\n')) {
      if (!isHeader(includedBy(Line), path::parent_path(Path), Real))
        continue;
      StringRef User = Path;
      if (User.consume_front(Root))
        User.consume_front("/");
      Users.push_back(User.str());
      return;
    }
  };
  // What cannot be read has no users that a note could name.
  (void)forEachFileBelow(Root, [&](StringRef Path, fs::file_type Type) {
    if (Type == fs::file_type::regular_file && mayInclude(Path) && Path != Real)
      Look(Path);
    return ++NumFiles < MostFiles && NumBytes < MostBytes;
  });
  llvm::sort(Users);
  return Users;
}
