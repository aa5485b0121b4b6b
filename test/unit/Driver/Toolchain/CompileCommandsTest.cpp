//===- CompileCommandsTest.cpp --------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Toolchain/CompileCommands.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
using testing::ElementsAre;

namespace {

CompileCommands readText(StringRef Text) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "c.json"));
  CompileCommands C;
  EXPECT_FALSE(C.read(Diags));
  return C;
}

TEST(CompileCommands, KeepsWhatMattersForDeviceCode) {
  CompileCommands C = readText(
      R"([{"directory": "/b", "file": "../s/a.cu", "command":
      "/usr/bin/clang++ -x cuda -I../i -DX='a b' -c ../s/a.cu -o a.o -MD -MF a.d --offload-arch=sm_80"},
      {"directory": "/b", "file": "h.cpp", "command": "g++ -c h.cpp"},
      {"directory": "/b", "file": "as.cpp", "arguments": ["nvcc", "-x", "cu", "as.cpp"]}])");
  ASSERT_EQ(C.commands().size(), 2U) << "the host's is left out";
  const CompileCommand &A = C.commands()[0];
  EXPECT_EQ(A.File, "/s/a.cu");
  EXPECT_EQ(A.Folder, "/b");
  EXPECT_THAT(A.Arguments,
              ElementsAre("-I../i", "-DX=a b", "--offload-arch=sm_80"));
  EXPECT_EQ(C.commands()[1].File, "/b/as.cpp");
  EXPECT_TRUE(C.commands()[1].Arguments.empty());
  EXPECT_EQ(C.find("/s/a.cu"), &A);
  EXPECT_EQ(C.find("/s/b.cu"), nullptr);
}

TEST(CompileCommands, AreTheProjects) {
  CompileCommands C = readText(
      R"([{"directory": "/b", "file": "a.cu", "command":
      "/cuda/bin/nvcc -isystem=/x -rdc=true -Xcompiler=-fPIC -DY -c a.cu"}])");
  ReadOptions Asked;
  Asked.Compiler = "clang";
  Asked.CompilerArguments = {"-nocudalib"};
  ReadOptions Own = C.commands()[0].readOptions(Asked);
  EXPECT_EQ(Own.Compiler, "clang") << "the user's";
  EXPECT_THAT(Own.CompilerArguments, ElementsAre("-nocudalib"));
  EXPECT_EQ(Own.CompilerFolder, "/b");
  ASSERT_TRUE(Own.Project.has_value());
  EXPECT_TRUE(Own.Project->isNVCC());
  EXPECT_EQ(Own.Project->Compiler, "/cuda/bin/nvcc");
  EXPECT_THAT(Own.Project->Arguments,
              ElementsAre("-isystem=/x", "-rdc=true", "-DY"));
}

TEST(CompileCommands, KeepsWhatMattersForOpenCL) {
  CompileCommands C = readText(
      R"([{"directory": "/b", "file": "k.cl", "command":
      "clang -x cl -cl-std=CL2.0 -target spir64 --target=spir64 -DX -emit-llvm -c k.cl -o k.bc"},
      {"directory": "/b", "file": "k.cu", "command": "clang++ --target=x86_64-linux-gnu -c k.cu"}])");
  ASSERT_EQ(C.commands().size(), 2U);
  EXPECT_EQ(C.commands()[0].File, "/b/k.cl");
  EXPECT_THAT(C.commands()[0].Arguments, ElementsAre("-cl-std=CL2.0", "-DX"));
  EXPECT_THAT(C.commands()[1].Arguments,
              ElementsAre("--target=x86_64-linux-gnu"));
}

TEST(CompileCommands, OnlySources) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(
      R"([{"directory": "/etc", "file": "passwd", "command": "nvcc -x cu x"}])",
      "c.json"));
  CompileCommands C;
  EXPECT_FALSE(C.read(Diags));
  EXPECT_TRUE(C.commands().empty());
  ASSERT_EQ(Diags.diagnostics().size(), 1U);
  EXPECT_EQ(Diags.diagnostics()[0].Level, Severity::Warning);
}

TEST(CompileCommands, WhoIncludesAHeader) {
  llvm::SmallString<128> Root;
  ASSERT_FALSE(fs::createUniqueDirectory("includes", Root));
  auto Write = [&](StringRef Name, StringRef Text) {
    llvm::SmallString<128> Path(Root);
    llvm::sys::path::append(Path, Name);
    (void)fs::create_directories(llvm::sys::path::parent_path(Path));
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Text;
    EXPECT_FALSE(EC);
    return std::string(Path);
  };
  std::string Deep = Write("i/deep.cuh", "#include \"loop.cuh\"\n");
  Write("i/loop.cuh", "#include <deep.cuh>\n");
  Write("s/local.h", "  #  include <deep.cuh>\n");
  Write("s/a.cu", "#include \"local.h\"\n");
  Write("s/b.cu", "#include MACRO\n// #include \"local.h\"\n");
  std::string Text = "[";
  for (StringRef Name : {"a", "b"})
    Text += (Twine(Name == "a" ? "" : ",") + "{\"directory\": \"" + Root +
             "\", \"file\": \"s/" + Name +
             ".cu\", \"arguments\": [\"nvcc\", \"-I\", \"i\"]}")
                .str();
  CompileCommands C = readText(Text + "]");
  std::vector<const CompileCommand *> Users = C.including(Deep);
  ASSERT_EQ(Users.size(), 1U);
  EXPECT_TRUE(StringRef(Users[0]->File).ends_with("s/a.cu"));
  EXPECT_TRUE(C.including(Write("i/unused.h", "")).empty());
  (void)fs::remove_directories(Root);
}

TEST(CompileCommands, Headers) {
  for (StringRef Name : {"a.cuh", "b/c.H", "x.hpp", "y.inl"})
    EXPECT_TRUE(looksLikeHeader(Name)) << Name.str();
  for (StringRef Name : {"a.cu", "h", "x.ptx", "a.h.ptx"})
    EXPECT_FALSE(looksLikeHeader(Name)) << Name.str();
}

} // namespace
