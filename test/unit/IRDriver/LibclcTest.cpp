//===- LibclcTest.cpp - Tests of where libclc is looked for ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IRDriver/Libclc.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

class LibclcTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Made, Real;
    ASSERT_FALSE(fs::createUniqueDirectory("libclc", Made));
    ASSERT_FALSE(fs::real_path(Made, Real));
    Root = Real.str().str();
  }
  void TearDown() override { (void)fs::remove_directories(Root); }

  std::string in(StringRef Place) const { return Root + "/" + Place.str(); }
  /// An empty file; its path.
  std::string make(StringRef Place) const {
    std::string Path = in(Place);
    EXPECT_FALSE(fs::create_directories(path::parent_path(Path)));
    std::error_code EC;
    const llvm::raw_fd_ostream File(Path, EC);
    EXPECT_FALSE(EC);
    return Path;
  }
  std::string library(StringRef Folder) const {
    return make((Folder + "/" + LibclcName).str());
  }

  std::string Root;
};

TEST_F(LibclcTest, IsNowhere) {
  make("bin/clang-22");
  make("lib/clc/nvptx64--.bc");
  EXPECT_EQ(findLibclc(in("bin/clang-22"), {}), std::nullopt);
  const std::string Other = in("other");
  EXPECT_EQ(findLibclc(in("bin/clang-22"), {StringRef(Other)}), std::nullopt);
  // A folder of that name is none.
  EXPECT_FALSE(fs::create_directories(in("share/clc/" + LibclcName.str())));
  EXPECT_EQ(findLibclc(in("bin/clang-22"), {}), std::nullopt);
  EXPECT_EQ(findLibclc("", {}), std::nullopt);
  EXPECT_EQ(findLibclc("clang-22", {}), std::nullopt);
}

TEST_F(LibclcTest, IsWherePackagesPutIt) {
  const std::string Installed = library("usr/clc");
  const std::string Empty = in("empty"), Folder = in("usr/clc");
  EXPECT_EQ(findLibclc(in("bin/clang-22"), {StringRef(Empty), Folder}),
            Installed);
}

TEST_F(LibclcTest, GoesBesideClangFirst) {
  library("usr/clc");
  const std::string Folder = in("usr/clc");
  auto Find = [&](StringRef Clang) {
    return findLibclc(in(Clang), {StringRef(Folder)}).value_or("");
  };
  // Behind the link that it is called by.
  make("llvm/bin/clang");
  EXPECT_FALSE(fs::create_directories(in("bin")));
  ASSERT_FALSE(fs::create_link(in("llvm/bin/clang"), in("bin/clang-22")));
  const std::string Real = library("llvm/share/clc");
  EXPECT_EQ(Find("bin/clang-22"), Real);
  // Before it.
  const std::string Beside = library("share/clc");
  EXPECT_EQ(Find("bin/clang-22"), Beside);
  const std::string Lib = library("lib/clc");
  EXPECT_EQ(Find("bin/clang-22"), Lib);
}

} // namespace
