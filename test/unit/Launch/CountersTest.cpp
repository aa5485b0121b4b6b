//===- CountersTest.cpp - Counters' names, units and numbers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/Counters.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

TEST(Counters, EachNameMeansOneCounter) {
  llvm::StringSet<> Names;
  for (const CounterName &N : counterNames()) {
    EXPECT_TRUE(Names.insert(N.Name).second) << N.Name.str();
    ASSERT_EQ(findCounterName(N.Name), &N);
    EXPECT_TRUE(counterScale(N, "")) << N.Name.str();
  }
  for (unsigned C = 0; C != NumCounters; ++C) {
    const CounterInfo &I = infoOf(Counter(C));
    const CounterName *Ours = findCounterName(I.Name);
    ASSERT_NE(Ours, nullptr);
    EXPECT_EQ(Ours->Of, Counter(C));
    EXPECT_EQ(Ours->By, std::nullopt);
    EXPECT_FALSE(howToCollect(Counter(C)).empty()) << I.Name.str();
  }
  EXPECT_EQ(findCounterName("smsp__inst_executed"), nullptr);
}

static double scaleOf(StringRef Name, StringRef Word) {
  const CounterName *N = findCounterName(Name);
  return N ? counterScale(*N, Word).value_or(-1) : -2;
}

TEST(Counters, UnitsAreConverted) {
  EXPECT_EQ(scaleOf("gpu__time_duration.sum", "usecond"), 1);
  EXPECT_EQ(scaleOf("gpu__time_duration.sum", "ms"), 1000);
  EXPECT_EQ(scaleOf("gpu__time_duration.sum", ""), 1e-3);
  EXPECT_EQ(scaleOf("time", ""), 1);
  EXPECT_EQ(scaleOf("dram__bytes.sum", "Kbyte"), 1000);
  EXPECT_EQ(scaleOf("dram__bytes.sum", "Gbyte"), 1e9);
  EXPECT_EQ(scaleOf("dram__bytes_read.sum", "Mbyte"), 31250);
  EXPECT_EQ(scaleOf("l2_hit_rate", ""), 1);
  EXPECT_EQ(scaleOf("l2_hit_rate", "%"), .01);
  EXPECT_EQ(scaleOf("lts__t_sector_hit_rate.pct", "%"), .01);
  EXPECT_EQ(scaleOf("lts__t_sector_hit_rate.pct", ""), .01);
  EXPECT_EQ(scaleOf("achieved_occupancy", ""), 1);
  EXPECT_EQ(scaleOf("smsp__thread_inst_executed_per_inst_executed.pct", "%"),
            .32);
  EXPECT_EQ(scaleOf("launch__registers_per_thread", "register/thread"), 1);
}

TEST(Counters, OtherUnitsAreNone) {
  EXPECT_EQ(scaleOf("gpu__time_duration.sum", "Kbyte"), -1);
  EXPECT_EQ(scaleOf("dram__bytes.sum", "usecond"), -1);
  EXPECT_EQ(scaleOf("dram__bytes.sum", "K"), -1);
  EXPECT_EQ(scaleOf("l2_hit_rate", "byte"), -1);
  EXPECT_EQ(scaleOf("smsp__inst_executed.sum", "%"), -1);
}

TEST(Counters, NumbersMayHaveThousandsSeparators) {
  EXPECT_EQ(parseCounterNumber("1,234,567.5"), 1234567.5);
  EXPECT_EQ(parseCounterNumber("12"), 12);
  EXPECT_EQ(parseCounterNumber("1.5e+08"), 1.5e8);
  EXPECT_EQ(parseCounterNumber("-1,000"), -1000);
  EXPECT_EQ(parseCounterNumber("1e-400"), 0);
  EXPECT_EQ(parseCounterNumber("1e400"),
            std::numeric_limits<double>::infinity());
  for (StringRef Wrong : {"", "1,23", ",123", "1,,234", "1234,567", "1,234,",
                          "12x", "0x10", "1.234.567", "1.5,000", "<OVERFLOW>"})
    EXPECT_EQ(parseCounterNumber(Wrong), std::nullopt) << Wrong.str();
}

TEST(Counters, BothProfilersAreNamedForAMissingOne) {
  EXPECT_EQ(howToCollect(Counter::WarpInstructions),
            "ncu --metrics smsp__inst_executed.sum, nvprof --metrics "
            "inst_executed");
  EXPECT_EQ(howToCollect(Counter::L1LoadHits),
            "nvprof --events l1_global_load_hit");
}
