//===- ScalingModelTest.cpp - Energy of one size on p processors ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ReadScaling.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include <cmath>

using namespace ptxpredict;

namespace {

constexpr StringRef Head = "schema: ptx-predict/scaling\nversion: 1\n"
                           "n: 1000\np: [1, 2, 4]\n";

std::unique_ptr<ReadyScaling> read(const Twine &Body,
                                   ScalingModelOptions Options = {}) {
  auto R = readScaling((Head + Body).str(), std::move(Options));
  EXPECT_TRUE(R->Model) << R->errors();
  return R;
}

// Kernels in place of W_c and W_m: 1 us for each of n / p numbers, of 300 W.
TEST(ScalingModel, TakesKernelsForWork) {
  const auto R = read(R"(
variables: {part: n / p}
machine: {P_idle: 50}
kernels:
  work: {time_us: part, power_w: 300}
  rest: {time_us: 10, power_w: 100}
application: {kernel: {work: 2, rest: 1}, T_net: 1e-6 * p}
)");
  const ScalingPoint One = R->at(1000, 1, 0);
  EXPECT_EQ(One.Of.efficiency(), 1);
  EXPECT_DOUBLE_EQ(One.Of.SequentialSeconds, 2010e-6);
  EXPECT_DOUBLE_EQ(One.Of.SequentialJ,
                   2010e-6 * 50 + 2000e-6 * 300 + 10e-6 * 100);
  // The rest is done by each of four.
  const ScalingPoint Four = R->at(1000, 4, 0);
  EXPECT_DOUBLE_EQ(Four.Of.SequentialJ, One.Of.SequentialJ);
  EXPECT_NEAR(Four.Of.OverheadSeconds, 30e-6 + 4e-6, 1e-15);
  EXPECT_NEAR(Four.Of.OverheadJ, 34e-6 * 50 + 30e-6 * 100, 1e-15);
  EXPECT_NEAR(Four.speedup(), 2010. / (500 + 10 + 1), 1e-12);
}

// The device's idle power is the machine's, and comes off what kernels draw:
// both together, the energy of a kernel is that of the whole board.
TEST(ScalingModel, AddsTheIdlePowerOfTheGPU) {
  ScalingModelOptions Options;
  DeviceRegistry Registry;
  Expected<const Device *> GPU = Registry.find("gtx-580");
  ASSERT_TRUE(bool(GPU));
  Options.GPU = *GPU;
  const auto R = read(R"(
machine: {P_idle: 0}
kernels: {work: {time_us: 1000 * n / p, power_w: 200}}
application: {kernel: work}
)",
                      Options);
  const IsoEnergyEfficiency Of = R->at(1000, 2, 0).Of;
  EXPECT_GT((*GPU)->IdleWatts.Value.value_or(0), 0);
  EXPECT_NEAR(Of.parallelJ(), 200, 1e-9);
  EXPECT_NEAR(Of.efficiency(), 1, 1e-12);
}

// Predicted kernels at two clocks: less time at the higher one.
TEST(ScalingModel, PredictsKernelsAtAClock) {
  ScalingModelOptions Options;
  DeviceRegistry Registry;
  Expected<const Device *> GPU = Registry.find("h100-sxm");
  ASSERT_TRUE(bool(GPU));
  Options.GPU = *GPU;
  Options.By = &bottleneckModel();
  Options.Path = PTXPREDICT_SOURCE_DIR "/docs/examples/scaling.yaml";
  const auto R = read(R"(
f: [1, 1.5]
machine: {P_idle: 100}
kernels:
  work: {file: matmul.ptx, grid: [64, ceil(n / p / 16)], block: [16, 16], args: {3: 1024}}
application: {kernel: work}
)",
                      Options);
  const double Slow = R->at(4096, 1, 1).Of.SequentialSeconds;
  const double Fast = R->at(4096, 1, 1.5).Of.SequentialSeconds;
  EXPECT_GT(Slow, 1.2 * Fast);
  EXPECT_LT(Slow, 1.51 * Fast);
  // Half of the blocks on each of two takes about half of the time.
  EXPECT_NEAR(R->at(65536, 2, 1).Of.efficiency(), 1, 0.05);
}

TEST(ScalingModel, KnowsThreeNetworks) {
  const StringRef Body = R"(
machine: {P_idle: 1, t_c: 1, dPc: 0, t_msg: 2, t_Byte: 0.5%0}
application: {W_c: n, M: 3, B: 100}
)";
  auto Network = [&](StringRef More) {
    std::string Text = Body.str();
    Text.replace(Text.find("%0"), 2, More.str());
    return read(Text)->at(1000, 4, 0).Of.NetworkSeconds;
  };
  EXPECT_EQ(Network(""), 56);
  EXPECT_EQ(Network(", network: printed"), 56);
  EXPECT_EQ(Network(", network: pairwise"), 12 * 56);
  EXPECT_EQ(Network(", network: loggp, L: 5, o: 1, g: 2, G: 0.25"),
            3 * 7 + 97 * 0.25);
}

// S34: with f^gamma alone energy falls with the clock all the way; a power
// that stays makes a lowest point within.
TEST(ScalingModel, HasAFixedPower) {
  const StringRef Body = R"(
f: [1]
machine:
  gamma: 2
  t_c: 1 / f
  P_idle: {fixed: 40, c: 20}
  dPc: {c: 10, gamma: 3}
application: {W_c: n}
)";
  ScalingModelOptions Published;
  Published.Published = true;
  const auto Sensible = read(Body), Printed = read(Body, Published);
  auto Energy = [](ReadyScaling &R, double F) {
    return R.at(100, 1, F).Of.SequentialJ;
  };
  EXPECT_DOUBLE_EQ(Energy(*Sensible, 2), 50 * (40 + 20 * 4) + 50 * 10 * 8);
  EXPECT_DOUBLE_EQ(Energy(*Printed, 2), 50 * (20 * 4) + 50 * 10 * 8);
  EXPECT_LT(Energy(*Printed, 0.5), Energy(*Printed, 1));
  EXPECT_GT(Energy(*Sensible, 0.5), Energy(*Sensible, 1));
  EXPECT_GT(Energy(*Sensible, 2), Energy(*Sensible, 1));
}

// What cannot be is said with what its names stand for.
TEST(ScalingModel, SaysWhatIsWrongWithAPoint) {
  const auto R = read(R"(
variables: {q: 1000 - n}
machine: {P_idle: 1, t_c: 1, dPc: 0, t_m: 1, dPm: 1, t_msg: 1}
application: {W_c: n, W_m: q, M: 8 / (n != 7), W_mo: (n == 3) * -1e9, T_IO: 0, alpha: n / 900}
memory: {bytes: 8 * n, limit: 8 * 950}
)");
  EXPECT_EQ(R->errorAt(7, 2, 0), "'8 / (n != 7)' has no finite value; n is 7");
  EXPECT_EQ(R->errorAt(3, 2, 0), "what parallelism saves is more than all that "
                                 "there is");
  EXPECT_EQ(R->errorAt(920, 2, 0),
            "'alpha' is 1.0222222222222221; it must be above 0 and at most 1; "
            "n is 920");
  EXPECT_EQ(R->errorAt(951, 2, 0), "this takes 7608 bytes of memory, more than "
                                   "the limit of 7600");
  ScalingModelOptions NoLimit;
  NoLimit.ChecksMemory = false;
  const auto Negative = read(R"(
machine: {P_idle: 1, t_c: 1, dPc: 0}
application: {W_c: 1000 - n}
memory: {bytes: n, limit: 1}
)",
                             NoLimit);
  EXPECT_EQ(Negative->errorAt(2000, 1, 0),
            "'W_c' is -1000; it must not be negative; n is 2000");
  EXPECT_EQ(Negative->errorAt(1000, 1, 0),
            "the sequential program takes no time or no energy");
}

} // namespace
