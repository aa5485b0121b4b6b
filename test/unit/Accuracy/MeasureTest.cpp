//===- MeasureTest.cpp - What the kernels of `measure` do -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Every row of the table on the emulator: the kernel runs without fault, and
// what it does in a round is what the result is divided by.
//===----------------------------------------------------------------------===//
#include "Benchmarks.h"
#include "Measurement.h"
#include "PTXHeader.h"
#include "Records.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Support/InputFile.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using namespace ptxpredict::measure;

namespace {

const std::string BenchmarkFolder =
    PTXPREDICT_SOURCE_DIR "/test/accuracy/measure/ptx/";

/// The files of PTX, each read once.
class Files {
public:
  const InstructionGraph *kernel(const std::string &File, StringRef Name) {
    auto [It, IsNew] = Read.try_emplace(File);
    if (IsNew) {
      It->second.Diags = std::make_unique<DiagnosticEngine>();
      DiagnosticEngine &Diags = *It->second.Diags;
      if (!readInputFile(BenchmarkFolder + File + ".ptx", Diags))
        if (const Frontend *F = findFrontend(Diags))
          It->second.Input = F->read(Diags, {});
    }
    return It->second.Input ? It->second.Input->module().function(Name)
                            : nullptr;
  }

private:
  struct One {
    std::unique_ptr<DiagnosticEngine> Diags;
    std::unique_ptr<ParsedInput> Input;
  };
  std::map<std::string, One> Read;
};

/// What the blocks of one launch did.
struct Done {
  uint64_t Lanes = 0, Products = 0, Requests = 0, Wavefronts = 0;
};

class MeasureTable : public ::testing::Test {
protected:
  static Files &files() {
    static Files All;
    return All;
  }

  static ArgumentValue number(unsigned Value) {
    ArgumentValue V;
    V.Integer = Value;
    V.Float = Value;
    return V;
  }
  static ArgumentValue named(ArgumentValue::KindTy Kind, const char *Name) {
    ArgumentValue V;
    V.Kind = Kind;
    V.Buffer = Name;
    return V;
  }

  static LaunchConfig launchOf(const Benchmark &B, unsigned Rounds) {
    using KindTy = ArgumentValue::KindTy;
    LaunchConfig L;
    L.Grid.X = L.Cluster.X = B.Cluster;
    L.Block.X = B.Threads;
    L.DynamicSharedBytes = B.DynamicShared;
    L.Args = {{0, named(KindTy::Buffer, "spans")},
              {1, named(KindTy::Buffer, "out")},
              {2, named(KindTy::Buffer, "in")},
              {3, number(Rounds)},
              {4, number(B.A)},
              {5, number(B.B)}};
    if (!B.BoxInner)
      return L;
    L.Args[6] = named(KindTy::TensorMap, "map");
    TensorMapSpec Map;
    Map.Buffer = "in";
    Map.Type = TensorElement::U16;
    Map.Dims = {B.BoxInner * 8, (B.A + 1) / 8 * B.BoxOuter * B.Cluster};
    Map.Strides = {uint64_t(B.BoxInner) * 16};
    Map.Box = {B.BoxInner, B.BoxOuter};
    Map.ElementStrides = {1, 1};
    Map.Swizzle = B.BoxInner == 64 ? 128 : 0;
    L.Maps["map"] = Map;
    return L;
  }

  /// Runs so many rounds of a row, on one cluster.
  static Done run(const Benchmark &B, unsigned Rounds) {
    const InstructionGraph *Kernel = files().kernel(B.File, B.Kernel);
    EXPECT_TRUE(Kernel) << B.File << " has no kernel " << B.Kernel;
    if (!Kernel)
      return {};
    EmulationOptions Options;
    Options.Jobs = 1;
    Options.Check = Rounds == 2;
    Emulation E(*Kernel, launchOf(B, Rounds), Options);
    auto Add = [&](StringRef Name, uint64_t Bytes) {
      BufferSpec Spec;
      Spec.Type = "u8";
      Spec.Count = Bytes;
      Spec.Align = 1024;
      Error Err = E.addBuffer(Name, Spec, "");
      EXPECT_FALSE(static_cast<bool>(Err)) << toString(std::move(Err));
    };
    Add("spans", uint64_t(32) * B.Cluster);
    Add("out", uint64_t(8) * B.Cluster * B.Threads);
    Add("in", std::max<uint64_t>(uint64_t(B.InBytes) * B.Cluster, 1));
    Expected<EmulationResult> Result = E.run();
    if (!Result) {
      ADD_FAILURE() << toString(Result.takeError());
      return {};
    }
    EXPECT_FALSE(Result->Fault) << Result->Fault->Message;
    for (const EmulationProblem &P : Result->Problems)
      ADD_FAILURE() << P.Message;
    Done D;
    for (const InstructionProfile &I : Result->Profile.Instructions) {
      D.Lanes += I.Lanes;
      for (const ProductProfile &P : I.Products)
        D.Products += P.MACs;
      if (!I.Memory)
        continue;
      D.Requests += I.Memory->Requests;
      D.Wavefronts += I.Memory->Wavefronts;
    }
    return D;
  }
};

TEST_F(MeasureTable, DoesWhatResultsAreDividedBy) {
  unsigned Products = 0, Lanes = 0, Requests = 0, Number = 0;
  for (const Benchmark &B : benchmarks()) {
    SCOPED_TRACE(B.Name);
    if (PTXPREDICT_IS_SANITIZED && Number++ % 8 != 0)
      continue;
    const Done Two = run(B, 2), Three = run(B, 3);
    if (::testing::Test::HasFailure())
      return;
    const double PerRound = B.Work / B.Rounds;
    const StringRef Name = B.Name, Unit = B.Unit;
    // The loop itself adds, compares and jumps.
    const double Steps = double(Three.Lanes - Two.Lanes) / B.Threads - 3;
    if (Unit == "multiply-adds/cycle") {
      EXPECT_EQ(double(Three.Products - Two.Products), PerRound * B.Cluster);
      ++Products;
    } else if (Unit == "lanes/cycle") {
      EXPECT_EQ(Steps * B.Threads, PerRound);
      ++Lanes;
    } else if (Name.starts_with("latency.") &&
               StringRef(B.File).starts_with("arithmetic")) {
      EXPECT_EQ(Steps, PerRound);
      ++Lanes;
    } else if (Unit == "cycles/request") {
      EXPECT_EQ(double(Three.Requests - Two.Requests), PerRound);
      ++Requests;
    } else if (Name == "rate.shared") {
      EXPECT_EQ(double(Three.Wavefronts - Two.Wavefronts), PerRound);
      ++Requests;
    }
  }
  if (PTXPREDICT_IS_SANITIZED)
    return;
  EXPECT_GT(Products, 60U);
  EXPECT_GT(Lanes, 50U);
  EXPECT_GT(Requests, 50U);
}

TEST_F(MeasureTable, FindsRegistersForEveryBlock) {
  // An SM has 65536 registers; without a bound a thread may get 255 of them.
  constexpr unsigned AnyRegisters = 65536 / 255 / 32 * 32;
  unsigned Bounded = 0;
  for (const Benchmark &B : benchmarks()) {
    SCOPED_TRACE(B.Name);
    const InstructionGraph *Kernel = files().kernel(B.File, B.Kernel);
    ASSERT_TRUE(Kernel);
    if (B.Threads <= AnyRegisters)
      continue;
    ASSERT_TRUE(Kernel->Bounds.MaxThreads);
    const auto &[X, Y, Z] = *Kernel->Bounds.MaxThreads;
    EXPECT_GE(X * Y * Z, B.Threads);
    ++Bounded;
  }
  EXPECT_GT(Bounded, 50U);
}

TEST(Measure, RunsCodeOfOlderTargetsOrOfTheSameArchitecture) {
  EXPECT_TRUE(runsOn("sm_61", 90));
  EXPECT_TRUE(runsOn("sm_90", 90));
  EXPECT_TRUE(runsOn("sm_90", 120));
  EXPECT_FALSE(runsOn("sm_90", 89));
  EXPECT_TRUE(runsOn("sm_90a", 90));
  EXPECT_FALSE(runsOn("sm_90a", 100));
  EXPECT_TRUE(runsOn("sm_100f", 103));
  EXPECT_FALSE(runsOn("sm_100f", 120));
  EXPECT_FALSE(runsOn("", 90));
}

TEST(Measure, AsksForNoNewerHeaderThanThereIs) {
  EXPECT_EQ(newestPTX(10020), 65U);
  EXPECT_EQ(newestPTX(11080), 78U);
  EXPECT_EQ(newestPTX(12040), 84U);
  EXPECT_EQ(newestPTX(12060), 85U);
  EXPECT_EQ(newestPTX(12090), 88U);
  EXPECT_EQ(newestPTX(13010), 91U);
  const StringRef Text =
      "// one\n.version 9.0\n.target sm_80\n.address_size 64\n";
  EXPECT_EQ(fitHeader(Text, 13000, 90), Text);
  EXPECT_EQ(fitHeader(Text, 12040, 75),
            "// one\n.version 8.4\n.target sm_75\n.address_size 64\n");
  EXPECT_EQ(fitHeader(".version 8.0\n.target sm_90a, debug\n", 12000, 80),
            ".version 8.0\n.target sm_90a, debug\n");
  EXPECT_EQ(fitHeader("no PTX", 12000, 80), "no PTX");
}

TEST(Measure, TakesOneKernelOutOfAFile) {
  const StringRef Text = ".version 7.0\n\n.visible .entry a(\n)\n{ A }\n\n"
                         ".visible .entry ab(\n)\n{ B }\n";
  EXPECT_EQ(onlyKernel(Text, "a"),
            ".version 7.0\n\n.visible .entry a(\n)\n{ A }\n");
  EXPECT_EQ(onlyKernel(Text, "ab"),
            ".version 7.0\n\n.visible .entry ab(\n)\n{ B }\n");
  EXPECT_EQ(onlyKernel(Text, "b"), "");
}

TEST(Measure, KeepsRecordsOnALineEach) {
  const Record R{"result", {"a\tb", "", "two\nlines"}};
  EXPECT_EQ(R.line(), "result\ta b\t\ttwo lines");
  const Record Back = Record::parse(R.line());
  EXPECT_EQ(Back.Kind, "result");
  EXPECT_EQ(Back.Fields, (std::vector<std::string>{"a b", "", "two lines"}));
}

} // namespace
