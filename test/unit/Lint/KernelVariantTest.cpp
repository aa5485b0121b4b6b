//===- KernelVariantTest.cpp - A kernel without one of its defects --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/KernelVariant.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

KernelCharacteristics makeVariedKernel() {
  KernelCharacteristics K;
  K.Name = "k";
  K.Launch.Grid = {64, 1, 1};
  K.Launch.Block = {128, 1, 1};
  K.Instructions = Estimate(100, Status::Assumed, 50, 200);
  K.ByClass[unsigned(OpClass::Fp64)] = Estimate::known(40);
  K.ByWork[unsigned(SchedClass::FP64)] = Estimate::known(30);
  K.ByWork[unsigned(SchedClass::FP64FMA)] = Estimate::known(10);
  K.BlockBarriers = Estimate::known(2);
  K.Memory.resize(3);
  for (MemoryCharacteristics &M : K.Memory) {
    M.Requests = Estimate::known(8);
    M.Sectors = Estimate::known(32);
  }
  K.Dependence.MSTR = Estimate::known(1);
  return K;
}

std::string textOf(const KernelCharacteristics &K) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(K, OS);
  return Text;
}

TEST(KernelVariant, MovesWorkFromOneKindToAnother) {
  KernelCharacteristics K = makeVariedKernel();
  KernelVariant V(K);
  V.replaceWork(SchedClass::FP64, SchedClass::FP32, 30);
  const KernelCharacteristics &Now = V.get();
  EXPECT_EQ(Now.ByWork[unsigned(SchedClass::FP64)]->Value, 0);
  EXPECT_EQ(Now.ByWork[unsigned(SchedClass::FP32)]->Value, 30);
  EXPECT_EQ(Now.byClass(OpClass::Fp64).Value, 10);
  EXPECT_EQ(Now.byClass(OpClass::Fp32).Value, 30);
  EXPECT_DOUBLE_EQ(Now.Instructions.Value, 100);
  EXPECT_EQ(Now.Dependence.PathShare, 1);
}

TEST(KernelVariant, TakesOfThePathWhatItTakesOfTheInstructions) {
  KernelCharacteristics K = makeVariedKernel();
  KernelVariant V(K);
  V.removeWork(SchedClass::FP64, 30);
  EXPECT_DOUBLE_EQ(V.get().Dependence.PathShare, 0.7);
  V.removeWork(SchedClass::FP64FMA, 7);
  EXPECT_DOUBLE_EQ(V.get().Dependence.PathShare, 0.63);
  V.scaleWork(3);
  EXPECT_DOUBLE_EQ(V.get().Dependence.PathShare, 1.89);
  V.reset();
  EXPECT_EQ(V.get().Dependence.PathShare, 1);
}

TEST(KernelVariant, TakesNoMoreAwayThanThereIs) {
  KernelCharacteristics K = makeVariedKernel();
  KernelVariant V(K);
  V.removeWork(SchedClass::FP64FMA, 1000);
  EXPECT_EQ(V.get().ByWork[unsigned(SchedClass::FP64FMA)]->Value, 0);
  EXPECT_EQ(V.get().Instructions.Value, 0);
  EXPECT_EQ(V.get().Instructions.High, 0);
}

TEST(KernelVariant, ScalesAllWork) {
  KernelCharacteristics K = makeVariedKernel();
  KernelVariant V(K);
  V.scaleWork(0.25);
  EXPECT_EQ(V.get().Instructions.High, 50);
  EXPECT_EQ(V.get().BlockBarriers.Value, 0.5);
  for (const MemoryCharacteristics &M : V.get().Memory)
    EXPECT_EQ(M.Requests.Value, 2);
}

TEST(KernelVariant, IsTheKernelAgainAfterReset) {
  KernelCharacteristics K = makeVariedKernel();
  const std::string Before = textOf(K);
  KernelVariant V(K);
  V.scaleWork(0.5);
  V.replaceWork(SchedClass::FP64, SchedClass::FP32, 10);
  V.grid() = {1, 2, 3};
  V.memory(1).Sectors = Estimate::known(4);
  DependenceCharacteristics &D = V.dependence();
  D.ILP = D.DEP = D.MSTR = D.MemoryParallelism = Estimate::known(7);
  EXPECT_NE(textOf(V.get()), Before);
  V.reset();
  EXPECT_EQ(textOf(V.get()), Before);
  EXPECT_EQ(textOf(K), Before);
}

} // namespace
