//===- MachineWorkTest.cpp - Machine instructions of a warp, by pipe ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MachineWork.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

KernelCharacteristics with(MachineForm F, double Num) {
  KernelCharacteristics K;
  K.ByForm[unsigned(F)] = Estimate::known(Num);
  return K;
}

TEST(MachineWork, ProductsTakeThreeInstructionsOnMaxwellAndPascal) {
  KernelCharacteristics K = with(MachineForm::Mul, 10);
  for (unsigned CC : {20, 35, 70, 75, 90, 120})
    EXPECT_EQ(machineWork(K, CC).of(MachinePipe::IntMultiply), 10) << CC;
  for (unsigned CC : {50, 61})
    EXPECT_EQ(machineWork(K, CC).of(MachinePipe::IntMultiply), 30) << CC;
}

TEST(MachineWork, ComparisonsHaveHalfTheRateBeforeVolta) {
  KernelCharacteristics K = with(MachineForm::Compare, 5);
  EXPECT_EQ(machineWork(K, 61).of(MachinePipe::HalfInt), 5);
  EXPECT_EQ(machineWork(K, 61).of(MachinePipe::Int), 0);
  EXPECT_EQ(machineWork(K, 70).of(MachinePipe::Int), 5);
}

TEST(MachineWork, SequencesAddUp) {
  KernelCharacteristics K = with(MachineForm::FloatDivide, 1);
  MachineWork Work = machineWork(K, 80);
  double Sum = 0;
  for (double Num : Work.ByPipe)
    Sum += Num;
  EXPECT_EQ(Work.instructions(), Sum);
  EXPECT_EQ(Work.of(MachinePipe::SFU), 1);
  EXPECT_GT(Work.of(MachinePipe::FP32), 4);
}

TEST(MachineWork, WhatAWarpSharesHasLanesOfItsOwnSinceTuring) {
  KernelCharacteristics K;
  K.UniformByForm[unsigned(MachineForm::Logic)] = Estimate::known(4);
  EXPECT_EQ(machineWork(K, 70).of(MachinePipe::Int), 4);
  EXPECT_EQ(machineWork(K, 75).of(MachinePipe::Int), 0);
  EXPECT_EQ(machineWork(K, 75).of(MachinePipe::Uniform), 4);
}

TEST(MachineWork, MatricesByProducts) {
  // m16n8k16: one instruction since 8.0, two on 7.5, eight steps on 7.0.
  KernelCharacteristics K = with(MachineForm::MatrixHalf, 16.0 * 8 * 16 / 256);
  K.TensorMACs = Estimate::known(16 * 8 * 16);
  EXPECT_EQ(machineWork(K, 90).of(MachinePipe::Tensor), 1);
  EXPECT_EQ(machineWork(K, 75).of(MachinePipe::Tensor), 2);
  EXPECT_EQ(machineWork(K, 70).of(MachinePipe::Tensor), 8);
  EXPECT_EQ(machineWork(K, 70).TensorMACs, 2048);
}

TEST(MachineWork, BoundsAreBoundsOfTheCounts) {
  KernelCharacteristics K;
  K.ByForm[unsigned(MachineForm::FloatFMA)] =
      Estimate(8, Status::Estimated, 4, 16);
  EXPECT_EQ(machineWork(K, 80, &Estimate::Low).instructions(), 4);
  EXPECT_EQ(machineWork(K, 80, &Estimate::High).instructions(), 16);
}

TEST(MachineWork, EveryFormIsSomethingSomewhere) {
  for (unsigned F = 0; F != NumMachineForms; ++F)
    if (MachineForm(F) != MachineForm::Folded) {
      EXPECT_GT(machineWork(with(MachineForm(F), 1), 90).instructions() +
                    machineWork(with(MachineForm(F), 1), 30).instructions(),
                0)
          << toString(MachineForm(F)).str();
    }
}

} // namespace
