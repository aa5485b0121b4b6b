//===- Libclc.cpp - Where the functions of OpenCL C are -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Libclc.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

ArrayRef<StringRef> ptxpredict::libclcFolders() {
  static constexpr StringRef Folders[] = {"/usr/lib/clc", "/usr/share/clc"};
  return Folders;
}

static std::optional<std::string> libraryIn(StringRef Folder) {
  llvm::SmallString<128> File(Folder);
  path::append(File, LibclcName);
  return fs::is_regular_file(File) ? std::optional(File.str().str())
                                   : std::nullopt;
}

std::optional<std::string> ptxpredict::findLibclc(StringRef Clang,
                                                  ArrayRef<StringRef> Folders) {
  llvm::SmallString<128> Real;
  if (fs::real_path(Clang, Real))
    Real = Clang;
  for (StringRef Program : {Clang, StringRef(Real)})
    for (StringRef Below : {"lib", "share"}) {
      llvm::SmallString<128> Folder =
          path::parent_path(path::parent_path(Program));
      path::append(Folder, Below, "clc");
      if (auto Found = libraryIn(Folder))
        return Found;
    }
  for (StringRef Folder : Folders)
    if (auto Found = libraryIn(Folder))
      return Found;
  return std::nullopt;
}
