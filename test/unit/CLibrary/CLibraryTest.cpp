//===- CLibraryTest.cpp - The C library by its header ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict-c/ptxpredict.h"
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using testing::HasSubstr;
using testing::StartsWith;

namespace {

struct Disposer {
  void operator()(PtxpredictRun *Run) const { ptxpredictRunDispose(Run); }
};
using OwnedRun = std::unique_ptr<PtxpredictRun, Disposer>;

std::string example(const char *Name) {
  return std::string(PTXPREDICT_EXAMPLES "/") + Name;
}

std::string contents(const std::string &Path) {
  std::ifstream File(Path);
  return {std::istreambuf_iterator<char>(File), {}};
}

std::string outputOf(const OwnedRun &Run) {
  size_t Size = 0;
  const char *Text = ptxpredictRunOutput(Run.get(), &Size);
  return {Text, Size};
}

PtxpredictMessage messageOf(const OwnedRun &Run, size_t Index = 0) {
  PtxpredictMessage M{};
  EXPECT_EQ(ptxpredictRunMessage(Run.get(), Index, &M), PTXPREDICT_DONE);
  return M;
}

OwnedRun predictRun(const char *Device, const char *Format = "json") {
  OwnedRun Run(ptxpredictRunCreate("predict"));
  ptxpredictRunAddFile(Run.get(), example("saxpy.ptx").c_str());
  ptxpredictRunAddOption(Run.get(), "device", Device);
  ptxpredictRunAddOption(Run.get(), "format", Format);
  return Run;
}

TEST(CLibrary, SaysItsVersions) {
  EXPECT_EQ(ptxpredictInterface(), uint32_t(PTXPREDICT_C_INTERFACE));
  EXPECT_THAT(ptxpredictVersion(), testing::MatchesRegex("[0-9]+[.].*"));
}

TEST(CLibrary, Predicts) {
  OwnedRun Run = predictRun("h100-sxm");
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_DONE);
  EXPECT_THAT(outputOf(Run), HasSubstr("\"device\": \"h100-sxm\""));
  EXPECT_EQ(ptxpredictRunNumMessages(Run.get()), 0U);
}

TEST(CLibrary, ExecutesTheSameRunAgain) {
  OwnedRun Run = predictRun("h100-sxm");
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_DONE);
  const std::string First = outputOf(Run);
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_DONE);
  EXPECT_EQ(outputOf(Run), First);
}

TEST(CLibrary, ReadsTextsInPlaceOfFiles) {
  const std::string Code = contents(example("saxpy.ptx"));
  const std::string Launch = "launches:\n  - {kernel: saxpy, grid: [77]}\n";
  OwnedRun Run(ptxpredictRunCreate("predict"));
  ptxpredictRunAddText(Run.get(), "mine.ptx", Code.data(), Code.size());
  ptxpredictRunAddNamedText(Run.get(), "l.yaml", Launch.data(), Launch.size());
  ptxpredictRunAddOption(Run.get(), "launch", "l.yaml");
  ptxpredictRunAddOption(Run.get(), "format", "json");
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_DONE);
  EXPECT_THAT(outputOf(Run), HasSubstr("\"path\": \"mine.ptx\""));
  EXPECT_THAT(outputOf(Run), HasSubstr("77,"));
}

TEST(CLibrary, ReadsTextsInThreadsOfARun) {
  const std::string Code = contents(example("transpose.ptx"));
  OwnedRun Run(ptxpredictRunCreate("lint"));
  for (const char *Name : {"a.ptx", "b.ptx", "c.ptx"})
    ptxpredictRunAddText(Run.get(), Name, Code.data(), Code.size());
  ptxpredictRunAddOption(Run.get(), "j", "3");
  ptxpredictRunAddOption(Run.get(), "no-cache", nullptr);
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_FOUND);
  EXPECT_THAT(outputOf(Run), HasSubstr("of 3 inputs"));
}

TEST(CLibrary, SaysWhereAnInputIsWrong) {
  const char Code[] = ".version 8.0\n.target sm_90\n.entry k() { foo ;;; }\n";
  OwnedRun Run(ptxpredictRunCreate("predict"));
  ptxpredictRunAddText(Run.get(), "k.ptx", Code, sizeof Code - 1);
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_NOT_DONE);
  const PtxpredictMessage M = messageOf(Run);
  EXPECT_EQ(M.Severity, PTXPREDICT_ERROR);
  EXPECT_STREQ(M.Path, "k.ptx");
  EXPECT_EQ(M.Line, 3U);
  EXPECT_GT(M.Column, 0U);
  EXPECT_THAT(M.Shown, StartsWith("k.ptx:3:"));
  EXPECT_THAT(M.Shown, HasSubstr("^"));
}

TEST(CLibrary, NamesTheNearestOptionAndDevice) {
  OwnedRun Run = predictRun("h100-sxn");
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_NOT_DONE);
  EXPECT_THAT(messageOf(Run).Text, HasSubstr("did you mean 'h100-sxm'"));
  EXPECT_STREQ(messageOf(Run).Path, "");
  Run = predictRun("h100-sxm");
  ptxpredictRunAddOption(Run.get(), "gird", "4");
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_NOT_DONE);
  EXPECT_THAT(messageOf(Run).Text, HasSubstr("did you mean '--grid'"));
}

TEST(CLibrary, ReportsAMessageInEveryRun) {
  // What one run has printed another one prints, too.
  for (int I = 0; I != 2; ++I) {
    OwnedRun Run(ptxpredictRunCreate("predict"));
    ptxpredictRunAddFile(Run.get(), "not-there.ptx");
    EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_NOT_DONE);
    ASSERT_EQ(ptxpredictRunNumMessages(Run.get()), 1U);
  }
}

TEST(CLibrary, SaysWhatNeedsAnotherProgram) {
  const char Source[] = "__global__ void k() {}\n";
  OwnedRun Run(ptxpredictRunCreate("predict"));
  ptxpredictRunAddText(Run.get(), "k.cu", Source, sizeof Source - 1);
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_NEEDS_IR);
  EXPECT_THAT(messageOf(Run).Text, HasSubstr("ptx-predict-ir"));
}

TEST(CLibrary, RefusesWhatOnlyAProcessHas) {
  OwnedRun Run = predictRun("h100-sxm");
  EXPECT_EQ(ptxpredictRunAddFile(Run.get(), "-"), PTXPREDICT_MISUSE);
  EXPECT_EQ(ptxpredictRunAddFile(Run.get(), "@file"), PTXPREDICT_MISUSE);
  EXPECT_EQ(ptxpredictRunAddOption(Run.get(), "a b", "c"), PTXPREDICT_MISUSE);
  EXPECT_EQ(ptxpredictRunAddOption(Run.get(), "", "c"), PTXPREDICT_MISUSE);
  EXPECT_EQ(ptxpredictRunAddText(Run.get(), "a.ptx", "x", 1), PTXPREDICT_DONE);
  EXPECT_EQ(ptxpredictRunAddText(Run.get(), "a.ptx", "x", 1),
            PTXPREDICT_MISUSE);
  ptxpredictRunAddOption(Run.get(), "time-report", nullptr);
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_NOT_DONE);
  EXPECT_EQ(ptxpredictRunCreate("nothing"), nullptr);
  EXPECT_EQ(ptxpredictRunCreate(nullptr), nullptr);
  EXPECT_EQ(ptxpredictRunExecute(nullptr), PTXPREDICT_MISUSE);
  ptxpredictRunDispose(nullptr);
}

TEST(CLibrary, HasColumns) {
  OwnedRun Run = predictRun("h100-sxm", "csv");
  ptxpredictRunAddOption(Run.get(), "sweep", "block=32,64,128");
  EXPECT_EQ(ptxpredictRunExecute(Run.get()), PTXPREDICT_DONE);
  EXPECT_EQ(ptxpredictRunNumRows(Run.get()), 3U);
  bool HasTimes = false, HasKernels = false;
  for (size_t C = 0; C != ptxpredictRunNumColumns(Run.get()); ++C) {
    const std::string Name = ptxpredictRunColumnName(Run.get(), C);
    const double *Numbers = ptxpredictRunColumnNumbers(Run.get(), C);
    const char *const *Texts = ptxpredictRunColumnTexts(Run.get(), C);
    EXPECT_NE(Numbers == nullptr, Texts == nullptr);
    if (Name == "time_us" && Numbers)
      HasTimes = Numbers[0] > 0 && Numbers[2] > 0;
    if (Name == "kernel" && Texts)
      HasKernels = std::string(Texts[1]) == "saxpy";
  }
  EXPECT_TRUE(HasTimes);
  EXPECT_TRUE(HasKernels);
  EXPECT_EQ(ptxpredictRunColumnName(Run.get(), 10000), nullptr);
}

TEST(CLibrary, TellsProgress) {
  const std::string Code = contents(example("saxpy.ptx"));
  OwnedRun Run(ptxpredictRunCreate("lint"));
  ptxpredictRunAddText(Run.get(), "a.ptx", Code.data(), Code.size());
  ptxpredictRunAddOption(Run.get(), "no-cache", nullptr);
  uint64_t Last = 0;
  ptxpredictRunSetProgress(
      Run.get(),
      [](void *Context, uint64_t Done, uint64_t) {
        *static_cast<uint64_t *>(Context) = Done;
      },
      &Last);
  ptxpredictRunExecute(Run.get());
  EXPECT_EQ(Last, 1U);
}

TEST(CLibrary, DescribesItsOptions) {
  const std::string All = ptxpredictDescription();
  for (const char *Text :
       {"\"subcommand\": \"predict\"", "\"subcommand\": \"validate\"",
        "\"name\": \"trip-count\""})
    EXPECT_THAT(All, HasSubstr(Text));
}

TEST(CLibrary, AnswersManyThreads) {
  OwnedRun Alone = predictRun("a100-80gb");
  ptxpredictRunExecute(Alone.get());
  const std::string Expected = outputOf(Alone);
  std::vector<std::string> Outputs(8);
  std::vector<std::thread> Threads;
  Threads.reserve(Outputs.size());
  for (std::string &Output : Outputs)
    Threads.emplace_back([&Output] {
      for (int I = 0; I != 5; ++I) {
        OwnedRun Wrong = predictRun("none");
        ptxpredictRunExecute(Wrong.get());
        OwnedRun Run = predictRun("a100-80gb");
        ptxpredictRunExecute(Run.get());
        Output = outputOf(Run);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_THAT(Outputs, testing::Each(Expected));
}

} // namespace
