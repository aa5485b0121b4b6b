//===- ProjectBoundaryTest.cpp --------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/ProjectBoundary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

namespace {

/// A folder with a project, `p`, a folder beside it, and links.
class ProjectBoundary : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Made, Real;
    ASSERT_FALSE(fs::createUniqueDirectory("project", Made));
    ASSERT_FALSE(fs::real_path(Made, Real));
    Top = std::string(Real);
    for (StringRef Folder : {"/p/.git", "/p/sub/deep", "/other", "/p2"})
      ASSERT_FALSE(fs::create_directories(Top + Folder));
    ASSERT_FALSE(fs::create_link("../other", Top + "/p/out"));
    ASSERT_FALSE(fs::create_link("sub", Top + "/p/in"));
    ASSERT_FALSE(fs::create_link(".git", Top + "/p/data"));
    ASSERT_FALSE(fs::create_link("p", Top + "/link"));
    ASSERT_FALSE(fs::create_link("nowhere/x", Top + "/p/gone"));
  }
  void TearDown() override { (void)fs::remove_directories(Top); }

  std::string Top;
};

TEST_F(ProjectBoundary, Root) {
  EXPECT_EQ(projectRoot(Top + "/p/sub/deep"), Top + "/p");
  EXPECT_EQ(projectRoot(Top + "/p"), Top + "/p");
  EXPECT_EQ(projectRoot(Top + "/link/sub"), Top + "/p");
  EXPECT_EQ(projectRoot(Top + "/p/sub/absent"), Top + "/p");
}

TEST_F(ProjectBoundary, WithoutRepository) {
  // Nothing above a temporary folder holds a repository, or all of it is one.
  std::string Root = projectRoot(Top + "/other");
  EXPECT_TRUE(isInProject(Top + "/other/x", Root));
  if (Root == Top + "/other") {
    EXPECT_FALSE(isInProject(Top + "/p2/x", Root));
  }
}

TEST_F(ProjectBoundary, Inside) {
  const std::string Root = Top + "/p";
  for (StringRef Path :
       {"/p", "/p/", "/p/x", "/p/sub/../x", "/p/in/x", "/link/sub/x",
        "/p/out/../p/x", "/p/.gitattributes", "/p/sub/absent/x"})
    EXPECT_TRUE(isInProject(Top + Path.str(), Root)) << Path.str();
  for (StringRef Path : {"/other/x", "/p/out/x", "/p/out", "/p/../other/x", "",
                         "/p2", "/p2/x", "/p/.git/config", "/p/data/config"})
    EXPECT_FALSE(isInProject(Top + Path.str(), Root)) << Path.str();
  EXPECT_FALSE(isInProject("/etc/passwd", Root));
  EXPECT_TRUE(isInProject("/etc/passwd", "/"));
}

TEST_F(ProjectBoundary, RealPath) {
  EXPECT_EQ(realPath(Top + "/link/in/deep"), Top + "/p/sub/deep");
  EXPECT_EQ(realPath(Top + "/link/in/a/../b"), Top + "/p/sub/b");
  EXPECT_EQ(realPath("/"), "/");
}

} // namespace
