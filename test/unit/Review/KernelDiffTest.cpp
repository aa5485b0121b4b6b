//===- KernelDiffTest.cpp -------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/KernelDiff.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

KernelRecord makeKernel() {
  KernelRecord K;
  K.Name = K.Demangled = "k";
  K.Grid = {1024, 1, 1};
  K.Block = {256, 1, 1};
  K.Registers = Estimate::make(32, Status::Estimated);
  K.NumStatic = 50;
  K.Mix["fp32"] = Estimate::known(60);
  K.Mix["int"] = Estimate::known(38);
  K.Mix["control"] = Estimate::known(2);
  K.Instructions = Estimate::known(100);
  DeviceRecord &D = K.Devices.emplace_back();
  D.Device = "v100";
  D.Model = "bottleneck";
  D.TimeUs = Estimate::make(100, Status::Estimated);
  D.EnergyJ = Estimate::make(0.02, Status::Estimated);
  D.Limiter = TimeLimiter::Compute;
  D.Registers = K.Registers;
  D.BlocksPerSM = 8;
  D.Occupancy = 1;
  return K;
}

FindingRecord makeFinding(StringRef Code, Severity Level = Severity::Warning,
                          std::optional<double> Gain = std::nullopt) {
  FindingRecord R;
  R.Found.Id = "bank-conflict";
  R.Found.Level = Level;
  R.Code = Code.str();
  if (Gain)
    R.Found.Gains.push_back({"v100", *Gain});
  return R;
}

KernelDiff compare(const KernelRecord &A, const KernelRecord &B) {
  return compareKernels(A, B, DiffOptions());
}

DiffResult compareBuilds(std::vector<KernelRecord> A,
                         std::vector<KernelRecord> B, DiffOptions Options) {
  auto MakeBuild = [](std::vector<KernelRecord> Kernels) {
    Build Result;
    Result.Inputs.emplace_back().Kernels = std::move(Kernels);
    Result.Places.emplace_back();
    return Result;
  };
  return ptxpredict::compareBuilds(MakeBuild(std::move(A)),
                                   MakeBuild(std::move(B)), Options);
}

TEST(KernelDiff, NoiseDoesNotMatter) {
  KernelRecord Base = makeKernel(), Head = makeKernel();
  EXPECT_FALSE(compare(Base, Head).Matters);
  Head.Devices[0].TimeUs->Value = 100.9;
  Head.Devices[0].EnergyJ->Value = 0.0199;
  Head.Mix["fp32"].Value = 60.5;
  // More jumps and longer code.
  Head.Mix["control"].Value = 12;
  Head.Instructions.Value = 110.5;
  Head.NumStatic = 55;
  KernelDiff D = compare(Base, Head);
  EXPECT_FALSE(D.Matters);
  EXPECT_NEAR(*D.Devices[0].slowdown(), 0.009, 1e-12);
  Head.Devices[0].TimeUs->Value = 101.1;
  EXPECT_TRUE(compare(Base, Head).Matters);
  DiffOptions Wider;
  Wider.Noise = 0.02;
  EXPECT_FALSE(compareKernels(Base, Head, Wider).Matters);
  // Faster is a change, too.
  Head.Devices[0].TimeUs->Value = 98;
  EXPECT_TRUE(compare(Base, Head).Matters);
}

TEST(KernelDiff, AnyChangeOfAResourceMatters) {
  const KernelRecord Base = makeKernel();
  auto Matters = [&](auto Change) {
    KernelRecord Head = makeKernel();
    Change(Head);
    return compare(Base, Head).Matters;
  };
  using Record = KernelRecord &;
  EXPECT_TRUE(Matters([](Record K) { K.Registers.Value = 33; }));
  EXPECT_TRUE(Matters([](Record K) { K.SpillBytes = Estimate::known(4); }));
  EXPECT_TRUE(Matters([](Record K) { K.StaticSharedBytes = 4; }));
  EXPECT_TRUE(Matters([](Record K) { K.LocalBytes = 4; }));
  EXPECT_TRUE(Matters([](Record K) { K.Grid.X = 512; }));
  EXPECT_TRUE(Matters([](Record K) { K.Block.Y = 2; }));
  EXPECT_TRUE(Matters([](Record K) { K.Mix["fp32"].Value = 62; }));
  EXPECT_TRUE(Matters([](Record K) { K.Mix["sfu"] = Estimate::known(2); }));
  EXPECT_TRUE(Matters([](Record K) { K.Mix.erase("int"); }));
  EXPECT_TRUE(
      Matters([](Record K) { K.Devices[0].Limiter = TimeLimiter::Issue; }));
  EXPECT_TRUE(Matters([](Record K) { K.Devices[0].BlocksPerSM = 7; }));
  EXPECT_TRUE(Matters([](Record K) { K.Devices[0].Occupancy = 0.5; }));
  EXPECT_TRUE(Matters([](Record K) { K.Devices[0].Registers.Value = 40; }));
  EXPECT_TRUE(Matters([](Record K) { K.Devices[0].EnergyJ->Value = 0.03; }));
  // That nothing spills may be known on one side only.
  EXPECT_FALSE(Matters([](Record K) { K.SpillBytes = Estimate::known(0); }));
}

TEST(KernelDiff, ADeviceThatCannotRunItIsInfinitelySlower) {
  KernelRecord Base = makeKernel(), Head = makeKernel();
  Head.Devices[0].TimeUs = std::nullopt;
  Head.Devices[0].Limiter = TimeLimiter::None;
  KernelDiff D = compare(Base, Head);
  EXPECT_TRUE(D.Matters);
  EXPECT_EQ(D.Devices[0].slowdown(), HUGE_VAL);
  // The other way round there is nothing to compare with.
  EXPECT_FALSE(compare(Head, Base).Devices[0].slowdown());
}

TEST(KernelDiff, PairsDevicesByNameAndModel) {
  KernelRecord Base = makeKernel(), Head = makeKernel();
  Base.Devices.push_back(Base.Devices[0]);
  Base.Devices[1].Model = "mwp-cwp";
  Head.Devices.insert(Head.Devices.begin(), Head.Devices[0]);
  Head.Devices[0].Device = "t4";
  KernelDiff D = compare(Base, Head);
  ASSERT_EQ(D.Devices.size(), 3U);
  EXPECT_EQ(D.Devices[0].Device, "t4");
  EXPECT_FALSE(D.Devices[0].InBase);
  EXPECT_FALSE(D.Devices[0].slowdown());
  EXPECT_EQ(D.Devices[1].Model, "bottleneck");
  EXPECT_FALSE(D.Devices[1].Matters);
  EXPECT_EQ(D.Devices[2].Model, "mwp-cwp");
  EXPECT_FALSE(D.Devices[2].InHead);
}

TEST(KernelDiff, MatchesFindingsByRuleAndPlace) {
  KernelRecord Base = makeKernel(), Head = makeKernel();
  Base.Findings = {makeFinding("ld.shared.f32 %f, [%rd];"),
                   makeFinding("st.shared.f32 [%rd], %f;")};
  Head.Findings = {makeFinding("st.shared.f32 [%rd], %f;"),
                   makeFinding("@%p ld.shared.f32 %other, [%x];")};
  Head.Findings[0].Found.Message = "another number";
  EXPECT_TRUE(compare(Base, Head).Findings.empty());
  // One more of the same is one new.
  Head.Findings.push_back(Head.Findings[0]);
  KernelDiff D = compare(Base, Head);
  ASSERT_EQ(D.Findings.size(), 1U);
  EXPECT_EQ(D.Findings[0].What, FindingChange::New);
  EXPECT_TRUE(D.Findings[0].Matters);
  EXPECT_TRUE(D.Matters);
  D = compare(Head, Base);
  ASSERT_EQ(D.Findings.size(), 1U);
  EXPECT_EQ(D.Findings[0].What, FindingChange::Gone);
  // Another rule at the place is another finding.
  Head.Findings.pop_back();
  Head.Findings[0].Found.Id = "narrow-access";
  D = compare(Base, Head);
  ASSERT_EQ(D.Findings.size(), 2U);
  EXPECT_EQ(D.Findings[0].What, FindingChange::New);
  EXPECT_EQ(D.Findings[1].What, FindingChange::Gone);
}

TEST(KernelDiff, NotesMatterOnlyByTheirGain) {
  KernelRecord Base = makeKernel(), Head = makeKernel();
  Head.Findings = {makeFinding("ld", Severity::Note)};
  EXPECT_FALSE(compare(Base, Head).Matters);
  Head.Findings = {makeFinding("ld", Severity::Note, LeastGain / 2)};
  EXPECT_FALSE(compare(Base, Head).Matters);
  Head.Findings = {makeFinding("ld", Severity::Note, LeastGain)};
  EXPECT_TRUE(compare(Base, Head).Matters);
}

TEST(KernelDiff, SeverityMattersUnlessTheGainIsTheSame) {
  KernelRecord Base = makeKernel(), Head = makeKernel();
  Base.Findings = {makeFinding("ld", Severity::Note)};
  Head.Findings = {makeFinding("ld", Severity::Warning)};
  KernelDiff D = compare(Base, Head);
  ASSERT_EQ(D.Findings.size(), 1U);
  EXPECT_EQ(D.Findings[0].What, FindingChange::MoreSevere);
  EXPECT_EQ(D.Findings[0].Was, Severity::Note);
  EXPECT_TRUE(D.Matters);
  EXPECT_EQ(compare(Head, Base).Findings[0].What, FindingChange::LessSevere);
  // The gain went over the bound of warnings by less than noise.
  Base.Findings = {makeFinding("ld", Severity::Note, 0.048)};
  Head.Findings = {makeFinding("ld", Severity::Warning, 0.052)};
  EXPECT_FALSE(compare(Base, Head).Matters);
  Head.Findings = {makeFinding("ld", Severity::Warning, 0.2)};
  EXPECT_TRUE(compare(Base, Head).Matters);
}

TEST(KernelDiff, FindsTheWorstSlowdown) {
  KernelRecord A = makeKernel(), B = makeKernel();
  B.Name = "b";
  std::vector<KernelRecord> Base = {A, B};
  A.Devices[0].TimeUs->Value = 90;
  B.Devices[0].TimeUs->Value = 104;
  std::vector<KernelRecord> Head = {A, B};
  DiffResult R = compareBuilds(Base, Head, {});
  EXPECT_EQ(R.numChanged(), 2U);
  ASSERT_TRUE(R.worst());
  EXPECT_EQ(R.head(*R.worst()->Kernel).Name, "b");
  EXPECT_NEAR(R.worst()->Slowdown, 0.04, 1e-12);
  EXPECT_FALSE(R.exceedsLimit()); // without a limit
  R.Options.MaxRegression = 0.03;
  EXPECT_TRUE(R.exceedsLimit());
  R.Options.MaxRegression = 0.05;
  EXPECT_FALSE(R.exceedsLimit());
  // Faster kernels alone have no worst.
  EXPECT_FALSE(compareBuilds({Base[0]}, {Head[0]}, {}).worst());
}

TEST(KernelDiff, TellsFailingFindings) {
  KernelRecord Clean = makeKernel(), Bad = makeKernel();
  Bad.Findings = {makeFinding("ld")};
  DiffOptions Options;
  Options.FailOn = Severity::Warning;
  EXPECT_TRUE(compareBuilds({Clean}, {Bad}, Options).hasFailingFinding());
  EXPECT_TRUE(compareBuilds({}, {Bad}, Options).hasFailingFinding());
  EXPECT_FALSE(compareBuilds({Bad}, {Bad}, Options).hasFailingFinding());
  EXPECT_FALSE(compareBuilds({Bad}, {Clean}, Options).hasFailingFinding());
  EXPECT_FALSE(compareBuilds({Clean}, {Bad}, {}).hasFailingFinding());
  Options.FailOn = Severity::Error;
  EXPECT_FALSE(compareBuilds({Clean}, {Bad}, Options).hasFailingFinding());
}

} // namespace
