//===- FewerSMsTest.cpp - Where fewer SMs do ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/FewerSMs.h"
#include "TestDevices.h"
#include "ptxpredict/Model/OptimalCores.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Loads of \p Requests a warp, and \p Arithmetic multiplications.
KernelCharacteristics loadsAndWork(double Requests, double Arithmetic) {
  KernelCharacteristics K = countedKernel();
  K.Launch.Grid = {4000, 1, 1};
  K.Launch.Block = {256, 1, 1};
  K.Instructions = Estimate::known(Requests + Arithmetic);
  K.ByClass[unsigned(OpClass::Fp32)] = Estimate::known(Arithmetic);
  K.ByWork[unsigned(SchedClass::FP32)] = Estimate::known(Arithmetic);
  K.ByWork[unsigned(SchedClass::Global)] = Estimate::known(Requests);
  K.Memory[0].Requests = Estimate::known(Requests);
  K.Memory[0].Sectors = K.Memory[0].Wavefronts = Estimate::known(4);
  K.Memory[0].Transactions.fill(Estimate::known(2));
  return K;
}

std::unique_ptr<PreparedModel> ready(const KernelCharacteristics &K,
                                     const Device &D) {
  return findModel("bottleneck")->prepare(KernelOnDevice(K, D), {});
}

// One SM fewer than what is found is too slow, and none of those between is.
TEST(FewerSMs, AreTheFewestThatAreAsFast) {
  unsigned Found = 0;
  for (StringRef Name : {"gtx-980", "v100", "rtx-3090", "a100-80gb"})
    for (double Arithmetic : {10.0, 300.0, 3000.0}) {
      SCOPED_TRACE(Name.str() + ", " + std::to_string(Arithmetic));
      const Device &D = device(Name);
      const KernelCharacteristics K = loadsAndWork(90, Arithmetic);
      const auto Model = ready(K, D);
      const DevicePoint At = DevicePoint::of(D);
      const double Now = Model->at(At)->TimeUs.Value;
      auto IsFastEnough = [&](unsigned SMs) {
        DevicePoint P = At;
        P.ActiveSMs = SMs;
        return Model->at(P)->TimeUs.Value <= Now * (1 + MostTimeLost);
      };
      const std::optional<FewerSMs> F = findFewerSMs(*Model, At, {});
      if (!F) {
        const std::optional<FewerSMs> Tenth =
            useOfSMs(*Model, At, {}, unsigned(At.ActiveSMs * 0.9));
        ASSERT_TRUE(Tenth);
        EXPECT_TRUE(Tenth->TimeLost > MostTimeLost ||
                    *Tenth->EnergySaved < 3 * LeastEnergySaved);
        continue;
      }
      ++Found;
      EXPECT_EQ(F->All, At.ActiveSMs);
      EXPECT_LE(F->SMs, At.ActiveSMs * (1 - LeastExcess));
      EXPECT_TRUE(IsFastEnough(F->SMs));
      EXPECT_FALSE(F->SMs > 1 && IsFastEnough(F->SMs - 1));
      EXPECT_LE(F->TimeLost, MostTimeLost);
      EXPECT_GE(*F->EnergySaved, LeastEnergySaved);
      // P(n) = P(all) n / all over the longer time.
      EXPECT_NEAR(F->GatedSaved,
                  1 - double(F->SMs) / F->All * (1 + F->TimeLost), 1e-12);
    }
  EXPECT_GE(Found, 3u);
}

TEST(FewerSMs, SaveWhatPowerTimesTimeSays) {
  const Device &D = device("v100");
  const KernelCharacteristics K = loadsAndWork(90, 10);
  const DevicePoint All = DevicePoint::of(D);
  DevicePoint Half = All;
  Half.ActiveSMs = 40;
  // ipp draws its own power, by the same accesses.
  const Model &IPP = *findModel("ipp");
  const auto Powered = IPP.prepare(KernelOnDevice(K, D), {});
  const FewerSMs F = *useOfSMs(*Powered, All, {}, 40);
  const Prediction Now = Powered->predict(All), Then = Powered->predict(Half);
  EXPECT_NEAR(F.TimeLost, Then.TimeUs->Value / Now.TimeUs->Value - 1, 1e-12);
  EXPECT_NEAR(*F.EnergySaved, 1 - Then.EnergyJ->Value / Now.EnergyJ->Value,
              1e-9);
}

TEST(FewerSMs, KnowNoEnergyWithoutPower) {
  Device D = device("v100");
  D.IdleWatts.Value.reset();
  const KernelCharacteristics K = loadsAndWork(90, 10);
  const auto Model = ready(K, D);
  const FewerSMs F = *useOfSMs(*Model, DevicePoint::of(D), {}, 40);
  EXPECT_FALSE(F.EnergySaved);
  EXPECT_GT(F.GatedSaved, 0);
  ASSERT_TRUE(findFewerSMs(*Model, DevicePoint::of(D), {}));
}

// What leaves SMs without blocks is no matter of too many SMs.
TEST(FewerSMs, NeedABlockForEverySM) {
  KernelCharacteristics K = loadsAndWork(90, 10);
  K.Launch.Grid = {70, 1, 1};
  const Device &D = device("v100");
  EXPECT_FALSE(findFewerSMs(*ready(K, D), DevicePoint::of(D), {}));
}

TEST(FewerSMs, AreAskedForAsTheDeviceGrantsThem) {
  Device D = device("v100");
  set(D.NumSMs, 100);
  set(D.GreenContextLeast, 8);
  set(D.GreenContextStep, 6);
  SMRequest R = requestSMs(D, 3);
  EXPECT_EQ(R.GreenContext, 12u); // 8, rounded up to a multiple
  EXPECT_EQ(R.MPSPercent, 3u);
  EXPECT_EQ(R.Left, 88u);
  R = requestSMs(D, 49);
  EXPECT_EQ(R.GreenContext, 54u);
  EXPECT_EQ(requestText(R),
            "a green context of 54 SMs, or CUDA_MPS_ACTIVE_THREAD_PERCENTAGE="
            "49, leaves 46 SMs (46 %) to another kernel");
  R = requestSMs(D, 97); // 102 are more than all
  EXPECT_FALSE(R.GreenContext);
  EXPECT_EQ(R.Left, 3u);
  EXPECT_EQ(R.MPSPercent, 97u);
  set(D.NumSMs, 84);
  EXPECT_EQ(requestSMs(D, 21).MPSPercent, 25u);
  EXPECT_EQ(requestSMs(D, 22).MPSPercent, 27u); // of 26.2 % the next whole one
  // Neither green contexts nor shares of MPS.
  R = requestSMs(device("gtx-280"), 10);
  EXPECT_FALSE(R.GreenContext || R.MPSPercent);
  EXPECT_THAT(requestText(R), HasSubstr("a grid of so few blocks leaves 20 SMs "
                                        "(67 %) to another kernel"));
}

TEST(FewerSMs, AreCoolestInWholeTPCs) {
  const Device &D = device("8800-gt");
  EXPECT_EQ(preferredSMs(D, 4), placeActiveSMs(14, 2, 4));
  EXPECT_THAT(preferredSMs(D, 4), ElementsAre(0, 3, 7, 10));
  EXPECT_THAT(placementText(D, 4), HasSubstr("SMs 0, 3, 7, 10 would be "));
  EXPECT_THAT(placementText(D, 4), HasSubstr("1, 2 and 7 of its 14 SMs"));
  EXPECT_TRUE(preferredSMs(device("v100"), 4).empty());
  EXPECT_THAT(placementText(device("v100"), 4), HasSubstr("sms_per_tpc"));
}

// The thesis's models say what they say in their own predictions.
TEST(FewerSMs, AdviceIsThatOfTheModels) {
  const Device &D = device("rtx-3090");
  const KernelCharacteristics K = loadsAndWork(90, 10);
  const KernelOnDevice On(K, D);
  const DevicePoint At = DevicePoint::of(D);
  const CoreAdvice A = adviseCores(On, At, {});
  const Prediction IPP = findModel("ipp")->prepare(On, {})->predict(At);
  EXPECT_EQ(A.Optimal, IPP.term("Optimal_cores"));
  EXPECT_EQ(A.Best, IPP.term("Best_cores"));
  EXPECT_EQ(A.Advised, findModel("throughput")
                           ->prepare(On, {})
                           ->predict(At)
                           .term("Advice_cores"));
  ASSERT_TRUE(A.Optimal && A.Best && A.Advised);
  EXPECT_EQ(A.byName().size(), 3u);
  EXPECT_THAT(coreAdviceText(A), HasSubstr("Optimal_cores "));
  // A device without power has no answer of ipp.
  Device Without = D;
  Without.IdleWatts.Value.reset();
  const CoreAdvice B = adviseCores(KernelOnDevice(K, Without), At, {});
  EXPECT_FALSE(B.Optimal || B.Best);
  EXPECT_TRUE(B.Advised);
}

} // namespace
