//===- LineCostsTest.cpp - Tests of what lines of the code cost -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Prediction/LineCosts.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

MemoryCharacteristics access(unsigned Line, StringRef Source,
                             AddressSpace Space, double Requests, double Each) {
  MemoryCharacteristics M;
  M.Place.Line = Line;
  M.Place.Source = Source.str();
  M.Opcode = "ld";
  M.Space = Space;
  M.Requests = Estimate::known(Requests);
  (Space == AddressSpace::Shared ? M.Wavefronts : M.Sectors) =
      Estimate::known(Each);
  return M;
}

ResourceUse use(BottleneckResource R, double Share) {
  return {R, 1, 1, 1000 * Share, Share};
}

struct LineCosts : testing::Test {
  KernelCharacteristics C;
  KernelReport K;
  Prediction P;

  std::vector<LineCost> find(size_t Max = 9) {
    K.Characteristics = std::make_shared<KernelCharacteristics>(C);
    return hottestLines(K, P, Max);
  }
};

TEST_F(LineCosts, DividesTrafficBySectors) {
  C.Memory = {access(10, "/a/k.cu:7:3", AddressSpace::Global, 3, 4),
              access(12, "/a/k.cu:7:9", AddressSpace::Global, 1, 12),
              access(20, "/a/k.cu:9:1", AddressSpace::Global, 1, 8),
              access(30, "/a/k.cu:9:1", AddressSpace::Shared, 9, 9)};
  P.Resources = {use(BottleneckResource::DRAM, 0.8)};
  const auto Lines = find();
  ASSERT_EQ(Lines.size(), 2u);
  // 12 and 12 of 32 sectors lie on one line, 8 on the other.
  EXPECT_EQ(Lines[0].Source, "k.cu:7");
  EXPECT_DOUBLE_EQ(Lines[0].Share, 0.6);
  EXPECT_EQ(Lines[1].Source, "k.cu:9");
  EXPECT_EQ(Lines[1].InputLine, 20u);
  EXPECT_DOUBLE_EQ(Lines[1].Share, 0.2);
  EXPECT_EQ(find(1).size(), 1u);
}

TEST_F(LineCosts, AddsUpWhatResourcesTake) {
  C.Memory = {access(10, "", AddressSpace::Global, 1, 4),
              access(11, "", AddressSpace::Shared, 1, 32)};
  K.Lines = {{10, 1, "", 0}, {11, 1, "", 0}, {12, 2, "", 0}};
  P.Warp.emplace();
  P.Warp->Waits = {{10, "", SchedClass::Other, 0.75}};
  P.Resources = {use(BottleneckResource::DRAM, 0.1),
                 use(BottleneckResource::Shared, 0.2),
                 use(BottleneckResource::Issue, 0.4),
                 use(BottleneckResource::Latency, 0.2),
                 use(BottleneckResource::Dispatch, 0.1)};
  const auto Lines = find();
  ASSERT_EQ(Lines.size(), 3u);
  // 0.1 + 0.1 + 0.15, then 0.2 + 0.1, then 0.2; a quarter of the waits and the
  // start of blocks are nobody's.
  EXPECT_EQ(Lines[0].InputLine, 10u);
  EXPECT_DOUBLE_EQ(Lines[0].Share, 0.35);
  EXPECT_EQ(Lines[0].What, "ld");
  EXPECT_EQ(Lines[1].InputLine, 11u);
  EXPECT_NEAR(Lines[1].Share, 0.3, 1e-12);
  EXPECT_EQ(Lines[2].InputLine, 12u);
  EXPECT_DOUBLE_EQ(Lines[2].Share, 0.2);
}

TEST_F(LineCosts, NeedsCountsOfLinesForInstructionsAlone) {
  P.Resources = {use(BottleneckResource::DRAM, 0.95),
                 use(BottleneckResource::FP32, 0.05)};
  EXPECT_FALSE(needsLineCounts(P));
  P.Resources = {use(BottleneckResource::Int, 0.06),
                 use(BottleneckResource::FP32, 0.05)};
  EXPECT_TRUE(needsLineCounts(P));
  P.Resources.clear();
  EXPECT_FALSE(needsLineCounts(P));
  EXPECT_TRUE(find().empty());
}

} // namespace
