//===- ReferencesTest.cpp - Independent checks of the references ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a reference says is checked by another property of the result: sums,
// order, symmetry, known values.
//===----------------------------------------------------------------------===//
#include "References.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace ptxpredict::accuracy;
using ::testing::Each;
using ::testing::UnorderedElementsAreArray;

namespace {

const std::string LaunchFolder = PTXPREDICT_SOURCE_DIR "/test/accuracy/launch";

/// A launch with its buffers before and after, as numbers.
class Outcome {
public:
  explicit Outcome(const std::string &Kernel) {
    for (const Launch &Each : allLaunches())
      if (Each.Kernel == Kernel)
        L = Each;
    Contents Memory;
    for (const Buffer &B : L.Buffers) {
      EXPECT_EQ(fill(B, LaunchFolder, Memory[B.Name]), "");
      Before[B.Name] = values(B, Memory[B.Name]);
    }
    EXPECT_TRUE(computeReference(L, Memory, Allowed)) << Kernel;
    for (const Buffer &B : L.Buffers)
      After[B.Name] = values(B, Memory[B.Name]);
  }

  Launch L;
  std::map<std::string, std::vector<double>> Before, After;
  Tolerances Allowed;

private:
  static std::vector<double> values(const Buffer &B, const Bytes &Data) {
    std::vector<double> Values;
    unsigned Size = elementBytes(B.Type);
    for (size_t I = 0; I < Data.size(); I += Size)
      Values.push_back(readElement(B.Type, &Data[I]));
    return Values;
  }
};

double sum(const std::vector<double> &V) {
  return std::accumulate(V.begin(), V.end(), 0.0);
}

TEST(AccuracyReferences, EveryLaunchHasOneAndItWritesAllResults) {
  std::set<std::string> Kernels;
  for (const Launch &L : allLaunches()) {
    EXPECT_TRUE(Kernels.insert(L.Kernel).second) << L.Kernel;
    Outcome R(L.Kernel);
    bool Changed = false;
    for (const auto &[Name, Values] : R.After) {
      const std::vector<double> &Old = R.Before[Name];
      for (size_t I = 0; I < Values.size(); ++I) {
        EXPECT_TRUE(std::isfinite(Values[I])) << L.Kernel << " " << Name << I;
        Changed |= !(Values[I] == Old[I]);
      }
    }
    EXPECT_TRUE(Changed) << L.Kernel;
    for (const auto &[Name, Tolerance] : R.Allowed)
      EXPECT_TRUE(R.After.count(Name) && Tolerance <= 1e-3) << L.Kernel;
  }
  EXPECT_GE(Kernels.size(), 32u);
}

TEST(AccuracyReferences, Transposed) {
  Outcome R("transposeNaive");
  // Element (row, column) of the input is row * 130 + column.
  EXPECT_EQ(R.After["out"][77 * 129 + 3], 3 * 130 + 129);
  EXPECT_EQ(R.After["out"][5], 5 * 130);
  EXPECT_EQ(R.After["out"], Outcome("transposeShared").After["out"]);
}

TEST(AccuracyReferences, ProductsTimesOnes) {
  // The sum of row r of A * B is A's row r times the sums of B's rows.
  for (const char *Kernel :
       {"matmulNaive", "matmulTiled", "matmulRegister", "matmulTensor",
        "matmulTensorHalf", "matmulWmma"}) {
    Outcome R(Kernel);
    bool Half = R.L.Arguments.size() == 5;
    size_t N = size_t(R.L.Arguments[Half ? 3 : 4].Value);
    size_t K = size_t(R.L.Arguments[Half ? 4 : 5].Value);
    const auto &A = R.Before["a"], &B = R.Before["b"], &C = R.After["c"];
    for (size_t Row = 0; Row < C.size() / N; ++Row) {
      double Want = 0, Got = 0;
      for (size_t I = 0; I < K; ++I)
        for (size_t J = 0; J < N; ++J)
          Want += A[Row * K + I] * B[I * N + J];
      for (size_t J = 0; J < N; ++J)
        Got += C[Row * N + J];
      EXPECT_NEAR(Got, Want, 0.05) << Kernel << " row " << Row;
    }
  }
}

TEST(AccuracyReferences, LadderAddsUpAllElements) {
  for (char Step = '1'; Step <= '7'; ++Step)
    EXPECT_EQ(sum(Outcome(std::string("reduce") + Step).After["out"]),
              5003.0 * 5002 / 2)
        << Step;
}

TEST(AccuracyReferences, ScansEndWithTheTotal) {
  Outcome Blocks("scanBlocks"), Tree("scanTree"), Offsets("scanAddOffsets");
  double Modulus = 0x1p32;
  EXPECT_EQ(std::fmod(sum(Blocks.After["totals"]), Modulus),
            std::fmod(sum(Blocks.Before["in"]), Modulus));
  // The same elements: exclusive sums of the first block, one further on.
  for (size_t I = 0; I < 255; ++I)
    EXPECT_EQ(Blocks.After["out"][I], Tree.After["out"][I + 1]);
  EXPECT_EQ(
      Offsets.After["sums"][300],
      std::fmod(Offsets.Before["sums"][300] + Offsets.Before["offsets"][1],
                Modulus));
}

TEST(AccuracyReferences, HistogramCountsEveryElementOnce) {
  Outcome R("histogramShared");
  EXPECT_EQ(sum(R.After["bins"]), 20011);
  double Weighted = 0;
  for (size_t I = 0; I < 256; ++I)
    Weighted += double(I) * R.After["bins"][I];
  EXPECT_EQ(Weighted, sum(R.Before["in"]));
}

TEST(AccuracyReferences, SortedBlocksHoldTheSameKeys) {
  Outcome R("bitonicSort");
  auto &Keys = R.After["data"];
  EXPECT_THAT(Keys, UnorderedElementsAreArray(R.Before["data"]));
  for (size_t I = 1; I < Keys.size(); ++I)
    EXPECT_TRUE(I % 512 == 0 || Keys[I - 1] <= Keys[I]) << I;
}

TEST(AccuracyReferences, BodiesKeepTheirMomentum) {
  Outcome R("nbodyStep");
  double Change = 0, Largest = 0;
  for (size_t I = 0; I < 301; ++I) {
    double Mass = R.Before["bodies"][4 * I + 3];
    double Kick = R.After["velocities"][4 * I] - R.Before["velocities"][4 * I];
    Change += Mass * Kick;
    Largest = std::max(Largest, std::fabs(Mass * Kick));
  }
  EXPECT_GT(Largest, 0.1);
  EXPECT_LT(std::fabs(Change), 1e-3);
}

TEST(AccuracyReferences, CallsAndPutsAreAtParity) {
  Outcome R("blackScholes");
  for (size_t I = 0; I < 5003; ++I) {
    double Discounted =
        R.Before["strike"][I] * std::exp(-double(0.02f) * R.Before["years"][I]);
    EXPECT_NEAR(R.After["call"][I] - R.After["put"][I],
                R.Before["spot"][I] - Discounted, 1e-4);
    EXPECT_GE(R.After["call"][I], -1e-6);
  }
}

TEST(AccuracyReferences, ConvolutionsScaleTheMean) {
  // Far from the edges, all outputs that an input reaches add up to it times
  // the sum of the weights; so the sums differ by the edges alone.
  struct Filter {
    const char *Kernel;
    double Weights, Edges;
  };
  for (const Filter &F : {Filter{"convolution1d", 171 / 128.0, 5},
                          Filter{"convolution2d", 30 / 32.0, 30},
                          Filter{"convolutionRows", 131 / 128.0, 20},
                          Filter{"convolutionColumns", 131 / 128.0, 20}}) {
    Outcome R(F.Kernel);
    EXPECT_NEAR(sum(R.After["out"]), sum(R.Before["in"]) * F.Weights, F.Edges)
        << F.Kernel;
  }
}

TEST(AccuracyReferences, HeatIsConserved) {
  Outcome R("hotspotSteps");
  // With what came in, twice, and what left: the difference to 80 degrees is
  // 20 at most and sinks by about 1 % in each step.
  double Change = sum(R.After["after"]) - sum(R.Before["before"]);
  EXPECT_NEAR(Change / (2 * sum(R.Before["power"])), 1, 0.05);
}

TEST(AccuracyReferences, SparseProductsAgree) {
  Outcome Scalar("spmvScalar"), Vector("spmvVector");
  for (size_t I = 0; I < 501; ++I)
    EXPECT_NEAR(Scalar.After["y"][I], Vector.After["y"][I], 1e-5);
  EXPECT_EQ(Scalar.After["y"][7], 0); // an empty row
}

TEST(AccuracyReferences, SearchFindsVerticesOnce) {
  Outcome R("bfsStep");
  auto &Levels = R.After["levels"];
  auto Found = std::count(Levels.begin(), Levels.end(), 3);
  EXPECT_GT(Found, 50);
  EXPECT_EQ(double(Found), R.After["found"][0]);
  EXPECT_EQ(
      std::count(Levels.begin(), Levels.end(), 2),
      std::count(R.Before["levels"].begin(), R.Before["levels"].end(), 2));
}

TEST(AccuracyReferences, EveryPointHasACentre) {
  Outcome R("kmeansAssign");
  EXPECT_EQ(sum(R.After["members"]), 2003);
  // No other centre is nearer.
  for (size_t I = 0; I < 2003; ++I) {
    std::vector<double> Distances;
    for (size_t J = 0; J < 13; ++J) {
      double Squared = 0;
      for (size_t D = 0; D < 4; ++D)
        Squared += std::pow(R.Before["points"][D * 2003 + I] -
                                R.Before["centres"][D * 13 + J],
                            2);
      Distances.push_back(Squared);
    }
    EXPECT_LE(Distances[size_t(R.After["nearest"][I])],
              *std::min_element(Distances.begin(), Distances.end()) + 1e-5);
  }
}

TEST(AccuracyReferences, SoftmaxIsADistribution) {
  Outcome R("softmaxRows");
  for (size_t Row = 0; Row < 37; ++Row) {
    auto Begin = R.After["out"].begin() + std::ptrdiff_t(Row * 301);
    EXPECT_NEAR(std::accumulate(Begin, Begin + 301, 0.0), 1, 1e-5);
  }
}

TEST(AccuracyReferences, NormalisedRowsHaveMeanZeroAndVarianceOne) {
  Outcome R("layerNorm");
  for (size_t Row = 0; Row < 41; ++Row) {
    double Sum = 0, Squares = 0;
    for (size_t I = 0; I < 205; ++I) {
      double V = (R.After["out"][Row * 205 + I] - R.Before["shift"][I]) /
                 R.Before["scale"][I];
      Sum += V;
      Squares += V * V;
    }
    EXPECT_NEAR(Sum / 205, 0, 1e-5);
    EXPECT_NEAR(Squares / 205, 1, 1e-4);
  }
}

TEST(AccuracyReferences, AttentionIsAMeanOfTheValues) {
  Outcome R("flashAttention");
  for (size_t Head = 0; Head < 2; ++Head)
    for (size_t D = 0; D < 32; ++D) {
      double Low = 1, High = -1;
      for (size_t Key = 0; Key < 101; ++Key) {
        double V = R.Before["v"][(Head * 101 + Key) * 32 + D];
        Low = std::min(Low, V);
        High = std::max(High, V);
      }
      for (size_t Query = 0; Query < 101; ++Query) {
        double V = R.After["out"][(Head * 101 + Query) * 32 + D];
        EXPECT_TRUE(Low < V && V < High);
      }
    }
}

TEST(AccuracyReferences, MandelbrotKnowsItsInterior) {
  Outcome R("mandelbrot");
  auto At = [&](double X, double Y) {
    return R.After["out"][size_t(std::lround((Y + 1.2) / 0.032) * 101 +
                                 std::lround((X + 2.2) / 0.032))];
  };
  EXPECT_EQ(At(0, 0), 200);     // the cardioid
  EXPECT_EQ(At(-1, 0), 200);    // the disk
  EXPECT_EQ(At(-2.2, -1.2), 1); // |c| > 2
  EXPECT_EQ(At(1, 0), 2);       // |c^2 + c| > 2, just so
}

TEST(AccuracyReferences, WalksEndAtTheEdgeOrTheLimit) {
  Outcome R("randomWalk");
  size_t Limited = 0;
  for (size_t I = 0; I < 1001; ++I) {
    double Far = std::max(std::fabs(R.After["ends"][2 * I]),
                          std::fabs(R.After["ends"][2 * I + 1]));
    double Steps = R.After["steps"][I];
    EXPECT_TRUE(Far >= 12 ? Far <= 13 && Steps >= 6 : Steps == 300);
    Limited += Far < 12;
  }
  EXPECT_GT(Limited, 0u);
  EXPECT_LT(Limited, 500u);
}

TEST(AccuracyReferences, WarpsKnowTheirElements) {
  Outcome Reduce("warpReduce"), Vote("warpVote");
  EXPECT_EQ(sum(Reduce.After["sums"]), sum(Reduce.Before["in"]));
  EXPECT_EQ(*std::max_element(Reduce.After["greatest"].begin(),
                              Reduce.After["greatest"].end()),
            *std::max_element(Reduce.Before["in"].begin(),
                              Reduce.Before["in"].end()));
  double Odd = 0;
  for (double V : Vote.Before["in"])
    Odd += std::fmod(V, 2) != 0 ? V : 0;
  EXPECT_EQ(sum(Vote.After["odd"]), Odd);
  // Among up to 32 elements of 13 values each is alike with one at least.
  EXPECT_THAT(Vote.After["alike"], Each(::testing::Ge(1)));
  std::set<double> Facts;
  for (double V : Vote.After["facts"])
    Facts.insert(std::fmod(V, 4));
  EXPECT_GE(Facts.size(), 3u); // the votes differ among the warps
}

TEST(AccuracyReferences, RecursionAndLists) {
  Outcome Fibonacci("recursionFibonacci"), Sort("recursionQuicksort");
  for (size_t I = 0; I < 301; ++I) {
    double N = Fibonacci.Before["in"][I], Root = std::sqrt(5);
    EXPECT_EQ(Fibonacci.After["out"][I],
              std::round(std::pow((1 + Root) / 2, N) / Root));
  }
  EXPECT_EQ(sum(Sort.After["lists"]), sum(Sort.Before["lists"]));
  for (size_t I = 203; I < 4872; ++I)
    EXPECT_LE(Sort.After["lists"][I - 203], Sort.After["lists"][I]);
  Outcome Heap("linkedListHeap");
  for (size_t I = 0; I < 150; ++I)
    if (Heap.Before["lengths"][I] == 2) {
      EXPECT_EQ(Heap.After["sums"][I], 31.0 * double(I + 1) + double(I));
    }
}

TEST(AccuracyReferences, FactorsMultiplyToThePanel) {
  Outcome R("luPanel");
  const size_t Rows = 83, Columns = 12;
  for (size_t Block = 0; Block < 3; ++Block) {
    auto From = std::ptrdiff_t(Block * Rows * Columns);
    std::vector<double> Panel(R.Before["panels"].begin() + From,
                              R.Before["panels"].begin() + From +
                                  std::ptrdiff_t(Rows * Columns));
    const double *LU = &R.After["panels"][Block * Rows * Columns];
    for (size_t C = 0; C < Columns; ++C) {
      auto Pivot = size_t(R.After["pivots"][Block * Columns + C]);
      for (size_t J = 0; J < Columns; ++J)
        std::swap(Panel[C * Columns + J], Panel[Pivot * Columns + J]);
    }
    for (size_t I = 0; I < Rows; ++I)
      for (size_t J = 0; J < Columns; ++J) {
        double Product = 0;
        for (size_t K = 0; K <= std::min(I, J); ++K) {
          double Left = K == I ? 1 : LU[I * Columns + K];
          EXPECT_LE(std::fabs(Left), 1);
          Product += Left * LU[K * Columns + J];
        }
        EXPECT_NEAR(Product, Panel[I * Columns + J], 1e-13);
      }
  }
}

TEST(AccuracyReferences, CopiesKeepTheElements) {
  Outcome Words("dotDp4a"), Pipeline("copyPipeline"), Barrier("copyMbarrier");
  double Dot = 0;
  for (size_t I = 0; I < 10003; ++I)
    Dot += Words.Before["a"][I] * Words.Before["b"][I];
  EXPECT_EQ(Words.After["result"][0], Dot);
  // In the last tile what lies behind the end, zeros, comes first.
  EXPECT_EQ(Pipeline.After["out"][0], 1.5f * float(Pipeline.Before["in"][255]));
  EXPECT_EQ(Pipeline.After["out"][9984], 0);
  EXPECT_EQ(Barrier.After["out"][0],
            Barrier.Before["in"][95] + Barrier.Before["in"][94]);
  EXPECT_EQ(Barrier.After["out"][3000], Barrier.Before["in"][2976]);
}

TEST(AccuracyBuffers, ElementsRoundOnceAndStayInRange) {
  auto Through = [](const char *Type, double Value) {
    unsigned char Bits[8] = {};
    writeElement(Type, Value, Bits);
    return readElement(Type, Bits);
  };
  EXPECT_EQ(Through("s8", -200), -128);
  EXPECT_EQ(Through("u8", 255.9), 255);
  EXPECT_EQ(Through("s32", -1.5), -2);
  EXPECT_EQ(Through("u64", 0x1p64), 0x1p64); // its greatest, as a double
  EXPECT_EQ(Through("f16", 1 + 0x1p-11), 1);
  EXPECT_EQ(Through("f16", 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
  EXPECT_EQ(Through("f16", 65519), 65504);
  EXPECT_EQ(Through("f16", 65520), HUGE_VAL);
  EXPECT_EQ(Through("f16", -0x1.8p-24), -0x1p-23);
  EXPECT_EQ(Through("bf16", 3.0078125), 3);
  EXPECT_EQ(Through("f32", 0.1), double(0.1f));
  EXPECT_EQ(Through("f64", -0.1), -0.1);
  EXPECT_TRUE(std::isnan(Through("f32", NAN)));
}

TEST(AccuracyBuffers, ComparisonNamesTheFirstDifference) {
  Buffer B = {"x", "s16", 3, zeros()};
  Bytes Want = {1, 0, 2, 0, 3, 0}, Got = {1, 0, 4, 0, 5, 0};
  EXPECT_EQ(compare(B, Want, Want, 0), "");
  EXPECT_EQ(compare(B, Got, Want, 0),
            "x[1] is 4 instead of 2; 2 of 3 elements are wrong");
  EXPECT_EQ(compare(B, Got, Want, 0.7),
            "x[1] is 4 instead of 2; 1 of 3 elements are wrong");
  EXPECT_EQ(compare(B, Got, Want, 1), "");
}

} // namespace
