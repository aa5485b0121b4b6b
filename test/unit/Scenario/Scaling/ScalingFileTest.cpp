//===- ScalingFileTest.cpp - Tests of scaling files -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What is wrong with files: test/Tools/ptx-predict/scaling-errors.test.
//===----------------------------------------------------------------------===//
#include "ReadScaling.h"

using namespace ptxpredict;

namespace {

/// A file with these axes.
ScalingFile axesOf(StringRef Axes) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(
      ("schema: ptx-predict/scaling\nversion: 1\n" + Axes +
       "\nmachine: {P_idle: 1, t_c: 1, dPc: 1}\napplication: {W_c: n}\n")
          .str()));
  ScalingFile File;
  EXPECT_FALSE(parseScaling(Diags, File));
  return File;
}

TEST(ScalingFile, HasAxesInThreeShapes) {
  ScalingFile File = axesOf("n: 2Ki\np: 4\nf: 2.8");
  EXPECT_EQ(File.N.Values, std::vector<double>{2048});
  EXPECT_EQ(File.P.Values, std::vector<double>{4});
  EXPECT_EQ(File.F.Values, std::vector<double>{2.8});
  EXPECT_EQ(File.N.From, 2.048);
  EXPECT_EQ(File.N.To, 2048000);
  File = axesOf("n: [10, 1e3]\np: [1, 2]");
  EXPECT_EQ(File.N.Values, (std::vector<double>{10, 1000}));
  EXPECT_EQ(File.N.From, 0.01);
  EXPECT_EQ(File.N.To, 1e6);
  EXPECT_TRUE(File.F.Values.empty());
  File = axesOf("n: {name: samples, values: [8], from: 2, to: 32, whole: "
                "true}\np: {name: nodes, values: [1]}");
  EXPECT_EQ(File.N.Name, "samples");
  EXPECT_EQ(File.P.Name, "nodes");
  EXPECT_TRUE(File.N.IsWhole);
  EXPECT_EQ(File.N.From, 2);
  EXPECT_EQ(File.N.To, 32);
  // The ends and the middle of a range, as sizes that tables show.
  File = axesOf("n: {from: 4, to: 1024, whole: true}\np: 2");
  EXPECT_EQ(File.N.Values, (std::vector<double>{4, 64, 1024}));
}

TEST(ScalingFile, HasUnitsAndMeaningsOfItsNumbers) {
  EXPECT_EQ(toString(ScalingNumber::InstructionSeconds), "t_c");
  EXPECT_EQ(unitOf(ScalingNumber::ExtraAccesses), "accesses");
  EXPECT_EQ(meaningOf(ScalingNumber::Latency), "latency");
  EXPECT_LT(leastOf(ScalingNumber::ExtraAccesses), -1e300);
  EXPECT_EQ(toString(ScalingNumber::NetworkSeconds), "T_net");
}

} // namespace
