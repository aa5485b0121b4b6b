//===- RecordJSONTest.cpp -------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/RecordJSON.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;

namespace {

InputRecord makeRecord() {
  InputRecord R;
  R.Path = "dir/k.ptx";
  R.Frontend = "ptx";
  R.Target = "sm_90";
  KernelRecord &K = R.Kernels.emplace_back();
  K.Name = "_Z1kPf";
  K.Demangled = "k(float*)";
  K.Line = 7;
  K.Grid = {3, 2, 1};
  K.Block = {256, 1, 1};
  K.Registers = {32, Status::Estimated, 24, 40};
  K.SpillBytes = Estimate::known(8);
  K.StaticSharedBytes = uint64_t(1) << 40;
  K.Instructions = {64, Status::Unknown, 0,
                    std::numeric_limits<double>::infinity()};
  K.Mix["fp32"] = Estimate::known(12.5);
  K.MemoryOpcodes["ld.global.f32"] = 2;
  DeviceRecord &D = K.Devices.emplace_back();
  D.Device = "v100";
  D.Model = "bottleneck";
  D.TimeUs = Estimate(0.1, Status::Assumed, 0.05, 0.2);
  D.Limiter = TimeLimiter::Latency;
  D.BlocksPerSM = 8;
  D.Occupancy = 1;
  Finding F;
  F.Id = "bank-conflict";
  F.Level = Severity::Warning;
  F.Message = "quoted \" and \xc3\xa4";
  F.Kernel = K.Name;
  F.Where = {"dir/k.ptx", 9, 2, {"k.cu:1:2"}, 9};
  F.add("requests", 4);
  F.add("how_known", "assumed");
  F.add("ratio", std::numeric_limits<double>::quiet_NaN(), "v100");
  F.Gains = {{"v100", 0.25}};
  F.Help = "do it";
  K.Findings.push_back({F, "ld.shared.f32 %f, [%rd]"});
  F.Where.Path = "/src/k.cu";
  K.Findings.push_back({F, ""});
  Diagnostic M;
  M.Level = Severity::Warning;
  M.Path = R.Path;
  M.Message = "odd";
  M.Line = 3;
  R.Messages.push_back(M);
  return R;
}

TEST(RecordJSON, ReadsWhatItWrote) {
  std::string Text = writeRecord(makeRecord());
  std::optional<InputRecord> R = readRecord(Text, "dir/k.ptx");
  ASSERT_TRUE(R);
  EXPECT_EQ(writeRecord(*R), Text);
  ASSERT_EQ(R->Kernels.size(), 1U);
  const KernelRecord &K = R->Kernels[0];
  EXPECT_EQ(K.Grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(K.Registers.Status, Status::Estimated);
  EXPECT_EQ(K.Registers.High, 40);
  EXPECT_TRUE(K.SpillBytes && K.SpillBytes->isKnown());
  EXPECT_EQ(K.StaticSharedBytes, uint64_t(1) << 40);
  EXPECT_EQ(K.Instructions.High, std::numeric_limits<double>::infinity());
  ASSERT_EQ(K.Devices.size(), 1U);
  EXPECT_EQ(K.Devices[0].TimeUs->Value, 0.1);
  EXPECT_FALSE(K.Devices[0].EnergyJ);
  ASSERT_EQ(K.Findings.size(), 2U);
  const Finding &F = K.Findings[0].Found;
  EXPECT_EQ(F.Remark, "BankConflict");
  EXPECT_EQ(F.Values[1].Text, "assumed");
  EXPECT_TRUE(std::isnan(F.Values[2].Number));
  EXPECT_EQ(K.Findings[0].Code, "ld.shared.f32 %f, [%rd]");
  EXPECT_EQ(R->Messages[0].Line, 3U);
}

TEST(RecordJSON, IsOfNoPath) {
  std::string Text = writeRecord(makeRecord());
  EXPECT_EQ(Text.find("dir/k.ptx"), std::string::npos);
  std::optional<InputRecord> R = readRecord(Text, "moved.ptx");
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Path, "moved.ptx");
  EXPECT_EQ(R->Kernels[0].Findings[0].Found.Where.Path, "moved.ptx");
  EXPECT_EQ(R->Kernels[0].Findings[1].Found.Where.Path, "/src/k.cu");
  EXPECT_EQ(R->Messages[0].Path, "moved.ptx");
}

TEST(RecordJSON, RefusesOtherTexts) {
  std::string Text = writeRecord(makeRecord());
  auto Refuses = [](const std::string &T) { return !readRecord(T, "k.ptx"); };
  EXPECT_TRUE(Refuses(""));
  EXPECT_TRUE(Refuses("[]"));
  EXPECT_TRUE(Refuses("{}"));
  EXPECT_TRUE(Refuses(Text.substr(0, Text.size() / 2)));
  auto Replaced = [&](StringRef Old, StringRef New) {
    std::string T = Text;
    size_t At = T.find(Old.str());
    EXPECT_NE(At, std::string::npos) << Old.str();
    return T.replace(At, Old.size(), New.str());
  };
  EXPECT_TRUE(Refuses(Replaced("bank-conflict", "bank-conflicts")));
  EXPECT_TRUE(Refuses(Replaced("[3,2,1]", "[3,2]")));
  EXPECT_TRUE(Refuses(Replaced("\"nan\"", "\"none\"")));
  EXPECT_TRUE(Refuses(Replaced("\"level\":1", "\"level\":7")));
}

} // namespace
