//===- NCCLTestsTest.cpp - Tests of fits to nccl-tests --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/NCCLTests.h"
#include "ptxpredict/Scenario/Plan/Collectives.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

constexpr StringRef Heading =
    "#                                                        out-of-place    "
    "                   in-place\n"
    "#       size         count      type   redop    root     time   algbw   "
    "busbw #wrong     time   algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  "
    "(GB/s)            (us)  (GB/s)  (GB/s)\n";

std::string ranks(unsigned Count) {
  std::string Text = "# Using devices\n";
  for (unsigned R = 0; R != Count; ++R)
    Text += "#  Rank " + std::to_string(R) +
            " Group  0 Pid   1946 on host device  0 [0000:0f:00] NVIDIA A100\n";
  return Text;
}

/// A row as nccl-tests print it.
std::string row(double Bytes, double Us, double BusFactor, StringRef RedOp,
                int Root = -1) {
  const double GBs = Bytes / Us / 1e3;
  return formatNumber("%12.0f", Bytes) + formatNumber("%12.0f", Bytes / 4) +
         " float " + RedOp.str() + " " + std::to_string(Root) +
         formatNumber(" %10.4f", Us) + formatNumber(" %.2f", GBs) +
         formatNumber(" %.2f", GBs * BusFactor) + " 0 " +
         formatNumber(" %10.4f", Us) + formatNumber(" %.2f", GBs) +
         formatNumber(" %.2f", GBs * BusFactor) + " N/A\n";
}

struct Read {
  NCCLTests Tests;
  LinkFit Fit;
  std::string Messages;
  bool Failed = false;
};

Read fitted(StringRef Text, std::optional<uint64_t> Ranks = {},
            StringRef Of = "nvlink3-x12") {
  static LinkRegistry Registry;
  DiagnosticEngine Diags(
      llvm::MemoryBuffer::getMemBufferCopy(Text, "nccl.txt"));
  Read R;
  R.Failed = parseNCCLTests(Diags, R.Tests) ||
             fitNCCLTests(Diags, R.Tests, Ranks,
                          *llvm::cantFail(Registry.find(Of)), R.Fit);
  EXPECT_EQ(R.Failed, Diags.hasErrors());
  llvm::raw_string_ostream OS(R.Messages);
  Diags.print(OS, /*Colors=*/false);
  return R;
}

/// What a program prints, over a link of 300 GB/s with 3 us and 0.8.
std::string output(StringRef Program, OperationKind Kind, unsigned Ranks,
                   StringRef RedOp, int Root = -1) {
  std::string Text =
      Program.empty() ? std::string()
                      : ("# Collective test starting: " + Program + "\n").str();
  Text += ranks(Ranks) + Heading.str();
  for (unsigned Power = 3; Power < 31; Power += 3) {
    const auto Bytes = double(1U << Power);
    const CollectiveCost C =
        Kind == OperationKind::Send
            ? CollectiveCost{1, Bytes}
            : collectiveCost(Kind, CollectiveAlgorithm::Ring, Ranks, Bytes);
    Text += row(Bytes, C.Startups * 3 + C.Bytes / (300e3 * 0.8),
                C.Bytes / Bytes, RedOp, Root);
  }
  return Text + "# Out of bounds values : 0 OK\n# Avg bus bandwidth : 7\n";
}

/// Times of a ring give back what they were made of, whatever says which
/// operation it is.
TEST(NCCLTests, GivesBackStartupAndEfficiency) {
  using Kind = OperationKind;
  const struct {
    StringRef Program;
    Kind Cost;
    StringRef RedOp;
    int Root = -1;
  } Programs[] = {{"all_reduce_perf", Kind::AllReduce, "sum"},
                  {"./build/all_gather_perf", Kind::AllGather, "none"},
                  {"alltoall_perf", Kind::AllToAll, "none"},
                  {"reduce_scatter_perf", Kind::ReduceScatter, "sum"},
                  {"broadcast_perf", Kind::Broadcast, "none", 0},
                  {"reduce_perf", Kind::Broadcast, "sum", 0},
                  {"sendrecv_perf", Kind::Send, "none"}};
  for (const auto &P : Programs)
    for (unsigned Ranks : {2, 8})
      for (StringRef Named : {P.Program, StringRef()}) {
        SCOPED_TRACE((P.Program + " " + Twine(Ranks) + " " + Named).str());
        const Read R = fitted(output(Named, P.Cost, Ranks, P.RedOp, P.Root));
        ASSERT_FALSE(R.Failed) << R.Messages;
        EXPECT_EQ(R.Messages, "");
        EXPECT_EQ(R.Tests.Ranks, Ranks);
        EXPECT_EQ(R.Fit.Way, TransferWay::PeerToPeer);
        EXPECT_NEAR(*R.Fit.StartupUs, 3, 1e-3);
        EXPECT_NEAR(*R.Fit.Efficiency, 0.8, 1e-3);
        ASSERT_EQ(R.Fit.Rows.size(), 20u); // ten sizes, apart and in place
        EXPECT_EQ(R.Fit.Rows[1].Name, "8B in place");
        EXPECT_LT(R.Fit.meanError(), 1e-3);
      }
}

TEST(NCCLTests, LeavesOutWhatIsNoRow) {
  const std::string Whole =
      output("all_reduce_perf", OperationKind::AllReduce, 4, "sum");
  std::string Tagged = "NCCL version 2.21.5+cuda12.4\n";
  for (StringRef Line : llvm::split(Whole, '\n'))
    Tagged += "[1,0]<stdout>:" + Line.str() + "\r\n";
  Tagged += "host:12:34 [0] NCCL INFO comm destroyed\n";
  const Read R = fitted(Tagged);
  ASSERT_FALSE(R.Failed) << R.Messages;
  EXPECT_THAT(R.Messages,
              StartsWith("nccl.txt:1:1: note: this line and 1 more are no rows "
                         "of the table; they are left out\n"));
  EXPECT_NEAR(*R.Fit.StartupUs, 3, 1e-3);
}

TEST(NCCLTests, ReadsOlderOutputWithoutRoot) {
  const Read R = fitted(
      "#       size         count      type   redop     time   algbw   busbw  "
      "error     time   algbw   busbw  error\n"
      "           0             0     float     sum     5.58    0.00    0.00  "
      "0e+00     5.57    0.00    0.00  0e+00\n"
      "           8             2     float     sum       12    0.00    0.00  "
      "0e+00      N/A     N/A     N/A    N/A\n"
      "  1073741824     268435456     float     sum   6722.9  159.71  239.57  "
      "0e+00   6722.9  159.71  239.57  0e+00\n",
      4);
  ASSERT_FALSE(R.Failed) << R.Messages;
  EXPECT_EQ(R.Tests.Program, "all_reduce");
  ASSERT_EQ(R.Tests.Rows.size(), 2u); // no bytes are no row
  EXPECT_FALSE(R.Tests.Rows[0].InPlaceUs);
  EXPECT_NEAR(*R.Fit.StartupUs, 2, 0.01);
  EXPECT_NEAR(*R.Fit.Efficiency, 0.8, 0.001);
}

/// More bytes that take more than their share of the time.
TEST(NCCLTests, HasNoNegativeStartup) {
  const Read R = fitted("# Collective test starting: sendrecv_perf\n" +
                        ranks(2) + Heading.str() + row(1e6, 5, 1, "none") +
                        row(64e6, 640, 1, "none"));
  ASSERT_FALSE(R.Failed) << R.Messages;
  EXPECT_EQ(*R.Fit.StartupUs, 0);
  // 200 and 100 GB/s: the slope of least squares, by hand.
  EXPECT_NEAR(*R.Fit.Efficiency, (200. * 200 + 100 * 100) / 300 / 300, 1e-9);
}

TEST(NCCLTests, ReportsWhatIsWrong) {
  auto Message = [](const std::string &Text, std::optional<uint64_t> Ranks = {},
                    StringRef Of = "nvlink3-x12") {
    const Read R = fitted(Text, Ranks, Of);
    EXPECT_TRUE(R.Failed) << Text;
    return R.Messages;
  };
  const std::string Whole =
      output("all_reduce_perf", OperationKind::AllReduce, 8, "sum");
  EXPECT_THAT(Message(""), HasSubstr("no output of nccl-tests"));
  EXPECT_THAT(Message("{}\n"), HasSubstr("no output of nccl-tests"));
  EXPECT_THAT(Message(Heading.str()), HasSubstr("no times in this file"));
  EXPECT_THAT(Message("8 2 float sum -1 1 1 1 0 1 1 1 0\n"),
              StartsWith("nccl.txt:1:1: error: a row before the heading"));
  EXPECT_THAT(Message(Heading.str() + "8 2 float sum -1 1\n"),
              StartsWith("nccl.txt:4:1: error: this row has 6 cells, the "
                         "heading 13"));
  EXPECT_THAT(Message(Heading.str() + "8 2 float sum -1 x 1 1 0 0 -1 1 0\n"),
              StartsWith("nccl.txt:4:18: error: 'time' must be a number from "
                         "0, not 'x'"));
  EXPECT_THAT(Message(Heading.str() + "8 2 float sum -1 x 1 1 0 0 -1 1 0\n"),
              HasSubstr("nccl.txt:4:26: error: a time is above 0"));
  EXPECT_THAT(Message(Whole + Heading.str()),
              HasSubstr("a second table begins here"));
  EXPECT_THAT(Message("# Collective test starting: gather_perf\n"),
              StartsWith("nccl.txt:1:29: error: the cost of 'gather' is not "
                         "known; known are all_reduce, all_gather, "));
  EXPECT_THAT(Message("# size count type redop root cputime algbw busbw "
                      "#wrong\n"),
              HasSubstr("lacks the column 'time': these are times of the "
                        "processor; measure without -C"));
  EXPECT_THAT(Message(Whole, 4),
              HasSubstr("busbw over algbw is 1.75; it would be 1.5 of "
                        "all_reduce over 4 ranks: --ranks=N"));
  EXPECT_THAT(Message(Whole, 1), HasSubstr("one rank sends nothing"));
  EXPECT_THAT(
      Message(Heading.str() + row(8, 3, 1, "sum") + row(1 << 20, 30, 1, "sum")),
      HasSubstr("does not say how many ranks there were"));
  EXPECT_THAT(Message(ranks(2) + Heading.str() + row(1 << 20, 30, 1, "sum")),
              HasSubstr("one size does not tell startup and efficiency apart"));
  EXPECT_THAT(Message(ranks(2) + Heading.str() + row(8, 3, 1, "sum") +
                      row(64, 30, 1, "sum")),
              HasSubstr("sizes so small do not tell which operation"));
  EXPECT_THAT(Message(Whole, {}, "nvlink2-x6"),
              HasSubstr("that would be 1.6 of the 150 GB/s of nvlink2-x6"));
}

TEST(NCCLTests, WarnsOfWrongResults) {
  const std::string Text =
      ranks(4) + Heading.str() +
      "1048576 262144 float sum -1 100 10.49 15.73 7 100 10.49 15.73 0\n"
      "4194304 1048576 float sum -1 300 13.98 20.97 0 300 13.98 20.97 0\n";
  const Read R = fitted(Text);
  EXPECT_FALSE(R.Failed);
  EXPECT_THAT(R.Messages, HasSubstr("warning: results of this size were "
                                    "wrong"));
}

} // namespace
