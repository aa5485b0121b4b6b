//===- LaunchFileTest.cpp -------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What wrong files get is tested in test/Launch/launch-errors.test.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/LaunchFile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

/// The file, or the first error as "line:column: text".
struct Parsed {
  LaunchFile File;
  std::string Error;
  unsigned Errors = 0;

  explicit Parsed(StringRef Text) {
    DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "l"));
    bool Failed = parseLaunchFile(Diags, File);
    EXPECT_EQ(Failed, Diags.hasErrors());
    Errors = Diags.numErrors();
    if (Failed) {
      const Diagnostic &D = Diags.diagnostics().front();
      Error = std::to_string(D.Line) + ":" + std::to_string(D.Column) + ": " +
              D.Message;
    }
  }
};

TEST(LaunchFile, ReadsTensorMaps) {
  Parsed P(R"(
launches:
  - kernel: gemm
    args: {0: {tensor_map: A}, 1: {tensor_map: dense}}
    buffers:
      x: {type: bf16, count: 1Mi}
    tensor_maps:
      A: {buffer: x, type: bf16, dims: [1000, 64, 2], strides: [2048, 131072],
          box: [64, 16, 2], element_strides: [3, 4, 1], swizzle: 128,
          interleave: 0, oob_fill: nan}
      dense: {buffer: x, type: b6x16_p32, dims: [256, 4, 8], box: [128, 2, 1]}
)");
  ASSERT_EQ(P.Error, "");
  const LaunchFileEntry &E = P.File.Launches[0];
  EXPECT_EQ(E.Spec.Args[0].Value.Kind, ArgumentValue::KindTy::TensorMap);
  EXPECT_EQ(E.Spec.Args[0].Value.Buffer, "A");
  const TensorMapSpec &A = E.Spec.Maps.at("A");
  EXPECT_EQ(A.Buffer, "x");
  EXPECT_EQ(A.Type, TensorElement::BF16);
  EXPECT_EQ(A.Strides, (std::vector<uint64_t>{2048, 131072}));
  EXPECT_EQ(A.Swizzle, 128u);
  EXPECT_TRUE(A.FillsNaN);
  // Of dimension 0 every element is copied, of dimension 1 every fourth.
  EXPECT_EQ(A.copied(0), 64u);
  EXPECT_EQ(A.copied(1), 4u);
  EXPECT_EQ(A.extentBytes(), 131072u + 63 * 2048 + 2000);
  // 6 bits an element in global memory, 8 in shared memory.
  const TensorMapSpec &Dense = E.Spec.Maps.at("dense");
  EXPECT_EQ(Dense.Strides, (std::vector<uint64_t>{192, 768}));
  EXPECT_EQ(Dense.ElementStrides, (std::vector<uint64_t>{1, 1, 1}));
  EXPECT_EQ(Dense.extentBytes(), 192u * 32);
  // A map of the file that an option does not replace is kept.
  LaunchSpec Over;
  Over.Maps["A"].Buffer = "y";
  LaunchSpec Merged = merge(Over, E.Spec);
  EXPECT_EQ(Merged.Maps.at("A").Buffer, "y");
  EXPECT_EQ(Merged.Maps.at("dense").Buffer, "x");
}

TEST(LaunchFile, ReadsEveryKey) {
  Parsed P(R"(
launches:
  - kernel: saxpy
    grid: [4Ki, 2]
    block: 16x16
    cluster: 2
    dynamic_shared: 48Ki
    args:
      0: 1048576
      a: 2.5
      2: {buffer: x}
    buffers:
      x: {type: f32, count: 1Mi, align: 16, fill: iota}
      y: {type: s64, count: 2, fill: {random: 7, low: -3, high: 3},
          expect: {values: [-9, 9]}}
      z: {type: f16, count: 4, fill: {file: z.bin},
          expect: {file: "out/z.bin", tolerance: 1e-3}}
      c: {type: f64, count: 1, fill: {constant: -.inf}}
    trip_counts: {"$L__BB0_2": 128, 40: 0.5}
    branch_probabilities: {L__BB0_4: 0.1, 41: 1}
)");
  ASSERT_EQ(P.Error, "");
  ASSERT_EQ(P.File.Launches.size(), 1u);
  const LaunchFileEntry &E = P.File.Launches[0];
  EXPECT_EQ(E.Kernel, "saxpy");
  EXPECT_EQ(E.Spec.Grid, (Dim3{4096, 2, 1}));
  EXPECT_EQ(E.Spec.Block, (Dim3{16, 16, 1}));
  EXPECT_EQ(E.Spec.Cluster, (Dim3{2, 1, 1}));
  EXPECT_EQ(E.Spec.DynamicSharedBytes, 49152u);

  ASSERT_EQ(E.Spec.Args.size(), 3u);
  EXPECT_EQ(E.Spec.Args[0].Parameter, "0");
  EXPECT_EQ(E.Spec.Args[0].Value.Integer, 1048576);
  EXPECT_EQ(E.Spec.Args[1].Parameter, "a");
  EXPECT_EQ(E.Spec.Args[1].Value.Float, 2.5);
  EXPECT_EQ(E.Spec.Args[2].Parameter, "2");
  EXPECT_EQ(E.Spec.Args[2].Value.Kind, ArgumentValue::KindTy::Buffer);
  EXPECT_EQ(E.Spec.Args[2].Value.Buffer, "x");

  ASSERT_EQ(E.Buffers.size(), 4u);
  const BufferSpec &X = E.Buffers.at("x");
  EXPECT_EQ(X.Type, "f32");
  EXPECT_EQ(X.Count, uint64_t(1) << 20);
  EXPECT_EQ(X.Align, 16u);
  EXPECT_EQ(X.Fill.Kind, BufferFill::KindTy::Iota);
  EXPECT_FALSE(X.Expect);
  const BufferSpec &Y = E.Buffers.at("y");
  EXPECT_EQ(Y.Align, 256u);
  EXPECT_EQ(Y.Fill.Kind, BufferFill::KindTy::Random);
  EXPECT_EQ(Y.Fill.Seed, 7u);
  EXPECT_EQ(Y.Fill.Low, -3);
  EXPECT_EQ(Y.Fill.High, 3);
  EXPECT_THAT(Y.Expect->Values, testing::ElementsAre(-9, 9));
  EXPECT_FALSE(Y.Expect->Tolerance);
  const BufferSpec &Z = E.Buffers.at("z");
  EXPECT_EQ(Z.Fill.File, "z.bin");
  EXPECT_EQ(Z.Expect->File, "out/z.bin");
  EXPECT_EQ(Z.Expect->Tolerance, 1e-3);
  EXPECT_EQ(E.Buffers.at("c").Fill.Constant, -INFINITY);

  EXPECT_EQ(E.Spec.TripCounts.at("$L__BB0_2"), 128);
  EXPECT_EQ(E.Spec.TripCounts.at("40"), 0.5);
  EXPECT_EQ(E.Spec.BranchProbabilities.at("L__BB0_4"), 0.1);
  EXPECT_EQ(E.Spec.BranchProbabilities.at("41"), 1);
}

TEST(LaunchFile, FirstMatchWins) {
  Parsed P("launches:\n  - {kernel: 'scan*', block: 1}\n"
           "  - {kernel: 'void f(int)', block: 2}\n"
           "  - {kernel: '*', block: 3}\n");
  ASSERT_EQ(P.Error, "");
  auto BlockOf = [&](ArrayRef<StringRef> Names) {
    return P.File.find(Names)->Spec.Block->X;
  };
  EXPECT_EQ(BlockOf({"scan_up"}), 1u);
  EXPECT_EQ(BlockOf({"_Z1fi", "void f(int)", "f"}), 2u);
  EXPECT_EQ(BlockOf({"other"}), 3u);
  P.File.Launches.pop_back();
  EXPECT_EQ(P.File.find({"other"}), nullptr);
}

TEST(LaunchFile, AcceptsByteOrderMarkAndCarriageReturns) {
  Parsed P("\xEF\xBB\xBFlaunches:\r\n  - kernel: a\r\n    grid: 3\r\n");
  ASSERT_EQ(P.Error, "");
  EXPECT_EQ(P.File.Launches[0].Spec.Grid->X, 3u);
}

TEST(LaunchFile, KnowsElementTypes) {
  EXPECT_EQ(bufferElementBytes("u8"), 1u);
  EXPECT_EQ(bufferElementBytes("bf16"), 2u);
  EXPECT_EQ(bufferElementBytes("f32"), 4u);
  EXPECT_EQ(bufferElementBytes("s64"), 8u);
  EXPECT_FALSE(bufferElementBytes("b32"));
}

TEST(LaunchFile, ChecksValuesAgainstTheirType) {
  auto Error = [](StringRef Buffer) {
    return Parsed(
               ("launches: [{kernel: k, buffers: {x: " + Buffer + "}}]").str())
        .Error;
  };
  EXPECT_EQ(Error("{type: s8, count: 1, fill: {constant: -128}}"), "");
  EXPECT_THAT(Error("{type: s8, count: 1, fill: {constant: 128}}"),
              testing::HasSubstr("no value of type s8"));
  EXPECT_THAT(Error("{type: u64, count: 1, fill: {constant: -1}}"),
              testing::HasSubstr("no value of type u64"));
  EXPECT_THAT(Error("{type: u32, count: 1, fill: {constant: nan}}"),
              testing::HasSubstr("no value of type u32"));
  EXPECT_EQ(Error("{type: f32, count: 1, fill: {constant: nan}}"), "");
  EXPECT_THAT(Error("{type: f64, count: 4611686018427387904}"),
              testing::HasSubstr("too large"));
  EXPECT_THAT(Error("{type: f64, count: 1, align: 0}"),
              testing::HasSubstr("power of two"));
  EXPECT_THAT(Error("{type: f64, count: 1, fill: {random: 1, low: 2}}"),
              testing::HasSubstr("low must not be above high"));
  EXPECT_THAT(Error("{type: f64, count: 1, fill: {constant: 1, low: 0}}"),
              testing::HasSubstr("belong to random"));
}

// Inputs that a recursive or an alias-expanding reader would not survive.
TEST(LaunchFile, SurvivesHostileInput) {
  auto Repeat = [](StringRef Text, unsigned N) {
    std::string S;
    while (N--)
      S += Text;
    return S;
  };
  for (StringRef Open : {"[", "{a: ", "- ", "? ", "a: ["}) {
    Parsed P(Repeat(Open, 100000));
    EXPECT_GE(P.Errors, 1u) << Open.str();
  }
  EXPECT_GE(Parsed("launches: " + Repeat("[", 100000)).Errors, 1u);
  EXPECT_GE(Parsed("x: it's\nlaunches: " + Repeat("[", 100000)).Errors, 1u);
  EXPECT_EQ(Parsed("").Error, "1:1: the file is empty");
  EXPECT_EQ(Parsed("---\n---\n").Error, "1:1: the file is empty");
  EXPECT_EQ(Parsed(StringRef("launches:\0", 10)).Error,
            "1:10: not text: a byte is 0");
  EXPECT_GE(Parsed("\"" + Repeat("a", 3000000)).Errors, 1u);

  std::string Bomb = "a: &a [x, x, x, x, x, x, x, x]\n";
  for (char C = 'b'; C != 'k'; ++C) {
    char Before = char(C - 1);
    Bomb += std::string{C, ':', ' ', '&', C, ' ', '['};
    for (int I = 0; I != 8; ++I)
      Bomb += std::string{I ? ',' : ' ', '*', Before};
    Bomb += "]\n";
  }
  EXPECT_EQ(Parsed(Bomb + "launches: [{kernel: *k}]\n").Errors, 11u);
}

} // namespace
