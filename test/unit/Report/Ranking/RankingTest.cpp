//===- RankingTest.cpp - Rankings made by hand ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Ranking/Ranking.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// A candidate on "d" by "m"; a time of 0 is none.
RankedCandidate candidate(StringRef Path, double Us, double HighUs) {
  Report Head;
  Head.Inputs.push_back({Path.str(), FrontendKind::PTX, "", ""});
  KernelReport K;
  K.Characteristics = std::make_shared<KernelCharacteristics>();
  RankedCandidate C(Head, K, "");
  RankedPrediction P;
  P.Device = "d";
  P.Model = "m";
  if (Us != 0)
    P.TimeUs = Estimate(Us, Status::Estimated, Us, HighUs);
  C.Predictions.push_back(P);
  return C;
}

RankedPrediction prediction(double Us, TimeLimiter Limiter,
                            std::vector<RankedCost> Costs) {
  RankedPrediction P;
  P.TimeUs = Estimate::make(Us, Status::Estimated);
  P.Limiter = Limiter;
  P.Costs = std::move(Costs);
  P.BusySMs = 10;
  P.ResidentWarps = P.Occ.WarpsPerSM = 16;
  P.Imbalance = 1;
  return P;
}

TEST(RankingTest, SortsStablyAndMarksTies) {
  Ranking R;
  R.Candidates.push_back(candidate("slow", 30, 40));
  R.Candidates.push_back(candidate("none", 0, 0));
  R.Candidates.push_back(candidate("same", 10, 12));
  R.Candidates.push_back(candidate("second", 10, 12));
  R.Candidates.push_back(candidate("near", 11.5, 12));
  std::vector<DeviceRanking> All = R.sort(/*Top=*/3);
  ASSERT_EQ(All.size(), 1u);
  const DeviceRanking &D = All[0];
  EXPECT_EQ(D.Ranked, 4u);
  EXPECT_DOUBLE_EQ(D.Spread, 3);
  ASSERT_EQ(D.Places.size(), 3u);
  EXPECT_EQ(D.Places[0].Candidate->Path, "same");
  EXPECT_EQ(D.Places[1].Candidate->Path, "second");
  EXPECT_EQ(D.Places[2].Candidate->Path, "near");
  EXPECT_FALSE(D.Places[0].IsTie);
  EXPECT_TRUE(D.Places[1].IsTie);
  EXPECT_TRUE(D.Places[2].IsTie);
  EXPECT_DOUBLE_EQ(D.Places[1].Slower, 0);
  EXPECT_NEAR(D.Places[2].Slower, 0.15, 1e-12);
  ASSERT_EQ(D.Unranked.size(), 1u);
  EXPECT_EQ(D.Unranked[0].Candidate->Path, "none");

  All = R.sort(/*Top=*/SIZE_MAX);
  ASSERT_EQ(All[0].Places.size(), 4u);
  EXPECT_FALSE(All[0].Places[3].IsTie); // 30 is above 12
}

TEST(RankingTest, NamesCountsThatTheLimiterCares) {
  auto With = [](double Us, double Wavefronts, double Sectors) {
    return prediction(
        Us, TimeLimiter::SharedMemory,
        {{"wavefronts", {TimeLimiter::SharedMemory}, Wavefronts, NAN, false},
         {"sectors", {TimeLimiter::MemoryBandwidth}, Sectors, NAN, false}});
  };
  RankedPrediction A = With(10, 100, 5), B = With(12, 140, 50);
  EXPECT_THAT(reasonsBetween(A, B, RankBy::Time),
              ElementsAre("wavefronts 1.4x"));
  EXPECT_THAT(reasonsBetween(B, A, RankBy::Time), IsEmpty()); // it is faster
  B.Limiter = TimeLimiter::MemoryBandwidth;
  EXPECT_THAT(reasonsBetween(A, B, RankBy::Time),
              ElementsAre("sectors 10x", "limited by device memory instead of "
                                         "shared memory"));
  A.Costs[1].Amount = 0;
  EXPECT_EQ(reasonsBetween(A, B, RankBy::Time).front(),
            "sectors 50 instead of none");
}

TEST(RankingTest, NamesWhatIsInFlight) {
  RankedPrediction A = prediction(10, TimeLimiter::MemoryLatency, {}), B = A;
  B.TimeUs->Value = 20;
  B.ResidentWarps = B.Occ.WarpsPerSM = 8;
  B.Occ.Limiter = OccupancyLimiter::Registers;
  EXPECT_THAT(reasonsBetween(A, B, RankBy::Time),
              ElementsAre("occupancy 8 instead of 16 warps (registers)"));
  B.Occ.WarpsPerSM = 16;
  B.BusySMs = 2;
  EXPECT_THAT(reasonsBetween(A, B, RankBy::Time),
              ElementsAre("blocks for 2 instead of 10 SMs",
                          "blocks for 8 instead of 16 warps of an SM"));
  A.Limiter = B.Limiter = TimeLimiter::Compute; // which needs no more warps
  EXPECT_THAT(reasonsBetween(A, B, RankBy::Time), IsEmpty());
}

TEST(RankingTest, TakesTheModelsTimesWhereItSaysThem) {
  auto With = [](double Us, double A, double AUs, double B, double BUs) {
    return prediction(Us, TimeLimiter::None,
                      {{"a", {}, A, AUs, false}, {"b", {}, B, BUs, false}});
  };
  // b grew by more, but takes little time.
  RankedPrediction Earlier = With(10, 100, 9, 1, 1),
                   Later = With(15, 150, 13.5, 2, 1.5);
  EXPECT_THAT(reasonsBetween(Earlier, Later, RankBy::Time),
              ElementsAre("a 1.5x"));
  // As much is asked for, by fewer SMs at once.
  Later = With(15, 100, 14, 1, 1);
  Later.Imbalance = 1.5;
  EXPECT_THAT(reasonsBetween(Earlier, Later, RankBy::Time),
              ElementsAre("the busiest SM has 1.5 instead of 1 times its share "
                          "of blocks"));
  Later.Imbalance = 1;
  EXPECT_THAT(reasonsBetween(Earlier, Later, RankBy::Time),
              ElementsAre("time for a 1.56x"));
  // Fewer warps make only waiting longer, fewer SMs everything.
  Later.ResidentWarps = 4;
  EXPECT_THAT(reasonsBetween(Earlier, Later, RankBy::Time),
              ElementsAre("time for a 1.56x"));
  Later.Costs[0].IsWaiting = true;
  EXPECT_THAT(reasonsBetween(Earlier, Later, RankBy::Time),
              ElementsAre("blocks for 4 instead of 16 warps of an SM"));
  Later.Costs[0].IsWaiting = false;
  Later.ResidentWarps = 16;
  Later.BusySMs = 5;
  EXPECT_THAT(reasonsBetween(Earlier, Later, RankBy::Time),
              ElementsAre("blocks for 5 instead of 10 SMs"));
}

TEST(RankingTest, SplitsEnergyIntoPowerAndTime) {
  RankedPrediction A = prediction(10, TimeLimiter::Compute, {}), B = A;
  A.PowerW = Estimate::make(100, Status::Estimated);
  A.EnergyJ = Estimate::make(1e-3, Status::Estimated);
  B.PowerW = Estimate::make(150, Status::Estimated);
  B.EnergyJ = Estimate::make(1.5e-3, Status::Estimated);
  EXPECT_THAT(reasonsBetween(A, B, RankBy::Energy), ElementsAre("power 1.5x"));
  B.TimeUs->Value = 20;
  B.EnergyJ->Value = 3e-3;
  EXPECT_THAT(reasonsBetween(A, B, RankBy::Energy),
              ElementsAre("power 1.5x", "time 2x"));
}

} // namespace
