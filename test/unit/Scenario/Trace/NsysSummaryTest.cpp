//===- NsysSummaryTest.cpp - Tests of NsysSummary ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/NsysSummary.h"
#include "ptxpredict/Scenario/Trace/TraceCode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

constexpr const char *SummaryHeading =
    " Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),"
    "StdDev (ns),GridXYZ,BlockXYZ,Name\n";

struct ReadSummary {
  DiagnosticEngine Diags;
  std::vector<SummaryKernel> Kernels;

  explicit ReadSummary(const Twine &Text)
      : Diags(llvm::MemoryBuffer::getMemBufferCopy(Text.str(), "t")) {
    const bool Failed = readNsysSummary(Diags, Kernels);
    EXPECT_EQ(Failed, Diags.hasErrors());
  }
  std::vector<std::string> messages() const {
    std::vector<std::string> Texts;
    for (const Diagnostic &D : Diags.diagnostics())
      Texts.push_back(std::to_string(D.Line) + ":" + std::to_string(D.Column) +
                      ": " + D.Message);
    return Texts;
  }
};

TEST(NsysSummary, Rows) {
  ReadSummary R(Twine("Processing [a.sqlite]\n\n") + SummaryHeading +
                "66.7,3000,2,1500.5,1,1,1,0.0,\" 64    2    1\", 32    8    "
                "1,\"void f<(int)4>(float *)\"\r\n"
                "33.3,1500,1,1500.0,1,1,1,0.0,1 1 1,1024 1 1,g\n"
                "\n ** Another table:\nStart,End\n");
  EXPECT_THAT(R.messages(), ElementsAre());
  ASSERT_EQ(R.Kernels.size(), 2u);
  const SummaryKernel &K = R.Kernels[0];
  EXPECT_EQ(K.Name, "void f<(int)4>(float *)");
  EXPECT_EQ(K.Launches, 2u);
  EXPECT_EQ(K.MeanNs, 1500.5);
  EXPECT_THAT(K.Grid, ElementsAre(64u, 2u, 1u));
  EXPECT_THAT(K.Block, ElementsAre(32u, 8u, 1u));
  EXPECT_EQ(R.Diags.lineAndColumn(K.Place).first, 4u);
  EXPECT_EQ(R.Kernels[1].Name, "g");
}

TEST(NsysSummary, UnitsAndTheOldName) {
  ReadSummary R("Time(%),Instances,Average (us),GridXYZ,BlockXYZ,Name\n"
                "9,1,\"1,500.25\",1 1 1,2 1 1,f\n");
  EXPECT_THAT(R.messages(), ElementsAre());
  ASSERT_EQ(R.Kernels.size(), 1u);
  EXPECT_EQ(R.Kernels[0].MeanNs, 1500250);
}

TEST(NsysSummary, Forms) {
  EXPECT_EQ(summaryFormOf(SummaryHeading), SummaryForm::KernelsAtShapes);
  EXPECT_EQ(summaryFormOf("a\nInstances,Avg (ns),Name\n"),
            SummaryForm::Kernels);
  EXPECT_EQ(
      summaryFormOf("Instances,Avg (ns),Name\n" + std::string(SummaryHeading)),
      SummaryForm::KernelsAtShapes);
  EXPECT_EQ(summaryFormOf("kernel,time\nf,3\n"), SummaryForm::None);
  EXPECT_EQ(summaryFormOf(""), SummaryForm::None);
}

TEST(NsysSummary, WrongCells) {
  ReadSummary R(Twine(SummaryHeading) + "1,1,0,x,1,1,1,0,1 1,1 1 0,\n1,2\n");
  EXPECT_THAT(
      R.messages(),
      ElementsAre("2:27: this row has no name",
                  "2:5: a number of launches is a whole number from 1",
                  "2:7: a mean time is a number above 0",
                  "2:17: a grid is three whole numbers, such as '64 1 1'",
                  "2:21: a block is three whole numbers, such as '64 1 1'",
                  "3:1: this row has 2 cells, the heading 11"));
}

TEST(NsysSummary, WrongHeadings) {
  EXPECT_THAT(ReadSummary("Instances,Avg (xs),GridXYZ,Name,Name\n").messages(),
              ElementsAre("1:11: the unit 'xs' of column 'Avg' is not known",
                          "1:33: there are two columns 'Name'",
                          "1:1: the heading has no column 'BlockXYZ'"));
  EXPECT_THAT(ReadSummary(SummaryHeading).messages(),
              ElementsAre("0:0: the summary has no kernel"));
}

TEST(TraceCode, NamesAsProfilersWriteThem) {
  const std::vector<TraceCode> Codes = {
      {"_Z1fILi4EEvPf", "a.ptx"}, {"_Z1fILi8EEvPf", "a.ptx"}, {"g", "b.ptx"}};
  const TraceCodeFinder Finder(Codes);
  bool Near = false;
  EXPECT_EQ(Finder.find("void f<(int)8>(float *)", Near), &Codes[1]);
  EXPECT_EQ(Finder.find("_Z1fILi4EEvPf", Near), &Codes[0]);
  EXPECT_EQ(Finder.find("g", Near), &Codes[2]);
  EXPECT_EQ(Finder.find("f", Near), nullptr); // one of two
  EXPECT_TRUE(Near);
  EXPECT_EQ(Finder.find("h", Near), nullptr);
  EXPECT_FALSE(Near);
}

} // namespace
