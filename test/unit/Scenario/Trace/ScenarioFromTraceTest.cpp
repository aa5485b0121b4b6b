//===- ScenarioFromTraceTest.cpp - Tests of ScenarioFromTrace ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/ScenarioFromTrace.h"
#include "Scenario/Trace/ReplayedScenario.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include <random>

using namespace ptxpredict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

NsysTrace readTrace(StringRef Text) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "t"));
  NsysTrace Trace;
  EXPECT_FALSE(readNsysTrace(Diags, Trace));
  for (const Diagnostic &D : Diags.diagnostics())
    ADD_FAILURE() << D.Line << ": " << D.Message;
  return Trace;
}

std::string inputText(const char *Name) {
  auto Buffer = llvm::MemoryBuffer::getFile(
      std::string(PTXPREDICT_TEST_INPUTS "/scenario/") + Name);
  EXPECT_TRUE(bool(Buffer)) << Name;
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

TraceScenario scenarioOf(const NsysTrace &Trace, double Tolerance = 0.01) {
  TraceScenarioOptions Options;
  Options.Tolerance = Tolerance;
  return scenarioFromTrace(Trace, Options);
}

/// Whether the scenario's operations start when the trace's did.
void expectSameStarts(const NsysTrace &Trace, const ReplayedScenario &Replay,
                      double Within = 1e-12) {
  ASSERT_EQ(Replay.Ranks.size(), Trace.Devices.size());
  std::vector<size_t> Next(Trace.Devices.size());
  for (const TraceOperation &O : Trace.Operations) {
    const auto &Rank = Replay.Ranks[O.Device];
    ASSERT_LT(Next[O.Device], Rank.size());
    const RanOperation &Ran = Rank[Next[O.Device]++];
    ASSERT_EQ(Ran.Key == "launch" ? "kernel" : Ran.Key, toString(O.Kind));
    EXPECT_NEAR(Ran.Start, double(O.StartNs - Trace.firstNs()) * 1e-9, Within);
    EXPECT_NEAR(Ran.Seconds, double(O.DurationNs) * 1e-9, Within);
    if (O.Kind != TraceKind::Kernel) {
      EXPECT_EQ(Ran.With.at("bytes"), shortestDecimal(O.Bytes));
    }
  }
  for (size_t D = 0; D != Next.size(); ++D)
    EXPECT_EQ(Next[D], Replay.Ranks[D].size());
  EXPECT_NEAR(Replay.Total, Trace.seconds(), Within);
}

struct Example {
  const char *File;
  double Seconds;
  size_t Operations;
  unsigned Kernels; ///< at once
};
constexpr Example Examples[] = {{"nsys-one-stream.csv", 0.006823298, 9, 1},
                                {"nsys-two-streams.csv", 0.006503323, 19, 2},
                                {"nsys-two-devices.csv", 0.002413728, 64, 1}};

TEST(ScenarioFromTrace, ReplaysTheExamples) {
  for (const Example &E : Examples) {
    SCOPED_TRACE(E.File);
    NsysTrace Trace = readTrace(inputText(E.File));
    EXPECT_NEAR(Trace.seconds(), E.Seconds, 1e-12);
    EXPECT_EQ(Trace.Operations.size(), E.Operations);
    TraceScenario Exact = scenarioOf(Trace, 0);
    expectSameStarts(Trace, ReplayedScenario(Exact.Text));
    EXPECT_EQ(Exact.ConcurrentKernels, E.Kernels);
    EXPECT_EQ(Exact.ConcurrentCopies, 1u);
    EXPECT_EQ(Exact.NumOverlappedPageable, 0u);
    TraceScenario Means = scenarioOf(Trace);
    EXPECT_NEAR(ReplayedScenario(Means.Text).Total, E.Seconds,
                0.01 * E.Seconds);
    EXPECT_EQ(Means.Text, scenarioOf(Trace).Text);
  }
}

TEST(ScenarioFromTrace, WritesWhatTheTraceSays) {
  TraceScenarioOptions Options;
  Options.Name = "a \"b\"\n";
  Options.System = "workstation-pcie4";
  TraceScenario S =
      scenarioFromTrace(readTrace(inputText("nsys-one-stream.csv")), Options);
  EXPECT_EQ(S.NumKernels, 2u);
  EXPECT_EQ(S.NumKernelsByMean, 2u);
  EXPECT_EQ(S.Text,
            R"(# From a trace of 9 operations on 1 GPU that took 0.006823298 s.
schema: ptx-predict/scenario
version: 1
name: "a \"b\"\\n"
system: "workstation-pcie4"
concurrent_kernels: 1
launch_us: 0 # the trace's gaps have it
kernels:
  # saxpy(int, float, const float *, float *)
  # grid [16384, 1, 1], block [256, 1, 1], launches: 4, of 151.362 to 152.003 us
  saxpy: {time_us: 151.69075}
  # void reduce<float, (int)256>(const T1 *, T1 *, int)
  # grid [512, 1, 1], block [256, 1, 1], launches: 1, of 20.48 to 20.48 us
  reduce: {time_us: 20.48}
processes:
- label: worker
  count: 1
  operations:
  - h2d: {bytes: 16777216, seconds: 0.001706667}
  - delay: {seconds: 0.000082239, stream: s7}
  - h2d: {bytes: 16777216, seconds: 0.00170624}
  - delay: {seconds: 0.000047149, stream: s7}
  - repeat:
      times: 4
      do:
      - launch: {kernel: saxpy, stream: s7}
      - delay: {seconds: 0.000001184, stream: s7}
  - launch: {kernel: reduce, stream: s7}
  - delay: {seconds: 0.000005216, stream: s7}
  - d2h: {bytes: 4, seconds: 0.000001408}
  - delay: {seconds: 0.0000312, stream: s7}
  - d2h: {bytes: 16777216, seconds: 0.0026112}
)");
}

TEST(ScenarioFromTrace, IsShorterWithFasterKernels) {
  NsysTrace Trace = readTrace(inputText("nsys-one-stream.csv"));
  TraceScenario S = scenarioOf(Trace, 0);
  // 152.003 + 151.362 + 151.81 + 151.588 us, half of it.
  EXPECT_NEAR(ReplayedScenario(S.Text, {{"saxpy", 0.5}}).Total,
              Trace.seconds() - 303.3815e-6, 1e-12);
  // Of two streams only what is on the longest path.
  Trace = readTrace(inputText("nsys-two-streams.csv"));
  S = scenarioOf(Trace, 0);
  const double Half = ReplayedScenario(S.Text, {{"scale", 0.5}}).Total;
  EXPECT_LT(Half, Trace.seconds() - 3 * 0.345e-3);
  EXPECT_GT(Half, Trace.seconds() - 6 * 0.352e-3);
}

TEST(ScenarioFromTrace, PutsCopiesThatOverlapIntoStreams) {
  NsysTrace Trace =
      readTrace("Start (ns),Duration (ns),SrcMemKd,DstMemKd,Strm,Name\n"
                "100,50,Pageable,Device,7,[CUDA memcpy HtoD]\n"
                "150,100,,,8,k\n"
                "200,100,Pageable,Device,7,[CUDA memcpy HtoD]\n"
                "250,10,Device,Pinned,9,[CUDA memcpy DtoH]\n"
                "255,10,Device,Pinned,10,[CUDA memcpy DtoH]\n"
                "400,10,Device,Pageable,7,[CUDA memcpy DtoH]\n");
  TraceScenario S = scenarioOf(Trace);
  EXPECT_EQ(S.NumOverlappedPageable, 1u);
  EXPECT_EQ(S.ConcurrentCopies, 2u);
  EXPECT_THAT(S.Text, HasSubstr("as many copy_engines"));
  ReplayedScenario R(S.Text);
  expectSameStarts(Trace, R);
  EXPECT_EQ(R.Ranks[0][0].With.count("stream"), 0u);
  EXPECT_EQ(R.Ranks[0][2].With.at("stream"), "s7");
  EXPECT_EQ(R.Ranks[0][5].With.count("stream"), 0u);
}

TEST(ScenarioFromTrace, SpreadsStreamsThatOverlapThemselves) {
  // As the nodes of a CUDA graph.
  NsysTrace Trace = readTrace("Start (ns),Duration (ns),Ctx,Strm,Name\n"
                              "0,10,1,7,a\n10,30,1,7,b\n20,10,1,7,c\n"
                              "25,10,1,7,d\n30,40,2,7,e\n45,1,1,7,f\n");
  TraceScenario S = scenarioOf(Trace);
  EXPECT_EQ(S.ConcurrentKernels, 3u);
  ReplayedScenario R(S.Text);
  expectSameStarts(Trace, R);
  std::vector<std::string> Streams;
  for (const RanOperation &O : R.Ranks[0])
    Streams.push_back(O.With.at("stream"));
  EXPECT_THAT(Streams, ElementsAre("c1_s7", "c1_s7", "c1_s7_2", "c1_s7_3",
                                   "c2_s7", "c1_s7"));
}

TEST(ScenarioFromTrace, WaitsRatherForItsOwnStream) {
  // Of what ended at the same time.
  NsysTrace Trace = readTrace("Start (ns),Duration (ns),Strm,Name\n"
                              "0,100,7,a\n50,50,8,b\n110,10,7,c\n");
  TraceScenario S = scenarioOf(Trace);
  expectSameStarts(Trace, ReplayedScenario(S.Text));
  EXPECT_THAT(S.Text, Not(HasSubstr("wait:")));
}

TEST(ScenarioFromTrace, TakesGivenCode) {
  NsysTrace Trace = readTrace(
      "Start (ns),Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,DymSMem (MB),"
      "Name\n"
      "0,10,8,2,1,64,1,1,0.049,\"void f<(int)4>(const float *)\"\n"
      "10,10,8,2,1,64,1,1,0.049,\"void f<(int)8>(const float *)\"\n"
      "20,10,9,1,1,64,1,1,0,\"void f<(int)4>(const float *)\"\n"
      "30,10,1,1,1,32,1,1,0,g\n"
      "40,10,1,1,1,32,1,1,0,h\n"
      "50,10,,,,,,,,g\n");
  TraceScenarioOptions Options;
  Options.Code = {{"_Z1fILi4EEvPKf", "f.ptx"}, // f<4>(float const*)
                  {"_Z1fILi2EEvPKf", "f.ptx"},
                  {"g", "dir \"x\"/g.ptx"},
                  {"_Z1hi", "h.ptx"},
                  {"_Z1hf", "h.ptx"}};
  TraceScenario S = scenarioFromTrace(Trace, Options);
  EXPECT_EQ(S.NumKernels, 6u);
  EXPECT_EQ(S.NumKernelsByCode, 3u);
  // No code of f<8>, and two functions h.
  EXPECT_THAT(S.NotMatched, ElementsAre("void f<(int)8>(const float *)", "h"));
  ReplayedScenario R(S.Text);
  EXPECT_THAT(R.Kernels["f"],
              ElementsAre(std::pair("block", "64 1 1 "),
                          std::pair("dynamic_smem", "49152"),
                          std::pair("file", "f.ptx"),
                          std::pair("grid", "8 2 1 "),
                          std::pair("kernel", "_Z1fILi4EEvPKf")));
  EXPECT_EQ(R.Kernels["f_2"]["time_us"], "0.01");
  EXPECT_EQ(R.Kernels["f_3"]["grid"], "9 1 1 ");
  EXPECT_EQ(R.Kernels["g"]["file"], "dir \"x\"/g.ptx");
  EXPECT_EQ(R.Kernels["h"]["time_us"], "0.01");
  EXPECT_EQ(R.Kernels["g_2"]["time_us"], "0.01"); // its shape is not known
}

TEST(ScenarioFromTrace, TakesNoCodeOfTwoThatItMayBe) {
  // Of the unnamed namespaces of two files.
  NsysTrace Trace = readTrace("Start (ns),Duration (ns),GrdX,BlkX,Name\n"
                              "0,10,1,32,<unnamed>::f(int)\n");
  TraceScenarioOptions Options;
  Options.Code = {{"_ZN12_GLOBAL__N_11fEi", "a.ptx"}};
  EXPECT_EQ(scenarioFromTrace(Trace, Options).NumKernelsByCode, 1u);
  Options.Code.push_back({"_ZN17_GLOBAL__N__aa_4_1fEi", "b.ptx"});
  EXPECT_EQ(scenarioFromTrace(Trace, Options).NumKernelsByCode, 0u);
  EXPECT_THAT(scenarioFromTrace(Trace, Options).NotMatched,
              ElementsAre("<unnamed>::f(int)"));
}

TEST(ScenarioFromTrace, NamesKernelsSafely) {
  NsysTrace Trace = readTrace("Start (ns),Duration (ns),Name\n"
                              "0,1,\"k\x1b[2J\xE2\x80\xAE: {#\"\n"
                              "1,1,\"void a::b(int)\"\n2,1,\"void c::b(int)\"\n"
                              "3,1,b_2\n4,1,b_3\n5,1,div\n6,1,7up\n"
                              "7,1,[CUDA memcpy Host-to-Host]\n");
  TraceScenario S = scenarioOf(Trace);
  ReplayedScenario R(S.Text);
  std::vector<std::string> Names;
  for (const RanOperation &O : R.Ranks[0])
    Names.push_back(O.With.at("kernel"));
  EXPECT_THAT(Names,
              ElementsAre("k__", "b", "b_2", "b_2_2", "b_3", "kdiv", "k7up"));
  EXPECT_THAT(S.Text, HasSubstr("# k\\x1b[2J\\u202e: {#\n"));
  EXPECT_THAT(S.Text, HasSubstr("- delay: {seconds: 0.000000001, stream: s0}"));
  for (char C : S.Text)
    EXPECT_TRUE(C == '\n' || (C >= ' ' && C < 0x7f));
}

TEST(ScenarioFromTrace, RepeatsWhatRepeats) {
  std::string Text = "Start (ns),Duration (ns),Strm,Name\n";
  for (unsigned Step = 0; Step != 1000; ++Step) {
    const unsigned At = Step * 100;
    Text += std::to_string(At) + ",40,7,a\n" + std::to_string(At + 10) +
            ",30,8,b\n" + std::to_string(At + 45) + ",50,7,c\n";
  }
  NsysTrace Trace = readTrace(Text);
  TraceScenario S = scenarioOf(Trace);
  ReplayedScenario R(S.Text);
  expectSameStarts(Trace, R, 1e-11);
  EXPECT_EQ(R.NumRepeats, 1u);
  EXPECT_LT(S.Text.size(), 3000u);
}

/// A random trace: several GPUs, streams that overlap themselves, operations
/// without duration, ends and starts at the same time.
std::string randomTrace(std::mt19937 &Random) {
  static const char *Names[] = {"a",
                                "b",
                                "\"void t::c<(int)4>(const float *, int)\"",
                                "[CUDA memcpy HtoD]",
                                "[CUDA memcpy Device-to-Host]",
                                "[CUDA memcpy Device-to-Device]",
                                "[CUDA memcpy Peer-to-Peer]",
                                "[CUDA memset]"};
  static const char *Kinds[] = {"Pageable", "Pinned", "Device", ""};
  const unsigned NumGPUs = 1 + Random() % 3, NumStreams = 1 + Random() % 4;
  const unsigned Spread = Random() % 2 ? 40 : 400;
  std::string Text = "Start (ns),Duration (ns),GrdX,BlkX,Bytes,SrcMemKd,"
                     "DstMemKd,Device,Ctx,Strm,Name\n";
  uint64_t At = 1000000000 + Random() % 1000;
  for (unsigned N = 1 + Random() % 120; N != 0; --N) {
    At += Random() % 3 == 0 ? 0 : Random() % Spread;
    const unsigned Duration = Random() % 5 == 0 ? 0 : Random() % 100;
    Text += std::to_string(At) + "," + std::to_string(Duration) + "," +
            std::to_string(1 + Random() % 2) + ",32," +
            std::to_string(Random() % 1000) + "," + Kinds[Random() % 4] + "," +
            Kinds[Random() % 4] + ",G (" + std::to_string(Random() % NumGPUs) +
            ")," + std::to_string(1 + Random() % 2) + "," +
            std::to_string(Random() % NumStreams) + "," + Names[Random() % 8] +
            "\n";
    if (Random() % 4 == 0)
      At += Duration;
  }
  return Text;
}

TEST(ScenarioFromTrace, ReplaysRandomTraces) {
  std::mt19937 Random(34);
  const unsigned Rounds = PTXPREDICT_IS_SANITIZED ? 100 : 600;
  for (unsigned N = 0; N != Rounds && !testing::Test::HasFailure(); ++N) {
    SCOPED_TRACE(N);
    NsysTrace Trace = readTrace(randomTrace(Random));
    TraceScenario S = scenarioOf(Trace, 0);
    ReplayedScenario R(S.Text);
    expectSameStarts(Trace, R);
    const double Total = ReplayedScenario(scenarioOf(Trace, 0.015).Text).Total;
    EXPECT_NEAR(Total, Trace.seconds(), 0.015 * Trace.seconds() + 1e-15);
  }
}

TEST(ScenarioFromTrace, ChoosesMeansWithinTheTolerance) {
  // Two kernels vary by 4 us in all, one by 400 us, of a run of 3 ms.
  std::string Text = "Start (ns),Duration (ns),Name\n";
  uint64_t At = 0;
  for (int N = 0; N != 10; ++N)
    for (auto [Name, Duration] : {std::pair("steady", 100000 + N % 2 * 400),
                                  std::pair("wild", N % 2 ? 50000 : 130000),
                                  std::pair("same", 70000)}) {
      Text += std::to_string(At) + "," + std::to_string(Duration) + "," + Name +
              "\n";
      At += Duration;
    }
  NsysTrace Trace = readTrace(Text);
  auto TimeOf = [&](double Tolerance, const char *Kernel) {
    return ReplayedScenario(scenarioOf(Trace, Tolerance).Text)
        .Kernels[Kernel]["time_us"];
  };
  EXPECT_EQ(TimeOf(0.01, "steady"), "100.2");
  EXPECT_EQ(TimeOf(0.01, "wild"), "us");
  EXPECT_EQ(TimeOf(0, "steady"), "us");
  EXPECT_EQ(TimeOf(0, "same"), "70");
  EXPECT_EQ(TimeOf(1, "wild"), "90");
  EXPECT_EQ(TimeOf(-1, "same"), "70");
}

TEST(ScenarioFromTrace, SurvivesAnyText) {
  std::mt19937 Random(35);
  std::vector<std::string> Good;
  for (const Example &E : Examples)
    Good.push_back(inputText(E.File));
  for (int N = 0; N != 5; ++N)
    Good.push_back(randomTrace(Random));
  const StringRef Bytes = ",\n\r\"-.e9[]()\xFF\xC3: {}#x\x1b";
  size_t NumGood = 0;
  const unsigned Rounds = PTXPREDICT_IS_SANITIZED ? 200 : 2000;
  for (unsigned N = 0; N != Rounds; ++N) {
    std::string Text = Good[N % Good.size()];
    for (unsigned Change = Random() % 3; Change != 3; ++Change) {
      const size_t At = Random() % Text.size();
      const char New = Bytes[Random() % Bytes.size()];
      const size_t Line = Text.find('\n', At);
      switch (Random() % 5) {
      case 0:
        Text.erase(At, 1 + Random() % 5);
        break;
      case 1:
        Text[At] = New;
        break;
      case 2:
        Text.insert(At, 1, New);
        break;
      case 3: // some lines again
        Text += Text.substr(Line == std::string::npos ? 0 : Line + 1, 300);
        break;
      default: // another digit
        if (llvm::isDigit(Text[At]))
          Text[At] = char('0' + Random() % 10);
      }
      if (Text.empty())
        Text = ",";
    }
    DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "t"));
    NsysTrace Trace;
    const bool Failed = readNsysTrace(Diags, Trace);
    EXPECT_EQ(Failed, Diags.hasErrors());
    for (const Diagnostic &D : Diags.diagnostics())
      EXPECT_NE(D.Line, 0u);
    if (Failed)
      continue;
    ++NumGood;
    TraceScenario S = scenarioOf(Trace, 0);
    ReplayedScenario R(S.Text);
    EXPECT_NEAR(R.Total, Trace.seconds(), 1e-9 * Trace.seconds() + 1e-12);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << Text;
      break;
    }
  }
  EXPECT_GT(NumGood, Rounds / 20);
  EXPECT_LT(NumGood, Rounds);
}

TEST(ScenarioFromTrace, IsLinearInWhatOverlaps) {
  // Each in a stream of its own, though the trace has one.
  std::string Text = "Start (ns),Duration (ns),Name\n";
  const unsigned Count = PTXPREDICT_IS_SANITIZED ? 5000 : 50000;
  for (unsigned N = 0; N != Count; ++N)
    Text += std::to_string(N) + "," + std::to_string(1000000 - N % 7) + ",k\n";
  NsysTrace Trace = readTrace(Text);
  TraceScenario S = scenarioOf(Trace);
  EXPECT_EQ(S.ConcurrentKernels, 128u); // what a scenario may ask for
  EXPECT_NEAR(ReplayedScenario(S.Text).Total, Trace.seconds(),
              0.01 * Trace.seconds());
}

} // namespace
