//===- NsysTraceTest.cpp - Tests of NsysTrace ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/NsysTrace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

constexpr const char *Heading =
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,"
    "StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput "
    "(MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n";

struct ReadTrace {
  DiagnosticEngine Diags;
  NsysTrace Trace;

  explicit ReadTrace(const Twine &Text)
      : Diags(llvm::MemoryBuffer::getMemBufferCopy(Text.str(), "t")) {
    const bool Failed = readNsysTrace(Diags, Trace);
    EXPECT_EQ(Failed, Diags.hasErrors());
  }
  std::vector<std::string> messages() const {
    std::vector<std::string> Texts;
    for (const Diagnostic &D : Diags.diagnostics())
      Texts.push_back(std::to_string(D.Line) + ":" + std::to_string(D.Column) +
                      ": " + D.Message);
    return Texts;
  }
  const TraceOperation &only() const {
    EXPECT_THAT(messages(), ElementsAre());
    EXPECT_EQ(Trace.Operations.size(), 1u);
    static const TraceOperation None;
    return Trace.Operations.empty() ? None : Trace.Operations.front();
  }
};

TEST(NsysTrace, ReadsRowsOfEachKind) {
  // The copy is one of a real trace of nsys 2026.3.
  ReadTrace R(
      Twine(Heading) +
      "1134711990,661398,123,,,,,,,,,,4.194,6337.593,Pinned,Device,\"NVIDIA "
      "RTX 5000 Ada Generation Laptop GPU (0)\",1,,13,[CUDA memcpy "
      "Host-to-Device]\n"
      "1136125733,7072,128,4096,2,1,256,1,1,16,0.000,0.098,,,,,NVIDIA RTX "
      "5000 Ada Generation Laptop GPU (0),1,,14,\"demo::<unnamed>::k(float, "
      "const float *)\"\n"
      "1136135733,800,129,,,,,,,,,,0.000,340.000,Device,,Other (1),2,,7,[CUDA "
      "memset]\n");
  ASSERT_THAT(R.messages(), ElementsAre());
  ASSERT_EQ(R.Trace.Operations.size(), 3u);
  ASSERT_EQ(R.Trace.Devices.size(), 2u);
  EXPECT_EQ(R.Trace.Devices[1].Text, "Other (1)");
  EXPECT_EQ(R.Trace.Devices[1].Number, 1u);
  const TraceOperation &Copy = R.Trace.Operations[0];
  EXPECT_EQ(Copy.Kind, TraceKind::HostToDevice);
  EXPECT_EQ(Copy.Source, TraceMemory::Pinned);
  EXPECT_EQ(Copy.Destination, TraceMemory::Device);
  EXPECT_EQ(Copy.StartNs, 1134711990);
  EXPECT_EQ(Copy.DurationNs, 661398);
  EXPECT_EQ(Copy.Bytes, 4 << 20); // 4.194 MB, by its throughput
  EXPECT_EQ(Copy.Stream, 13u);
  const TraceOperation &Kernel = R.Trace.Operations[1];
  EXPECT_EQ(Kernel.Kind, TraceKind::Kernel);
  EXPECT_THAT(Kernel.Grid, ElementsAre(4096, 2, 1));
  EXPECT_THAT(Kernel.Block, ElementsAre(256, 1, 1));
  EXPECT_EQ(Kernel.DynamicShared, 96 << 10); // 0.098 MB
  EXPECT_EQ(R.Trace.Names[Kernel.Name],
            "demo::<unnamed>::k(float, const float *)");
  const TraceOperation &Fill = R.Trace.Operations[2];
  EXPECT_EQ(Fill.Kind, TraceKind::Fill);
  EXPECT_EQ(Fill.Bytes, 272); // 340e6 / (10^9 / 800)
  EXPECT_EQ(Fill.Device, 1u);
  EXPECT_EQ(Fill.Context, 2u);
  EXPECT_DOUBLE_EQ(R.Trace.seconds(), (1136135733 + 800 - 1134711990) * 1e-9);
}

TEST(NsysTrace, ReadsTheLayoutOf2021) {
  // Starts there are rounded to microseconds: the second kernel began when the
  // first one ended.
  ReadTrace R(
      "Start(sec),Duration(nsec),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/"
      "Trd,StcSMem,DymSMem,Bytes,Thru,SrcMemKd,DstMemKd,Device,Ctx,Strm,"
      "Name\n"
      "0.533416,1500,1,8,1,1,64,1,1,16,0,49152,,,,,GPU (0),1,7,k\n"
      "0.533417,1500,2,8,1,1,64,1,1,16,0,0,,,,,GPU (0),1,7,k\n"
      "0.533500,900,3,,,,,,,,,,4,4,Pageable,Device,GPU (0),1,7,[CUDA memcpy "
      "HtoD]\n");
  ASSERT_THAT(R.messages(), ElementsAre());
  ASSERT_EQ(R.Trace.Operations.size(), 3u);
  EXPECT_EQ(R.Trace.Operations[0].DynamicShared, 49152);
  EXPECT_EQ(R.Trace.Operations[1].StartNs, 533417500);
  EXPECT_EQ(R.Trace.Operations[2].StartNs, 533500000);
  EXPECT_EQ(R.Trace.Operations[2].Bytes, 4);
  EXPECT_EQ(R.Trace.Operations[2].Source, TraceMemory::Pageable);
}

TEST(NsysTrace, LeavesOverlapsAloneThatAreNotFromRounding) {
  ReadTrace Fine("Start (ns),Duration (ns),Name\n100,50,a\n149,10,b\n");
  EXPECT_EQ(Fine.Trace.Operations.at(1).StartNs, 149);
  ReadTrace Coarse("Start (us),Duration (us),Name\n1,50,a\n40,10,b\n51,1,c\n");
  EXPECT_EQ(Coarse.Trace.Operations.at(1).StartNs, 40000);
  EXPECT_EQ(Coarse.Trace.Operations.at(2).StartNs, 51000);
}

TEST(NsysTrace, KnowsUnits) {
  auto TimeOf = [](StringRef Unit, StringRef Start, StringRef Duration) {
    ReadTrace R("Start (" + Unit + "),Duration (" + Unit + "),Name\n" + Start +
                "," + Duration + ",k\n");
    const TraceOperation &O = R.only();
    return std::pair(O.StartNs, O.DurationNs);
  };
  using Ns = std::pair<int64_t, int64_t>;
  EXPECT_EQ(TimeOf("us", "1719000.001", "41.28"), Ns(1719000001, 41280));
  EXPECT_EQ(TimeOf("ms", "1719.000001", "0.04128"), Ns(1719000001, 41280));
  EXPECT_EQ(TimeOf("s", "1.719000001", "4.128e-5"), Ns(1719000001, 41280));
  EXPECT_EQ(TimeOf("ns", "1712345678123456789", "\"1,048,576\""),
            Ns(1712345678123456789, 1048576));
  EXPECT_EQ(TimeOf("nsec", "-5", "2"), Ns(-5, 2));
  auto BytesOf = [](StringRef Column, StringRef Text) {
    return ReadTrace("Start,Duration," + Column + ",Name\n1,2," + Text +
                     ",[CUDA memset]\n")
        .only()
        .Bytes;
  };
  EXPECT_EQ(BytesOf("Bytes (KiB)", "2.5"), 2560);
  EXPECT_EQ(BytesOf("Bytes", "1023"), 1023);
  EXPECT_EQ(BytesOf("Bytes:mem_B", "1023"), 1023);
  EXPECT_EQ(BytesOf("Bytes (MB)", "0.263"), 263168); // 257 * 1024
  EXPECT_EQ(BytesOf("Bytes (MB)", ""), 0);
}

TEST(NsysTrace, KnowsTheNamesOfAllYears) {
  auto KindOf = [](StringRef Name) {
    ReadTrace R("Start (ns),Duration (ns),Name\n1,2," + Name + "\n");
    return R.Trace.Operations.empty() ? "none"
                                      : toString(R.Trace.Operations[0].Kind);
  };
  EXPECT_EQ(KindOf("[CUDA memcpy HtoD]"), "h2d");
  EXPECT_EQ(KindOf("[CUDA memcpy Host-to-Device]"), "h2d");
  EXPECT_EQ(KindOf("[CUDA memcpy Host-to-Array]"), "h2d");
  EXPECT_EQ(KindOf("[CUDA Unified Memory memcpy HtoD]"), "h2d");
  EXPECT_EQ(KindOf("[CUDA memcpy Unified Device-to-Host]"), "d2h");
  EXPECT_EQ(KindOf("[CUDA memcpy DtoH]"), "d2h");
  EXPECT_EQ(KindOf("[CUDA memcpy Device-to-Device]"), "d2d");
  EXPECT_EQ(KindOf("[CUDA memcpy AtoD]"), "d2d");
  EXPECT_EQ(KindOf("[CUDA memcpy PtoP]"), "p2p");
  EXPECT_EQ(KindOf("[CUDA memcpy Peer-to-Peer]"), "p2p");
  EXPECT_EQ(KindOf("[CUDA memcpy Host-to-Host]"), "h2h");
  EXPECT_EQ(KindOf("[CUDA memset]"), "fill");
  EXPECT_EQ(KindOf("[CUDA memcpy Unknown]"), "other");
  EXPECT_EQ(KindOf("memset"), "kernel");
  EXPECT_EQ(KindOf("[CUDA"), "kernel");
}

TEST(NsysTrace, SkipsWhatStandsAroundTheTable) {
  ReadTrace R("\xEF\xBB\xBF\r\nNOTICE: Existing SQLite export found: \"x\r\n"
              "\r\nProcessing [x.sqlite] with [cuda_gpu_trace.py]... \r\n" +
              Twine(Heading) +
              "100,50,1,,,,,,,,,,,,,,GPU,1,,0,a\r\n\r\n"
              "200,50,2,,,,,,,,,,,,,,GPU,1,,1,b\r\n\r\n"
              "Processing [x.sqlite] with [cuda_api_sum.py]... \r\n"
              "Time (%),Total Time (ns),Num Calls\r\n1,2,3\r\n");
  EXPECT_THAT(R.messages(), ElementsAre());
  EXPECT_EQ(R.Trace.Operations.size(), 2u);
}

TEST(NsysTrace, SortsByStart) {
  ReadTrace R("Start (ns),Duration (ns),Device,Name\n30,1,A (1),c\n10,5,B "
              "(0),b\n10,2,A (1),a\n");
  std::vector<std::string> Names, Devices;
  for (const TraceOperation &O : R.Trace.Operations) {
    Names.push_back(R.Trace.Names[O.Name]);
    Devices.push_back(R.Trace.Devices[O.Device].Text);
  }
  EXPECT_THAT(Names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(Devices, ElementsAre("A (1)", "B (0)", "A (1)"));
  EXPECT_EQ(R.Trace.Devices[0].Text, "B (0)");
}

TEST(NsysTrace, ReportsEveryBadCell) {
  ReadTrace R(Twine(Heading) +
              "x,50,1,,,,,,,,,,,,,,GPU,1,,0,a\n"
              ",50,1,,,,,,,,,,,,,,GPU,1,,0,a\n"
              "1,,1,,,,,,,,,,,,,,GPU,1,,0,a\n"
              "1,-2,1,-1,,1,1.5,1,1,,,-3,,,,,GPU,x,,-7,\n"
              "1,2\n"
              "1,\"1,23\",1,,,,,,,,,,,,,,GPU,1,,0,a\n"
              "1e30,2,1,,,,,,,,,,-1,nan,,,GPU,1,,0,[CUDA memset]\n");
  EXPECT_THAT(
      R.messages(),
      ElementsAre(
          "2:1: start must be a number of at most 73 years",
          "3:1: this row has no start", "4:3: this row has no duration",
          "5:41: this row has no name", "5:3: a duration must not be negative",
          "5:8: a grid's extent must be a whole number",
          "5:14: a block's extent must be a whole number",
          "5:24: dynamic shared memory must be a number that is not negative",
          "5:35: a context must be a whole number",
          "5:38: a stream must be a whole number",
          "6:1: this row has 2 cells, the heading 21",
          "7:4: duration must be a number of at most 73 years",
          "8:1: start must be a number of at most 73 years",
          "8:19: a number of bytes must be a number that is not negative",
          "8:22: a throughput must be a number that is not negative"));
}

TEST(NsysTrace, ReportsWhatIsNoTrace) {
  const char *None =
      "1:1: no line has the columns Start, Duration and Name: 'nsys stats "
      "--report cuda_gpu_trace --format csv FILE.nsys-rep' writes a trace";
  EXPECT_THAT(ReadTrace("").messages(), ElementsAre(None));
  EXPECT_THAT(ReadTrace("Time (%),Total Time (ns),Instances,Name\n1,2,3,k\n")
                  .messages(),
              ElementsAre(None));
  EXPECT_THAT(ReadTrace(Heading).messages(),
              ElementsAre("1:1: the trace has no operation"));
  EXPECT_THAT(ReadTrace("Start (ns),Strm,Device\n1,2,3\n").messages(),
              ElementsAre("1:1: the heading has no column 'Duration'",
                          "1:1: the heading has no column 'Name'"));
  EXPECT_THAT(ReadTrace("Start (h),Start (ns),Duration (ns),Name\n").messages(),
              ElementsAre("1:1: the unit 'h' of column 'Start' is not known",
                          "1:11: there are two columns 'Start'"));
  EXPECT_THAT(ReadTrace("Start (ns),Duration (ns),Name\n1,2,\"k\n").messages(),
              ElementsAre("2:5: the quote that begins here does not end"));
}

TEST(NsysTrace, WarnsOnceOfWhatItDoesNotKnow) {
  ReadTrace R("Start (ns),Duration (ns),Name\n1,2,[CUDA teleport]\n3,2,[CUDA "
              "teleport]\n");
  EXPECT_THAT(
      R.messages(),
      ElementsAre("2:5: nothing is known of '[CUDA teleport]': it takes "
                  "its time and uses nothing"));
  EXPECT_FALSE(R.Diags.hasErrors());
}

TEST(NsysTrace, RegistersAndPlaces) {
  ReadTrace R(Twine("NOTICE: x\n") + Heading +
              "1,2,3,4,1,1,32,1,1,40,0,0,,,,,A (0),1,,7,\"a \"\"b\"\"\"\n");
  const TraceOperation &O = R.only();
  EXPECT_EQ(O.Registers, 40u);
  EXPECT_EQ(R.Diags.lineAndColumn(O.Place).first, 3u);
  EXPECT_TRUE(hasNsysTrace(R.Diags.text()));
  EXPECT_FALSE(hasNsysTrace("Start,Duration\n"));
  EXPECT_FALSE(hasNsysTrace(""));
}

} // namespace
