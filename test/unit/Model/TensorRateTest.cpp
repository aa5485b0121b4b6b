//===- TensorRateTest.cpp - How fast matrices are multiplied --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/TensorRate.h"
#include "TestDevices.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TensorWorkCharacteristics work(StringRef Type, unsigned M, unsigned N,
                               unsigned SMs = 1) {
  TensorWorkCharacteristics W;
  W.Type = Type.str();
  W.M = M, W.N = N, W.K = 16;
  W.SMs = SMs;
  W.MACs = Estimate::known(1);
  return W;
}

/// Of instructions of a warp.
double ofWarp(StringRef Dev, StringRef Type) {
  return tensorRate(device(Dev), work(Type, 16, 8));
}

/// Of a warp group or a block.
double ofGroup(StringRef Dev, StringRef Type) {
  return tensorRate(device(Dev), work(Type, 128, 128));
}

// Peaks of the vendor's tables, in TFLOP/s or TOP/s, at the boost clocks there.
TEST(TensorRate, PeaksAreThoseOfTheVendor) {
  struct Peak {
    StringRef Dev, Type;
    bool IsOfGroup;
    double SMs, MHz, Tera;
  };
  for (const Peak &P : std::initializer_list<Peak>{
           {"v100", "f16-f32", false, 80, 1530, 125},
           {"v100", "f16-f16", false, 80, 1530, 125},
           {"t4", "f16-f32", false, 40, 1590, 65},
           {"t4", "s8-s32", false, 40, 1590, 130},
           {"t4", "s4-s32", false, 40, 1590, 260},
           {"rtx-2080-ti", "f16-f16", false, 68, 1545, 107.6},
           {"rtx-2080-ti", "f16-f32", false, 68, 1545, 53.8},
           {"rtx-2080-ti", "u8xs8-s32", false, 68, 1545, 215.2},
           {"a100-40gb", "f16-f16", false, 108, 1410, 312},
           {"a100-40gb", "bf16-f32", false, 108, 1410, 312},
           {"a100-40gb", "tf32-f32", false, 108, 1410, 156},
           {"a100-40gb", "f64-f64", false, 108, 1410, 19.5},
           {"a100-40gb", "s8-s32", false, 108, 1410, 624},
           {"a100-40gb", "s4-s32", false, 108, 1410, 1248},
           {"a100-40gb", "b1-s32", false, 108, 1410, 4992},
           {"a100-40gb", "bf16-f32-sparse", false, 108, 1410, 624},
           {"rtx-3090", "f16-f16", false, 82, 1695, 142},
           {"rtx-3090", "bf16-f32", false, 82, 1695, 71},
           {"rtx-3090", "tf32-f32", false, 82, 1695, 35.6},
           {"rtx-3090", "s8-s32", false, 82, 1695, 284},
           {"a40", "bf16-f32", false, 84, 1740, 149.7},
           {"a40", "tf32-f32", false, 84, 1740, 74.8},
           {"rtx-a4000", "f16-f32-sparse", false, 48, 1560, 153.4},
           {"rtx-4090", "f16-f16", false, 128, 2520, 330.3},
           {"rtx-4090", "f16-f32", false, 128, 2520, 165.2},
           {"rtx-4090", "e4m3-f16", false, 128, 2520, 660.6},
           {"rtx-4090", "e4m3xe5m2-f32", false, 128, 2520, 330.3},
           {"rtx-4090", "s4-s32", false, 128, 2520, 1321.2},
           {"l4", "e5m2-f32", false, 58, 2040, 242.5},
           {"h100-sxm", "f16-f32", true, 132, 1830, 989.4},
           {"h100-sxm", "tf32-f32", true, 132, 1830, 494.7},
           {"h100-sxm", "e4m3-f32", true, 132, 1830, 1978.9},
           {"h100-sxm", "s8-s32", true, 132, 1830, 1978.9},
           {"b200", "bf16-f32", true, 148, 1860, 2250},
           {"b200", "e4m3-f32", true, 148, 1860, 4500},
           {"b200", "e2m1-f32-mxf4nvf4", true, 148, 1860, 9000},
           {"rtx-5090", "f16-f16", false, 170, 2407, 419},
           {"rtx-5090", "bf16-f32", false, 170, 2407, 209.5},
           {"rtx-5090", "s8-s32", false, 170, 2407, 838},
           {"rtx-5090", "e4m3-f32", false, 170, 2407, 419},
           {"rtx-5090", "e4m3-f16", false, 170, 2407, 838},
           {"rtx-5090", "e2m1-f32-mxf4", false, 170, 2407, 1676}}) {
    const double Rate = P.IsOfGroup ? ofGroup(P.Dev, P.Type) //
                                    : ofWarp(P.Dev, P.Type);
    EXPECT_NEAR(2 * Rate * P.SMs * P.MHz * 1e-6, P.Tera, 0.025 * P.Tera)
        << P.Dev.str() << " " << P.Type.str();
  }
}

TEST(TensorRate, WarpsDoNotReachWhatGroupsDo) {
  EXPECT_NEAR(ofWarp("h100-sxm", "bf16-f32") / ofGroup("h100-sxm", "bf16-f32"),
              1238.0 / 2048, 0.001);
  EXPECT_NEAR(ofWarp("h100-sxm", "s8-s32") / ofGroup("h100-sxm", "s8-s32"),
              1238.0 / 2048, 0.001);
  // They make halves of fp8 first, whatever the sum.
  EXPECT_EQ(ofWarp("h100-sxm", "e4m3-f32"), 672);
  EXPECT_EQ(ofWarp("h100-sxm", "e4m3-f16"), 672);
  EXPECT_EQ(ofWarp("b200", "bf16-f32"), ofGroup("b200", "bf16-f32") / 4);
}

TEST(TensorRate, FewRowsOfOneSMHaveAShare) {
  const Device &B200 = device("b200");
  EXPECT_EQ(tensorRate(B200, work("f16-f32", 64, 128)), 2048);
  EXPECT_EQ(tensorRate(B200, work("f16-f32", 128, 128)), 4096);
  EXPECT_EQ(tensorRate(B200, work("f16-f32", 128, 128, 2)), 4096);
  EXPECT_EQ(tensorRate(device("h100-sxm"), work("f16-f32", 64, 8)), 2048);
}

TEST(TensorRate, ScalesCostBoardsWithHalfTheRateNothing) {
  EXPECT_EQ(ofWarp("rtx-5090", "e4m3-f32-mxf8f6f4"), 1024);
  EXPECT_EQ(ofWarp("rtx-5090", "e3m2-f32-mxf8f6f4"), 512);
  EXPECT_EQ(ofWarp("rtx-5090", "e4m3xe2m1-f32-mxf8f6f4"), 512);
}

TEST(TensorRate, WhatAFileLacksFollows) {
  Device D = toyDevice();
  for (const DeviceField &F : deviceFields())
    if (F.Key.starts_with("tensor_"))
      (D.*F.Member).Value.reset();
  auto Of = [&](StringRef Type) { return tensorRate(D, work(Type, 16, 8)); };
  EXPECT_EQ(Of("f16-f32"), 0);
  set(D.TensorMACs, 100);
  set(D.FP64Lanes, 7);
  EXPECT_EQ(Of("bf16-f32"), 100);
  EXPECT_EQ(Of("f16-f16"), 100);
  EXPECT_EQ(Of("tf32-f32"), 50);
  EXPECT_EQ(Of("f64-f64"), 7);
  EXPECT_EQ(Of("e4m3-f32"), 200);
  set(D.TensorF16Sums, 300);
  EXPECT_EQ(Of("f16-f16"), 300);
  EXPECT_EQ(Of("s8xu8-s32"), 600);
  EXPECT_EQ(Of("s4-s32"), 1200);
  EXPECT_EQ(Of("b1-s32"), 4800);
  EXPECT_EQ(Of("e4m3-f32"), 200);
  EXPECT_EQ(Of("e5m2-f16"), 600);
  EXPECT_EQ(Of("e5m2-f32-mxf8f6f4"), 600);
  EXPECT_EQ(Of("e2m1-f32"), 200);
  EXPECT_EQ(Of("e2m1-f32-mxf4"), 1200);
  EXPECT_EQ(Of("e2m1-f32-mxf4-sparse"), 2400);
}

TEST(TensorRate, TimesAddUp) {
  Device D = toyDevice();
  set(D.TensorMACs, 100);
  set(D.TensorInt8, 400);
  KernelCharacteristics K;
  EXPECT_EQ(tensorEquivalents(9, K, D, &Estimate::Value), 9);
  K.TensorWork = {work("f16-f32", 16, 8), work("s8-s32", 16, 8)};
  K.TensorWork[1].MACs = {3, Status::Assumed, 0, 7};
  EXPECT_EQ(tensorEquivalents(4, K, D, &Estimate::Value), 1 + 0.75);
  EXPECT_EQ(tensorEquivalents(2, K, D, &Estimate::Value), (1 + 0.75) / 2);
  EXPECT_EQ(tensorEquivalents(1, K, D, &Estimate::Low), 1);
  EXPECT_EQ(tensorEquivalents(8, K, D, &Estimate::High), 1 + 1.75);
}

// Luo et al., arXiv:2501.12084, table 9: cycles between wgmma of 64 rows, whose
// factors both lie in shared memory: 64 to 256 columns take as long as they are
// multiplied, fewer as long as they are read.
TEST(TensorRate, FewColumnsWaitForSharedMemory) {
  const Device &D = device("h100-sxm");
  for (const auto &[N, Cycles] :
       {std::pair(256U, 128.0), std::pair(128U, 64.0), std::pair(64U, 32.0),
        std::pair(32U, 24.0), std::pair(16U, 20.0), std::pair(8U, 18.0)}) {
    KernelCharacteristics K;
    K.TensorWork = {work("f16-f32", 64, N)};
    K.TensorWork[0].SharedBytes = (64 + N) * 16 * 2;
    const double MACs = 64.0 * N * 16;
    const double Multiplied = MACs / tensorRate(D, K.TensorWork[0]);
    const double Read = tensorOperandCycles(MACs, K, D, &Estimate::Value);
    EXPECT_EQ(std::max(Multiplied, Read), Cycles) << N;
  }
}

// A warp has a quarter of the tensor cores, a group of four warps all of them.
TEST(TensorRate, AnInstructionTakesItsTensorCores) {
  const Device &D = device("h100-sxm");
  auto Cycles = [&](ArrayRef<TensorWorkCharacteristics> Work) {
    KernelCharacteristics K;
    K.TensorWork = Work.vec();
    return tensorInstructionCycles(K, D, &Estimate::Value);
  };
  EXPECT_EQ(Cycles({}), 0);
  TensorWorkCharacteristics Group = work("f16-f32", 64, 256);
  EXPECT_EQ(Cycles(Group), 64.0 * 256 * Group.K / 2048);
  TensorWorkCharacteristics Warp = work("f16-f32", 16, 8);
  EXPECT_EQ(Cycles(Warp), 16.0 * 8 * Warp.K / (1238.0 / 4));
}

} // namespace
