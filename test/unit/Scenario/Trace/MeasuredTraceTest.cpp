//===- MeasuredTraceTest.cpp - Tests of MeasuredTrace --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/MeasuredTrace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

struct Read {
  DiagnosticEngine Diags;
  MeasuredTrace Trace;

  explicit Read(const Twine &Text)
      : Diags(llvm::MemoryBuffer::getMemBufferCopy(Text.str(), "t")) {
    const bool Failed = readMeasuredTrace(Diags, Trace);
    EXPECT_EQ(Failed, Diags.hasErrors());
  }
  std::vector<std::string> errors() const {
    std::vector<std::string> Texts;
    for (const Diagnostic &D : Diags.diagnostics())
      Texts.push_back(std::to_string(D.Line) + ":" + std::to_string(D.Column) +
                      ": " + D.Message);
    return Texts;
  }
};

constexpr const char *PowerPack = "time_s,cpu_W,mem_W,disk_W,board_W,label\n"
                                  "10.0,20,4,2,10,\n"
                                  "10.5,40,6,2,10,copy\n"
                                  "11.5,80,8,2,12,kernel\n"
                                  "12.0,60,8,2,12,copy\n"
                                  "14.0,20,4,2,10,\n"
                                  "15.0,20,4,2,10,\n";

TEST(MeasuredTrace, IntegratesByTrapezoids) {
  Read R(PowerPack);
  ASSERT_THAT(R.errors(), ElementsAre());
  EXPECT_THAT(R.Trace.Components, ElementsAre("cpu", "mem", "disk", "board"));
  ASSERT_EQ(R.Trace.Spans.size(), 3u);
  const MeasuredSpan *Copy = R.Trace.find("copy");
  ASSERT_NE(Copy, nullptr);
  // 10.5 to 11.5 and 12 to 14.
  EXPECT_DOUBLE_EQ(Copy->Seconds, 3.0);
  EXPECT_DOUBLE_EQ(Copy->ComponentJoules[0], 1.0 * 60 + 2.0 * 40);
  EXPECT_DOUBLE_EQ(Copy->ComponentJoules[1], 1.0 * 7 + 2.0 * 6);
  EXPECT_DOUBLE_EQ(Copy->ComponentJoules[3], 1.0 * 11 + 2.0 * 11);
  EXPECT_DOUBLE_EQ(Copy->Joules, 140 + 19 + 6 + 33);
  EXPECT_DOUBLE_EQ(*Copy->watts(), 66);
  EXPECT_DOUBLE_EQ(*Copy->componentWatts(2), 2);
  const MeasuredSpan *Kernel = R.Trace.find("kernel");
  EXPECT_DOUBLE_EQ(Kernel->Seconds, 0.5);
  EXPECT_DOUBLE_EQ(Kernel->Joules, 0.5 * (70 + 8 + 2 + 12));
  // 36 and 58 W over 0.5 s, 198 and 46 J, and 36 W over 1 s.
  EXPECT_DOUBLE_EQ(R.Trace.whole().Seconds, 5);
  EXPECT_DOUBLE_EQ(R.Trace.whole().Joules, 23.5 + 198 + 46 + 36);
  EXPECT_EQ(R.Trace.find("absent"), nullptr);
  EXPECT_EQ(R.Trace.NumSamples, 6u);
}

TEST(MeasuredTrace, TakesAnyComponentsAndNoLabels) {
  Read R("gpu_W, time_s\n100,0\n200,0.25\n");
  ASSERT_THAT(R.errors(), ElementsAre());
  EXPECT_THAT(R.Trace.Components, ElementsAre("gpu"));
  EXPECT_DOUBLE_EQ(R.Trace.whole().Joules, 37.5);
  EXPECT_EQ(R.Trace.Spans.size(), 1u);
}

TEST(MeasuredTrace, ReadsALogOfTheDriver) {
  // Over midnight of a leap day; a sample without a power, and the heading once
  // more.
  Read R("timestamp, power.draw [W], memory.used [MiB]\n"
         "2024/02/29 23:59:59.500, 60.00 W, 1 MiB\n"
         "2024/03/01 00:00:00.000, [N/A], 1 MiB\n"
         "timestamp, power.draw [W], memory.used [MiB]\n"
         "2024/03/01 00:00:00.500, 80.00 W, 1 MiB\n"
         "2024/03/01 00:00:01.500, 80, 1 MiB\n");
  ASSERT_THAT(R.errors(), ElementsAre());
  EXPECT_THAT(R.Trace.Components, ElementsAre("gpu"));
  EXPECT_DOUBLE_EQ(R.Trace.whole().Seconds, 2);
  EXPECT_DOUBLE_EQ(R.Trace.whole().Joules, 150);
  EXPECT_EQ(R.Trace.NumSamples, 4u);
  EXPECT_EQ(R.Trace.NumLeftOut, 1u);
}

TEST(MeasuredTrace, KnowsTheCalendar) {
  auto SecondsBetween = [](StringRef From, StringRef To) {
    Read R("timestamp,power.draw\n" + From + ",1\n" + To + ",1\n");
    return R.Trace.Spans.empty() ? 0 : R.Trace.whole().Seconds;
  };
  constexpr double Day = 86400;
  EXPECT_EQ(SecondsBetween("2023/12/31 23:59:59", "2024/01/01 00:00:00.25"),
            1.25);
  EXPECT_EQ(SecondsBetween("2023/02/28 12:00:00", "2023/03/01 12:00:00"), Day);
  EXPECT_EQ(SecondsBetween("2024/02/28 12:00:00", "2024/03/01 12:00:00"),
            2 * Day);
  EXPECT_EQ(SecondsBetween("2100-02-28T12:00:00", "2100-03-01T12:00:00"), Day);
  EXPECT_EQ(SecondsBetween("2000/02/28 12:00:00", "2000/03/01 12:00:00"),
            2 * Day);
  EXPECT_EQ(SecondsBetween("1970/01/01 00:00:00", "2038/01/19 03:14:07"),
            2147483647);
}

TEST(MeasuredTrace, AddsUpSeveralGPUs) {
  Read R("index, timestamp, power.draw [W]\n"
         "0, 2025/04/09 08:59:06.356, 60 W\n"
         "1, 2025/04/09 08:59:06.356, 50 W\n"
         "0, 2025/04/09 08:59:07.356, 60 W\n"
         "1, 2025/04/09 08:59:08.356, 50 W\n"
         "0, 2025/04/09 08:59:08.356, 80 W\n");
  ASSERT_THAT(R.errors(), ElementsAre());
  EXPECT_THAT(R.Trace.Components, ElementsAre("gpu0", "gpu1"));
  EXPECT_DOUBLE_EQ(R.Trace.whole().Seconds, 2);
  EXPECT_THAT(R.Trace.whole().ComponentJoules, ElementsAre(130, 100));
  EXPECT_DOUBLE_EQ(*R.Trace.whole().watts(), 115);
}

TEST(MeasuredTrace, ReportsEveryBadCell) {
  EXPECT_THAT(
      Read(
          "time_s,cpu_W,label\n1,x,a\n0.5,2,a\n2,-1,a\n2,3,a\n2,4,b\nnan,1,a\n")
          .errors(),
      ElementsAre("2:3: a power must be a number that is not negative",
                  "4:3: a power must be a number that is not negative",
                  "6:1: times must rise from sample to sample",
                  "7:1: a time must be a number"));
  EXPECT_THAT(
      Read("timestamp, power.draw [W]\n2024/13/01 00:00:00.0, 1 W\nlater, 2 "
           "W\n2024/01/01 00:00:01, much\n2024/01/01 00:00:01, 3 "
           "W\n2024/01/01 00:00:01, 3 W\n2024/01/01 00:00:00.999, 3 W\n")
          .errors(),
      ElementsAre("2:1: a timestamp is YYYY/MM/DD HH:MM:SS.mmm",
                  "3:1: a timestamp is YYYY/MM/DD HH:MM:SS.mmm",
                  "4:21: a power must be a number of watts that is not "
                  "negative, or [N/A]",
                  "6:1: two samples at the same time: with several GPUs add "
                  "'index' to --query-gpu",
                  "7:1: times must rise from sample to sample"));
}

TEST(MeasuredTrace, ReportsWhatIsNoTrace) {
  const char *Neither =
      "1:1: the heading has neither time_s, as PowerPack's has, nor timestamp, "
      "as a log of 'nvidia-smi --query-gpu=timestamp,power.draw --format=csv' "
      "has";
  EXPECT_THAT(Read("2024/01/02 10:20:30.123, 61.05 W\n").errors(),
              ElementsAre(Neither));
  EXPECT_THAT(Read("").errors(), ElementsAre("1:1: the file is empty"));
  EXPECT_THAT(Read("time_s,label\n1,a\n").errors(),
              ElementsAre("1:1: no column has a power: at least one of cpu_W, "
                          "mem_W, disk_W and board_W is needed"));
  EXPECT_THAT(Read("time_s,cpu_W,lable\n").errors(),
              ElementsAre("1:14: there is no column 'lable' in a power trace; "
                          "did you mean 'label'? There are time_s, cpu_W, "
                          "mem_W, disk_W, board_W, label"));
  EXPECT_THAT(Read("time_s,cpu_W, cpu_W\n").errors(),
              ElementsAre("1:14: there are two columns 'cpu_W'"));
  EXPECT_THAT(Read("time_s,cpu_W\n1,2\n").errors(),
              ElementsAre("1:1: an energy needs at least two samples"));
  EXPECT_THAT(Read("timestamp, clocks.sm\n2024/01/01 00:00:01, 3\n").errors(),
              ElementsAre("1:1: no column has a power: add power.draw to "
                          "--query-gpu"));
  EXPECT_THAT(Read("timestamp, power.draw [W]\n2024/01/01 00:00:01, [Not "
                   "Supported]\n2024/01/01 00:00:02, [N/A]\n")
                  .errors(),
              ElementsAre("1:1: no two samples have a power: the driver does "
                          "not measure it"));
  std::string Many = "index,timestamp,power.draw\n";
  for (int N = 0; N != 257; ++N)
    Many += std::to_string(N) + ",2024/01/01 00:00:01,3\n";
  EXPECT_THAT(Read(Many).errors(), ElementsAre("258:1: more than 256 GPUs"));
}

TEST(MeasuredTrace, ComparesWithWhatWasPredicted) {
  Read R(PowerPack);
  std::vector<MeasuredAgainst> All = compareWithMeasured(
      {{"", 6, 303.5}, {"kernel", 0.25, 46}, {"idle", 1, std::nullopt}},
      R.Trace);
  ASSERT_EQ(All.size(), 4u);
  EXPECT_DOUBLE_EQ(*All[0].secondsError(), 0.2);
  EXPECT_NEAR(*All[0].joulesError(), 0, 1e-12);
  EXPECT_NEAR(*All[0].wattsError(), 5.0 / 6 - 1, 1e-12);
  EXPECT_EQ(All[1].Label, "kernel");
  EXPECT_DOUBLE_EQ(*All[1].secondsError(), -0.5);
  EXPECT_DOUBLE_EQ(*All[1].wattsError(), 1);
  EXPECT_EQ(All[2].Label, "idle");
  EXPECT_FALSE(All[2].isMeasured());
  EXPECT_EQ(All[2].secondsError(), std::nullopt);
  EXPECT_EQ(All[2].joulesError(), std::nullopt);
  EXPECT_EQ(All[3].Label, "copy");
  EXPECT_FALSE(All[3].isPredicted());
  EXPECT_DOUBLE_EQ(*All[3].MeasuredSeconds, 3);
}

TEST(MeasuredTrace, SurvivesAnyText) {
  std::mt19937 Random(34);
  const std::string Good[] = {PowerPack, "index, timestamp, power.draw [W]\n"
                                         "0, 2025/04/09 08:59:06.356, 60 W\n"
                                         "1, 2025/04/09 08:59:06.360, 50 W\n"
                                         "0, 2025/04/09 08:59:07.356, 60 W\n"
                                         "1, 2025/04/09 08:59:08.356, [N/A]\n"};
  const StringRef Bytes = ",\n\r\"-.e9[W /:\xFF\xC3x";
  size_t NumGood = 0;
  const unsigned Rounds = PTXPREDICT_IS_SANITIZED ? 300 : 3000;
  for (unsigned N = 0; N != Rounds; ++N) {
    std::string Text = Good[N % 2];
    for (unsigned Change = Random() % 3; Change != 3; ++Change) {
      const size_t At = Random() % Text.size();
      const char New = Bytes[Random() % Bytes.size()];
      if (Random() % 3 == 0)
        Text.erase(At, 1 + Random() % 5);
      else if (Random() % 2 == 0)
        Text[At] = New;
      else
        Text.insert(At, 1, New);
      if (Text.empty())
        Text = ",";
    }
    Read R(Text);
    for (const Diagnostic &D : R.Diags.diagnostics())
      EXPECT_NE(D.Line, 0u);
    if (R.Diags.hasErrors())
      continue;
    ++NumGood;
    EXPECT_GE(R.Trace.whole().Seconds, 0);
    for (const MeasuredSpan &S : R.Trace.Spans) {
      EXPECT_LE(S.Seconds, R.Trace.whole().Seconds * (1 + 1e-12));
      EXPECT_LE(S.Joules, R.Trace.whole().Joules * (1 + 1e-12));
    }
  }
  EXPECT_GT(NumGood, Rounds / 20);
  EXPECT_LT(NumGood, Rounds);
}

} // namespace
