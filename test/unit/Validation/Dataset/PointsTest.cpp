//===- PointsTest.cpp - Tests of Points ----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What wrong files get is tested in test/Validation/dataset-errors.test.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Dataset/Points.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

/// Points of a table by a dataset: the head, and one kernel entry's keys.
struct Rows {
  DiagnosticEngine Diags, TableDiags;
  Dataset D;
  CSVFile Table;
  DatasetPoints Result;

  Rows(StringRef Head, StringRef Kernels, StringRef CSV,
       ArrayRef<std::string> Only = {})
      : Diags(llvm::MemoryBuffer::getMemBufferCopy(
            ("schema: ptx-predict/dataset\nversion: 1\nname: d\ntitle: t\n"
             "source: s\ncsv: t.csv\ndevices: {always: v100}\n" +
             Head + "kernels:\n" + Kernels)
                .str(),
            "d")),
        TableDiags(llvm::MemoryBuffer::getMemBufferCopy(CSV, "t.csv")) {
    bool Failed = readDataset(Diags, D) || Table.read(TableDiags) ||
                  checkNames(D, Table, Diags) ||
                  readPoints(D, Table, Only, TableDiags, Result);
    EXPECT_FALSE(Failed) << error();
  }
  std::string error() const {
    for (const DiagnosticEngine *E : {&Diags, &TableDiags})
      for (const Diagnostic &M : E->diagnostics())
        return M.Message;
    return "";
  }
  /// The first cells of the points.
  std::vector<std::string> rows() const {
    std::vector<std::string> Cells;
    Cells.reserve(Result.Points.size());
    for (const MeasuredPoint &P : Result.Points)
      Cells.push_back(Table.cell(P.Row, 0).str());
    return Cells;
  }
};

constexpr StringRef Plain =
    "  - {code: a.ptx, kernel: k, grid: [1], block: [32]}\n";

TEST(Points, FindsTheRowsThatCount) {
  Rows R("where: {good: [1, yes]}\ntime_us: t * 1000\n",
         "  - {where: {k: a, t: \">= 0.02\"}, name: long, code: a.ptx, kernel: "
         "k, grid: [1], block: [32]}\n"
         "  - {where: {k: a}, name: short, code: a.ptx, kernel: k, grid: [1], "
         "block: [32]}\n"
         "  - {where: {\"t * 100\": 9}, name: by formula, code: a.ptx, kernel: "
         "k, grid: [1], block: [32]}\n",
         "row,k,t,good\nA,a,0.03,1\nB,a,0.01,1.0\nC,a,0.001,1\nD,b,0.03,1\n"
         "E,a,0.03,0\nF,b,0.09,yes\n");
  EXPECT_THAT(R.rows(), ElementsAre("A", "B", "F"));
  EXPECT_EQ(R.Result.Points[0].Kernel->Name, "long");
  EXPECT_EQ(R.Result.Points[1].Kernel->Name, "short");
  EXPECT_EQ(R.Result.Points[2].Kernel->Name, "by formula");
  EXPECT_EQ(R.Result.Points[1].TimeUs, 10);
  EXPECT_EQ(R.Result.LeftOut, 1u);
  EXPECT_EQ(R.Result.LaunchBound, 1u);
  EXPECT_EQ(R.Result.NoKernel, 1u);
}

TEST(Points, ReadsLaunches) {
  Rows R("time_us: t\ncore_mhz: f\npower_w: w\ncounters: {instructions: i}\n",
         R"yaml(
  - code: "c/{n}-{config.B}.ptx"
    kernel: "*k*"
    define: {m: n * 2, half: m / 4}
    grid: ["ceil(m / b.x)", b.y]
    block: [b.x, b.z]
    dynamic_shared: config.A * 4
    args: {0: m, x: half, 2: args.size-of}
    buffers: {x: 4 * n, 1+16: m}
    trip_counts: {"$L1": n / 16}
    branch_probabilities: {L2: 0.5}
    registers: r
    spill_bytes: n / 2
    spill_load_bytes: 8
    warps_per_sm: 4
)yaml",
         "t,n,b,config,args,f,w,i,r\n"
         "10,24,32x8,A=5;AB=7;B=6,-n=3 -size-of 9,900,,7,\n");
  ASSERT_EQ(R.Result.Points.size(), 1u);
  const MeasuredPoint &P = R.Result.Points[0];
  EXPECT_EQ(P.Code, "c/24-6.ptx");
  EXPECT_EQ(toString(*P.Launch.Grid), "2x8");
  EXPECT_EQ(toString(*P.Launch.Block), "32");
  EXPECT_EQ(P.Launch.DynamicSharedBytes, 20u);
  ASSERT_EQ(P.Launch.Args.size(), 3u);
  EXPECT_EQ(P.Launch.Args[0].Value.Integer, 48);
  EXPECT_EQ(P.Launch.Args[1].Parameter, "x");
  EXPECT_EQ(P.Launch.Args[1].Value.Float, 12);
  EXPECT_EQ(P.Launch.Args[2].Value.Integer, 9);
  ASSERT_EQ(P.Launch.Buffers.size(), 2u);
  EXPECT_EQ(P.Launch.Buffers[0].Parameter, "x");
  EXPECT_EQ(P.Launch.Buffers[0].Offset, 0u);
  EXPECT_EQ(P.Launch.Buffers[0].Bytes, 96u);
  EXPECT_EQ(P.Launch.Buffers[1].Parameter, "1");
  EXPECT_EQ(P.Launch.Buffers[1].Offset, 16u);
  EXPECT_EQ(P.Launch.TripCounts.at("L1"), 1.5);
  EXPECT_EQ(P.Launch.BranchProbabilities.at("L2"), 0.5);
  EXPECT_EQ(P.CoreMHz, 900);
  EXPECT_EQ(P.PowerW, std::nullopt);
  EXPECT_EQ(P.Counters[0], 7);
  EXPECT_EQ(P.Compiled.Registers, std::nullopt);
  EXPECT_EQ(P.Compiled.SpillBytes, 12);
  EXPECT_EQ(P.Compiled.SpillLoadBytes, 8);
  EXPECT_EQ(P.WarpsPerSM, 4);
}

TEST(Points, KernelsMayHaveAClockOfTheirOwn) {
  Rows R("time_us: t\ncore_mhz: f\n",
         "  - {where: {k: a}, core_mhz: f / 2, code: a.ptx, kernel: k, grid: "
         "[1], block: [32]}\n"
         "  - {code: a.ptx, kernel: k, grid: [1], block: [32]}\n",
         "t,k,f\n9,a,900\n9,b,900\n");
  ASSERT_EQ(R.Result.Points.size(), 2u);
  EXPECT_EQ(R.Result.Points[0].CoreMHz, 450);
  EXPECT_EQ(R.Result.Points[1].CoreMHz, 900);
}

TEST(Points, FindsDefaultRowsOfEachKernel) {
  Rows R(
      "time_us: t\ndefault: {set: high, mem: max, core: max}\n",
      "  - {where: {k: a}, name: a, code: a.ptx, kernel: k, grid: [1], "
      "block: [32]}\n"
      "  - {name: b, code: a.ptx, kernel: k, grid: [1], block: [32]}\n",
      "row,t,k,set,mem,core\nA,9,a,high,1,5\nB,9,a,high,2,3\nC,9,a,high,2,4\n"
      "D,9,a,low,3,9\nE,9,b,high,1,1\n");
  std::vector<std::string> Default;
  for (const MeasuredPoint &P : R.Result.Points)
    if (P.IsDefault)
      Default.push_back(R.Table.cell(P.Row, 0).str());
  EXPECT_THAT(Default, ElementsAre("C", "E"));
}

TEST(Points, DrawsTheSameConfigurationsOfEverySet) {
  constexpr StringRef Kernel = "  - {code: \"{x}-{y}.ptx\", kernel: k, grid: "
                               "[1], block: [32]}\n";
  std::string CSV = "row,t,x,y,device\n";
  auto Add = [](std::string &To, int N, StringRef Device) {
    To += "r" + std::to_string(N) + ",9," + std::to_string(N / 4) + "," +
          std::to_string(N % 4) + "," + Device.str() + "\n";
  };
  for (int N = 0; N != 20; ++N)
    Add(CSV, N, "A");
  for (int N = 19; N >= 0; --N)
    Add(CSV, N, "B");
  constexpr StringRef Head =
      "time_us: t\nset: [device]\nsample: {rows: 3, seed: 1}\n";
  Rows R(Head, Kernel, CSV);
  EXPECT_EQ(R.Result.NotDrawn, 34u);
  std::vector<std::string> OfA(R.rows()), OfB;
  ASSERT_EQ(OfA.size(), 6u);
  OfB.assign(OfA.rbegin(), OfA.rbegin() + 3);
  OfA.resize(3);
  EXPECT_EQ(OfA, OfB);
  // The lowest digests of `printf 1:0,0 | sha256sum` and so on.
  EXPECT_THAT(OfA, ElementsAre("r6", "r13", "r19"));
}

TEST(Points, TakesOnlyTheKernelsAskedFor) {
  Rows R("time_us: t\n", Plain, "row,t\nA,9\n", {"other"});
  EXPECT_THAT(R.rows(), ElementsAre());
  EXPECT_EQ(R.Result.NotAsked, 1u);
}

} // namespace
