//===- CounterFileTest.cpp - Files of counters in all forms ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/CounterFile.h"
#include "ptxpredict/Support/CSVFile.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <chrono>
#include <random>

using namespace ptxpredict;

namespace {

struct Read {
  DiagnosticEngine Diags;
  std::vector<KernelCounters> Kernels;
  bool Failed;

  explicit Read(StringRef Text, std::optional<uint64_t> Index = std::nullopt) {
    Diags.setBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text, "c.csv"));
    Failed = readCounters(Diags, Index, Kernels);
  }
  double value(Counter C, size_t Kernel = 0) const {
    if (Kernel >= Kernels.size() || !Kernels[Kernel][C])
      return -1;
    return Kernels[Kernel][C]->Value;
  }
  /// "LINE:COLUMN: MESSAGE" of each message.
  std::vector<std::string> messages() const {
    std::vector<std::string> Result;
    for (const Diagnostic &D : Diags.diagnostics())
      Result.push_back(std::to_string(D.Line) + ":" + std::to_string(D.Column) +
                       ": " + D.Message);
    return Result;
  }
};

/// Two launches of the kernel k in each form that has single launches.
constexpr StringRef Wide =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes.sum","gpu__time_duration.sum","lts__t_sector_hit_rate.pct","smsp__inst_executed.sum"
"","","","","","","","","","","","Kbyte","usecond","%","inst"
"0","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","1,024.00","10.50","40","1,000,000"
"1","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","3,072.00","11.50","60","1,000,002"
)csv";
constexpr StringRef Long =
    R"csv(==PROF== Connected to process 71 (/home/me/app)
==PROF== Profiling "k" - 0: 0%....50%....100% - 3 passes
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","Command line profiler metrics","dram__bytes.sum","Mbyte","1.024"
"0","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","GPU Speed Of Light Throughput","Duration","usecond","10.50"
"0","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","Memory Workload Analysis","L2 Hit Rate","%","40"
"0","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","Compute Workload Analysis","smsp__inst_executed.sum","inst","1,000,000"
"0","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","Instruction Statistics","smsp__inst_executed.sum","inst","1,000,000"
"1","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","Command line profiler metrics","dram__bytes.sum","Mbyte","3.072"
"1","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","GPU Speed Of Light Throughput","Duration","usecond","11.50"
"1","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","Memory Workload Analysis","L2 Hit Rate","%","60"
"1","71","app","127.0.0.1","k(float *, int)","1","7","(256, 1, 1)","(64, 2, 1)","0","7.5","Compute Workload Analysis","smsp__inst_executed.sum","inst","1,000,002"
==PROF== Disconnected from process 71
)csv";
constexpr StringRef Plain =
    R"csv(kernel,grid,block,dram_bytes,time,l2_hit_rate,warp_instructions
k,64x2,256,1024000,10.5,0.4,1000000
k,64x2,256,3072000,11.5,60%,1000002
)csv";
constexpr StringRef Nvprof =
    R"csv(==71== NVPROF is profiling process 71, command: ./app
==71== Profiling application: ./app
==71== Profiling result:
==71== Event result:
"Device","Kernel","Invocations","Event Name","Min","Max","Avg","Total"
"GeForce GTX 1080 (0)","k(float*, int)",2,"gld_request",10,30,20,40

==71== Metric result:
"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"
"GeForce GTX 1080 (0)","k(float*, int)",2,"inst_executed","Instructions Executed",1000000,1000002,1000001
"GeForce GTX 1080 (0)","k(float*, int)",2,"l2_tex_hit_rate","L2 Cache Hit Rate",40.000000%,60.000000%,50.000000%
"GeForce GTX 1080 (0)","k(float*, int)",2,"achieved_occupancy","Achieved Occupancy",0.500000,0.500000,0.500000
"GeForce GTX 1080 (0)","other(int)",1,"inst_executed","Instructions Executed",7,7,7
)csv";

} // namespace

static std::string changed(StringRef Text, StringRef From, StringRef To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, StringRef::npos) << From.str();
  return (Text.take_front(At) + To + Text.drop_front(At + From.size())).str();
}

TEST(CounterFile, AllFormsSayTheSame) {
  for (StringRef Text : {Wide, Long, Plain}) {
    Read R(Text);
    ASSERT_FALSE(R.Failed) << R.messages().front();
    ASSERT_EQ(R.Kernels.size(), 1u);
    EXPECT_TRUE(StringRef(R.Kernels[0].Kernel).starts_with("k"));
    EXPECT_EQ(R.Kernels[0].Launches, 2u);
    EXPECT_EQ(R.Kernels[0].Grid, (Dim3{64, 2, 1}));
    EXPECT_EQ(R.Kernels[0].Block, (Dim3{256, 1, 1}));
    EXPECT_DOUBLE_EQ(R.value(Counter::DRAMBytes), 2048000);
    EXPECT_DOUBLE_EQ(R.value(Counter::Time), 11);
    EXPECT_DOUBLE_EQ(R.value(Counter::L2HitRate), .5);
    EXPECT_DOUBLE_EQ(R.value(Counter::WarpInstructions), 1000001);
    EXPECT_EQ(R.value(Counter::Cycles), -1);
  }
  EXPECT_EQ(Read(Wide).Kernels[0].Capability, "7.5");
}

TEST(CounterFile, NvprofHasMeansOfEventsAndMetrics) {
  Read R(Nvprof);
  ASSERT_FALSE(R.Failed) << R.messages().front();
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(R.Kernels[0].Kernel, "k(float*, int)");
  EXPECT_EQ(R.Kernels[0].Device, "GeForce GTX 1080 (0)");
  EXPECT_EQ(R.Kernels[0].Launches, 2u);
  EXPECT_EQ(R.value(Counter::GlobalLoadRequests), 20);
  EXPECT_EQ(R.value(Counter::WarpInstructions), 1000001);
  EXPECT_DOUBLE_EQ(R.value(Counter::L2HitRate), .5);
  EXPECT_EQ(R.value(Counter::Occupancy), .5);
  EXPECT_EQ(R.value(Counter::WarpInstructions, 1), 7);
  EXPECT_EQ(R.Kernels[1].Launches, 1u);
}

/// Every name of Nsight Compute, in the wide form with units, is what our own
/// name is in the plain form.
TEST(CounterFile, NamesOfNsightComputeAreOurs) {
  std::string Heading = "\"Kernel Name\"", Units = "\"\"", Row = "\"k\"";
  std::string OurHeading = "kernel", OurRow = "k";
  std::array<bool, NumCounters> Done{};
  unsigned Number = 0;
  for (const CounterName &N : counterNames()) {
    if (N.By != Profiler::Ncu || Done[size_t(N.Of)] || N.Name.contains(' '))
      continue;
    Done[size_t(N.Of)] = true;
    ++Number;
    const bool IsShare = N.Unit == CounterUnit::Share;
    const bool IsTime = N.Unit == CounterUnit::Time;
    const std::string Digits = std::to_string(100 + Number);
    Heading += (",\"" + N.Name + "\"").str();
    Units += IsShare ? ",\"%\"" : IsTime ? ",\"msecond\"" : ",\"\"";
    Row +=
        IsShare ? ",\"" + Digits.substr(1) + "\"" : ",\"" + Digits + ",000\"";
    OurHeading += ("," + infoOf(N.Of).Name).str();
    OurRow += IsShare  ? "," + Digits.substr(1) + "%"
              : IsTime ? "," + Digits + "000000"
                       : "," + Digits + "000";
  }
  EXPECT_GT(Number, 30u);
  Read Theirs(Heading + "\n" + Units + "\n" + Row + "\n");
  Read Ours(OurHeading + "\n" + OurRow + "\n");
  ASSERT_FALSE(Theirs.Failed) << Theirs.messages().front();
  ASSERT_FALSE(Ours.Failed) << Ours.messages().front();
  for (unsigned C = 0; C != NumCounters; ++C)
    EXPECT_EQ(Theirs.value(Counter(C)), Ours.value(Counter(C)))
        << infoOf(Counter(C)).Name.str();
}

TEST(CounterFile, TextsOfMessagesAreShort) {
  Read R("time,\"" + std::string(1 << 20, 'x') + "\"\n1,2\n");
  EXPECT_FALSE(R.Failed);
  ASSERT_EQ(R.messages().size(), 1u);
  EXPECT_LT(R.messages()[0].size(), 300u);
}

TEST(CounterFile, OneLaunchInPlaceOfTheMean) {
  for (StringRef Text : {Wide, Long, Plain}) {
    Read R(Text, 1);
    ASSERT_FALSE(R.Failed) << R.messages().front();
    EXPECT_EQ(R.Kernels[0].Launches, 1u);
    EXPECT_DOUBLE_EQ(R.value(Counter::DRAMBytes), 3072000);
    Read None(Text, 2);
    EXPECT_EQ(None.messages(),
              (std::vector<std::string>{
                  "0:0: --launch-index=2: no kernel has so many launches in "
                  "this file; the first is 0"}));
  }
  EXPECT_TRUE(Read(Nvprof, 0).Failed);
}

TEST(CounterFile, GridsOfOneKernelAreApart) {
  Read R(changed(Plain, "k,64x2,256,3", "k,64x4,256,3"));
  ASSERT_FALSE(R.Failed);
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(R.value(Counter::DRAMBytes, 0), 1024000);
  EXPECT_EQ(R.value(Counter::DRAMBytes, 1), 3072000);
  // The second launch of k, whatever its grid.
  Read Second(changed(Plain, "k,64x2,256,3", "k,64x4,256,3"), 1);
  ASSERT_EQ(Second.Kernels.size(), 1u);
  EXPECT_EQ(Second.Kernels[0].Grid, (Dim3{64, 4, 1}));
}

TEST(CounterFile, UnknownMetricsAreNotes) {
  Read R(changed(Wide, "lts__t_sector_hit_rate.pct",
                 "lts__t_sectors_hit_rate.pct"));
  EXPECT_FALSE(R.Failed);
  EXPECT_EQ(R.messages(),
            (std::vector<std::string>{
                "1:162: the metric 'lts__t_sectors_hit_rate.pct' is not used; "
                "did you mean 'lts__t_sector_hit_rate.pct'?"}));
  EXPECT_EQ(R.value(Counter::L2HitRate), -1);
}

TEST(CounterFile, OfAllUnknownMetricsSomeAreShown) {
  std::string Text = "time";
  for (int I = 0; I != 20; ++I)
    Text += ",zz" + std::to_string(I * 1000);
  Text += "\n1" + std::string(20, ',') + "\n";
  Read R(Text);
  EXPECT_FALSE(R.Failed);
  ASSERT_EQ(R.messages().size(), 9u);
  EXPECT_EQ(R.messages().back(), "0:0: 12 more metrics are not used");
}

TEST(CounterFile, AllMistakesAreReported) {
  Read R(R"csv(kernel,time,dram_bytes,l2_hit_rate,grid
k,1,2,3,1x0
k,abc,-5,nan,64x64
k,1,2,0.5,64
k,1,1e400,"1,23",64
k,1,2
)csv");
  EXPECT_EQ(
      R.messages(),
      (std::vector<std::string>{
          "2:9: '1x0' is no grid: that is 1 to 3 positive numbers, such as "
          "(16, 64, 1)",
          "2:7: 'l2_hit_rate' cannot be 3 times the whole",
          "3:3: 'abc' is no number for 'time'",
          "3:7: 'dram_bytes' must be a finite number from 0",
          "3:10: 'l2_hit_rate' must be a finite number from 0",
          "5:5: 'dram_bytes' must be a finite number from 0",
          "5:12: '1,23' is no number for 'l2_hit_rate'",
          "6:1: this row has 3 cells, the heading 5",
          "4:5: 'dram_bytes' is there of only 1 of 2 launches of k",
          "4:7: 'l2_hit_rate' is there of only 1 of 2 launches of k"}));
}

TEST(CounterFile, WrongUnitsAreErrors) {
  EXPECT_EQ(Read(changed(Wide, "Kbyte", "usecond")).messages(),
            (std::vector<std::string>{
                "2:35: 'dram__bytes.sum' cannot be in 'usecond', only in byte, "
                "byte/block, B"}));
  EXPECT_EQ(Read(changed(Long, "Mbyte", "%")).messages().front(),
            "4:142: 'dram__bytes.sum' cannot be in '%', only in byte, "
            "byte/block, B");
}

TEST(CounterFile, MissingAndDoubledMetricsAreErrors) {
  // The same number twice is what sections repeat; another one is a mistake.
  Read Twice(changed(Long,
                     "\"Instruction Statistics\",\"smsp__inst_executed."
                     "sum\",\"inst\",\"1,000,000\"",
                     "\"Instruction Statistics\",\"smsp__inst_executed.sum\","
                     "\"inst\",\"1,000,009\""));
  ASSERT_EQ(Twice.messages().size(), 1u);
  EXPECT_NE(Twice.messages()[0].find("a second value for "
                                     "'smsp__inst_executed.sum' of this "
                                     "launch; the first is in line 7"),
            std::string::npos)
      << Twice.messages()[0];
  Read Missing(changed(Wide, "\"1,000,002\"", "\"n/a\""));
  EXPECT_EQ(Missing.messages(),
            (std::vector<std::string>{
                "3:116: 'smsp__inst_executed.sum' is there of only 1 of 2 "
                "launches of k(float *, int)"}));
  EXPECT_EQ(Read("time,time\n1,2\n").messages().front(),
            "1:6: there are two columns 'time'");
  EXPECT_EQ(Read(changed(Nvprof, "\"other(int)\",1,\"inst_executed\"",
                         "\"k(float*, int)\",1,\"inst_executed\""))
                .messages()
                .size(),
            1u);
}

TEST(CounterFile, HeadingsNeedTheirColumns) {
  EXPECT_EQ(Read(changed(Long, "\"Metric Unit\"", "\"Metric Unt\"")).messages(),
            (std::vector<std::string>{
                "3:1: the heading lacks the column 'Metric Unit'; did you mean "
                "'Metric Unt'?"}));
  EXPECT_EQ(Read("").messages().front(), "0:0: the file is empty");
  EXPECT_EQ(Read("==1== nothing\n").messages().front(),
            "0:0: the file is empty");
  EXPECT_TRUE(Read("a,b\n1,2\n").Failed);
  EXPECT_EQ(Read("time\n").messages().front(),
            "0:0: the file has no launch of a kernel");
}

/// Whatever is done to a file, it is read or refused with a message.
TEST(CounterFile, ChangedFilesAreReadOrRefused) {
  std::mt19937 Random(32);
  for (StringRef Text : {Wide, Long, Plain, Nvprof})
    for (int I = 0; I != 200; ++I) {
      std::string Mutant = Text.str();
      for (int N = int(Random() % 3); N >= 0; --N) {
        const size_t At = Random() % Mutant.size();
        switch (Random() % 4) {
        case 0:
          Mutant[At] = "\",\n9-%x"[Random() % 8];
          break;
        case 1:
          Mutant.erase(At, 1 + Random() % 20);
          break;
        case 2:
          Mutant.insert(At, Mutant.substr(Random() % Mutant.size(), 30));
          break;
        default:
          Mutant.insert(At, 1, char(Random() % 256));
        }
        if (Mutant.empty())
          Mutant = "\n";
      }
      Read R(Mutant);
      ASSERT_EQ(R.Failed, R.Diags.hasErrors());
      ASSERT_EQ(R.Failed, R.Diags.numErrors() != 0) << Mutant;
      ASSERT_EQ(R.Failed, R.Kernels.empty() || R.Failed) << Mutant;
    }
}

TEST(CounterFile, AreReadFast) {
  // 100 MB/s in a release build; here the test alone is compiled without
  // optimisation, and the machine has other work: a tenth of it must do.
  std::string Text = Long.str();
  const StringRef Rows =
      Long.drop_front(Long.find("\"0\",\"71\"")).split("==").first;
  const int Copies = PTXPREDICT_IS_SANITIZED ? 100 : 10000;
  for (int I = 0; I != Copies; ++I)
    Text += Rows;
  const auto Start = std::chrono::steady_clock::now();
  Read R(Text);
  const std::chrono::duration<double> Took =
      std::chrono::steady_clock::now() - Start;
  ASSERT_FALSE(R.Failed) << R.messages().front();
  EXPECT_EQ(R.Kernels[0].Launches, 2u + 2u * unsigned(Copies));
  if (!PTXPREDICT_IS_SANITIZED) {
    RecordProperty("MBPerSecond",
                   int(double(Text.size()) / 1e6 / Took.count()));
    EXPECT_GT(double(Text.size()) / 1e6 / Took.count(), 10);
  }
}
