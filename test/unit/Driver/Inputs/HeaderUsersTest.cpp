//===- HeaderUsersTest.cpp - Tests of which files include a header --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/HeaderUsers.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

namespace {

/// A repository that goes with it.
class Repository {
public:
  Repository() {
    EXPECT_FALSE(fs::createUniqueDirectory("header-users", Folder));
    for (StringRef Below : {"/.git", "/include", "/src", "/.hidden"})
      EXPECT_FALSE(fs::create_directory(Folder + Below));
  }
  ~Repository() { (void)fs::remove_directories(Folder); }
  std::string write(StringRef Path, StringRef Text) {
    std::string Full = (Folder + "/" + Path).str();
    std::error_code EC;
    llvm::raw_fd_ostream(Full, EC) << Text;
    EXPECT_FALSE(EC);
    return Full;
  }

private:
  llvm::SmallString<128> Folder;
};

TEST(HeaderUsers, AreThoseThatMayMeanTheHeader) {
  Repository R;
  const std::string Header = R.write("include/k.cuh", "#pragma once\n");
  R.write("src/a.cu", "#include \"../include/k.cuh\"\n");
  R.write("src/b.cpp", "\n  #  include <include/k.cuh>");
  R.write("src/c.cu", "#include \"k.cuh\"\n#include \"k.cuh\"\n");
  R.write("src/d.cu", "// #include \"k.cuh\"\n#include \"other/k.cuh\"\n");
  R.write("src/e.txt", "#include \"k.cuh\"\n");
  R.write("src/f.cu", "#include \"ak.cuh\"\n#include k.cuh\n#include \"");
  R.write(".hidden/g.cu", "#include \"k.cuh\"\n");
  EXPECT_EQ(filesIncluding(Header),
            (std::vector<std::string>{"src/a.cu", "src/b.cpp", "src/c.cu"}));
  EXPECT_TRUE(filesIncluding(R.write("include/x.h", "")).empty());
}

} // namespace
