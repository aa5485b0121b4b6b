//===- KernelSplitTest.cpp - A kernel's work on several devices -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/KernelSplit.h"
#include "TestDevices.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace ptxpredict;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using From = SplitBytes::FromTy;

namespace {

/// Footprints of \p Some blocks and of all 1000, read and written.
KernelCharacteristics touching(uint64_t Some, double Read, double Written,
                               double AllRead, double AllWritten) {
  KernelCharacteristics K;
  K.Launch.Grid = {1000, 1, 1};
  K.Launch.Block = {256, 1, 1};
  auto Touched = [](uint64_t Blocks, double In, double Out) {
    BlocksFootprint F;
    F.Blocks = Blocks;
    F.Touched.Bytes = Estimate::known(In + Out);
    F.Touched.ReadBytes = Estimate::known(In);
    F.Touched.WrittenBytes = Estimate::known(Out);
    return F;
  };
  K.Reuse.emplace();
  K.Reuse->Blocks = {Touched(1, Read / double(Some), Written / double(Some)),
                     Touched(Some, Read, Written),
                     Touched(1000, AllRead, AllWritten)};
  K.Reuse->Grid = K.Reuse->Blocks.back().Touched;
  K.Footprint.emplace();
  K.Footprint->GridBytes = Estimate::known(AllRead + AllWritten);
  K.Footprint->GridReadBytes = Estimate::known(AllRead);
  K.Footprint->GridWrittenBytes = Estimate::known(AllWritten);
  return K;
}

void expectBytes(const SplitBytes &B, From Where, double In, double Out,
                 double WholeIn, double WholeOut) {
  EXPECT_EQ(B.From, Where);
  EXPECT_NEAR(B.In, In, 1e-6);
  EXPECT_NEAR(B.Out, Out, 1e-6);
  EXPECT_NEAR(B.WholeIn, WholeIn, 1e-6);
  EXPECT_NEAR(B.WholeOut, WholeOut, 1e-6);
}

TEST(SplitBytes, OfTheFootprint) {
  // Each block has its own 8 bytes and writes 4.
  expectBytes(splitBytesOf(touching(512, 4096, 2048, 8000, 4000)),
              From::Footprint, 8000, 4000, 0, 0);
  // 1000 of what is read all blocks read.
  expectBytes(splitBytesOf(touching(512, 1000 + 4096, 2048, 9000, 4000)),
              From::Footprint, 8000, 4000, 1000, 0);
  // One word that all add to.
  expectBytes(splitBytesOf(touching(512, 4096, 4, 8000, 4)), From::Footprint,
              8000, 0, 0, 4);
  // More in the later blocks: nothing is whole, and nothing is negative.
  expectBytes(splitBytesOf(touching(512, 10, 0, 8000, 0)), From::Footprint,
              8000, 0, 0, 0);
  KernelCharacteristics K = touching(512, 4096, 2048, 8000, 4000);
  K.Reuse->Blocks.erase(K.Reuse->Blocks.begin(), K.Reuse->Blocks.end() - 1);
  expectBytes(splitBytesOf(K), From::Footprint, 8000, 4000, 0, 0);
  K.Reuse.reset(); // of a run
  expectBytes(splitBytesOf(K), From::Footprint, 8000, 4000, 0, 0);
  K.Footprint.reset();
  EXPECT_EQ(splitBytesOf(K).From, From::Nothing);
}

TEST(SplitBytes, OfTheBuffers) {
  KernelCharacteristics K = touching(512, 1000 + 4096, 2048, 9000, 3000);
  ArgumentValue Buffer;
  Buffer.Kind = ArgumentValue::KindTy::Buffer;
  K.Launch.Args[0] = K.Launch.Args[1] = Buffer;
  K.Launch.BufferBytes[{0, 0}] = 20000;
  // Nobody says how large the second one is.
  EXPECT_EQ(splitBytesOf(K).From, From::Footprint);
  K.Launch.BufferBytes[{1, 0}] = 4000;
  // Of 24000 bytes the launch touches 12000; all are copied.
  const SplitBytes B = splitBytesOf(K);
  EXPECT_EQ(B.From, From::Buffers);
  EXPECT_NEAR(B.In + B.WholeIn, 18000, 1e-6);
  EXPECT_NEAR(B.Out + B.WholeOut, 6000, 1e-6);
  EXPECT_NEAR(B.WholeIn / B.In, 1000.0 / 8000, 1e-9);
  // What is touched does not depend on the launch alone.
  K.Footprint->GridReadBytes.Status = Status::Unknown;
  expectBytes(splitBytesOf(K), From::Buffers, 0, 3000 - B.WholeOut / 2, 24000,
              B.WholeOut / 2);
  K.Footprint->GridWrittenBytes.Status = Status::Assumed;
  expectBytes(splitBytesOf(K), From::Buffers, 0, 0, 24000, 24000);
  K.Footprint.reset();
  expectBytes(splitBytesOf(K), From::Buffers, 0, 0, 24000, 24000);
  K.Launch.GridIsAssumed = true;
  EXPECT_EQ(splitBytesOf(K).From, From::Nothing);
}

SplitSide measured(StringRef Name, double TimeUs, double PowerW, double IdleW) {
  SplitSide S;
  S.Name = Name.str();
  S.Measured = MeasuredSide{TimeUs, PowerW, IdleW};
  return S;
}

TEST(KernelSplit, AddsTransfersOfBothWays) {
  SplitQuestion Q;
  Q.Sides = {measured("cpu", 3e6, 60, 10), measured("gpu", 1e6, 130, 30)};
  SplitLink &L = Q.Sides[1].Link;
  L.Name = "link";
  L.In = {0.1, 1e-9};
  L.Out = {0.2, 2e-9};
  Q.Bytes.emplace();
  Q.Bytes->From = From::Given;
  Q.Bytes->In = 4e8;
  Q.Bytes->Out = 3e8;
  Q.Bytes->WholeIn = 5e7;
  const KernelSplit K = splitKernel(Q, nullptr, {nullptr, nullptr});
  ASSERT_TRUE(K.Best);
  const SplitDevice &GPU = K.System.Parties[1].Work;
  EXPECT_NEAR(GPU.FixedSeconds, 0.1 + 0.2 + 0.05, 1e-12);
  EXPECT_NEAR(GPU.secondsOfAll(), 1 + 0.4 + 0.6, 1e-12);
  // Both end at (1 + 0.35 / 2) / (1 / 3 + 1 / 2).
  EXPECT_NEAR(K.Best->Seconds, 1.41, 1e-12);
  EXPECT_NEAR(K.Best->Shares[0], 0.47, 1e-12);
  EXPECT_DOUBLE_EQ(K.Best->PowerW, 40 + 50 + 100);
  EXPECT_NEAR(K.timeSaved(), 1 - 1.41 / 2.35, 1e-12);
  EXPECT_NEAR(K.Sides[1].ByPerformance, 0.75, 1e-12);
  EXPECT_THAT(K.Assumed, IsEmpty());
  EXPECT_FALSE(K.Sides[0].Blocks);
  // Nothing is moved: no startup.
  Q.Bytes->In = Q.Bytes->Out = Q.Bytes->WholeIn = 0;
  EXPECT_EQ(splitKernel(Q, nullptr, {nullptr, nullptr})
                .System.Parties[1]
                .Work.FixedSeconds,
            0);
}

Prediction timedOn(const Device &D, double TimeUs) {
  Prediction P;
  P.On = &D;
  P.Device = D.Name;
  P.Model = "bottleneck";
  P.TimeUs = Estimate::make(TimeUs, Status::Estimated);
  return P;
}

TEST(KernelSplit, SharesWholeBlocks) {
  const Device &D = device("v100");
  const KernelCharacteristics K = touching(512, 4096, 2048, 8000, 4000);
  SplitQuestion Q;
  for (unsigned I = 0; I != 3; ++I) {
    SplitSide &S = Q.Sides.emplace_back();
    S.Name = std::to_string(I);
    S.On = &D;
  }
  const Prediction A = timedOn(D, 10), B = timedOn(D, 10), C = timedOn(D, 1e6);
  const KernelSplit Split = splitKernel(Q, &K, {&A, &B, &C});
  uint64_t Sum = 0;
  for (const KernelSide &S : Split.Sides)
    Sum += *S.Blocks;
  EXPECT_EQ(Sum, 1000u);
  EXPECT_EQ(*Split.Sides[0].Blocks, 500u);
  EXPECT_EQ(*Split.Sides[2].Blocks, 0u); // of 0.005 blocks none
  EXPECT_THAT(Split.Assumed, testing::Not(Contains(HasSubstr("blocks for"))));
  const Prediction D20 = timedOn(D, 500);
  EXPECT_THAT(splitKernel(Q, &K, {&A, &B, &D20}).Assumed,
              Contains("2: 10 blocks for 80 SMs take longer than their share "
                       "of the time"));
}

TEST(KernelSplit, TakesPowerFromWhereItIs) {
  Device D = device("v100");
  KernelCharacteristics K = touching(512, 4096, 2048, 8000, 4000);
  SplitQuestion Q;
  Q.Sides = {measured("cpu", 100, 60, 10), {}};
  Q.Sides[1].Name = "gpu";
  Q.Sides[1].On = &D;
  Prediction P = timedOn(D, 100);
  auto Side = [&] { return splitKernel(Q, &K, {nullptr, &P}).Sides[1]; };
  EXPECT_EQ(Side().PowerFrom, SplitPower::Limit);
  EXPECT_EQ(Side().PowerW, *D.TDPWatts);
  EXPECT_EQ(Side().IdleW, *D.IdleWatts);
  EXPECT_THAT(splitKernel(Q, &K, {nullptr, &P}).Assumed,
              Contains(HasSubstr("power of gpu at work: its limit, ")));
  set(D.ActiveWatts, 200);
  EXPECT_EQ(Side().PowerFrom, SplitPower::Given);
  EXPECT_EQ(Side().PowerW, 200);
  Q.Sides[1].ActiveW = 190;
  Q.Sides[1].IdleW = 20;
  EXPECT_EQ(Side().PowerW, 190);
  EXPECT_EQ(Side().IdleW, 20);
  P.PowerW = Estimate::make(180, Status::Estimated);
  EXPECT_EQ(Side().PowerFrom, SplitPower::Model);
  EXPECT_EQ(Side().PowerW, 180);
  Q.Sides[1].Measured = MeasuredSide{50, 170, {}};
  EXPECT_EQ(Side().PowerFrom, SplitPower::Measured);
  EXPECT_EQ(Side().TimeUs->Value, 50);
}

TEST(KernelSplit, SaysWhyThereIsNoAnswer) {
  const Device &D = device("v100");
  SplitQuestion Q;
  Q.Sides.resize(2);
  for (SplitSide &S : Q.Sides) {
    S.Name = D.Name;
    S.On = &D;
  }
  KernelCharacteristics K = touching(512, 4096, 2048, 8000, 4000);
  Prediction P = timedOn(D, 100), None = timedOn(D, NAN);
  None.Refusal = "too large";
  KernelSplit Split = splitKernel(Q, &K, {&None, nullptr});
  EXPECT_EQ(Split.Why, "no device has an answer for it");
  EXPECT_EQ(Split.Sides[0].Why, "too large");
  // One that has none leaves the work to the other.
  Split = splitKernel(Q, &K, {&None, &P});
  EXPECT_EQ(Split.Why, "");
  EXPECT_THAT(Split.Best->Shares, testing::ElementsAre(0, 1));
  Q.Sides[0].Link.Name = "link";
  K.Launch.GridIsAssumed = true;
  EXPECT_THAT(splitKernel(Q, &K, {&P, &P}).Why, HasSubstr("--bytes-in"));
  // No power, no energy.
  Q.Sides[0].Link.Name.clear();
  Device Cold = D;
  Cold.TDPWatts.Value.reset();
  Q.Sides[1].On = &Cold;
  Q.Goal = SplitGoal::Energy;
  EXPECT_THAT(splitKernel(Q, &K, {&P, &P}).Why, HasSubstr("power"));
  Q.Goal = SplitGoal::Time;
  EXPECT_TRUE(std::isnan(splitKernel(Q, &K, {&P, &P}).energySaved()));
}

TEST(KernelSplit, JointPowerThatIsTooLowIsNoted) {
  SplitQuestion Q;
  Q.Sides = {measured("cpu", 100, 60, 10), measured("gpu", 100, 130, 30)};
  Q.JointW = 120;
  EXPECT_THAT(splitKernel(Q, nullptr, {nullptr, nullptr}).Assumed,
              testing::ElementsAre("joint power: 120 W are less than 140 W "
                                   "with gpu alone at work"));
}

} // namespace
