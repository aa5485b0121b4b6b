//===- PtxasInfoTest.cpp - Logs of ptxas -v -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Toolchain/PtxasInfo.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

PtxasInfo parse(StringRef Text) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "log"));
  PtxasInfo Info;
  EXPECT_FALSE(parsePtxasInfo(Diags, Info));
  EXPECT_TRUE(Diags.diagnostics().empty());
  return Info;
}

TEST(PtxasInfo, ReadsEveryNumber) {
  PtxasInfo Info =
      parse("ptxas info    : Compiling entry function 'f' for 'sm_90a'\r\n"
            "ptxas info    : Function properties for f\r\n"
            "    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill "
            "loads\r\n"
            "ptxas info    : Used 32 registers, used 3 barriers, 16 bytes "
            "cumulative stack size, 4096 bytes smem, 380 bytes cmem[0]\r\n");
  ASSERT_EQ(Info.Functions.size(), 1u);
  const PtxasFunctionInfo &F = Info.Functions[0];
  EXPECT_EQ(F.Name, "f");
  EXPECT_EQ(F.Target, "sm_90a");
  EXPECT_EQ(F.ComputeCapability, 90u);
  EXPECT_EQ(F.Registers, 32u);
  EXPECT_EQ(F.Barriers, 3u);
  EXPECT_EQ(F.SharedBytes, 4096u);
  EXPECT_EQ(F.StackBytes, 16u);
  EXPECT_EQ(F.SpillStoreBytes, 12u);
  EXPECT_EQ(F.SpillLoadBytes, 8u);
}

TEST(PtxasInfo, ReadsLogsOfOldToolkits) {
  PtxasInfo Info =
      parse("ptxas info    : Compiling entry function '_Z1kPf' for 'sm_13'\n"
            "ptxas info    : Used 10 registers, 2048+16 bytes smem, 8 bytes "
            "cmem[1]\n"
            "ptxas info    : Compiling entry function 'older'\n"
            "ptxas info    : Used 7 registers\n");
  ASSERT_EQ(Info.Functions.size(), 2u);
  EXPECT_EQ(Info.Functions[0].ComputeCapability, 13u);
  EXPECT_EQ(Info.Functions[0].SharedBytes, 2064u);
  EXPECT_EQ(Info.Functions[0].Barriers, 0u);
  EXPECT_FALSE(Info.Functions[0].SpillStoreBytes);
  EXPECT_EQ(Info.Functions[1].Name, "older");
  EXPECT_EQ(Info.Functions[1].Target, "");
  EXPECT_EQ(Info.Functions[1].Registers, 7u);
}

TEST(PtxasInfo, LeavesDeviceFunctionsOut) {
  PtxasInfo Info =
      parse("ptxas info    : Compiling entry function 'a' for 'sm_80'\n"
            "ptxas info    : Function properties for xa\n"
            "    64 bytes stack frame, 64 bytes spill stores, 64 bytes spill "
            "loads\n"
            "ptxas info    : Used 8 registers, used 0 barriers\n");
  ASSERT_EQ(Info.Functions.size(), 1u);
  EXPECT_FALSE(Info.Functions[0].StackBytes);
}

TEST(PtxasInfo, FindsByTargetThenByAnyOther) {
  PtxasInfo Info;
  for (unsigned CC : {75u, 80u, 90u}) {
    PtxasFunctionInfo F;
    F.Name = "k";
    F.Target = "sm_" + std::to_string(CC);
    F.ComputeCapability = CC;
    F.Registers = CC;
    Info.Functions.push_back(F);
  }
  EXPECT_EQ(Info.find("k", "sm_80")->Registers, 80u);
  EXPECT_EQ(Info.find("k", "sm_90a")->Registers, 90u);
  EXPECT_EQ(Info.find("k", "sm_100a")->Registers, 75u);
  EXPECT_EQ(Info.find("other", "sm_80"), nullptr);
  EXPECT_EQ(Info.find("k", 90u)->Registers, 90u);
  EXPECT_EQ(Info.find("k", 100u), nullptr);
}

TEST(PtxasInfo, RefusesWhatIsNoLog) {
  // The second lacks the line that says whose registers these are.
  for (StringRef Text : {"", "ptxas info    : Used 8 registers\n",
                         "ptxas info    : Compiling entry function 'a' for "
                         "'sm_80'\n"}) {
    DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "log"));
    PtxasInfo Info;
    EXPECT_TRUE(parsePtxasInfo(Diags, Info));
    ASSERT_EQ(Diags.diagnostics().size(), 1u);
    EXPECT_EQ(Diags.diagnostics()[0].Line, 1u);
  }
}

} // namespace
