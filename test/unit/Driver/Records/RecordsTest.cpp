//===- RecordsTest.cpp ----------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Records/Records.h"
#include "ptxpredict/Driver/Inputs/InputList.h"
#include "ptxpredict/Review/RecordJSON.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

namespace {

const std::string Examples = PTXPREDICT_SOURCE_DIR "/docs/examples/";

struct RecordsTest : testing::Test {
  RecordsTest() { EXPECT_FALSE(fs::createUniqueDirectory("records", Root)); }
  ~RecordsTest() override { (void)fs::remove_directories(Root); }

  RecordAnswer ask(ArrayRef<StringRef> Names, DriverOptions O = {}) {
    std::vector<DriverInput> Inputs;
    for (StringRef Name : Names)
      Inputs.push_back({Examples + Name.str()});
    RecordRequest R{std::move(O), ContentCache(Root.str().str())};
    R.OnProgress = [&](size_t Done, size_t All) {
      EXPECT_LE(Done, All);
      LastDone = Done;
    };
    return recordInputs(std::move(Inputs), std::move(R));
  }

  llvm::SmallString<128> Root;
  size_t LastDone = 0;
};

std::string textOf(const RecordAnswer &A) {
  std::string Text;
  for (const InputRecord &R : A.Inputs)
    Text += R.Path + writeRecord(R);
  return Text;
}

TEST_F(RecordsTest, TheSameFromTheCache) {
  RecordAnswer Cold = ask({"transpose.ptx", "saxpy.ptx"});
  ASSERT_EQ(Cold.Inputs.size(), 2U);
  EXPECT_EQ(Cold.NumCached, 0U);
  EXPECT_EQ(LastDone, 2U);
  EXPECT_EQ(Cold.Inputs[0].Frontend, "ptx");
  ASSERT_FALSE(Cold.Inputs[0].Kernels.empty());
  const KernelRecord &K = Cold.Inputs[0].Kernels[0];
  EXPECT_FALSE(K.Findings.empty());
  EXPECT_FALSE(K.Devices.empty());
  EXPECT_FALSE(K.Mix.empty());
  EXPECT_FALSE(K.MemoryOpcodes.empty());
  RecordAnswer Mixed = ask({"saxpy.ptx", "matmul.ptx", "transpose.ptx"});
  EXPECT_EQ(Mixed.NumCached, 2U);
  std::swap(Mixed.Inputs[0], Mixed.Inputs[2]);
  Mixed.Inputs.erase(Mixed.Inputs.begin() + 1);
  EXPECT_EQ(textOf(Mixed), textOf(Cold));
}

TEST_F(RecordsTest, OptionsAboutSingleKernelsDoWithout) {
  (void)ask({"saxpy.ptx"});
  DriverOptions O;
  O.KernelGlobs = {"saxpy"};
  EXPECT_EQ(ask({"saxpy.ptx"}, O).NumCached, 0U);
  O.KernelGlobs = {"absent"};
  RecordAnswer A = ask({"saxpy.ptx"}, O);
  EXPECT_TRUE(A.Failed);
  ASSERT_FALSE(A.Messages.empty());
  EXPECT_THAT(A.Messages[0].Message, testing::HasSubstr("no kernel matches"));
}

TEST_F(RecordsTest, WrongOptionsAreSeenThoughAllIsThere) {
  DriverOptions O;
  O.LaunchFilePath = Root.str().str() + "/absent.yaml";
  EXPECT_TRUE(ask({"saxpy.ptx"}, O).Failed);
  O.LaunchFilePath.clear();
  O.Devices = {"v101"};
  EXPECT_TRUE(ask({"saxpy.ptx"}, O).Failed);
}

TEST_F(RecordsTest, AnInputThatFailsLeavesTheOthers) {
  for (int Time = 0; Time != 2; ++Time) {
    RecordAnswer A = ask({"absent.ptx", "saxpy.ptx"});
    EXPECT_FALSE(A.Failed);
    ASSERT_EQ(A.Inputs.size(), 2U);
    EXPECT_TRUE(A.Inputs[0].Failed);
    EXPECT_FALSE(A.Inputs[0].Messages.empty());
    EXPECT_FALSE(A.Inputs[1].Failed);
    EXPECT_EQ(A.Inputs[1].Kernels.size(), 1U);
    EXPECT_EQ(A.NumCached, size_t(Time));
  }
}

TEST(ProgramIdentity, IsOneOfABuild) {
  EXPECT_EQ(programIdentity().size(), 64U);
  EXPECT_EQ(programIdentity(), programIdentity());
}

TEST(InputList, CodeInFolders) {
  EXPECT_TRUE(isCodeName("a.PTX"));
  EXPECT_TRUE(isCodeName("a.ptx.gz"));
  EXPECT_FALSE(isCodeName("ptx"));
  EXPECT_FALSE(isCodeName("a.cuh"));
  Expected<CodeBelow> Found = codeBelow(Examples);
  ASSERT_TRUE(bool(Found));
  EXPECT_TRUE(llvm::is_sorted(Found->Files));
  EXPECT_TRUE(llvm::is_contained(Found->Files, Examples + "saxpy.ll"));
  EXPECT_FALSE(llvm::is_contained(Found->Files, Examples + "device.h"));
  Expected<CodeBelow> None = codeBelow(Examples + "absent");
  EXPECT_FALSE(bool(None));
  llvm::consumeError(None.takeError());
}

} // namespace
